//! The recent frames, for live figures and the chart.

use measure::Sample;
use std::collections::VecDeque;

/// Steps kept, which are those that the charts show.
pub const HISTORY_STEPS: usize = 300;

/// Rates are averages over this many nanoseconds: one second.
const WINDOW_NS: u64 = 1_000_000_000;

/// The figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameFigures {
    /// The step, counted from 1.
    pub step: u64,
    /// When it was computed, by the session's clock.
    pub at_ns: u64,
    /// Nanoseconds: moving the objects.
    pub motion_ns: u64,
    /// Nanoseconds: bringing the structure up to date.
    pub update_ns: u64,
    /// Nanoseconds: finding the pairs.
    pub pairs_ns: u64,
    /// Nanoseconds: responding to them.
    pub response_ns: u64,
    /// Nanoseconds: drawing the first picture of the step; 0 if no picture shows it. Later pictures
    /// of the same step are drawn because the camera or a panel moves.
    pub render_ns: u64,
    /// Pairs of objects examined.
    pub tests: u64,
    /// Candidates: pairs of overlapping boxes.
    pub pairs: u64,
    /// Real collisions.
    pub hits: u64,
}

impl FrameFigures {
    /// Nanoseconds spent on collisions.
    pub fn collision_ns(&self) -> u64 {
        self.update_ns + self.pairs_ns + self.response_ns
    }
}

/// Figures over the last second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Steps per second.
    pub steps: f64,
    /// Pairs of objects examined per second.
    pub tests: f64,
    /// Real collisions per second.
    pub hits: f64,
    /// Nanoseconds measured per step, drawing included.
    pub step_ns: f64,
    /// Shares of the measured time, 0 to 1, that sum to 1: update, pairs, response, drawing, motion.
    pub shares: [f64; 5],
}

/// Median and 95th percentile of some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The median, in ns.
    pub median_ns: u64,
    /// The 95th percentile by nearest rank, in ns.
    pub p95_ns: u64,
}

