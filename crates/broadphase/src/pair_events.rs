//! Which pairs began and which ended since the last frame, on top of any algorithm.

use crate::Pair;
use crate::radix_sort::{Keyed, RadixSort, SMALL};
use crate::scratch::renew;

/// Compares each frame's pairs with those of the frame before.
///
/// The list is sorted (not where it is already), then merged with the sorted list of the frame
/// before: O(k) for k pairs, all memory kept between frames. A hash table that marks each pair with
/// the number of its frame was measured too: on a par up to some ten thousand pairs, then up to four
/// times as slow, since every pair is a miss of the cache, and its events come in no order.
#[derive(Debug, Default)]
pub struct PairEvents {
    current: Vec<Pair>,
    previous: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    keyed: Vec<Keyed>,
    sort: RadixSort,
}

impl PairEvents {
    /// Takes the pairs of the next frame, in any order, each once. In the first frame all begin.
    pub fn advance(&mut self, pairs: &[Pair]) {
        std::mem::swap(&mut self.previous, &mut self.current);
        self.sort(pairs);
        debug_assert!(self.current.is_sorted_by(|a, b| a < b), "a pair stands in the list twice");
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

    /// Makes `current` the sorted pairs.
    fn sort(&mut self, pairs: &[Pair]) {
        renew(&mut self.current);
        if pairs.len() < SMALL || pairs.is_sorted() {
            self.current.extend_from_slice(pairs);
            self.current.sort_unstable();
            return;
        }
        // By the higher id, then by the lower one: a long list keeps the order of equal keys.
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

    /// Pairs of the last frame that the one before did not have, sorted.
    pub fn began(&self) -> &[Pair] {
        &self.began
    }

    /// Pairs that the frame before the last had and the last has not, sorted.
    pub fn ended(&self) -> &[Pair] {
        &self.ended
    }

    /// Bytes on the heap, scratch included.
    pub fn heap_bytes(&self) -> usize {
        let lists = [&self.current, &self.previous, &self.began, &self.ended];
        lists.iter().map(|list| list.capacity() * size_of::<Pair>()).sum::<usize>()
            + self.keyed.capacity() * size_of::<Keyed>()
            + self.sort.heap_bytes()
    }
}
