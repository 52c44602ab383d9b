//! Pictures per second.

use std::collections::VecDeque;
use std::time::Duration;

/// The rate is an average over this many nanoseconds: one second.
const WINDOW_NS: u64 = 1_000_000_000;

/// Times of the last pictures, by the clock. Nothing is drawn while nothing changes: such a gap is no part of the rate.
#[derive(Debug, Default)]
pub(super) struct FrameRate {
    drawn_ns: VecDeque<u64>,
}

impl FrameRate {
    /// Counts a picture that took from `began_ns` to `now_ns`. After a second without any, the rate starts again: a
    /// picture may take longer, but a window that draws does not wait for so long between two of them.
    pub(super) fn picture(&mut self, began_ns: u64, now_ns: u64) {
        if self.valid_for(began_ns).is_none() {
            self.drawn_ns.clear();
        }
        self.drawn_ns.push_back(now_ns);
        let since = now_ns.saturating_sub(WINDOW_NS);
        // At least two are kept: a picture may take longer than the window.
        while self.drawn_ns.len() > 2 && self.drawn_ns.front().is_some_and(|at| *at < since) {
            self.drawn_ns.pop_front();
        }
    }

    /// Pictures per second; `None` before the second picture, and once none was drawn for a second.
    pub(super) fn per_second(&self, now_ns: u64) -> Option<f64> {
        self.valid_for(now_ns)?;
        let (first, last) = (self.drawn_ns.front()?, self.drawn_ns.back()?);
        let seconds = (last - first) as f64 / 1e9;
        (seconds > 0.0).then(|| (self.drawn_ns.len() - 1) as f64 / seconds)
    }

    /// How long from now a picture may still begin that counts with the last one; `None` once it is too late.
    pub(super) fn valid_for(&self, now_ns: u64) -> Option<Duration> {
        let left_ns = (self.drawn_ns.back()? + WINDOW_NS).checked_sub(now_ns)?;
        (left_ns > 0).then(|| Duration::from_nanos(left_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_that_of_the_last_second_and_of_no_idle_window() {
        const SECOND: u64 = 1_000_000_000;
        assert_eq!(FrameRate::default().per_second(0), None);
        // 50 pictures a second for six seconds, the last one at 5.98 s.
        let [mut rate, mut slow] = [(); 2].map(|()| {
            let mut rate = FrameRate::default();
            (0..300).map(|picture| picture * 20_000_000).for_each(|at| rate.picture(at, at));
            rate
        });
        assert_eq!(rate.per_second(6 * SECOND), Some(50.0));
        assert_eq!(rate.valid_for(6 * SECOND), Some(Duration::from_millis(980)));
        assert_eq!((rate.per_second(7 * SECOND), rate.valid_for(7 * SECOND)), (None, None));
        slow.picture(6 * SECOND, 16 * SECOND);
        assert_eq!(slow.per_second(16 * SECOND), Some(1.0 / (16.0 - 5.98)), "one of ten seconds");
        rate.picture(16 * SECOND, 16 * SECOND + 10_000_000);
        assert_eq!(rate.per_second(17 * SECOND), None, "one picture");
        rate.picture(16 * SECOND + 20_000_000, 16 * SECOND + 35_000_000);
        assert_eq!(rate.per_second(17 * SECOND), Some(40.0));
    }
}
