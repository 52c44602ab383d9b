//! The bounds that the fast algorithms should reach. They were set for this project before it was measured,
//! from the times of other libraries and short prototypes on such a machine. A missed goal is a result
//! like any other.

use crate::study::Bound;

/// The least time of the best peer over that of `auto`: the input's name, the least number of objects, the
/// bound.
const AGAINST_PEERS: [(&str, u64, f64); 9] = [
    ("gas", 20_000, 9.0),
    ("cluster", 100_000, 4.0),
    ("stadium", 5_000, 6.0),
    ("falling-pile", 10_000, 4.0),
    ("settled-pile", 10_000, 3.0),
    ("jitter", 100_000, 30.0),
    ("brownian --moving 0.01", 100_000, 4.0),
    ("brownian --moving 0.05", 100_000, 4.0),
    ("brownian --moving 0.2", 100_000, 4.0),
];

/// On every other input no peer may be faster.
const NEVER_SLOWER: f64 = 1.0;

/// The goal of an input against the best peer.
pub(super) fn against_peers(input: &str, n: u64) -> Bound {
    let its = |row: &&(&str, u64, f64)| row.0 == input && n >= row.1;
    Bound::AtLeast(AGAINST_PEERS.iter().find(its).map_or(NEVER_SLOWER, |row| row.2))
}

/// The fastest external program over the fastest of ours, on every input.
pub(super) const AGAINST_PROGRAMS: Bound = Bound::AtLeast(1.0);

/// `auto` over the best fixed choice, on every input.
pub(super) const AUTO_OVER_FIXED: Bound = Bound::AtMost(1.1);

/// A million objects of the gas over a hundred thousand, on one thread.
pub(super) const GROWTH: Bound = Bound::AtMost(12.0);

/// The worst frame of `auto` after a change of motion over the median frame of a full search.
pub(super) const CHANGES: Bound = Bound::AtMost(1.5);

/// One thread over two, and the least number of objects for it.
pub(super) const TWO_THREADS: Bound = Bound::AtLeast(1.8);
pub(super) const TWO_THREADS_FROM: u64 = 100_000;

/// Bytes per object, without the pairs.
pub(super) const BYTES: Bound = Bound::AtMost(100.0);

/// Heap allocations in a steady frame.
pub(super) const ALLOCATIONS: Bound = Bound::AtMost(0.0);

/// Milliseconds of the faster full search of `terdiman`, by the number of objects: half of the time of a
/// prototype in C++ with AVX-512. These are the only goals that depend on the machine: it must have that set.
pub(super) const TERDIMAN_SIMD: &str = "AVX-512";
pub(super) const TERDIMAN_MS: [(u64, Bound); 2] =
    [(10_000, Bound::AtMost(0.22)), (100_000, Bound::AtMost(7.3))];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goal_begins_at_its_number_of_objects() {
        assert_eq!(against_peers("gas", 20_000), Bound::AtLeast(9.0));
        assert_eq!(against_peers("gas", 1_000_000), Bound::AtLeast(9.0));
        assert_eq!(against_peers("gas", 5_000), Bound::AtLeast(1.0));
        assert_eq!(against_peers("plane", 100_000), Bound::AtLeast(1.0));
    }

    #[test]
    fn every_goal_has_a_measured_input() {
        use crate::commands::speed::inputs::FULL;
        for (name, from, _) in AGAINST_PEERS {
            let measured =
                FULL.every.iter().any(|i| i.name() == name && u64::from(i.objects) >= from);
            assert!(measured, "{name} from {from}");
        }
    }
}
