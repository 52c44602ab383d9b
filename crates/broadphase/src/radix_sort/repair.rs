//! Repairing a nearly sorted list.

use super::{Keyed, RadixSort};

/// At most `1 / MAX_DROPPED` of the keys may be out of order; otherwise a full sort is cheaper.
const MAX_DROPPED: usize = 6;

/// If this many consecutive keys seem out of order, the key before them is out of order instead.
const IN_A_ROW: usize = 8;

impl RadixSort {
    /// Sorts a nearly sorted list and returns true. Returns false as soon as too many keys are out of
    /// order; the list then holds the same keys in another order.
    ///
    /// One pass drops the keys that are out of order; they are sorted and merged with the others
    /// (drop-merge sort; E. Ernerfeldt 2018, after Dropsort). Time O(n + k log k) for k dropped keys.
    pub(crate) fn repair(&mut self, list: &mut [Keyed]) -> bool {
        let mut dropped = std::mem::take(&mut self.dropped);
        dropped.clear();
        // Room for nearly the most possible: the number of dropped keys varies widely.
        dropped.reserve(list.len() / MAX_DROPPED + 2 * IN_A_ROW);
        let kept = drop_unordered(list, &mut dropped);
        if let Some(kept) = kept {
            self.sort(&mut dropped);
            merge(list, kept, &dropped);
        }
        self.dropped = dropped;
        kept.is_some()
    }
}

/// Moves the keys that are in order to the front and returns their number; the others go to `dropped`.
/// `None` if these are too many: the list then holds all keys again.
fn drop_unordered(list: &mut [Keyed], dropped: &mut Vec<Keyed>) -> Option<usize> {
    let most = list.len() / MAX_DROPPED + IN_A_ROW;
    let (mut kept, mut read, mut in_a_row) = (0, 0, 0);
    while let Some(&keyed) = list.get(read) {
        if kept == 0 || keyed.key >= list[kept - 1].key {
            list[kept] = keyed;
            kept += 1;
            read += 1;
            in_a_row = 0;
            continue;
        }
        if dropped.len() >= most {
            list[kept..read].copy_from_slice(dropped);
            return None;
        }
        if in_a_row == 0 && kept >= 2 && keyed.key >= list[kept - 2].key {
            // The key before is out of order, not this one.
            dropped.push(list[kept - 1]);
            list[kept - 1] = keyed;
            read += 1;
        } else if in_a_row < IN_A_ROW {
            dropped.push(keyed);
            read += 1;
            in_a_row += 1;
        } else {
            // The keys dropped last are in order if the higher ones before them are dropped instead.
            dropped.truncate(dropped.len() - in_a_row);
            read -= in_a_row;
            in_a_row = 0;
            let row = &list[read..read + IN_A_ROW];
            let highest = row.iter().map(|keyed| keyed.key).max().unwrap_or(0);
            while kept > 0 && list[kept - 1].key > highest {
                kept -= 1;
                dropped.push(list[kept]);
            }
        }
    }
    Some(kept)
}

/// Merges the kept keys at the front of a list with the dropped ones, from the back.
fn merge(list: &mut [Keyed], mut kept: usize, dropped: &[Keyed]) {
    let mut end = list.len();
    for keyed in dropped.iter().rev() {
        while kept > 0 && list[kept - 1].key > keyed.key {
            kept -= 1;
            end -= 1;
            list[end] = list[kept];
        }
        end -= 1;
        list[end] = *keyed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    fn keyed(keys: impl IntoIterator<Item = u32>) -> Vec<Keyed> {
        (0..).zip(keys).map(|(object, key)| Keyed { key, object }).collect()
    }

    /// Repairs a list and checks that no key is lost; returns whether it is sorted now.
    fn repairs(sort: &mut RadixSort, keys: impl IntoIterator<Item = u32>) -> bool {
        let mut list = keyed(keys);
        let mut expected = list.clone();
        let is_repaired = sort.repair(&mut list);
        if is_repaired {
            assert!(list.is_sorted_by_key(|keyed| keyed.key));
        }
        let by_key_and_object = |keyed: &Keyed| (keyed.key, keyed.object);
        list.sort_by_key(by_key_and_object);
        expected.sort_by_key(by_key_and_object);
        assert_eq!(list, expected, "a key was lost");
        is_repaired
    }

    #[test]
    fn nearly_sorted_lists_are_repaired_others_refused() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(9);
        let mut sort = RadixSort::default();
        for n in [0, 1, 2, 3, 50, 4000] {
            for _ in 0..50 {
                assert!(repairs(&mut sort, 0..n), "sorted");
                assert!(repairs(&mut sort, (0..n).map(|i| i ^ u32::from(i % 20 == 0))), "swapped");
                let mut few = || if rng.random_range(0..40) == 0 { rng.random() } else { 0 };
                let moved: Vec<u32> = (0..n).map(|i| (i * 1000) ^ few()).collect();
                assert!(repairs(&mut sort, moved), "a few moved");
                let shuffled: Vec<u32> = (0..n).map(|_| rng.random()).collect();
                assert!(repairs(&mut sort, shuffled) == (n < 50) || n == 50, "{n} shuffled");
            }
            let is_repaired = repairs(&mut sort, (0..n).rev());
            assert!(is_repaired == (n < 50) || n == 50, "{n} backwards");
        }
    }

    #[test]
    fn block_of_outliers_drops_few_other_keys() {
        let mut sort = RadixSort::default();
        // Thirty consecutive keys far too high; then `IN_A_ROW` keys far too low, which are just dropped.
        for at in [0, 500, 1970] {
            let high = (0..2000).map(|i| if (at..at + 30).contains(&i) { i + 9000 } else { i });
            assert!(repairs(&mut sort, high), "high at {at}");
            assert!(sort.dropped.len() < 60, "{} dropped", sort.dropped.len());
            let is_low = |i| (at..at + IN_A_ROW as u32).contains(&i);
            let low = (0..2000).map(|i| if is_low(i) { i } else { i + 9000 });
            assert!(repairs(&mut sort, low), "low at {at}");
            assert!(sort.dropped.len() < 60, "{} dropped", sort.dropped.len());
        }
    }
}
