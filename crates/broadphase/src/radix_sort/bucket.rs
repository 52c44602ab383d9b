//! Sorting a short list of floats that are spread about evenly: a bucket sort.

use super::{Keyed, RadixSort, order_key};
use crate::memory::memory;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};

/// Most values in a bucket. Insertion is quadratic in them; beyond this a radix sort is used.
const FULLEST: u32 = 64;

/// Buckets per value.
const PER_VALUE: usize = 2;

/// Most buckets: floats number no more exactly.
const MAX_BUCKETS: usize = 1 << 23;

/// Values in a vector.
const LANES: usize = 16;

/// Distributes the values over [`PER_VALUE`] buckets per value, then sorts by insertion. Where too many
/// fall into one bucket, a radix sort is used instead. Reuses its scratch memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketSort {
    /// Bucket of each value.
    buckets: Vec<[i32; LANES]>,
    starts: Vec<u32>,
    radix: RadixSort,
}

memory!(BucketSort: buckets, starts, radix);

impl BucketSort {
    /// Writes the indices of the values with their keys, in the order of the values. Pads `values` to whole
    /// vectors.
    #[inline(always)]
    pub(crate) fn sort<S: Simd>(&mut self, simd: S, values: &mut Vec<f32>, order: &mut Vec<Keyed>) {
        let len = values.len();
        let Some(last) = values.last().copied() else {
            order.clear();
            return;
        };
        values.resize(len.next_multiple_of(LANES), last);
        let (groups, _) = values.as_chunks::<LANES>();
        if !self.count(simd, groups, len) {
            self.sort_by_radix(&values[..len], order);
            return;
        }
        order.resize(len, Keyed::default());
        let buckets = &self.buckets.as_flattened()[..len];
        for (number, (bucket, value)) in (0..).zip(buckets.iter().zip(&*values)) {
            let start = &mut self.starts[*bucket as usize];
            order[*start as usize] = Keyed { key: order_key(*value), object: number };
            *start += 1;
        }
        insertion_sort(order);
    }

    /// Finds the bucket of each value and the start of each bucket; false if a bucket is too full.
    #[inline(always)]
    fn count<S: Simd>(&mut self, simd: S, groups: &[[f32; LANES]], len: usize) -> bool {
        let splat = |value| f32x16::splat(simd, value);
        let (mut low, mut high) = (splat(f32::INFINITY), splat(f32::NEG_INFINITY));
        for group in groups {
            let group = f32x16::load_array_ref(simd, group);
            (low, high) = (low.min(group), high.max(group));
        }
        let low = <[f32; LANES]>::from(low).into_iter().fold(f32::INFINITY, f32::min);
        let high = <[f32; LANES]>::from(high).into_iter().fold(f32::NEG_INFINITY, f32::max);
        // Halved first: the difference could overflow.
        let number = (len * PER_VALUE).min(MAX_BUCKETS);
        let per_unit = (number - 1) as f32 * 0.5 / (high * 0.5 - low * 0.5);
        // A float cannot number the buckets of an interval too short or too long.
        if !per_unit.is_normal() {
            return false;
        }
        let (low, per_unit, last) = (splat(low), splat(per_unit), splat((number - 1) as f32));
        self.buckets.clear();
        for group in groups {
            let bucket = ((f32x16::load_array_ref(simd, group) - low) * per_unit).min(last);
            let bucket: i32x16<S> = bucket.to_int();
            self.buckets.push(bucket.into());
        }
        self.starts.clear();
        self.starts.resize(number, 0);
        for bucket in &self.buckets.as_flattened()[..len] {
            self.starts[*bucket as usize] += 1;
        }
        let (mut before, mut fullest) = (0, 0);
        for start in &mut self.starts {
            let count = std::mem::replace(start, before);
            before += count;
            fullest = fullest.max(count);
        }
        fullest <= FULLEST
    }

    #[cold]
    #[inline(never)]
    fn sort_by_radix(&mut self, values: &[f32], order: &mut Vec<Keyed>) {
        order.clear();
        let keys = values.iter().map(|value| order_key(*value));
        order.extend(keys.zip(0..).map(|(key, object)| Keyed { key, object }));
        self.radix.sort(order);
    }
}

/// Sorts by insertion: linear, as long as each key is a few places from its own.
#[inline(always)]
fn insertion_sort(list: &mut [Keyed]) {
    for at in 1..list.len() {
        let keyed = list[at];
        let mut place = at;
        while place > 0 && list[place - 1].key > keyed.key {
            list[place] = list[place - 1];
            place -= 1;
        }
        list[place] = keyed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level;
    use fearless_simd::dispatch;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[track_caller]
    fn assert_sorts(sort: &mut BucketSort, values: &[f32], name: &str) {
        let (mut padded, mut order) = (values.to_vec(), vec![Keyed::default(); 3]);
        dispatch!(level(), simd => sort.sort(simd, &mut padded, &mut order));
        let mut expected: Vec<_> = values.iter().map(|value| order_key(*value)).collect();
        expected.sort_unstable();
        assert!(order.iter().map(|keyed| keyed.key).eq(expected), "{name}: wrong order");
        assert!(order.iter().all(|keyed| order_key(values[keyed.object as usize]) == keyed.key));
        let mut numbers: Vec<_> = order.iter().map(|keyed| keyed.object).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..values.len() as u32), "{name}: other indices");
    }

    #[test]
    fn values_of_any_distribution_are_sorted() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut sort = BucketSort::default();
        for len in [0, 1, 2, 15, 16, 17, 100, 1000, 3001] {
            let mut even = || rng.random_range(-3.0f32..5.0);
            let spread: Vec<_> = (0..len).map(|_| even()).collect();
            assert_sorts(&mut sort, &spread, "spread evenly");
            let outlier: Vec<_> =
                spread.iter().enumerate().map(|(i, v)| if i == 7 { 1e30 } else { *v }).collect();
            assert_sorts(&mut sort, &outlier, "one far away");
            let few: Vec<_> = spread.iter().map(|v| v.round() * 0.0 + v.round()).collect();
            assert_sorts(&mut sort, &few, "many alike, with both zeros");
            assert_sorts(&mut sort, &vec![-0.0; len], "all alike");
            let widest: Vec<_> = spread.iter().map(|v| v * f32::MAX / 5.0).collect();
            assert_sorts(&mut sort, &widest, "the largest numbers");
            let tiny: Vec<_> = spread.iter().map(|v| v * f32::MIN_POSITIVE / 64.0).collect();
            assert_sorts(&mut sort, &tiny, "the smallest numbers");
        }
    }
}
