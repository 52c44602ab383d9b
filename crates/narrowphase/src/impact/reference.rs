//! The first contact of bodies at constant velocities: the method `bilateral`, and the reference of all methods.

use super::bilateral::{Advancement, Paths, Span};
use super::moving_pair::MovingPair;
use super::{Impact, Motion};
use crate::body::Body;
use crate::pair::BAND;
use glam::DVec3;
use std::cell::Cell;

/// Largest angle, in radians, that a body rotates by while one set of planes is followed.
const LARGEST_ANGLE: f64 = 0.25;

/// Evaluations of both poses before a pair is given up, with new planes in the same unit: about 0.3 s. It allows for
/// 60,000 sets of planes. Bodies that rotate a thousand times within the limit need 30,000, as do faces that tilt a
/// thousand times faster than they approach.
const MAX_WORK: u64 = 1 << 20;

/// Work to take a new set of planes, in evaluations, in addition to one for each pair of parts.
const WORK_OF_SET: u64 = 16;

/// A gap is a contact for the reference below this fraction of the band: what the static reference resolves.
const RESOLVED: f64 = 0.01;

/// The method `bilateral`: the search of the world, for bodies at constant velocities. A gap of a tenth of the band is a
/// contact, as it is for the world.
///
/// Source: Catto 2013.
pub(super) fn bilateral(
    advancement: &mut Advancement,
    moving: &MovingPair,
    steps: &mut u64,
) -> Impact {
    let mut flights = Flights::new(moving, 0.1);
    let impact = flights.first_contact(advancement);
    *steps += flights.evaluations.get();
    impact
}

/// The answer that all methods are compared with: the search of `bilateral` at a finer margin, with a check of the gap that
/// is left. It keeps scratch and nothing else. `last` is `first`.
#[derive(Clone, Debug, Default)]
pub struct ImpactReference {
    advancement: Advancement,
}

/// The reference's answer for two moving bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownImpact {
    /// When they touch.
    pub impact: Impact,
    /// Whether bodies larger or smaller by the band of 1e-9 of the pair's size have another kind of [`Impact`]: they touch
    /// within the limit or do not, at the start or later. Then a method may find either. So do bodies that stay within
    /// three bands until the search is given up.
    pub is_grazing: bool,
}

impl ImpactReference {
    /// When do `a` and `b` first touch, at most `limit` seconds from their poses?
    ///
    /// [`Impact::Failed`] for the input of which [`TimeOfImpact::find`](super::TimeOfImpact::find) says so, and where
    /// bodies rotate so often within the limit that the search is given up.
    pub fn examine(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> KnownImpact {
        let Some(moving) = MovingPair::new(a, b, limit) else {
            return KnownImpact { impact: Impact::Failed, is_grazing: false };
        };
        let mut flights = Flights::new(&moving, RESOLVED);
        let band = flights.band;
        let Some(start) = moving.spheres_touch(2.0 * band) else {
            return KnownImpact { impact: Impact::Never, is_grazing: false };
        };
        (flights.from, flights.growth) = (start, band);
        let outer = flights.first_contact(&mut self.advancement);
        // Smaller bodies touch later: each search goes on where the one before ended.
        let mut of_smaller = |flights: &mut Flights, before: Impact| {
            flights.growth -= band;
            match before {
                Impact::Never | Impact::Failed => before,
                _ => flights.first_contact(&mut self.advancement),
            }
        };
        let mut impact = of_smaller(&mut flights, outer);
        let inner = of_smaller(&mut flights, impact);
        if impact == Impact::Failed && outer != Impact::Failed {
            let [a, b] = moving.at(flights.from);
            if self.advancement.reference.examine(&a, &b).gap.abs() <= 3.0 * band {
                // They graze for too long.
                return KnownImpact { impact: outer, is_grazing: true };
            }
        }
        let kind = |impact: Impact| std::mem::discriminant(&impact);
        let is_grazing = kind(outer) != kind(inner);
        if let Impact::At { first, last, axis } = &mut impact
            && !is_grazing
            && moving.spins() == [DVec3::ZERO; 2]
            && moving.a.shape.is_convex()
            && moving.b.shape.is_convex()
        {
            // The gap is a convex function of time: its tangents end before the contact. The first one may have the axis of
            // parts that hardly touch, which is not precise.
            for _ in 0..2 {
                let [a, b] = moving.at(*first);
                self.advancement.reference.examine(&a, &b);
                if let Some(part) = self.advancement.reference.nearest() {
                    *first += (part.gap / -part.axis.dot(moving.velocity)).max(0.0);
                    *axis = part.axis;
                }
            }
            *last = *first;
        }
        KnownImpact { impact, is_grazing }
    }
}

/// Two bodies at constant velocities, from a time on, and how near they have to come.
struct Flights<'a, 'm> {
    moving: &'m MovingPair<'a>,
    /// [`BAND`] as a length.
    band: f64,
    margin: f64,
    growth: f64,
    from: f64,
    /// Times at which the poses were evaluated.
    evaluations: Cell<u64>,
    /// Sets of planes that were taken.
    sets: Cell<u64>,
    pairs_of_parts: u64,
}

impl<'a> Paths<'a> for Flights<'a, '_> {
    fn bodies(&self, time: f64) -> [Body<'a>; 2] {
        self.evaluations.set(self.evaluations.get() + 1);
        self.moving.at(self.from + time)
    }

