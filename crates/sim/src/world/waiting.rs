//! Objects that stopped early in a step, at a bound on its work.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many objects reached a bound within a step. Each waits at the last place that it reached; no force acts on it
/// for the rest of the step. Displayed as a text of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Objects that bounced as often as an object may in a step.
    pub bounces: u32,
    /// Bodies whose search for the next free pose took all the work that a body may take in a step.
    pub work: u32,
    /// The bound of bounces.
    pub max_bounces: u32,
}

impl Waiting {
    /// Whether no object waits.
    pub fn is_empty(&self) -> bool {
        self.bounces == 0 && self.work == 0
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wait = |count: u32| {
            if count == 1 { "1 object waits".to_owned() } else { format!("{count} objects wait") }
        };
        if self.bounces > 0 || self.work == 0 {
            write!(f, "{}: {} bounces", wait(self.bounces), self.max_bounces)?;
        }
        if self.work > 0 {
            let separator = if self.bounces > 0 { "; " } else { "" };
            write!(f, "{separator}{}: no free pose was found in time", wait(self.work))?;
        }
        f.write_str("; take a shorter `#!dt`, or slower or smaller objects")
    }
}

/// Counts while threads move objects. Few are counted.
#[derive(Debug, Default)]
pub(super) struct WaitingCount {
    pub(super) bounces: AtomicU32,
    pub(super) work: AtomicU32,
}

impl WaitingCount {
    pub(super) fn total(self, max_bounces: usize) -> Waiting {
        let Self { bounces, work } = self;
        let [bounces, work] = [bounces, work].map(AtomicU32::into_inner);
        Waiting { bounces, work, max_bounces: max_bounces as u32 }
    }
}

/// Counts an object.
pub(super) fn count(counter: &AtomicU32) {
    counter.fetch_add(1, Ordering::Relaxed);
}
