//! The radix sort on several threads.

use super::{Keyed, RadixSort, sort_passes};
use crate::parallel::{Aligned, Tasks, join, threads_for};

/// Time to sort a key, in nanoseconds (measured).
const NANOS_PER_KEY: usize = 10;

/// Most threads that share a list: more would have too little work each.
const MAX_SHARES: usize = 64;

/// Keys sampled for each share, to estimate the bounds of its range of keys.
const SAMPLES: usize = 64;

/// The share of a thread: its part of the list, distributed over ranges of keys.
pub(super) type Share = Tasks<Vec<Keyed>>;

/// Distributes keys; those from `splitters[k]` on go to range `k + 1` or a later one.
fn distribute(share: &mut Share, part: &[Keyed], splitters: &[u32]) {
    share.resize(splitters.len() + 1);
    let ranges = share.as_mut_slice();
    ranges.iter_mut().for_each(|range| range.clear());
    for keyed in part {
        let range = splitters.iter().map(|from| usize::from(keyed.key >= *from)).sum::<usize>();
        ranges[range].push(*keyed);
    }
}

impl RadixSort {
    /// Sorts by key, on all threads of the pool. Stable from [`SMALL`](super::SMALL) keys on; below,
    /// the order of equal keys depends only on the list.
    ///
    /// A sample splits the keys into ranges of about equal length. Each thread distributes its part of the
    /// list over the ranges, then sorts one range of all parts (sample sort; Frazer and McKellar 1970).
    pub(crate) fn sort_parallel(&mut self, list: &mut Vec<Keyed>) {
        let threads = threads_for(list.len(), NANOS_PER_KEY).min(MAX_SHARES);
        if threads > 1 {
            return self.sort_in_shares(list, threads);
        }
        // The shares of an earlier frame are not in use.
        self.shares.resize(0);
        self.sort(list);
    }

    /// Sorts a non-empty list in two or more shares.
    fn sort_in_shares(&mut self, list: &mut [Keyed], threads: usize) {
        let mut splitters = [0; MAX_SHARES];
        let splitters = &mut splitters[..threads - 1];
        split(list, splitters);
        self.shares.resize(threads);
        let first = |number: usize| list.len() * number / threads;
        self.shares.run(|number, share| {
            distribute(share, &list[first(number)..first(number + 1)], splitters);
        });
        self.other.resize(list.len(), Keyed::default());
        sort_ranges(self.shares.as_slice(), 0..threads, list, &mut self.other);
    }
}

/// Finds keys that split the list into ranges of about the same length, by a sample.
fn split(list: &[Keyed], splitters: &mut [u32]) {
    let mut sample = [0; MAX_SHARES * SAMPLES];
    let sample = &mut sample[..(splitters.len() + 1) * SAMPLES];
    let step = list.len() / sample.len();
    for (number, key) in sample.iter_mut().enumerate() {
        *key = list[number * step].key;
    }
    sample.sort_unstable();
    for (number, splitter) in splitters.iter_mut().enumerate() {
        *splitter = sample[(number + 1) * SAMPLES];
    }
}

/// Sorts consecutive ranges of all shares into a list of exactly their length.
fn sort_ranges(
    shares: &[Aligned<Share>],
    ranges: std::ops::Range<usize>,
    list: &mut [Keyed],
    other: &mut [Keyed],
) {
    if ranges.len() == 1 {
        sort_range(shares, ranges.start, list, other);
        return;
    }
    let middle = ranges.start.midpoint(ranges.end);
    let low = ranges.start..middle;
    let lengths = shares.iter().flat_map(|share| &share.as_slice()[low.clone()]);
    let at = lengths.map(|range| range.len()).sum();
    let ((low_list, high_list), (low_other, high_other)) =
        (list.split_at_mut(at), other.split_at_mut(at));
    join(
        ranges.len(),
        || sort_ranges(shares, low, low_list, low_other),
        || sort_ranges(shares, middle..ranges.end, high_list, high_other),
    );
}

/// Sorts one range of all shares into `list`, with `other` as scratch.
fn sort_range(shares: &[Aligned<Share>], range: usize, list: &mut [Keyed], other: &mut [Keyed]) {
    let mut rest = &mut *list;
    for share in shares {
        let part = &share.as_slice()[range];
        let places = rest.split_off_mut(..part.len()).expect("the list has room for all parts");
        places.copy_from_slice(part);
    }
    if sort_passes(list, other) {
        list.copy_from_slice(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::fewest_for_two;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn order_does_not_depend_on_the_number_of_shares() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let few = fewest_for_two(NANOS_PER_KEY);
        for threads in [2, 3, 8, MAX_SHARES] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.min(4)).build().unwrap();
            let mut sort = RadixSort::default();
            for n in [few - 1, few, 3 * few + 1] {
                // Keys that differ in none, one, two or three digits, some masks with few values.
                for mask in [0, 1, 0x7ff, 0x7ff << 11, 0x3f_ffff, u32::MAX, 0x8000_0001] {
                    let mut list: Vec<_> = (0..n as u32)
                        .map(|object| Keyed { key: rng.random::<u32>() & mask, object })
                        .collect();
                    let mut expected = list.clone();
                    RadixSort::default().sort(&mut expected);
                    let mut shared = list.clone();
                    pool.install(|| sort.sort_in_shares(&mut shared, threads));
                    assert!(shared == expected, "{n} keys & {mask:#x} in {threads} shares");
                    pool.install(|| sort.sort_parallel(&mut list));
                    assert!(list == expected, "{n} keys & {mask:#x} on {threads} threads");
                }
                let mut list: Vec<_> =
                    (0..n as u32).map(|object| Keyed { key: object / 5000 * 7, object }).collect();
                let expected = list.clone();
                list.rotate_left(n / 2);
                pool.install(|| sort.sort_in_shares(&mut list, threads));
                assert!(list.iter().map(|k| k.key).eq(expected.iter().map(|k| k.key)));
            }
        }
    }
}
