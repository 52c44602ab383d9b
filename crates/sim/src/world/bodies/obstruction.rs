//! A moving body and one that never moves.

use super::flight::{Contact, End};
use super::impulse::leaving;
use super::mover::{MAX_HALVINGS, Mover};
use super::solid::BodyState;
use super::touch::{Points, level, max_level};
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::impact::bilateral::{Advancement, Paths, Span};
use narrowphase::{Body, Reference};

/// Resolution of gaps, in units of both radii and the distance. The reference resolves a tenth of it.
pub(super) const RESOLUTION: f64 = 1e-10;

/// A pair of bodies of which one moves.
pub(super) struct Obstruction<'a> {
    pub(super) mover: Mover<'a>,
    pub(super) fixed: Body<'a>,
    /// The index of the body that never moves.
    pub(super) fixture: usize,
    /// The largest acceleration of the mover's points by rotation. With 0, a corner may rotate into the body and out again.
    pub(super) curvature: f64,
}

/// Memory that is reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) advancement: Advancement,
    pub(super) contacts: Contacts,
    pub(super) reference: Reference,
    pub(super) touched: Touched,
}

/// Where a body touched a fixture last.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    fixture: usize,
    normal: DVec3,
    points: Vec<DVec3>,
}

impl Touched {
    /// Notes the points of a contact set that are at most `level` above the deepest one.
    fn note(&mut self, fixture: usize, contacts: &Contacts, normal: DVec3, level: f64) {
        (self.fixture, self.normal) = (fixture, normal);
        self.points.clear();
        self.points.extend(points_above(contacts, level));
    }

    /// The points of a contact, if they are known.
    pub(super) fn points_of(&self, contact: &Contact) -> Option<&[DVec3]> {
        let is_it = contact.fixture == Some(self.fixture) && contact.normal == self.normal;
        is_it.then_some(&self.points)
    }
}

/// The points of contact sets whose gap is at most `level`.
pub(super) fn points_above(contacts: &Contacts, level: f64) -> impl Iterator<Item = DVec3> {
    let points = contacts.points().iter().filter(move |point| point.depth >= -level);
    points.map(|point| point.position)
}

/// The paths of an obstruction, from a state on.
struct FromState<'p, 'a> {
    pair: &'p Obstruction<'a>,
    start: &'p BodyState,
}

impl<'a> Paths<'a> for FromState<'_, 'a> {
    fn bodies(&self, time: f64) -> [Body<'a>; 2] {
        let mover = &self.pair.mover;
        [self.pair.fixed, mover.body(&mover.moved(self.start, time))]
    }

    fn first_stays(&self) -> bool {
        true
    }

    fn compares(&self) {
        self.pair.mover.compares(&self.pair.fixed);
    }

    fn is_spent(&self) -> bool {
        self.pair.mover.is_spent()
    }
}

impl Obstruction<'_> {
    /// The end of the free part of a sub-step; `None` if it is free at `end`. `margin` is the largest gap from a wall that
    /// counts as touching, `quiet` the greatest speed that is no approach.
    ///
    /// Parts that overlap at the start are a contact there if they approach, and are left alone otherwise.
    pub(super) fn first_touch(
        &self,
        start: &BodyState,
        end: f64,
        [margin, quiet]: [f64; 2],
        scratch: &mut Scratch,
    ) -> Option<End> {
        let solid = self.mover.solid;
        let distance = start.position.distance(self.fixed.pose.position);
        let size = solid.radius + self.fixed.bounding_radius() + distance;
        let span = Span {
            end,
            margin: margin + RESOLUTION * size,
            level: max_level(solid, start),
            speed: solid.speed_bound(start),
            curvature: self.curvature,
            halvings: MAX_HALVINGS,
        };
        let paths = FromState { pair: self, start };
        let Scratch { advancement, contacts, touched, .. } = scratch;
        let mut is_edge = false;
        let touch = advancement.first_touch(&paths, &span, |plane, bodies, verdict| {
            let state = start.at(bodies[1].pose);
            let level = level(solid, &state, verdict.axis);
            is_edge = plane > 0 && (is_edge || verdict.gap >= -level);
            let leaving = leaving(solid, &state, verdict.axis);
            let mut points = Points::new(|point| leaving(point) + quiet);
            points.add_all(contacts, [&bodies[0], &bodies[1]], verdict);
            let (point, normal) = (points.chosen()?, verdict.axis);
            touched.note(self.fixture, contacts, normal, level);
            Some((-leaving(point), Contact { point, normal, fixture: Some(self.fixture), is_edge }))
        });
        touch.map(|(time, contact)| End {
            time,
            contact: contact.map(|contact| Contact { is_edge, ..contact }),
        })
    }
}
