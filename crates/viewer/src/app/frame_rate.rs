//! Pictures per second.

use std::collections::VecDeque;

/// The rate is an average over this many nanoseconds: one second.
const WINDOW_NS: u64 = 1_000_000_000;

/// Times of the last pictures, by the clock.
#[derive(Debug, Default)]
pub(super) struct FrameRate {
    drawn_ns: VecDeque<u64>,
}

impl FrameRate {
    /// Counts a picture.
    pub(super) fn picture(&mut self, now_ns: u64) {
        self.drawn_ns.push_back(now_ns);
        let since = now_ns.saturating_sub(WINDOW_NS);
        // At least two are kept: a picture may take longer than the window.
        while self.drawn_ns.len() > 2 && self.drawn_ns.front().is_some_and(|at| *at < since) {
            self.drawn_ns.pop_front();
        }
    }

    /// Pictures per second; `None` before the second picture.
    pub(super) fn per_second(&self) -> Option<f64> {
        let (first, last) = (self.drawn_ns.front()?, self.drawn_ns.back()?);
        let seconds = (last - first) as f64 / 1e9;
        (seconds > 0.0).then(|| (self.drawn_ns.len() - 1) as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_that_of_the_last_second() {
        let mut rate = FrameRate::default();
        assert_eq!(rate.per_second(), None);
        for picture in 0..300 {
            rate.picture(picture * 20_000_000);
        }
        assert_eq!(rate.per_second(), Some(50.0));
        rate.picture(16_000_000_000);
        assert_eq!(rate.per_second(), Some(1.0 / (16.0 - 5.98)));
    }
}
