//! Pairs that began or ended between two frames, for any algorithm.

use crate::Pair;
use crate::memory::{Upkeep, held, memory, tend};
use crate::radix_sort::{Keyed, RadixSort, SMALL};
use crate::scratch::renew;

/// Compares the pairs of each frame with those of the frame before: pairs that begin, and that end.
///
/// A list that is not sorted yet is radix-sorted, then merged with that of the frame before: O(k)
/// time for k pairs. All memory is reused, so that a steady frame allocates nothing.
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
    keyed: Vec<Keyed>,
    sort: RadixSort,
    upkeep: Upkeep,
}

memory!(PairEvents: current, previous, began, ended, keyed, sort);

impl PairEvents {
    /// Takes the pairs of the next frame, in any order, each once. In the first frame all of them begin.
    ///
    /// A debug build panics if a pair is listed twice.
    pub fn advance(&mut self, pairs: &[Pair]) {
        tend(self, |all| &mut all.upkeep);
        std::mem::swap(&mut self.previous, &mut self.current);
        self.sort(pairs);
        debug_assert!(self.current.is_sorted_by(|a, b| a < b), "a pair is in the list twice");
        renew(&mut self.began);
        renew(&mut self.ended);
        let (mut before, mut now) = (&self.previous[..], &self.current[..]);
        while let ([old, older @ ..], [new, newer @ ..]) = (before, now) {
            match old.cmp(new) {
                std::cmp::Ordering::Equal => (before, now) = (older, newer),
                std::cmp::Ordering::Less => {
                    self.ended.push(*old);
                    before = older;
                }
                std::cmp::Ordering::Greater => {
                    self.began.push(*new);
                    now = newer;
                }
            }
        }
        self.ended.extend_from_slice(before);
        self.began.extend_from_slice(now);
    }

    /// Fills `current` with the sorted pairs.
    fn sort(&mut self, pairs: &[Pair]) {
        renew(&mut self.current);
        if pairs.len() < SMALL || pairs.is_sorted() {
            self.current.extend_from_slice(pairs);
            self.current.sort_unstable();
            self.keyed.clear();
            self.sort.clear();
            return;
        }
        // By the higher id, then by the lower one: the sort of a long list is stable.
        renew(&mut self.keyed);
        self.keyed.extend(pairs.iter().map(|pair| Keyed { key: pair.b, object: pair.a }));
        self.sort.sort(&mut self.keyed);
        for Keyed { key, object } in &mut self.keyed {
            std::mem::swap(key, object);
        }
        self.sort.sort(&mut self.keyed);
        self.current.extend(self.keyed.iter().map(|k| Pair { a: k.key, b: k.object }));
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
        held(self)
    }
}
