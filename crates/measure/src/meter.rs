//! One clocked frame.

use crate::Clock;
use broadphase::{BroadPhase, Frame, Pair};

/// Tells how many heap blocks the process has allocated so far, reallocations included.
///
/// A program that counts declares its own global allocator and hands its count to the library, so
/// that a program that does not count pays nothing.
pub type AllocationCount = fn() -> u64;

/// What the clock said about one frame of one algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collision {
    /// Nanoseconds of [`BroadPhase::update`].
    pub update_ns: u64,
    /// Nanoseconds of [`BroadPhase::find_pairs`].
    pub pairs_ns: u64,
    /// Heap allocations during both; `None` where nobody counts.
    pub allocations: Option<u64>,
}

/// Clocks frames, and keeps the pair list between them: it grows while warming up, and a steady
/// frame finds it large enough.
pub struct Meter<'a> {
    clock: &'a dyn Clock,
    allocations: Option<AllocationCount>,
    pairs: Vec<Pair>,
}

impl<'a> Meter<'a> {
    /// A meter with an empty pair list.
    pub fn new(clock: &'a dyn Clock, allocations: Option<AllocationCount>) -> Self {
        Self { clock, allocations, pairs: Vec::new() }
    }

    /// Runs one frame of `algorithm`: `update`, then `find_pairs`, each under the stopwatch.
    ///
    /// Afterwards [`pairs`](Self::pairs) are in the order in which the algorithm reported them.
    pub fn collide(&mut self, algorithm: &mut dyn BroadPhase, frame: &Frame<'_>) -> Collision {
        // Room for half as many pairs again as in the frame before, made outside the clock: a steady
        // frame that has a few more must not pay for a longer list.
        let wanted = self.pairs.len() + self.pairs.len() / 2 + 64;
        self.pairs.clear();
        if self.pairs.capacity() < wanted {
            self.pairs.reserve(2 * wanted);
        }
        // Nothing else may come between the readings of the clock.
        let allocated_before = self.allocations.map(|count| count());
        let start = self.clock.now_ns();
        algorithm.update(frame);
        let updated = self.clock.now_ns();
        algorithm.find_pairs(frame, &mut self.pairs);
        let found = self.clock.now_ns();
        let allocated_after = self.allocations.map(|count| count());

        Collision {
            update_ns: updated - start,
            pairs_ns: found - updated,
            allocations: allocated_before
                .zip(allocated_after)
                .map(|(before, after)| after.saturating_sub(before)),
        }
    }

    /// Runs `work` under the stopwatch: its result, and its nanoseconds.
    pub fn clocked<T>(&self, work: impl FnOnce() -> T) -> (T, u64) {
        let start = self.clock.now_ns();
        let result = work();
        (result, self.clock.now_ns() - start)
    }

    /// Sorts the pairs of the last frame: the order in which they are answered.
    pub fn sort_pairs(&mut self) {
        self.pairs.sort_unstable();
    }

    /// The pairs of the last frame.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }
}
