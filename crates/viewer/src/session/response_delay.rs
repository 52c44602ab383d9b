//! Time spent on each collision, to see how the algorithms compare when the response is costly.

use measure::Clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Longest sleep between two checks of the stop flag, so that an order is carried out at once.
const LONGEST_SLEEP: Duration = Duration::from_millis(5);

/// Waits until the `delay` of each of `hits` collisions has passed since `start_ns`, or `stop` is set. Returns whether all of the
/// time was spent.
pub(super) fn spend(
    delay: Duration,
    hits: u64,
    start_ns: u64,
    clock: &dyn Clock,
    stop: &AtomicBool,
) -> bool {
    let end_ns = start_ns + delay.as_nanos() as u64 * hits;
    loop {
        let left = end_ns.saturating_sub(clock.now_ns());
        if left == 0 {
            return true;
        }
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        std::thread::sleep(Duration::from_nanos(left).min(LONGEST_SLEEP));
    }
}
