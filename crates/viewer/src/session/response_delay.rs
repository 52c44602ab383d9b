//! Time spent on each collision, to see how the algorithms compare when the response is costly.

use measure::Clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Longest sleep between two checks of the stop flag, so that an order is carried out at once.
const LONGEST_SLEEP: Duration = Duration::from_millis(5);

/// The delay of one real collision.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResponseDelay(pub(super) Duration);

impl ResponseDelay {
    /// Waits until the delays of `hits` collisions have passed since `start_ns`, or `stop` is set.
    /// Returns whether all of the time was spent.
    pub(super) fn spend(
        self,
        hits: u64,
        start_ns: u64,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> bool {
        let nanoseconds = self.0.as_nanos() as u64 * hits;
        if nanoseconds == 0 {
            return true;
        }
        loop {
            let left = (start_ns + nanoseconds).saturating_sub(clock.now_ns());
            if left == 0 {
                return true;
            }
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            std::thread::sleep(Duration::from_nanos(left).min(LONGEST_SLEEP));
        }
    }
}
