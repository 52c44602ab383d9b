//! Pairs in ascending order.

use crate::memory::{Memory, Upkeep, memory};
use crate::parallel::{Tasks, join, threads_for};
use crate::radix_sort::SMALL;
use crate::{Limits, Pair};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Time to sort a pair, in nanoseconds (measured).
const NANOS_PER_PAIR: usize = 8;

/// Most parts of a list that are distributed at the same time: their counts are summed by one thread.
const MAX_PARTS: usize = 64;

/// Below this, one thread sorts all pairs as one bucket, if their keys fit into 32 bits. 170,000 pairs take 5.3 ns each, and in
/// 16 or more buckets 7.
const PAIRS_OF_ONE_BUCKET: usize = 1 << 18;

/// Pairs that a bucket is meant to have: fewer would not pay for the counts of the digits.
const PAIRS_PER_BUCKET: usize = 1 << 12;

/// Least mean number of pairs in a bucket. Below it, pairs are sorted by comparison.
const MIN_PAIRS_PER_BUCKET: usize = 8;

/// Fewest bits of the number of a bucket, if there are several. With fewer, successive increments hit the same counter and stall.
const MIN_BUCKET_BITS: u32 = 4;

/// Most bits of the number of a bucket.
const MAX_BUCKET_BITS: u32 = 12;

/// Passes within a bucket, and values of a digit; 3 x 11 bits hold a key.
const PASSES: usize = 3;
const DIGITS: usize = 1 << 11;

/// Sorts pairs in ascending order, once. [`PairSort`] does it in every frame without an allocation.
pub fn sort_pairs(pairs: &mut [Pair]) {
    PairSort::default().sort(pairs);
}

/// Sorts the pairs of each frame in ascending order: the list is then the same for every algorithm, on any number of
/// threads, and on every machine.
///
/// O(k) time for k pairs of up to four million objects, on all threads of the pool. Leading bits of the lower id
/// distribute the pairs over buckets, and a radix sort orders each bucket, on one thread. Lists with an id of 2²² or more,
/// and short ones with ids above 2¹⁶, are sorted by comparison, on one thread. All memory is reused, so that a steady
/// frame hardly allocates.
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
    /// Keys of the pairs, bucket by bucket. Atomic, since every thread writes to every bucket: each to its own places.
    keys: Vec<AtomicU32>,
    /// For each part of the list and each bucket: first the number of pairs, then the place of the next one.
    parts: Tasks<Vec<u32>>,
    upkeep: Upkeep,
}

memory!(PairSort: keys, parts);

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
        let is_done = pairs.len() < SMALL || pairs.is_sorted();
        let threads = threads_for(pairs.len(), NANOS_PER_PAIR).min(MAX_PARTS);
        let layout = if is_done { None } else { KeyLayout::of(pairs, threads) };
        let Some(layout) = layout else {
            pairs.sort_unstable();
            self.keys.clear();
            self.parts.resize(0);
            return;
        };
        self.distribute(pairs, layout, threads);
        // The last part has advanced to the end of each bucket.
        let ends = self.parts.as_slice().last().map_or(&[][..], |part| &part.0);
        layout.sort_buckets(0..layout.buckets(), ends, &mut self.keys, pairs, limits);
    }

    /// Writes the keys, bucket by bucket, in some parts of the list at the same time.
    fn distribute(&mut self, pairs: &[Pair], layout: KeyLayout, parts: usize) {
        if layout.buckets() == 1 {
            self.parts.resize(0);
            self.keys.clear();
            self.keys.extend(pairs.iter().map(|pair| AtomicU32::new(layout.key(*pair))));
            return;
        }
        let first = |number| pairs.len() * number / parts;
        let part = |number| &pairs[first(number)..first(number + 1)];
        self.parts.resize(parts);
        self.parts.run(|number, counts| {
            counts.clear();
            counts.resize(layout.buckets(), 0);
            part(number).iter().for_each(|pair| counts[layout.bucket(*pair)] += 1);
        });
        let mut start = 0;
        for bucket in 0..layout.buckets() {
            for part in self.parts.as_mut_slice() {
                advance(&mut part.0[bucket], &mut start);
            }
        }
        self.keys.resize_with(pairs.len(), AtomicU32::default);
        let keys = &self.keys[..];
        self.parts.run(|number, next| {
            for pair in part(number) {
                let place = take(&mut next[layout.bucket(*pair)]);
                keys[place].store(layout.key(*pair), Ordering::Relaxed);
            }
        });
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self)
    }
}

