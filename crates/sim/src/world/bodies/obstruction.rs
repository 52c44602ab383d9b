//! A moving body and one that never moves.

use super::flight::{Contact, End};
use super::impulse::leaving;
use super::mover::Mover;
use super::solid::{BodyState, Solid};
use super::touch::Points;
use narrowphase::contact::Contacts;
use narrowphase::impact::bilateral::{Advancement, Paths, Span};
use narrowphase::{Body, PartVerdict};

/// Resolution of gaps, in units of both radii and the distance. The reference resolves a tenth of it.
pub(super) const RESOLUTION: f64 = 1e-10;

/// A pair of bodies of which one moves.
pub(super) struct Obstruction<'a> {
    pub(super) mover: Mover<'a>,
    pub(super) fixed: Body<'a>,
    /// The object of the body that never moves; `None` for an obstacle.
    pub(super) object: Option<u32>,
    /// The restitution of the body that never moves.
    pub(super) restitution: f64,
    /// The largest acceleration of the mover's points by rotation. With 0, a corner may rotate into the body and out again.
    pub(super) curvature: f64,
}

/// Memory that is reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) advancement: Advancement,
    pub(super) contacts: Contacts,
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
    /// counts as touching.
    ///
    /// Parts that overlap at the start are a contact there if they approach, and are left alone otherwise.
    pub(super) fn first_touch(
        &self,
        start: &BodyState,
        end: f64,
        margin: f64,
        scratch: &mut Scratch,
    ) -> Option<End> {
        let Scratch { advancement, contacts } = scratch;
        let Solid { radius, .. } = *self.mover.solid;
        let distance = start.position.distance(self.fixed.pose.position);
        let size = radius + self.fixed.bounding_radius() + distance;
        let spin = self.mover.solid.rotor(start).speed_bound(start.rotation);
        let span = Span {
            end,
            margin: margin + RESOLUTION * size,
            speed: start.velocity.length() + spin * radius,
            curvature: self.curvature,
        };
        let paths = FromState { pair: self, start };
        let touch = advancement.first_touch(&paths, &span, |_, bodies, verdict| {
            self.contact(&start.at(bodies[1].pose), bodies, verdict, contacts)
        });
        touch.map(|(time, contact)| End { time, contact })
    }

    /// The contact of two parts that touch; `None` if they do not approach.
    fn contact(
        &self,
        state: &BodyState,
        [fixed, body]: &[Body<'_>; 2],
        verdict: &PartVerdict,
        contacts: &mut Contacts,
    ) -> Option<Contact> {
        let mut points = Points::new(leaving(self.mover.solid, state, verdict.axis));
        points.add_all(contacts, [fixed, body], verdict);
        let (point, normal) = (points.chosen()?, verdict.axis);
        Some(Contact { point, normal, object: self.object, restitution: self.restitution })
    }
}
