//! Pairs that began or ended between two frames, for any algorithm.

use crate::memory::{Memory, Upkeep, memory};
use crate::pair_sort::PairSort;
use crate::{Limits, Pair};
use std::cmp::Ordering;

/// Compares the pairs of each frame with those of the frame before: pairs that begin, and that end.
///
/// A list that is not sorted yet is sorted by [`PairSort`]. Merging it with that of the frame before takes O(k)
/// time for k pairs. All memory is reused, so that steady frames hardly allocate.
///
/// A hash table that marks each pair with the number of its frame was measured too. It is as fast up
/// to some ten thousand pairs, then up to four times as slow: every pair is a cache miss. Its events
/// are unsorted, too.
///
/// ```
/// use broadphase::{Pair, PairEvents};
///
/// let (a, b, c) = (Pair::new(0, 1), Pair::new(0, 2), Pair::new(1, 2));
/// let mut events = PairEvents::default();
/// events.advance(&[b, a]);
/// assert_eq!(events.began(), [a, b]);
/// events.advance(&[c, b]);
/// assert_eq!((events.began(), events.ended()), (&[c][..], &[a][..]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PairEvents {
    current: Vec<Pair>,
    previous: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    sort: PairSort,
    upkeep: Upkeep,
}

memory!(PairEvents: current, previous, began, ended, sort);

impl PairEvents {
    /// Takes the pairs of the next frame, in any order, each once. In the first frame all of them begin.
    ///
    /// A debug build panics if a pair is listed twice.
    pub fn advance(&mut self, pairs: &[Pair]) {
        if self.upkeep.advance(pairs.len()) {
            self.trim();
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
        self.current.extend_from_slice(pairs);
        self.sort.sort_untended(&mut self.current, Limits::NONE);
        debug_assert!(self.current.is_sorted_by(|a, b| a < b), "a pair is in the list twice");
        compare(&self.previous, &self.current, &mut self.began, &mut self.ended);
    }

    /// The pairs of the last frame, sorted.
    pub fn pairs(&self) -> &[Pair] {
        &self.current
    }

    /// Pairs of the last frame that are not of the frame before, sorted.
    pub fn began(&self) -> &[Pair] {
        &self.began
    }

    /// Pairs of the frame before the last that are not of the last one, sorted.
    pub fn ended(&self) -> &[Pair] {
        &self.ended
    }

    /// Bytes on the heap, scratch included.
    pub fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self)
    }
}

/// Fills `began` with the pairs that only `now` has, and `ended` with those that only `before` has. All are sorted.
pub(crate) fn compare(
    mut before: &[Pair],
    mut now: &[Pair],
    began: &mut Vec<Pair>,
    ended: &mut Vec<Pair>,
) {
    began.clear();
    ended.clear();
    while let ([old, older @ ..], [new, newer @ ..]) = (before, now) {
        match old.cmp(new) {
            Ordering::Equal => (before, now) = (older, newer),
            Ordering::Less => {
                ended.push(*old);
                before = older;
            }
            Ordering::Greater => {
                began.push(*new);
                now = newer;
            }
        }
    }
    ended.extend_from_slice(before);
    began.extend_from_slice(now);
}
