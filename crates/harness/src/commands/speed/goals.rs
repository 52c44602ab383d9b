//! The bounds that the fast algorithms should reach, each with its reason. A missed goal is a result like any other.

use crate::study::Bound;

/// The best peer over `auto`, on every input.
pub(super) const AGAINST_PEERS: Bound = Bound::AtLeast(1.5);

/// The fastest external program over the fastest of ours, on every input.
pub(super) const AGAINST_PROGRAMS: Bound = Bound::AtLeast(1.0);

/// `auto` over the best fixed choice, on every input.
pub(super) const AUTO_OVER_FIXED: Bound = Bound::AtMost(1.25);

/// The worst frame of `auto` after a change of motion over the median frame of a full search.
pub(super) const CHANGES: Bound = Bound::AtMost(1.8);

/// One thread over two, `auto`.
pub(super) const TWO_THREADS: Bound = Bound::AtLeast(1.35);

/// Heap allocations in a steady frame.
pub(super) const ALLOCATIONS: Bound = Bound::AtMost(0.0);

/// Bytes of `auto` for each object, without the pairs, on inputs of at least a number of objects.
const BYTES: [(u64, Bound); 3] =
    [(10_000, Bound::AtMost(200.0)), (1_000, Bound::AtMost(250.0)), (0, Bound::AtMost(400.0))];

/// The goal of [`BYTES`] for a number of objects.
pub(super) fn bytes(objects: u64) -> Bound {
    let [large, middle, small] = BYTES;
    [large, middle].into_iter().find(|(from, _)| objects >= *from).unwrap_or(small).1
}

/// Each goal with its reason, for the page.
pub(super) fn reasons() -> [String; 7] {
    let [large, middle, small] = BYTES.map(|(_, bound)| bound.text());
    [
        format!(
            "The best peer over `auto`, {}: a smaller lead may be none on another processor.",
            AGAINST_PEERS.text()
        ),
        format!(
            "A program over the fastest of ours, {}: no program is faster.",
            AGAINST_PROGRAMS.text()
        ),
        format!(
            "`auto` over the best fixed choice, {}: who does not know the motion loses little by not knowing.",
            AUTO_OVER_FIXED.text()
        ),
        format!(
            "The worst frame of `auto` after a change of motion over a full search, {}: it checks a cache that is of no use, and then \
             searches.",
            CHANGES.text()
        ),
        format!(
            "One thread over two, `auto`, {}: the threads share the memory, and the second one has to wake.",
            TWO_THREADS.text()
        ),
        format!(
            "Bytes an object, without the pairs, {small}, from 1,000 objects on {middle}, from 10,000 on {large}: a box has 24, \
             its fat AABB 24, its places in sorted columns 90 or so, and a simulation has a fixed size."
        ),
        format!(
            "Allocations in a steady frame, {}: an allocation may wait for another thread.",
            ALLOCATIONS.text()
        ),
    ]
}
