//! Pictures per second.

use egui::util::History;
use std::time::Duration;

/// The rate is an average over this many seconds.
const WINDOW: f32 = 1.0;

/// Times of the last pictures in seconds, by the clock. Nothing is drawn while nothing changes: such a gap is no part of the
/// rate. At least two are kept: a picture may take longer than the window.
#[derive(Debug)]
pub(super) struct FrameRate(History<f64>);

impl Default for FrameRate {
    fn default() -> Self {
        Self(History::new(2..usize::MAX, WINDOW))
    }
}

impl FrameRate {
    /// Counts a picture that took from `began_ns` to `now_ns`. After a second without any, the rate starts again: a
    /// picture may take longer, but a window that draws does not wait for so long between two of them.
    pub(super) fn picture(&mut self, began_ns: u64, now_ns: u64) {
        if self.valid_for(began_ns).is_none() {
            self.0.clear();
        }
        let now = now_ns as f64 / 1e9;
        self.0.add(now, now);
    }

    /// Pictures per second; `None` before the second picture, and once none was drawn for a second.
    pub(super) fn per_second(&self, now_ns: u64) -> Option<f64> {
        self.valid_for(now_ns)?;
        self.0.rate().map(f64::from).filter(|rate| rate.is_finite())
    }

    /// How long from now a picture may still begin that counts with the last one; `None` once it is too late.
    pub(super) fn valid_for(&self, now_ns: u64) -> Option<Duration> {
        let end = self.0.latest()? + f64::from(WINDOW);
        let left = Duration::try_from_secs_f64(end - now_ns as f64 / 1e9).ok();
        left.filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_that_of_the_last_second_and_of_no_idle_window() {
        const MS: u64 = 1_000_000;
        // Times in ms at which a picture begins and ends, and a time with the rate that is shown then.
        let rate = |pictures: &[(u64, u64)], at_ms: u64| {
            let mut rate = FrameRate::default();
            // 50 pictures a second for six seconds, the last one at 5.98 s.
            (0..300).map(|picture| picture * 20 * MS).for_each(|at| rate.picture(at, at));
            pictures.iter().for_each(|(begun, end)| rate.picture(begun * MS, end * MS));
            let rate = rate.per_second(at_ms * MS)?;
            Some((1000.0 * rate).round() / 1000.0)
        };
        assert_eq!(FrameRate::default().per_second(0), None);
        assert_eq!([6000, 6979, 7000].map(|at| rate(&[], at)), [Some(50.0), Some(50.0), None]);
        assert_eq!(rate(&[(6000, 16_000)], 16_000), Some(0.1), "one of ten seconds");
        assert_eq!(rate(&[(16_000, 16_010)], 16_010), None, "one picture");
        assert_eq!(rate(&[(16_000, 16_010), (16_020, 16_035)], 17_000), Some(40.0));
    }
}
