//! Methods that compare the bodies at chosen times only.

use super::method::Search;
use super::moving_pair::MovingPair;
use super::snapshot::Snapshot;
use super::{Impact, ImpactCounters};
use crate::pair::BAND;

/// `discrete`: the start and the end of the step only.
///
/// Not exact: what happens between them is missed.
///
/// Source: 003; 000 §4.1.
#[derive(Clone, Debug, Default)]
pub(super) struct Discrete {
    snapshot: Snapshot,
}

impl Search for Discrete {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let Self { snapshot } = self;
        let answer = answer_of_ends(snapshot, moving, counters);
        answer.unwrap_or_else(|| contact_at(snapshot, moving, moving.limit, counters))
    }
}

/// `halving`: bodies that overlap at the end of the step are moved back by halving the displacement, to the first overlap
/// that this finds.
///
/// Not exact: a contact that ends within the step is missed. Of several the halving finds any. 001 found that it holds
/// only while the displacement is less than half a body.
///
/// Source: 001, the first attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct Halving {
    snapshot: Snapshot,
}

impl Search for Halving {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let Self { snapshot } = self;
        if let Some(answer) = answer_of_ends(snapshot, moving, counters) {
            return answer;
        }
        let (mut free, mut overlap) = (0.0, moving.limit);
        // The halving ends where the bodies move by a fraction of the band.
        let enough = 0.1 * BAND * moving.size() / moving.speed_bound();
        for _ in 0..f64::MANTISSA_DIGITS {
            if overlap - free <= enough {
                break;
            }
            let middle = 0.5 * (free + overlap);
            if snapshot.touches(moving, middle, 0.0, counters) {
                overlap = middle;
            } else {
                free = middle;
            }
        }
        contact_at(snapshot, moving, overlap, counters)
    }
}

/// `substeps@k=K` and `substeps+enlarged@k=K`: static tests at K times of the step.
///
/// Not exact: what happens between two times is missed. Enlarged by half the way that a body moves from one time to the
/// next, no contact is missed: the times are in the middle of their parts of the step, and at any other the bodies are
/// nearer by at most that. But then bodies collide that only come near.
///
/// Source: 000 §4.2; Ericson, *Real-Time Collision Detection*, 2005, for the enlarged body.
#[derive(Clone, Debug)]
pub(super) struct Substeps {
    count: u32,
    is_enlarged: bool,
    snapshot: Snapshot,
}

impl Substeps {
    /// `count` tests of the bodies as they are.
    pub(super) fn new(count: u32) -> Self {
        Self { count, is_enlarged: false, snapshot: Snapshot::default() }
    }

    /// `count` tests of enlarged bodies.
    pub(super) fn enlarged(count: u32) -> Self {
        Self { is_enlarged: true, ..Self::new(count) }
    }
}

impl Search for Substeps {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let Self { count, is_enlarged, snapshot } = self;
        if snapshot.touches(moving, 0.0, 0.0, counters) {
            return Impact::Overlapping;
        }
        let part = moving.limit / f64::from(*count);
        let margin = if *is_enlarged { 0.5 * part * moving.speed_bound() } else { 0.0 };
        let earlier = if *is_enlarged { 0.5 } else { 0.0 };
        for i in 1..=*count {
            let time = part * (f64::from(i) - earlier);
            if snapshot.touches(moving, time, margin, counters) {
                return contact_at(snapshot, moving, time, counters);
            }
        }
        Impact::Never
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
        let shortest = moving.limit / f64::from(1 << DEPTH);
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

/// The answer of the ends of a step; `None` if the bodies overlap at the second one only.
fn answer_of_ends(
    snapshot: &mut Snapshot,
    moving: &MovingPair,
    counters: &mut ImpactCounters,
) -> Option<Impact> {
    if snapshot.touches(moving, 0.0, 0.0, counters) {
        return Some(Impact::Overlapping);
    }
    (!snapshot.touches(moving, moving.limit, 0.0, counters)).then_some(Impact::Never)
}

/// A contact at a time, with the axis of the gap.
fn contact_at(
    snapshot: &mut Snapshot,
    moving: &MovingPair,
    time: f64,
    counters: &mut ImpactCounters,
) -> Impact {
    let (_, axis) = snapshot.gap(moving, time, counters);
    let first = time.clamp(f64::MIN_POSITIVE, moving.limit);
    Impact::At { first, last: first, axis }
}
