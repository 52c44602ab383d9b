//! The first contact of bodies at constant velocities: the method `bilateral`, and the reference of all methods.

use super::bilateral::{Advancement, Paths, Span};
use super::method::Search;
use super::moving_pair::MovingPair;
use super::{Impact, ImpactCounters, Motion};
use crate::body::Body;
use crate::pair::BAND;
use glam::DVec3;
use std::cell::Cell;

/// Largest angle, in radians, that a body rotates by while one set of planes is followed.
const LARGEST_ANGLE: f64 = 0.25;

/// Sets of planes before a pair is given up, at least one for each piece of its motion: about 0.2 s. Bodies that rotate a
/// thousand times within the limit need 30,000, as do faces that tilt a thousand times faster than they approach.
const MAX_SETS: u64 = 200_000;

/// A gap is a contact for the reference below this fraction of the band: what the static reference resolves.
const RESOLVED: f64 = 0.01;

/// The method `bilateral`: the search of the world, for bodies at constant velocities. A gap of a tenth of the band is a
/// contact, as it is for the world.
///
/// Source: Catto 2013.
#[derive(Clone, Debug, Default)]
pub(super) struct Bilateral(Advancement);

impl Search for Bilateral {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let mut flights = Flights::new(moving, 0.1);
        let impact = flights.first_contact(&mut self.0);
        let sets = flights.sets.get();
        let parts = [moving.a, moving.b].map(|body| body.shape.parts().len() as u64);
        counters.steps += sets;
        counters.part_tests += sets * parts[0] * parts[1];
        impact
    }
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
    /// within the limit or do not, at the start or later. Then a method may find either.
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
    /// Sets of planes that were taken.
    sets: Cell<u64>,
}

impl<'a> Paths<'a> for Flights<'a, '_> {
    fn bodies(&self, time: f64) -> [Body<'a>; 2] {
        self.moving.at(self.from + time)
    }

    fn growth(&self) -> f64 {
        self.growth
    }

    fn compares(&self) {
        self.sets.set(self.sets.get() + 1);
    }

    fn is_spent(&self) -> bool {
        self.sets.get() >= MAX_SETS
    }
}

impl<'a, 'm> Flights<'a, 'm> {
    /// From the start on. `margin` is in units of the band.
    fn new(moving: &'m MovingPair<'a>, margin: f64) -> Self {
        let band = BAND * moving.size();
        let (margin, sets) = (margin * band, Cell::new(0));
        Self { moving, band, margin, growth: 0.0, from: 0.0, sets }
    }

    /// The first contact, where `from` is afterwards; without one, `from` is free.
    fn first_contact(&mut self, advancement: &mut Advancement) -> Impact {
        let Self { moving, margin, .. } = *self;
        let [spin_a, spin_b] = moving.spins().map(DVec3::length);
        let [radius_a, radius_b] = [&moving.a, &moving.b].map(Body::bounding_radius);
        let piece = LARGEST_ANGLE / spin_a.max(spin_b);
        let mut span = Span {
            end: 0.0,
            margin,
            // The first plane decides: no other one is asked about.
            level: f64::NEG_INFINITY,
            speed: moving.speed_bound(),
            curvature: spin_a * spin_a * radius_a + spin_b * spin_b * radius_b,
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
