//! Pairs in ascending order.

use crate::Pair;
use crate::memory::{Upkeep, held, memory, tend};
use crate::radix_sort::{Keyed, RadixSort, SMALL};
use crate::scratch::renew;

/// Bits of a key that two passes of the radix sort order, and those that three do.
const TWO_PASSES: u32 = 22;
const THREE_PASSES: u32 = 32;

/// Bits of the higher id in a key, in addition to those that count the pairs of an object. With two, most runs of pairs
/// with equal keys have length 1.
const SPARE_BITS: u32 = 2;

/// Sorts pairs in ascending order, once. [`PairSort`] does it in every frame without an allocation.
pub fn sort_pairs(pairs: &mut [Pair]) {
    PairSort::default().sort(pairs);
}

/// Sorts the pairs of each frame in ascending order: the list is then the same for every algorithm, on any number of
/// threads, and on every machine.
///
/// O(k) time for k pairs, on all threads of the pool. A radix sort orders the leading bits of both ids, and short runs
/// are sorted by comparison. All memory is reused, so that a steady frame allocates nothing.
///
/// ```
/// use broadphase::{Pair, PairSort};
///
/// let mut sort = PairSort::default();
/// let mut pairs = [Pair::new(1, 2), Pair::new(0, 7), Pair::new(0, 3)];
/// sort.sort(&mut pairs);
/// assert_eq!(pairs, [Pair::new(0, 3), Pair::new(0, 7), Pair::new(1, 2)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PairSort {
    keyed: Vec<Keyed>,
    radix: RadixSort,
    upkeep: Upkeep,
}

memory!(PairSort: keyed, radix);

impl PairSort {
    /// Sorts the pairs of a frame: by the lower id, then by the higher one.
    pub fn sort(&mut self, pairs: &mut [Pair]) {
        tend(self, |all| &mut all.upkeep);
        self.sort_untended(pairs);
    }

    /// As [`sort`](Self::sort), for a structure that tends its memory itself.
    pub(crate) fn sort_untended(&mut self, pairs: &mut [Pair]) {
        if pairs.len() < SMALL || pairs.is_sorted() {
            pairs.sort_unstable();
            self.keyed.clear();
            self.radix.clear();
            return;
        }
        let layout = KeyLayout::of(pairs);
        renew(&mut self.keyed);
        self.keyed.extend(pairs.iter().map(|pair| layout.keyed(*pair)));
        self.radix.sort_parallel(&mut self.keyed);
        for run in self.keyed.chunk_by_mut(|a, b| a.key == b.key).filter(|run| run.len() > 1) {
            run.sort_unstable_by_key(|keyed| keyed.object);
        }
        for (pair, keyed) in pairs.iter_mut().zip(&self.keyed) {
            *pair = layout.pair(*keyed);
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        held(self)
    }
}

/// The key of a pair: the lower id, then leading bits of the higher id.
#[derive(Clone, Copy, Debug)]
struct KeyLayout {
    /// Bits of the higher id in the key, and those that are left out.
    taken: u32,
    dropped: u32,
}

impl KeyLayout {
    fn of(pairs: &[Pair]) -> Self {
        let ids = pairs.iter().fold(0, |ids, pair| ids | pair.a | pair.b);
        let id_bits = u32::BITS - ids.leading_zeros();
        let per_object = (pairs.len() as u64 >> id_bits).max(1).ilog2();
        let wanted = id_bits + per_object + SPARE_BITS;
        let bits = if wanted <= TWO_PASSES { TWO_PASSES } else { THREE_PASSES };
        let taken = (bits - id_bits).min(id_bits);
        Self { taken, dropped: id_bits - taken }
    }

    fn keyed(self, pair: Pair) -> Keyed {
        let key = u64::from(pair.a) << self.taken | u64::from(pair.b) >> self.dropped;
        Keyed { key: key as u32, object: pair.b }
    }

    fn pair(self, keyed: Keyed) -> Pair {
        Pair { a: (u64::from(keyed.key) >> self.taken) as u32, b: keyed.object }
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
            for len in [0, 1, 255, 256, 3000, 120_000] {
                for ids in [2, 3, 400, 1 << 11, 100_000, 1 << 22, u32::MAX] {
                    let mut draw = |_| {
                        let a = rng.random_range(1..ids);
                        Pair::new(a, rng.random_range(0..a))
                    };
                    let mut pairs: Vec<_> = (0..len).map(&mut draw).collect();
                    if len == 3000 {
                        // One object has many of the pairs.
                        pairs.extend((1..ids).rev().take(3000).map(|b| Pair::new(0, b)));
                    }
                    let mut expected = pairs.clone();
                    expected.sort_unstable();
                    pool.install(|| sort.sort(&mut pairs));
                    assert!(pairs == expected, "{len} pairs of {ids} ids, {threads} threads");
                }
            }
        }
    }
}
