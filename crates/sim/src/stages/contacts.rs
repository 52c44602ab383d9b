//! Contact sets of the pairs that touch.

use super::stage::Stage;
use super::{BodyList, FramePairs};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::Reference;
use narrowphase::contact::{ContactMemory, ContactPoint, Contacts};

/// Touching pairs from which several threads find their contact sets, each of which takes ten tests.
pub(super) const PARALLEL_CONTACTS: usize = 64;

/// Finds the axis of least penetration of touching pairs and clips their features, with what it keeps of each pair.
pub struct ContactStage {
    /// It answers with the number of sets.
    stage: Stage<(), Finder, ContactMemory, u64>,
}

#[derive(Default)]
struct Finder {
    reference: Reference,
    contacts: Contacts,
    points: Vec<PairPoint>,
}

/// A point where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPoint {
    /// The bodies.
    pub pair: Pair,
    /// Unit vector of the world from the first to the second body: the axis of least penetration.
    pub normal: DVec3,
    /// The point, and whether it is kept from the last frame.
    pub point: ContactPoint,
}

/// Contacts of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactCount {
    /// Pairs of parts that touch.
    pub sets: u64,
    /// Points of their contact sets.
    pub points: u64,
    /// Points between features that met in the last frame too.
    pub kept: u64,
}

impl Default for ContactStage {
    fn default() -> Self {
        Self { stage: Stage::of((), |()| Finder::default(), true, PARALLEL_CONTACTS) }
    }
}

impl ContactStage {
    /// Finds the contact sets of all pairs. Pairs that do not touch have none.
    pub fn find(&mut self, of: &FramePairs<'_, impl BodyList>) -> ContactCount {
        self.stage.workers.iter_mut().for_each(|finder| finder.points.clear());
        self.stage.ask_all(of, |finder, pair, memory| {
            let Finder { reference, contacts, points } = finder;
            let [a, b] = of.pair(pair);
            contacts.is_flat = of.bodies.is_flat();
            contacts.find(&a, &b, reference.near(&a, &b, 0.0));
            memory.mark(contacts);
            for set in contacts.sets() {
                let of_set = contacts.points_of(set).iter();
                points.extend(of_set.map(|&point| PairPoint { pair, normal: set.normal, point }));
            }
            contacts.sets().len() as u64
        });
        ContactCount {
            sets: self.stage.answers().iter().sum(),
            points: self.points().count() as u64,
            kept: self.points().filter(|found| found.point.is_kept).count() as u64,
        }
    }

    /// The points of the last [`find`](Self::find), in the order of its pairs.
    pub fn points(&self) -> impl Iterator<Item = &PairPoint> {
        self.stage.workers.iter().flat_map(|finder| &finder.points)
    }
}
