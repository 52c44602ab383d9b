//! Wrong pairs: the check of a list, which may be long, and two algorithms that differ.

use super::PAIRS_PER_CHECK;
use broadphase::benchmark::{Difference, PairFault, check_pairs};
use broadphase::registry::Algorithm;
use broadphase::{Frame, Pair};
use std::fmt;

/// The first pair on which the running algorithm and a compared one differ.
#[derive(Clone, Copy, Debug)]
pub struct Disagreement {
    /// The step, counted from 1.
    pub step: u64,
    /// The algorithm that is wrong.
    pub wrong: &'static Algorithm,
    /// The algorithm that it was compared with.
    pub other: &'static Algorithm,
    /// The fault of its pairs.
    pub fault: PairFault,
}

impl Disagreement {
    /// Compares two sorted lists of the same frame; `None` if they are equal.
    ///
    /// The boxes decide which of the two is wrong.
    pub(super) fn between(
        running: (&'static Algorithm, &[Pair]),
        compared: (&'static Algorithm, &[Pair]),
        frame: &Frame<'_>,
        step: u64,
    ) -> Option<Self> {
        if running.1 == compared.1 {
            return None;
        }
        let of = |wrong: &'static Algorithm, other, fault| Self { step, wrong, other, fault };
        if let Err(fault) = check_pairs(frame, running.1) {
            return Some(of(running.0, compared.0, fault));
        }
        if let Err(fault) = check_pairs(frame, compared.1) {
            return Some(of(compared.0, running.0, fault));
        }
        // All pairs of both overlap, so that one list lacks a pair of the other.
        Some(match Difference::between(running.1, compared.1)?.first() {
            PairFault::Extra(pair) => of(running.0, compared.0, PairFault::Missing(pair)),
            fault => of(compared.0, running.0, fault),
        })
    }

    /// The pair itself.
    pub fn pair(&self) -> Pair {
        self.fault.pair()
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, wrong, other, fault } = self;
        write!(f, "step {step}: {} is wrong: {fault} (compared with {})", wrong.name, other.name)
    }
}

/// [`check_pairs`] of a sorted list; `None` if the frame is stopped meanwhile.
pub(super) fn check_pairs_unless(
    frame: &Frame<'_>,
    pairs: &[Pair],
) -> Option<Result<(), PairFault>> {
    for from in (0..pairs.len()).step_by(PAIRS_PER_CHECK) {
        if frame.is_stopped() {
            return None;
        }
        // With the last pair of the part before, which may be repeated.
        let part = from.saturating_sub(1)..pairs.len().min(from + PAIRS_PER_CHECK);
        if let Err(fault) = check_pairs(frame, &pairs[part]) {
            return Some(Err(fault));
        }
    }
    Some(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;
    use glam::Vec3;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn every_fault_is_found_wherever_the_parts_end() {
        let side = 400;
        let boxes = vec![Aabb::new(Vec3::ZERO, Vec3::ONE); side as usize];
        let all = (0..side).flat_map(|a| (a + 1..side).map(move |b| Pair { a, b }));
        let all: Vec<Pair> = all.take(PAIRS_PER_CHECK + 9).collect();
        let frame = Frame::new(&boxes);
        assert_eq!(check_pairs_unless(&frame, &all), Some(Ok(())));
        for place in [0, PAIRS_PER_CHECK - 1, PAIRS_PER_CHECK, PAIRS_PER_CHECK + 7] {
            let mut twice = all.clone();
            twice.insert(place, all[place]);
            let fault = PairFault::Duplicate(all[place]);
            assert_eq!(check_pairs_unless(&frame, &twice), Some(Err(fault)), "{place}");
        }
        let stop = AtomicBool::new(true);
        assert_eq!(check_pairs_unless(&frame.stopped_by(&stop), &all), None);
    }
}
