//! The stopwatch's clock, behind a trait.

use std::time::Instant;

/// A clock that never runs backwards.
///
/// A trait, because a browser has another clock, and because tests count instead of waiting.
pub trait Clock: Sync {
    /// Nanoseconds since an arbitrary moment, the same moment for every call.
    fn now_ns(&self) -> u64;
}

/// The operating system's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicClock {
    start: Instant,
}

impl MonotonicClock {
    /// A clock that counts from now.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for MonotonicClock {
    fn now_ns(&self) -> u64 {
        // 2^64 ns are 584 years.
        self.start.elapsed().as_nanos() as u64
    }
}