/// Bits of a pair: leading bits of the lower id number its bucket; its other bits, then the higher id, are the key.
#[derive(Clone, Copy, Debug)]
struct KeyLayout {
    id_bits: u32,
    /// Bits of the lower id in the key.
    low_bits: u32,
}

impl KeyLayout {
    /// The layout to sort pairs on some threads; `None` if the ids are too large for a key, or the pairs too few for the
    /// buckets that they need.
    fn of(pairs: &[Pair], threads: usize) -> Option<Self> {
        let ids = pairs.iter().fold(1, |ids, pair| ids | pair.a | pair.b);
        let id_bits = u32::BITS - ids.leading_zeros();
        let needed = (2 * id_bits).saturating_sub(u32::BITS);
        let bucket_bits = if needed == 0 && threads == 1 && pairs.len() < PAIRS_OF_ONE_BUCKET {
            0
        } else {
            let wanted = (pairs.len() / PAIRS_PER_BUCKET).max(1).ilog2();
            wanted.clamp(MIN_BUCKET_BITS, MAX_BUCKET_BITS).min(id_bits).max(needed)
        };
        let low_bits = id_bits - bucket_bits;
        // Places are counted in 32 bits.
        let is_possible = bucket_bits <= MAX_BUCKET_BITS && u32::try_from(pairs.len()).is_ok();
        // Empty buckets would take longer than a sort by comparison.
        let is_worth_it = pairs.len() >> bucket_bits >= MIN_PAIRS_PER_BUCKET;
        (is_possible && is_worth_it).then_some(Self { id_bits, low_bits })
    }

    fn buckets(self) -> usize {
        1 << (self.id_bits - self.low_bits)
    }

    fn bucket(self, pair: Pair) -> usize {
        (pair.a >> self.low_bits) as usize
    }

    fn key(self, pair: Pair) -> u32 {
        (pair.a & ((1 << self.low_bits) - 1)) << self.id_bits | pair.b
    }

    fn pair(self, bucket: usize, key: u32) -> Pair {
        let a = (bucket as u32) << self.low_bits | key >> self.id_bits;
        Pair { a, b: key & ((1 << self.id_bits) - 1) }
    }

    /// Sorts consecutive buckets into a list of exactly their length. Bucket `k` ends at `ends[k]`.
    fn sort_buckets(
        self,
        buckets: Range<usize>,
        ends: &[u32],
        keys: &mut [AtomicU32],
        pairs: &mut [Pair],
        limits: Limits<'_>,
    ) {
        if limits.is_stopped() {
            return;
        }
        if buckets.len() == 1 || pairs.is_empty() {
            self.sort_bucket(buckets.start, keys, pairs);
            return;
        }
        let threads = threads_for(pairs.len(), NANOS_PER_PAIR);
        let middle = buckets.start.midpoint(buckets.end);
        let at = pairs.len() - (ends[buckets.end - 1] - ends[middle - 1]) as usize;
        let (low_keys, high_keys) = keys.split_at_mut(at);
        let (low_pairs, high_pairs) = pairs.split_at_mut(at);
        join(
            threads,
            || self.sort_buckets(buckets.start..middle, ends, low_keys, low_pairs, limits),
            || self.sort_buckets(middle..buckets.end, ends, high_keys, high_pairs, limits),
        );
    }