    /// The acceleration of a rotating point towards its axis, as far as it is along the normal: none for balls and tops.
    fn curvature(&self, _: &Span, [part_a, part_b]: [usize; 2], normal: DVec3) -> f64 {
        let [spin_a, spin_b] = self.moving.spins();
        let of = |body: &Body<'_>, part: usize, spin: DVec3| {
            let arm = match body.shape.parts()[part].core().vertices() {
                [center] => body.scale * center.length(),
                _ => body.bounding_radius(),
            };
            spin.cross(normal).length() * spin.length() * arm
        };
        of(&self.moving.a, part_a, spin_a) + of(&self.moving.b, part_b, spin_b)
    }

    fn growth(&self) -> f64 {
        self.growth
    }

    fn compares(&self) {
        self.sets.set(self.sets.get() + 1);
    }

    fn is_spent(&self) -> bool {
        let of_sets = self.sets.get() * (self.pairs_of_parts + WORK_OF_SET);
        self.evaluations.get() + of_sets >= MAX_WORK
    }
}

impl<'a, 'm> Flights<'a, 'm> {
    /// From the start on. `margin` is in units of the band.
    fn new(moving: &'m MovingPair<'a>, margin: f64) -> Self {
        let band = BAND * moving.size();
        let [one, other] = [moving.a, moving.b].map(|body| body.shape.parts().len() as u64);
        Self {
            moving,
            band,
            margin: margin * band,
            growth: 0.0,
            from: 0.0,
            evaluations: Cell::new(0),
            sets: Cell::new(0),
            pairs_of_parts: one * other,
        }
    }

    /// The first contact, where `from` is afterwards; without one, `from` is free.
    fn first_contact(&mut self, advancement: &mut Advancement) -> Impact {
        let Self { moving, margin, .. } = *self;
        let [spin_a, spin_b] = moving.spins().map(DVec3::length);
        let piece = LARGEST_ANGLE / spin_a.max(spin_b);
        // Each piece takes a set of planes.
        if moving.limit - self.from > piece * (MAX_WORK / WORK_OF_SET) as f64 {
            return Impact::Failed;
        }
        let mut span = Span {
            end: 0.0,
            margin,
            level: None,
            speed: moving.speed_bound(),
            // A bound for all planes; each one's curvature is less.
            curvature: spin_a * spin_a * moving.a.bounding_radius()
                + spin_b * spin_b * moving.b.bounding_radius(),
            halvings: 14,
        };
        while !self.is_spent() {
            let remaining = moving.limit - self.from;
            span.end = piece.min(remaining);
            let touch = advancement.first_touch(self, &span, |_, _, touch| Some((1.0, *touch)));
            match touch {
                None if piece >= remaining => return Impact::Never,
                None => self.from += piece,
                Some((time, Some(touch))) => {
                    self.from += time;
                    return match self.from {
                        0.0 => Impact::Overlapping,
                        // A plane was passed unseen.
                        _ if touch.gap < -self.band => Impact::Failed,
                        first => Impact::At { first, last: first, axis: touch.axis },
                    };
                }
                Some((time, None)) if time > 0.0 => self.from += time,
                Some((_, None)) => break,
            }
        }
        Impact::Failed
    }
}
