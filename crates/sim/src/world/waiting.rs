//! Objects that stopped early in a step, at a bound on its work.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many objects reached a bound within a step. Each waits at the last place that it reached; no force acts on it
/// for the rest of the step. Displayed as a text of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Objects that had as many contacts as an object may have in a step, or touched one that waits.
    pub bounces: u32,
    /// Bodies whose search for a path or a first contact took all the work that it may take.
    pub work: u32,
    /// Bodies that a continuous world stopped within the step, since the contacts of all of them took all the work that they
    /// may take in a step.
    pub stopped: u32,
    /// The bound of bounces.
    pub max_bounces: u32,
}

impl Waiting {
    /// Whether no object waits.
    pub fn is_empty(&self) -> bool {
        self.bounces == 0 && self.work == 0 && self.stopped == 0
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wait = |count: u32| {
            if count == 1 { "1 object waits".to_owned() } else { format!("{count} objects wait") }
        };
        let reasons = [
            (self.bounces, format!("{} bounces", self.max_bounces)),
            (self.work, "no free pose was found in time".to_owned()),
            (self.stopped, "too many contacts of all objects".to_owned()),
        ];
        let reasons = reasons.iter().filter(|(count, _)| *count > 0 || self.is_empty());
        let reasons: Vec<_> =
            reasons.map(|(count, why)| format!("{}: {why}", wait(*count))).collect();
        f.write_str(&reasons.join("; "))?;
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
        Waiting { bounces, work, stopped: 0, max_bounces: max_bounces as u32 }
    }
}

/// Counts an object.
pub(super) fn count(counter: &AtomicU32) {
    counter.fetch_add(1, Ordering::Relaxed);
}
