//! The recent frames, for live figures and the chart.

use measure::Sample;
use std::collections::VecDeque;

/// Steps kept: what the charts show.
pub const HISTORY_STEPS: usize = 300;

/// Rates are taken over this many nanoseconds.
const WINDOW_NS: u64 = 1_000_000_000;

/// What is shown of one step.
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
    /// Nanoseconds: answering them.
    pub response_ns: u64,
    /// Nanoseconds: drawing the first picture of the step; 0 where none shows it. Later pictures are
    /// drawn because the camera or a panel moves, for as long as the motion stands still.
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

    /// A picture of a step took this long to draw; only the first one of a step counts.
    pub(super) fn drawn(&mut self, step: u64, render_ns: u64) {
        // Pictures show one of the newest steps.
        let frame = self.frames.iter_mut().rev().find(|frame| frame.step <= step);
        if let Some(frame) = frame.filter(|frame| frame.step == step && frame.render_ns == 0) {
            frame.render_ns = render_ns;
        }
    }

    /// Forgets the steps after one that was stepped back to.
    pub(super) fn take_back(&mut self, step: u64) {
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

    /// Median and 95th percentile of what `of` gives of each step, in ns; `None` without a step.
    pub fn spread(&self, of: fn(&FrameFigures) -> u64) -> Option<Spread> {
        let mut values: Vec<u64> = self.frames.iter().map(of).collect();
        let p95_ns = measure::percentile(&mut values, 95)?;
        Some(Spread { median_ns: measure::median(&mut values)?, p95_ns })
    }

    /// The same of the drawing, over the steps that were drawn.
    pub fn drawing_spread(&self) -> Option<Spread> {
        let mut values: Vec<u64> =
            self.frames.iter().map(|frame| frame.render_ns).filter(|ns| *ns > 0).collect();
        let p95_ns = measure::percentile(&mut values, 95)?;
        Some(Spread { median_ns: measure::median(&mut values)?, p95_ns })
    }

    /// Rates over the last second, or over what there is of it; `None` before the second step.
    pub fn rates(&self) -> Option<Rates> {
        let last = self.frames.back()?;
        let since = last.at_ns.saturating_sub(WINDOW_NS);
        let first = self.frames.iter().position(|f| f.at_ns >= since)?;
        // The first frame of the window only marks its beginning, unless it stands alone in it: a
        // frame that takes longer than the window.
        let first = first.min(self.frames.len().checked_sub(2)?);
        let seconds = (last.at_ns - self.frames[first].at_ns) as f64 / 1e9;
        if seconds <= 0.0 {
            return None;
        }
        let window = || self.frames.range(first + 1..);
        let steps = window().len();
        let sum = |of: fn(&FrameFigures) -> u64| window().map(of).sum::<u64>() as f64;
        // A step is drawn after it is done: until the newest one is, the pictures counted are those
        // of as many steps, each one earlier.
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
    fn the_time_of_drawing_goes_to_the_step_that_the_picture_shows() {
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
        history.take_back(1);
        assert_eq!((history.frames().len(), history.drawing_spread()), (1, None));
    }

    #[test]
    fn the_shares_stand_still_while_the_motion_does() {
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
    fn a_step_that_is_not_drawn_yet_counts_with_the_picture_before_it() {
        for times in [[0, 10, 20], [0, 10, 4000]] {
            let mut history = history(&times);
            let drawn = history.rates().unwrap();
            history.frames.back_mut().unwrap().render_ns = 0;
            assert_eq!(history.rates(), Some(drawn), "{times:?}");
        }
    }

    #[test]
    fn a_frame_longer_than_the_window_still_has_a_rate() {
        let slow = history(&[0, 4000]).rates().unwrap();
        assert_eq!((slow.steps, slow.tests), (0.25, 2.5));
    }
}
