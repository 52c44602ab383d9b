//! How a case is measured.

use broadphase::registry::Algorithm;
use std::time::Duration;

/// How a case is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The algorithms: rows of the registry, or of a test.
    pub algorithms: &'a [&'a Algorithm],
    /// Numbers of threads that the algorithms may use; each is a cell of its own.
    pub threads: &'a [u32],
    /// Repetitions of each cell.
    pub repeats: u32,
    /// Seed of the order of measuring, which each case draws for itself.
    pub order_seed: u64,
    /// Time that one cell may take for all its repetitions, motion included.
    pub budget: Option<Duration>,
    /// Bytes that an algorithm may take.
    pub memory_limit: u64,
    /// Whether the pairs that began and ended are found in each frame too, outside of all other
    /// times.
    pub events: bool,
    /// How pair lists are checked, outside the clock.
    pub checks: Checks,
}

/// How the pair lists of all frames are checked, outside the clock. Checksums are compared in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Every list is sorted and searched for faults.
    EveryList,
    /// A list is sorted and searched for faults unless its checksum is that of a list of the same
    /// frame that had none. Saves most of the time between frames where many repetitions show the
    /// same boxes. Lists that a world responds to are sorted anyway.
    UnknownLists,
}

impl Plan<'_> {
    pub(crate) fn budget_ns(&self) -> Option<u64> {
        self.budget.map(|budget| u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX))
    }
}