/// A ring of the last steps.
#[derive(Clone, Debug, Default)]
pub struct History {
    frames: VecDeque<FrameFigures>,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
    }

    pub(super) fn push(&mut self, step: u64, at_ns: u64, sample: &Sample) {
        if self.frames.len() == HISTORY_STEPS {
            self.frames.pop_front();
        }
        self.frames.push_back(FrameFigures {
            step,
            at_ns,
            motion_ns: sample.motion_ns.unwrap_or(0),
            update_ns: sample.collision.update_ns,
            pairs_ns: sample.collision.pairs_ns,
            response_ns: sample.response_ns.unwrap_or(0),
            render_ns: 0,
            tests: sample.counters.tests,
            pairs: sample.pairs,
            hits: sample.hits.unwrap_or(0),
        });
    }

    /// Records the drawing time of a picture of a step; only the first one of a step counts.
    pub(super) fn drawn(&mut self, step: u64, render_ns: u64) {
        // Pictures show one of the newest steps.
        let frame = self.frames.iter_mut().rev().find(|frame| frame.step <= step);
        if let Some(frame) = frame.filter(|frame| frame.step == step && frame.render_ns == 0) {
            frame.render_ns = render_ns;
        }
    }

    /// Forgets the steps after `step`.
    pub(super) fn step_back(&mut self, step: u64) {
        while self.frames.back().is_some_and(|frame| frame.step > step) {
            self.frames.pop_back();
        }
    }

    /// The steps, oldest first.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &FrameFigures> {
        self.frames.iter()
    }

    /// The newest step.
    pub fn last(&self) -> Option<&FrameFigures> {
        self.frames.back()
    }

    /// Median and 95th percentile of one time of each step; `None` without a step.
    pub fn spread(&self, of: fn(&FrameFigures) -> u64) -> Option<Spread> {
        let mut values: Vec<u64> = self.frames.iter().map(of).collect();
        let p95_ns = measure::percentile(&mut values, 95)?;
        Some(Spread { median_ns: measure::median(&mut values)?, p95_ns })
    }

    /// The same of the drawing time, over the steps that were drawn.
    pub fn drawing_spread(&self) -> Option<Spread> {
        let mut values: Vec<u64> =
            self.frames.iter().map(|frame| frame.render_ns).filter(|ns| *ns > 0).collect();
        let p95_ns = measure::percentile(&mut values, 95)?;
        Some(Spread { median_ns: measure::median(&mut values)?, p95_ns })
    }

    /// Rates over the last second, or since the first step; `None` before the second step.
    pub fn rates(&self) -> Option<Rates> {
        let last = self.frames.back()?;
        let since = last.at_ns.saturating_sub(WINDOW_NS);
        let first = self.frames.iter().position(|f| f.at_ns >= since)?;
        // The first frame of the window only marks its beginning. A frame longer than the window is
        // alone in it; then the frame before marks the beginning.
        let first = first.min(self.frames.len().checked_sub(2)?);
        let seconds = (last.at_ns - self.frames[first].at_ns) as f64 / 1e9;
        if seconds <= 0.0 {
            return None;
        }
        let window = || self.frames.range(first + 1..);
        let steps = window().len();
        let sum = |of: fn(&FrameFigures) -> u64| window().map(of).sum::<u64>() as f64;
        // A step is drawn after it is done. Until the newest one is drawn, the same number of pictures is
        // taken one step earlier.
        let drawn_from = if last.render_ns > 0 { first + 1 } else { first };
        let drawn = self.frames.range(drawn_from..drawn_from + steps);
        let phases = [
            sum(|f| f.update_ns),
            sum(|f| f.pairs_ns),
            sum(|f| f.response_ns),
            drawn.map(|f| f.render_ns).sum::<u64>() as f64,
            sum(|f| f.motion_ns),
        ];
        let total: f64 = phases.iter().sum();
        Some(Rates {
            steps: steps as f64 / seconds,
            step_ns: total / steps as f64,
            tests: sum(|f| f.tests) / seconds,
            hits: sum(|f| f.hits) / seconds,
            shares: phases.map(|phase| if total > 0.0 { phase / total } else { 0.0 }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(times_ms: &[u64]) -> History {
        let frame = |ms: &u64| FrameFigures {
            at_ns: ms * 1_000_000,
            update_ns: 1,
            render_ns: 3,
            tests: 10,
            hits: 1,
            ..FrameFigures::default()
        };
        History { frames: times_ms.iter().map(frame).collect() }
    }

    #[test]
    fn rates_are_per_second_of_the_last_second() {
        assert_eq!(history(&[]).rates(), None);
        assert_eq!(history(&[5]).rates(), None);
        let steady = history(&(0..200).map(|i| i * 20).collect::<Vec<_>>()).rates().unwrap();
        assert_eq!((steady.steps, steady.tests, steady.hits), (50.0, 500.0, 50.0));
        assert_eq!((steady.shares, steady.step_ns), ([0.25, 0.0, 0.0, 0.75, 0.0], 4.0));
    }

    #[test]
    fn drawing_time_is_recorded_for_the_step_shown() {
        let mut history = history(&[0, 10, 20]);
        for (step, frame) in (1..).zip(&mut history.frames) {
            (frame.step, frame.render_ns) = (step, 0);
        }
        history.drawn(2, 5);
        history.drawn(2, 6);
        history.drawn(9, 100);
        let drawn: Vec<u64> = history.frames().map(|f| f.render_ns).collect();
        assert_eq!(drawn, [0, 5, 0]);
        assert_eq!(history.drawing_spread(), Some(Spread { median_ns: 5, p95_ns: 5 }));
        history.step_back(1);
        assert_eq!((history.frames().len(), history.drawing_spread()), (1, None));
    }

    #[test]
    fn shares_do_not_change_while_the_motion_is_stopped() {
        let mut history = history(&[0, 10, 20]);
        for (step, frame) in (1..).zip(&mut history.frames) {
            frame.step = step;
        }
        let before = history.rates();
        for picture in 0..100 {
            history.drawn(3, picture);
        }
        assert_eq!(history.rates(), before);
    }

    #[test]
    fn undrawn_step_uses_the_picture_before_it() {
        for times in [[0, 10, 20], [0, 10, 4000]] {
            let mut history = history(&times);
            let drawn = history.rates().unwrap();
            history.frames.back_mut().unwrap().render_ns = 0;
            assert_eq!(history.rates(), Some(drawn), "{times:?}");
        }
    }

    #[test]
    fn frame_longer_than_the_window_has_a_rate() {
        let slow = history(&[0, 4000]).rates().unwrap();
        assert_eq!((slow.steps, slow.tests), (0.25, 2.5));
    }
}
