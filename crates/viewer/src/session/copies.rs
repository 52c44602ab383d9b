//! Copies of a structure at some moments of the motion.

use super::contender::SearchedSteps;
use broadphase::BroadPhase;
use std::collections::VecDeque;

/// Largest structure that is copied, in bytes. Larger ones would hold up an order for more than half a second.
const MAX_COPY_BYTES: usize = 256 << 20;

/// A copy, and the steps that it has searched.
struct StructureCopy {
    searched: SearchedSteps,
    structure: Box<dyn BroadPhase>,
    bytes: usize,
}

/// The copies of one structure, in the order of their steps.
#[derive(Default)]
pub(super) struct Copies {
    copies: VecDeque<StructureCopy>,
}

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
        let place = self.copies.partition_point(|copy| copy.searched.next < searched.next);
        let copy = StructureCopy { searched, structure, bytes };
        match self.copies.get_mut(place).filter(|same| same.searched.next == searched.next) {
            Some(same) => *same = copy,
            None => self.copies.insert(place, copy),
        }
        while self.bytes() > max_bytes {
            self.thin_out();
        }
    }

    /// Drops the copy between its neighbours that are nearest to each other: the others stay evenly spread.
    fn thin_out(&mut self) {
        let at = |index: usize| self.copies.get(index).map(|copy| copy.searched.next);
        let gap = |index: &usize| {
            let before = index.checked_sub(1).and_then(at).unwrap_or(0);
            at(index + 1).unwrap_or(u64::MAX) - before
        };
        let nearest = (0..self.copies.len()).min_by_key(gap);
        nearest.and_then(|index| self.copies.remove(index));
    }

    /// A copy of the last one whose next step is at most `next`, with the steps that it has searched.
    pub(super) fn last(&self, next: u64) -> Option<(Box<dyn BroadPhase>, SearchedSteps)> {
        let copy = self.copies.iter().rev().find(|copy| copy.searched.next <= next)?;
        Some((copy.structure.try_clone()?, copy.searched))
    }

    /// Forgets the copies that have searched a step after one.
    pub(super) fn forget_after(&mut self, step: u64) {
        self.copies.retain(|copy| copy.searched.next <= step + 1);
    }

    /// Forgets the copies whose next step is before one: it is no longer kept.
    pub(super) fn forget_before(&mut self, step: u64) {
        self.copies.retain(|copy| copy.searched.next >= step);
    }

    /// Bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        self.copies.iter().map(|copy| copy.bytes).sum()
    }
}
