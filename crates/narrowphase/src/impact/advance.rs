//! Methods that ask for the distance of the bodies.

use super::method::Search;
use super::moving_pair::MovingPair;
use super::snapshot::Snapshot;
use super::{Impact, ImpactCounters};

/// `advance`: the bodies cannot touch before they have closed their distance at the greatest speed along its axis. So they
/// are advanced by that time, until the distance is at most the tolerance.
///
/// The speed of points that rotate is bounded by the radius, and the spin across the axis. Where that is far more than the
/// true speed, steps become small: a pair that rotates just above the tolerance is given up after
/// [`MAX_ADVANCES`].
///
/// Source: 000 §4.2 after Jimenez, Thomas, Torras [10]; Mirtich 1996.
#[derive(Clone, Debug, Default)]
pub(super) struct Advance {
    snapshot: Snapshot,
}

/// Steps before a pair is given up: about a tenth of a second.
const MAX_ADVANCES: u32 = 200_000;

/// Distances below this fraction of the size count as contact.
const TOLERANCE: f64 = 1e-10;

impl Search for Advance {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let mut earliest = Impact::Never;
        let mut until = moving.limit();
        for i in 0..moving.a().shape.parts().len() {
            for j in 0..moving.b().shape.parts().len() {
                counters.part_tests += 1;
                match self.search_parts(moving, [i, j], until, counters) {
                    Impact::Never => {}
                    Impact::At { first, last, axis } => {
                        until = first;
                        earliest = Impact::At { first, last, axis };
                    }
                    decided => return decided,
                }
            }
        }
        earliest
    }
}

impl Advance {
    fn search_parts(
        &mut self,
        moving: &MovingPair,
        parts: [usize; 2],
        until: f64,
        counters: &mut ImpactCounters,
    ) -> Impact {
        let tolerance = TOLERANCE * moving.size();
        let [spin_a, spin_b] = moving.spins();
        let [radius_a, radius_b] = [moving.a(), moving.b()].map(|body| body.bounding_radius());
        let mut time = 0.0;
        for _ in 0..MAX_ADVANCES {
            let (gap, axis) = self.snapshot.gap_of_parts(moving, parts, time, counters);
            if time == 0.0 && gap <= 0.0 {
                return Impact::Overlapping;
            }
            if time > 0.0 && gap <= tolerance {
                return Impact::At { first: time, last: time, axis };
            }
            let speed = spin_a.cross(axis).length() * radius_a
                + spin_b.cross(axis).length() * radius_b
                - moving.velocity().dot(axis);
            if speed <= 0.0 {
                return Impact::Never;
            }
            // A step of the tolerance is rounding where the bodies begin that near.
            time += gap.max(0.1 * tolerance) / speed;
            if time > until {
                return Impact::Never;
            }
        }
        Impact::Failed
    }
}

/// `bisection`: a part of the step in which the bodies move less than their distance at one of its ends is free of
/// contacts. Other parts are halved, the first half first, until they are 1/4,096 of the step.
///
/// No contact is missed. A part that short counts as one, so that bodies collide that pass within their displacement in
/// it; 000 says the same of its tolerance. It does not lose the time that the first half finds, as algorithm 4.1 does.
///
/// Source: 000 §4.2, algorithm 4.1, after Ericson 2005.
#[derive(Clone, Debug, Default)]
pub(super) struct Bisection {
    snapshot: Snapshot,
}

/// Halvings of the step: the shortest part is 2^-12 of it.
const DEPTH: u32 = 12;

impl Search for Bisection {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let Self { snapshot } = self;
        let shortest = moving.limit() / f64::from(1 << DEPTH);
        // In shortest parts: where the present part begins, and how many it has.
        let (mut from, mut length) = (0u32, 1 << DEPTH);
        let time = |at: u32| shortest * f64::from(at);
        let mut start = snapshot.gap(moving, 0.0, counters);
        if start.0 <= 0.0 {
            return Impact::Overlapping;
        }
        while from < 1 << DEPTH {
            let way = moving.speed_bound() * time(length);
            let is_free =
                start.0 > way || snapshot.gap(moving, time(from + length), counters).0 > way;
            if is_free {
                from += length;
                // The largest part that begins here.
                length = 1 << from.trailing_zeros().min(DEPTH);
                start = snapshot.gap(moving, time(from), counters);
            } else if length == 1 {
                let first = time(from).max(f64::MIN_POSITIVE);
                return Impact::At { first, last: first, axis: start.1 };
            } else {
                length /= 2;
            }
        }
        Impact::Never
    }
}
