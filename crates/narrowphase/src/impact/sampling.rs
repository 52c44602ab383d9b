//! Methods that compare the bodies at chosen times only.

use super::moving_pair::MovingPair;
use super::registry::Method;
use super::{Impact, TimeOfImpact};
use crate::narrow::{AxisSearch, Distance, Found};
use crate::pair::{BAND, Frame, PartPair};
use crate::reference::{Reference, part_gap};
use glam::DVec3;

/// `substeps@k=K` and `substeps+enlarged@k=K`: static tests at the start and at K times of the step. `discrete` tests at its
/// end only.
///
/// Not exact: what happens between two times is missed. Enlarged by half the way that a body moves from one time to the
/// next, no contact is missed: the times are in the middle of their parts of the step, and at any other the bodies are
/// nearer by at most that. But then bodies collide that only come near.
///
/// Source: 003; 000 §4.1 and 4.2; Ericson, *Real-Time Collision Detection*, 2005, for the enlarged body.
pub(super) fn substeps(count: u32, is_enlarged: bool) -> Box<dyn TimeOfImpact + Send> {
    Method::boxed(move |snapshot: &mut Snapshot, moving, steps| {
        if snapshot.touches(moving, 0.0, 0.0, steps) {
            return Impact::Overlapping;
        }
        let part = moving.limit / f64::from(count);
        let margin = if is_enlarged { 0.5 * part * moving.speed_bound() } else { 0.0 };
        let earlier = if is_enlarged { 0.5 } else { 0.0 };
        let mut times = (1..=count).map(|i| part * (f64::from(i) - earlier));
        let first = times.find(|time| snapshot.touches(moving, *time, margin, steps));
        first.map_or(Impact::Never, |time| contact_at(snapshot, moving, time, steps))
    })
}

/// `halving`: bodies that overlap at the end of the step are moved back by halving the displacement, to the first overlap
/// that this finds.
///
/// Not exact: a contact that ends within the step is missed. Of several the halving finds any. 001 found that it holds
/// only while the displacement is less than half a body.
///
/// Source: 001, the first attempt.
pub(super) fn halving(snapshot: &mut Snapshot, moving: &MovingPair, steps: &mut u64) -> Impact {
    if snapshot.touches(moving, 0.0, 0.0, steps) {
        return Impact::Overlapping;
    }
    if !snapshot.touches(moving, moving.limit, 0.0, steps) {
        return Impact::Never;
    }
    let (mut free, mut overlap) = (0.0, moving.limit);
    // The halving ends where the bodies move by a fraction of the band.
    let enough = 0.1 * BAND * moving.size() / moving.speed_bound();
    for _ in 0..f64::MANTISSA_DIGITS {
        if overlap - free <= enough {
            break;
        }
        let middle = 0.5 * (free + overlap);
        let touches = snapshot.touches(moving, middle, 0.0, steps);
        *(if touches { &mut overlap } else { &mut free }) = middle;
    }
    contact_at(snapshot, moving, overlap, steps)
}

/// Halvings of the step by `bisection`: the shortest part is 2^-12 of it.
const DEPTH: u32 = 12;

/// `bisection`: a part of the step in which the bodies move less than their distance at one of its ends is free of
/// contacts. Other parts are halved, the first half first, until they are 1/4,096 of the step.
///
/// No contact is missed. A part that short counts as one, so that bodies collide that pass within their displacement in
/// it; 000 says the same of its tolerance. It does not lose the time that the first half finds, as algorithm 4.1 does.
///
/// Source: 000 §4.2, algorithm 4.1, after Ericson 2005.
pub(super) fn bisection(snapshot: &mut Snapshot, moving: &MovingPair, steps: &mut u64) -> Impact {
    let shortest = moving.limit / f64::from(1 << DEPTH);
    // In shortest parts: where the present part begins, and how many it has.
    let (mut from, mut length) = (0u32, 1 << DEPTH);
    let time = |at: u32| shortest * f64::from(at);
    let mut start = snapshot.gap(moving, 0.0, steps);
    if start.0 <= 0.0 {
        return Impact::Overlapping;
    }
    while from < 1 << DEPTH {
        let way = moving.speed_bound() * time(length);
        if start.0 > way || snapshot.gap(moving, time(from + length), steps).0 > way {
            from += length;
            // The largest part that begins here.
            length = 1 << from.trailing_zeros().min(DEPTH);
            start = snapshot.gap(moving, time(from), steps);
        } else if length == 1 {
            let first = time(from).max(f64::MIN_POSITIVE);
            return Impact::At { first, last: first, axis: start.1 };
        } else {
            length /= 2;
        }
    }
    Impact::Never
}

/// A contact at a time, with the axis of the gap.
fn contact_at(snapshot: &mut Snapshot, moving: &MovingPair, time: f64, steps: &mut u64) -> Impact {
    let (_, axis) = snapshot.gap(moving, time, steps);
    let first = time.clamp(f64::MIN_POSITIVE, moving.limit);
    Impact::At { first, last: first, axis }
}

/// Static tests of two moving bodies at one time, with their scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    axes: AxisSearch,
    reference: Reference,
}

/// Coordinates further apart than this have squares that are not finite, or soon.
const FAR: f64 = 1e100;

impl Snapshot {
    /// Whether the bodies are at most `margin` apart after `time` seconds, by GJK.
    fn touches(&mut self, moving: &MovingPair, time: f64, margin: f64, steps: &mut u64) -> bool {
        *steps += 1;
        let [a, b] = moving.at(time);
        let between = (b.pose.position - a.pose.position).abs().max_element();
        if between > a.bounding_radius() + b.bounding_radius() + margin {
            return false;
        }
        Frame::new(&a, &b).pairs(&a, &b).any(|pair| {
            let pair = PartPair { radius: pair.radius + margin, ..pair };
            let distance = Distance::until_decided(&pair, pair.direction_of_centres());
            match distance.found {
                Found::Apart => distance.lower <= pair.radius,
                Found::Overlapping => true,
                Found::Unresolved => part_gap(&mut self.axes, &pair, f64::INFINITY)
                    .is_some_and(|found| found.gap <= 0.0),
            }
        })
    }

    /// The signed gap after `time` seconds, or less where the bodies are far apart, and its axis: a unit vector of the
    /// world from the first body to the second.
    fn gap(&mut self, moving: &MovingPair, time: f64, steps: &mut u64) -> (f64, DVec3) {
        *steps += 1;
        let [a, b] = moving.at(time);
        let between = b.pose.position - a.pose.position;
        let apart = between.abs().max_element();
        if apart > FAR {
            let axis = (between / apart).normalize_or(DVec3::X);
            return (apart - a.bounding_radius() - b.bounding_radius(), axis);
        }
        self.reference.examine(&a, &b);
        self.reference.nearest().map_or((f64::INFINITY, DVec3::X), |part| (part.gap, part.axis))
    }
}
