//! Sorting of pair lists that may take seconds.

use broadphase::Pair;

/// Most pairs that are sorted or moved between two calls of `is_stopped`: 0.1 s of sorting.
const PART: usize = 1 << 20;

/// Sorts pairs until `is_stopped` returns true: they are in any order then. Returns whether they are sorted.
///
/// Long lists are first divided in place, by the first ids. That takes no longer than sorting them as a whole.
pub(super) fn sort_unless(pairs: &mut [Pair], is_stopped: &dyn Fn() -> bool) -> bool {
    if pairs.is_sorted() {
        return true;
    }
    let highest = match pairs.len() {
        ..=PART => 0,
        _ => pairs.iter().map(|pair| pair.a).max().unwrap_or(0),
    };
    sort_within(pairs, [0, highest], is_stopped)
}

/// Sorts pairs whose first ids are in a range.
fn sort_within(pairs: &mut [Pair], ids: [u32; 2], is_stopped: &dyn Fn() -> bool) -> bool {
    let [low, high] = ids;
    if is_stopped() {
        return false;
    }
    if pairs.len() <= PART || low == high {
        pairs.sort_unstable();
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
        smaller += usize::from(pairs[smaller].a <= middle);
    }
    let (smaller, larger) = pairs.split_at_mut(smaller);
    sort_within(smaller, [low, middle], is_stopped)
        && sort_within(larger, [middle + 1, high], is_stopped)
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
    fn long_lists_are_sorted_in_parts() {
        for number in [0, 1, 1000, 5 * PART as u64 / 2] {
            let mut pairs = shuffled(number);
            let mut expected = pairs.clone();
            expected.sort_unstable();
            assert!(sort_unless(&mut pairs, &|| false) && pairs == expected, "{number}");
        }
        let mut one_object = vec![Pair { a: u32::MAX, b: 2 }; PART + 1];
        one_object[7].b = 1;
        assert!(sort_unless(&mut one_object, &|| false));
        assert!(one_object.is_sorted());
    }

    #[test]
    fn sorting_ends_at_every_check_and_loses_no_pair() {
        let pairs = shuffled(5 * PART as u64 / 2);
        let mut expected = pairs.clone();
        expected.sort_unstable();
        for last in 0.. {
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
