//! Sorting of pair lists that may take seconds.

use broadphase::Pair;

/// Most pairs that are sorted or moved between two calls of `is_stopped`: 0.1 s of sorting.
const PART: usize = 1 << 20;

/// Sorts pairs until `is_stopped` returns true: they are in any order then. Returns whether they are sorted.
///
/// Long lists are first divided in place.
pub(super) fn sort_unless(pairs: &mut [Pair], is_stopped: &dyn Fn() -> bool) -> bool {
    pairs.is_sorted() || sort_parts(pairs, is_stopped)
}

/// A number in the order of the pairs.
fn key(pair: &Pair) -> u64 {
    (u64::from(pair.a) << 32) | u64::from(pair.b)
}

fn sort_parts(pairs: &mut [Pair], is_stopped: &dyn Fn() -> bool) -> bool {
    if is_stopped() {
        return false;
    }
    if pairs.len() <= PART {
        pairs.sort_unstable();
        return true;
    }
    let ends = |[low, high]: [u64; 2], pair: &Pair| [low.min(key(pair)), high.max(key(pair))];
    let [low, high] = pairs.iter().fold([u64::MAX, 0], ends);
    if low == high {
        return true;
    }
    let middle = low + (high - low) / 2;
    let mut smaller = 0;
    for place in 0..pairs.len() {
        if place % PART == 0 && is_stopped() {
            return false;
        }
        // Without a branch, which would be mispredicted for every second pair.
        pairs.swap(smaller, place);
        smaller += usize::from(key(&pairs[smaller]) <= middle);
    }
    let (smaller, larger) = pairs.split_at_mut(smaller);
    sort_parts(smaller, is_stopped) && sort_parts(larger, is_stopped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::benchmark::mix;
    use std::cell::Cell;

    /// Pairs in an order without meaning, several of which have the same ids.
    fn shuffled(number: u64) -> Vec<Pair> {
        let pair =
            |place: u64| Pair { a: (mix(place) % 700) as u32, b: (mix(!place) % 900) as u32 };
        (0..number).map(pair).collect()
    }

    #[test]
    fn sorting_ends_at_every_check_and_loses_no_pair() {
        let mut pairs = shuffled(5 * PART as u64 / 2);
        // More than a part of one object.
        pairs.extend(vec![Pair { a: u32::MAX, b: 2 }; PART + 1]);
        let mut expected = pairs.clone();
        expected.sort_unstable();
        for last in (0..).step_by(9) {
            let (checks, mut sorted) = (Cell::new(0), pairs.clone());
            let is_done = sort_unless(&mut sorted, &|| checks.replace(checks.get() + 1) >= last);
            assert_eq!(is_done, sorted == expected);
            sorted.sort_unstable();
            assert!(sorted == expected, "stopped at check {last}");
            if is_done {
                assert!(last >= 5, "{last} checks are too few");
                return;
            }
        }
    }
}
