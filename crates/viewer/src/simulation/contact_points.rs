//! The points where bodies touch, and which of them are kept from the step before.

use crate::session::Session;
use broadphase::Pair;
use glam::Vec3;
use narrowphase::Reference;
use narrowphase::contact::{Contacts, PointId};
use sim::{Bodies, BodyContact};

/// A point where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownContact {
    /// In the middle between both surfaces.
    pub point: Vec3,
    /// Unit vector from the first to the second body.
    pub normal: Vec3,
    /// Whether the same features of the two bodies met in the step before; `None` where that step was not observed.
    pub is_kept: Option<bool>,
    /// Bounding radius of the smaller body.
    pub radius: f32,
}

/// Finds the contact points of each step that it is asked about.
#[derive(Debug, Default)]
pub(super) struct ContactPoints {
    /// Epoch and step of the points.
    at: Option<(u64, u64)>,
    points: Vec<ShownContact>,
    /// What they are the points of, sorted.
    ids: Vec<(Pair, PointId)>,
    /// The same of the step before.
    earlier: Vec<(Pair, PointId)>,
    /// Whether the step before was observed.
    knows_earlier: bool,
    reference: Reference,
    contacts: Contacts,
    touching: Vec<BodyContact>,
}

impl ContactPoints {
    /// The points of the present step; none until its pairs are known. They are found once for each step.
    pub(super) fn find(&mut self, session: &Session) -> &[ShownContact] {
        let at = (session.motion().epoch(), session.steps());
        let Some(bodies) = session.world().and_then(sim::World::bodies) else { return &[] };
        if self.at == Some(at) {
            return &self.points;
        }
        if !session.is_searched() {
            return &[];
        }
        std::mem::swap(&mut self.ids, &mut self.earlier);
        self.knows_earlier = self.at.is_some_and(|(epoch, step)| (epoch, step + 1) == at);
        self.at = Some(at);
        self.points.clear();
        self.ids.clear();
        let mut touching = std::mem::take(&mut self.touching);
        bodies.find_contacts(session.pairs(), session.motion().layers(), &mut touching);
        for contact in &touching {
            self.add(bodies, contact.pair);
        }
        self.touching = touching;
        self.ids.sort_unstable();
        &self.points
    }

    fn add(&mut self, bodies: &Bodies, pair: Pair) {
        let [a, b] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
        self.reference.examine(&a, &b);
        self.contacts.find(&a, &b, self.reference.parts());
        let radius = a.bounding_radius().min(b.bounding_radius()) as f32;
        for set in self.contacts.sets() {
            let normal = set.normal.as_vec3();
            for point in self.contacts.points_of(set) {
                let id = (pair, point.id);
                let is_kept = self.knows_earlier.then(|| self.earlier.binary_search(&id).is_ok());
                let point = point.position.as_vec3();
                self.points.push(ShownContact { point, normal, is_kept, radius });
                self.ids.push(id);
            }
        }
    }
}