    /// Sorts a bucket by its keys, from the lowest digit to the highest.
    fn sort_bucket(self, bucket: usize, keys: &mut [AtomicU32], pairs: &mut [Pair]) {
        let keys_as_pairs = keys.iter_mut().map(|key| self.pair(bucket, *key.get_mut()));
        if pairs.len() < SMALL {
            pairs.iter_mut().zip(keys_as_pairs).for_each(|(pair, sorted)| *pair = sorted);
            pairs.sort_unstable();
            return;
        }
        let digit_bits = (self.low_bits + self.id_bits).div_ceil(PASSES as u32);
        let mask = (1 << digit_bits) - 1;
        let digit =
            |key: u32, pass: u32| (key >> (pass * digit_bits)) as usize & mask & (DIGITS - 1);
        let mut next = [[0; DIGITS]; PASSES];
        for key in keys.iter_mut() {
            for (pass, counts) in (0..).zip(&mut next) {
                counts[digit(*key.get_mut(), pass)] += 1;
            }
        }
        // The passes side by side: no sum waits for another.
        let mut starts = [0; PASSES];
        for value in 0..=mask {
            for (counts, start) in next.iter_mut().zip(&mut starts) {
                advance(&mut counts[value & (DIGITS - 1)], start);
            }
        }
        let [low, middle, high] = &mut next;
        // The keys are half as long as the pairs, whose memory is free until the last pass.
        let other = &mut bytemuck::cast_slice_mut::<Pair, u32>(pairs)[..keys.len()];
        for key in keys.iter_mut() {
            let key = *key.get_mut();
            other[take(&mut low[digit(key, 0)])] = key;
        }
        for key in other {
            *keys[take(&mut middle[digit(*key, 1)])].get_mut() = *key;
        }
        for key in keys {
            let key = *key.get_mut();
            pairs[take(&mut high[digit(key, 2)])] = self.pair(bucket, key);
        }
    }
}

/// Replaces a count by the place of the first element, and advances to that of the next count.
fn advance(count: &mut u32, start: &mut u32) {
    (*count, *start) = (*start, *start + *count);
}

/// The next place of a digit or a bucket.
#[inline]
fn take(next: &mut u32) -> usize {
    *next += 1;
    *next as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn ids_below_2_to_the_22nd_have_keys() {
        let has_layout = |id: u32, pairs: usize| {
            let pairs = vec![Pair::new(0, id); pairs];
            [1, 4].map(|threads| KeyLayout::of(&pairs, threads).is_some())
        };
        assert_eq!(has_layout((1 << 22) - 1, 1 << 16), [true; 2]);
        assert_eq!(has_layout(1 << 22, 1 << 16), [false; 2]);
        assert_eq!(has_layout(u32::MAX, 1 << 16), [false; 2]);
        assert_eq!(
            has_layout((1 << 22) - 1, 1 << 12),
            [false; 2],
            "too few pairs for 4,096 buckets"
        );
    }

    #[test]
    fn pairs_of_any_ids_are_sorted_on_any_number_of_threads() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(11);
        let mut sort = PairSort::default();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut check = |mut pairs: Vec<Pair>, what: &str| {
                let mut expected = pairs.clone();
                expected.sort_unstable();
                pool.install(|| sort.sort(&mut pairs));
                assert!(pairs == expected, "{} {what}, {threads} threads", pairs.len());
            };
            for len in [0, 1, 255, 256, 3000, PAIRS_OF_ONE_BUCKET - 1, PAIRS_OF_ONE_BUCKET] {
                // With two or three ids, most pairs are there many times.
                for ids in [2, 3, 400, 1 << 11, 1 << 16, 100_000, 1 << 22, 1 << 23, u32::MAX] {
                    let mut draw = |_| {
                        let a = rng.random_range(1..ids);
                        Pair::new(a, rng.random_range(0..a))
                    };
                    let pairs: Vec<_> = (0..len).map(&mut draw).collect();
                    let mut star = pairs.clone();
                    star.iter_mut().skip(3).for_each(|pair| pair.a = 0);
                    check(star, &format!("pairs of {ids} ids, nearly all of one object"));
                    let mut far = pairs.clone();
                    far.push(Pair::new(ids - 1, 3 << 20));
                    check(far, &format!("pairs of {ids} ids, one of them far away"));
                    check(pairs, &format!("pairs of {ids} ids"));
                }
            }
        }
    }
}
