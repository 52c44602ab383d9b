//! The recent frames, for live figures and the chart.

use measure::Sample;
use std::collections::VecDeque;

/// Frames kept: what the chart shows.
const CAPACITY: usize = 300;

/// Rates are taken over this many nanoseconds.
const WINDOW_NS: u64 = 1_000_000_000;

/// What is shown of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameFigures {
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
    /// Nanoseconds: drawing; 0 until it is drawn.
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

    /// Nanoseconds of the whole frame.
    pub fn frame_ns(&self) -> u64 {
        self.motion_ns + self.collision_ns() + self.render_ns
    }
}

/// Figures over the last second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Frames per second.
    pub fps: f64,
    /// Pairs of objects examined per second.
    pub tests: f64,
    /// Real collisions per second.
    pub hits: f64,
    /// Shares of the measured time, 0 to 1, that sum to 1: update, pairs, response, drawing, motion.
    pub shares: [f64; 5],
}

/// A ring of the last frames.
#[derive(Clone, Debug, Default)]
pub struct History {
    frames: VecDeque<FrameFigures>,
    /// The newest frame, while it is not drawn yet: its time of drawing is still missing.
    undrawn: Option<FrameFigures>,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.undrawn = None;
    }

    pub(super) fn push(&mut self, at_ns: u64, sample: &Sample) {
        self.settle(0);
        self.undrawn = Some(FrameFigures {
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

    pub(super) fn drawn(&mut self, render_ns: u64) {
        self.settle(render_ns);
    }

    /// The newest frame is complete.
    fn settle(&mut self, render_ns: u64) {
        if let Some(frame) = self.undrawn.take() {
            if self.frames.len() == CAPACITY {
                self.frames.pop_front();
            }
            self.frames.push_back(FrameFigures { render_ns, ..frame });
        }
    }

    /// The frames that are drawn, oldest first.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &FrameFigures> {
        self.frames.iter()
    }

    /// The newest frame that is drawn.
    pub fn last(&self) -> Option<&FrameFigures> {
        self.frames.back()
    }

    /// The newest frame, drawn or not.
    pub fn newest(&self) -> Option<&FrameFigures> {
        self.undrawn.as_ref().or(self.frames.back())
    }

    /// Rates over the last second, or over what there is of it; `None` before the second frame.
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
        let window = || self.frames.iter().skip(first + 1);
        let sum = |of: fn(&FrameFigures) -> u64| window().map(of).sum::<u64>() as f64;
        let phases = [
            sum(|f| f.update_ns),
            sum(|f| f.pairs_ns),
            sum(|f| f.response_ns),
            sum(|f| f.render_ns),
            sum(|f| f.motion_ns),
        ];
        let total: f64 = phases.iter().sum();
        Some(Rates {
            fps: window().count() as f64 / seconds,
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
        History { frames: times_ms.iter().map(frame).collect(), undrawn: None }
    }

    #[test]
    fn rates_are_per_second_of_the_last_second() {
        assert_eq!(history(&[]).rates(), None);
        assert_eq!(history(&[5]).rates(), None);
        let steady = history(&(0..200).map(|i| i * 20).collect::<Vec<_>>()).rates().unwrap();
        assert_eq!((steady.fps, steady.tests, steady.hits), (50.0, 500.0, 50.0));
        assert_eq!(steady.shares, [0.25, 0.0, 0.0, 0.75, 0.0]);
    }

    #[test]
    fn a_frame_counts_when_it_is_drawn() {
        let mut history = history(&[0, 10]);
        history.undrawn = Some(FrameFigures { at_ns: 20_000_000, pairs: 7, ..Default::default() });
        assert_eq!(history.newest().unwrap().pairs, 7);
        assert_eq!((history.frames().len(), history.last().unwrap().render_ns), (2, 3));
        history.drawn(5);
        assert_eq!((history.frames().len(), history.last().unwrap().render_ns), (3, 5));
    }

    #[test]
    fn a_frame_longer_than_the_window_still_has_a_rate() {
        let slow = history(&[0, 4000]).rates().unwrap();
        assert_eq!((slow.fps, slow.tests), (0.25, 2.5));
    }
}
