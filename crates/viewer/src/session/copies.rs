//! Copies of a structure at some moments of the motion.

use super::contender::SearchedSteps;
use broadphase::BroadPhase;
use std::collections::BTreeMap;

/// Largest structure that is copied, in bytes. Larger ones would hold up an order for more than half a second.
const MAX_COPY_BYTES: usize = 256 << 20;

/// A copy, and the steps that it has searched.
struct StructureCopy {
    searched: SearchedSteps,
    structure: Box<dyn BroadPhase>,
    bytes: usize,
}

/// The copies of one structure, by the steps that they search next.
#[derive(Default)]
pub(super) struct Copies(BTreeMap<u64, StructureCopy>);

impl Copies {
    /// Copies a structure, if that can be done within `max_bytes` for all copies. Others make room for it.
    pub(super) fn add(
        &mut self,
        structure: &dyn BroadPhase,
        searched: SearchedSteps,
        max_bytes: usize,
    ) {
        if structure.heap_bytes() > max_bytes.min(MAX_COPY_BYTES) {
            return;
        }
        let Some(structure) = structure.try_clone() else { return };
        // Scratch is not copied.
        let bytes = structure.heap_bytes();
        // Lists of a copy have other room.
        let searched = SearchedSteps { threads: None, ..searched };
        self.0.insert(searched.next, StructureCopy { searched, structure, bytes });
        while self.bytes() > max_bytes {
            self.thin_out();
        }
    }

    /// Drops the copy between its neighbours that are nearest to each other: the others stay evenly spread.
    fn thin_out(&mut self) {
        let steps: Vec<u64> = self.0.keys().copied().collect();
        let gap = |place: &usize| {
            let before = place.checked_sub(1).map_or(0, |before| steps[before]);
            steps.get(place + 1).unwrap_or(&u64::MAX) - before
        };
        let nearest = (0..steps.len()).min_by_key(gap);
        nearest.and_then(|place| self.0.remove(&steps[place]));
    }

    /// A copy of the last one whose next step is at most `next`, with the steps that it has searched.
    pub(super) fn last(&self, next: u64) -> Option<(Box<dyn BroadPhase>, SearchedSteps)> {
        let (_, copy) = self.0.range(..=next).next_back()?;
        Some((copy.structure.try_clone()?, copy.searched))
    }

    /// Forgets the copies that have searched a step after one.
    pub(super) fn forget_after(&mut self, step: u64) {
        _ = self.0.split_off(&(step + 2));
    }

    /// Forgets the copies whose next step is before one: it is no longer kept.
    pub(super) fn forget_before(&mut self, step: u64) {
        self.0 = self.0.split_off(&step);
    }

    /// Bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        self.0.values().map(|copy| copy.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::algorithms::BruteForce;

    #[test]
    fn copies_that_have_searched_a_forgotten_step_are_forgotten() {
        let mut copies = Copies::default();
        for next in [3, 5, 8] {
            let searched = SearchedSteps { since: 1, next, threads: Some(1) };
            copies.add(&BruteForce::default(), searched, usize::MAX);
        }
        let last = |copies: &Copies, next| copies.last(next).map(|(_, of)| of.next);
        assert_eq!([2, 4, 5, 9].map(|next| last(&copies, next)), [None, Some(3), Some(5), Some(8)]);
        // The copy that searches step 8 next has searched step 7.
        for (step, expected) in [(7, Some(8)), (6, Some(5)), (4, Some(5)), (3, Some(3))] {
            copies.forget_after(step);
            assert_eq!(last(&copies, 9), expected, "after step {step}");
        }
        for (step, expected) in [(3, Some(3)), (4, None)] {
            copies.forget_before(step);
            assert_eq!(last(&copies, 9), expected, "before step {step}");
        }
    }
}
