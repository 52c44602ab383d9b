//! When the next step is due.

use super::order::Pace;
use std::time::Duration;

/// Steps late by more than this, in ns, are not made up for, so that the motion does not rush after
/// a long delay.
const MAX_LATE_NS: u64 = 100_000_000;

/// The time of the next step by the clock.
pub(super) struct Pacer {
    due_ns: u64,
}

impl Pacer {
    /// With the first step due at once.
    pub(super) fn new(now_ns: u64) -> Self {
        Self { due_ns: now_ns }
    }

    /// Makes the next step due at once.
    pub(super) fn restart(&mut self, now_ns: u64) {
        self.due_ns = now_ns;
    }

    /// How long until the next step is due.
    pub(super) fn due_in(&self, pace: Pace, now_ns: u64) -> Duration {
        match pace {
            Pace::Unlimited => Duration::ZERO,
            Pace::Times(_) => Duration::from_nanos(self.due_ns.saturating_sub(now_ns)),
        }
    }

    /// A step of `dt` simulated seconds is taken now: the one after it is due a period later.
    pub(super) fn step(&mut self, pace: Pace, dt: f32, now_ns: u64) {
        if let Pace::Times(times) = pace {
            let period = (f64::from(dt) / f64::from(times) * 1e9) as u64;
            self.due_ns = (self.due_ns + period).max(now_ns.saturating_sub(MAX_LATE_NS));
        }
    }
}
