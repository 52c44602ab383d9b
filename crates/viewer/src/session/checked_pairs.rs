//! The check of a list of pairs, which may be long.

use super::PAIRS_PER_CHECK;
use broadphase::benchmark::{PairFault, check_pairs};
use broadphase::{Frame, Pair};

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
