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

/// Bytes of `auto` for each object, without the pairs, on inputs of so many objects or more.
pub(super) const BYTES: [(u64, Bound); 3] =
    [(10_000, Bound::AtMost(200.0)), (1_000, Bound::AtMost(250.0)), (0, Bound::AtMost(400.0))];

/// Heap allocations in a steady frame.
pub(super) const ALLOCATIONS: Bound = Bound::AtMost(0.0);

/// The reason of each goal, for the page.
pub(super) const REASONS: [&str; 6] = [
    "The best peer takes at least 1.5 times as long as `auto`: less may turn round on another processor. No program is faster \
     than the fastest of ours.",
    "`auto` takes at most 1.25 times as long as the best fixed choice: else a user who knows the motion does not use it.",
    "After a change of motion no frame takes more than 1.8 full searches: one to find that the cache is of no use, the \
     search, and no third.",
    "Two threads are at least 1.35 times as fast as one: they share the memory, and the second one has to wake.",
    "`auto` holds at most 200 bytes for each object from 10,000 objects on, 250 from 1,000 on, and 400 with fewer: a box \
     has 24, its fat AABB as many, and the sorted columns 40.",
    "A steady frame allocates nothing: an allocation may wait for another thread.",
];
