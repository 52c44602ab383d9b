//! Pairs in ascending order.

use crate::memory::{Memory, Upkeep, memory};
use crate::radix_sort::{Keyed, RadixSort, SMALL};
use crate::{Limits, Pair};

/// Sorts pairs in ascending order, once. [`PairSort`] does it in every frame without an allocation.
pub fn sort_pairs(pairs: &mut [Pair]) {
    PairSort::default().sort(pairs);
}

/// Sorts the pairs of each frame in ascending order: the list is then the same for every algorithm, on any number of
/// threads, and on every machine.
///
/// O(k) time for k pairs, on all threads of the pool: a radix sort by the higher id, then a stable one by the lower id. All
/// memory is reused, so that a steady frame hardly allocates.
///
/// ```
/// use broadphase::{Pair, PairSort};
///
/// let mut sort = PairSort::default();
/// let mut pairs = [Pair::new(1, 2), Pair::new(0, 7), Pair::new(0, 3)];
/// sort.sort(&mut pairs);
/// assert_eq!(pairs, [Pair::new(0, 3), Pair::new(0, 7), Pair::new(1, 2)]);
/// ```
#[derive(Debug, Default)]
pub struct PairSort {
    keyed: Vec<Keyed>,
    sort: RadixSort,
    upkeep: Upkeep,
}

memory!(PairSort: keyed, sort);

impl Clone for PairSort {
    fn clone(&self) -> Self {
        // The rest is scratch.
        Self { upkeep: self.upkeep.clone(), ..Self::default() }
    }
}

impl PairSort {
    /// Sorts the pairs of a frame: by the lower id, then by the higher one.
    pub fn sort(&mut self, pairs: &mut [Pair]) {
        self.sort_within(pairs, Limits::NONE);
    }

    /// As [`sort`](Self::sort), until it is stopped: the list is then of no use.
    pub fn sort_within(&mut self, pairs: &mut [Pair], limits: Limits<'_>) {
        if self.upkeep.advance(pairs.len()) {
            self.trim();
        }
        self.sort_untended(pairs, limits);
    }

    /// As [`sort`](Self::sort), for a structure that tends its memory itself.
    pub(crate) fn sort_untended(&mut self, pairs: &mut [Pair], limits: Limits<'_>) {
        let Self { keyed, sort, .. } = self;
        keyed.clear();
        if pairs.len() < SMALL || pairs.is_sorted() {
            pairs.sort_unstable();
            return;
        }
        keyed.extend(pairs.iter().map(|pair| Keyed { key: pair.b, object: pair.a }));
        sort.sort_parallel(keyed);
        if limits.is_stopped() {
            return;
        }
        for keyed in keyed.iter_mut() {
            (keyed.key, keyed.object) = (keyed.object, keyed.key);
        }
        sort.sort_parallel(keyed);
        for (pair, keyed) in pairs.iter_mut().zip(keyed) {
            *pair = Pair { a: keyed.key, b: keyed.object };
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn pairs_of_any_ids_are_sorted_on_any_number_of_threads() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(11);
        let mut sort = PairSort::default();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for len in [0, 1, SMALL - 1, SMALL, 3000, 70_000] {
                // With two or three ids, most pairs are there many times.
                for ids in [2, 3, 400, 1 << 11, 1 << 22, u32::MAX] {
                    let mut draw = |_| {
                        let a = rng.random_range(1..ids);
                        Pair::new(a, rng.random_range(0..a))
                    };
                    let mut pairs: Vec<_> = (0..len).map(&mut draw).collect();
                    let mut expected = pairs.clone();
                    expected.sort_unstable();
                    pool.install(|| sort.sort(&mut pairs));
                    assert!(pairs == expected, "{len} pairs of {ids} ids, {threads} threads");
                }
            }
        }
    }
}
