//! A moving body and one that never moves.
//!
//! The time of their touch is found by bilateral advancement (Catto 2013, "Continuous collision"). At one time each pair
//! of convex parts is separated by a plane. The planes are followed until the moving body meets one. There
//! new ones are taken, until the bodies touch, or each pair of parts is separated at the end by its plane.

use super::flight::{Contact, End, Mover};
use super::impulse::leaving;
use super::solid::{BodyState, Solid};
use super::touch::{Points, crossing, floor};
use super::walls::Plane;
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::{Body, Part, PartVerdict, Reference};

/// Most times that new planes are taken; then the body stays there. A few are enough but for grazing contacts.
const MAX_PLANES: usize = 32;

/// What gaps are known to, in units of both radii and the distance. The reference resolves a tenth of it.
const RESOLUTION: f64 = 1e-10;

/// A pair of bodies of which one moves.
pub(super) struct Obstruction<'a> {
    pub(super) mover: Mover<'a>,
    pub(super) fixed: Body<'a>,
    /// The object of the body that never moves; `None` for an obstacle.
    pub(super) object: Option<u32>,
    /// The largest gap that counts as touching.
    margin: f64,
    /// An upper bound of the speed of the moving body's points.
    speed: f64,
}

/// Memory that is reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    reference: Reference,
    contacts: Contacts,
    separations: Vec<Separation>,
}

/// A plane that a part of the moving body must stay in front of.
#[derive(Clone, Debug)]
struct Separation {
    part: usize,
    plane: Plane,
    /// The least gap that is allowed.
    floor: f64,
}

impl<'a> Obstruction<'a> {
    /// `margin` is the largest gap from a wall that counts as touching.
    pub(super) fn new(
        mover: Mover<'a>,
        fixed: Body<'a>,
        object: Option<u32>,
        state: &BodyState,
        margin: f64,
    ) -> Self {
        let Solid { radius, .. } = *mover.solid;
        let distance = state.position.distance(fixed.pose.position);
        let size = radius + fixed.bounding_radius() + distance;
        let spin = mover.solid.rotor(state).speed_bound(state.rotation);
        let speed = state.velocity.length() + spin * radius;
        Self { mover, fixed, object, margin: margin + RESOLUTION * size, speed }
    }

    /// The end of the free part of a sub-step; `None` if it is free at `end`.
    ///
    /// Parts that overlap at the start are a contact there if they approach, and are left alone otherwise.
    pub(super) fn first_touch(
        &self,
        start: &BodyState,
        end: f64,
        scratch: &mut Scratch,
    ) -> Option<End> {
        let Scratch { reference, contacts, separations } = scratch;
        let mut time = 0.0;
        for _ in 0..MAX_PLANES {
            if self.mover.is_spent() {
                break;
            }
            let state = self.mover.moved(start, time);
            self.mover.compares(&self.fixed);
            let body = self.mover.body(&state);
            // Parts that are further apart cannot meet until `end`.
            let reach = self.speed * (end - time) + 2.0 * self.margin;
            separations.clear();
            for verdict in reference.near(&self.fixed, &body, reach) {
                if verdict.gap <= self.margin {
                    let contact = self.contact(&state, &body, verdict, contacts);
                    if contact.is_some() {
                        return Some(End { time, contact });
                    }
                    if verdict.gap < -self.margin {
                        continue;
                    }
                }
                separations.push(self.separation(&body, verdict));
            }
            let next = self.separated_until(start, time, end, separations);
            if next == end {
                return None;
            }
            if next <= time {
                break;
            }
            time = next;
        }
        Some(End { time, contact: None })
    }

    /// The contact of two parts that touch; `None` if they do not approach.
    fn contact(
        &self,
        state: &BodyState,
        body: &Body<'_>,
        verdict: &PartVerdict,
        contacts: &mut Contacts,
    ) -> Option<Contact> {
        // A gap within the margin counts as none.
        let touching = PartVerdict { gap: verdict.gap.min(0.0), ..*verdict };
        contacts.find(&self.fixed, body, &[touching]);
        let mut points = Points::new(leaving(self.mover.solid, state, verdict.axis));
        contacts.points().iter().for_each(|point| points.add(point.middle));
        let point = points.chosen()?;
        Some(Contact { point, normal: verdict.axis, object: self.object })
    }

    /// The plane between two parts.
    fn separation(&self, body: &Body<'_>, verdict: &PartVerdict) -> Separation {
        let normal = verdict.axis;
        let part = &self.fixed.shape.parts()[verdict.part_a];
        let offset = highest(&self.fixed, part, normal);
        let plane = Plane { normal, offset };
        let gap = plane.gap_of(body, &body.shape.parts()[verdict.part_b]);
        Separation { part: verdict.part_b, plane, floor: floor(gap, self.margin) }
    }

    /// A time until `end` at which every plane separates, as at `time`.
    fn separated_until(
        &self,
        start: &BodyState,
        time: f64,
        end: f64,
        separations: &[Separation],
    ) -> f64 {
        let mut free = end;
        for _ in 0..MAX_PLANES {
            let before = free;
            for Separation { part, plane, floor } in separations {
                if self.mover.is_spent() {
                    return time;
                }
                let above = |time: f64| {
                    let body = self.mover.body(&self.mover.moved(start, time));
                    plane.gap_of(&body, &body.shape.parts()[*part]) - floor
                };
                if above(free) < 0.0 {
                    free = crossing(above, time, free, 0.25 * self.margin);
                }
            }
            if free == before || free <= time {
                return free;
            }
        }
        time
    }
}

/// The greatest projection of a part of a body.
fn highest(body: &Body<'_>, part: &Part, axis: DVec3) -> f64 {
    let opposite = Plane { normal: -axis, offset: 0.0 };
    -opposite.gap_of(body, part)
}
