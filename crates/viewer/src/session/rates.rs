//! Figures of the last second, per second and as shares of its wall time.

use super::history::FrameFigures;
use measure::SearchPhase;
use std::collections::VecDeque;

/// Rates and shares are averages over this many nanoseconds: one second.
const WINDOW_NS: u64 = 1_000_000_000;

/// Fewest steps of which rates are shown, or nanoseconds of wall time: a single step says nothing of a second.
const MIN_STEPS: u64 = 2;
const MIN_WALL_NS: u64 = 250_000_000;

/// Figures over the last second, or over the steps in the log if they are faster, without a stop of more than a second before
/// the present motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Steps per second.
    pub steps: f64,
    /// Pairs of objects examined per second.
    pub tests: f64,
    /// Real collisions per second.
    pub hits: f64,
    /// Shares of wall time, each 0 to 1: of the phases of the search.
    pub search: [f64; SearchPhase::ALL.len()],
    /// Of the response.
    pub response: f64,
    /// Of drawing, which has a thread of its own, so that all shares together may exceed 1; `None` while no two pictures of
    /// the motion were presented.
    pub drawing: Option<f64>,
    /// Shares of the stages after the search of bodies: bounding volume, narrow phase, contact sets, checks.
    pub stages: [f64; 4],
    /// Nanoseconds of wall time between two presented pictures; `None` before the second one of the motion. Pictures of
    /// single steps are not counted.
    pub picture_ns: Option<f64>,
}

impl Rates {
    /// The share of collisions: update, pairs and response, and the stages of bodies without the checks.
    pub fn collisions(&self) -> f64 {
        self.search.iter().chain(&[self.response]).chain(&self.stages[..3]).sum()
    }
}

/// A picture that was presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The epoch of the session that it shows.
    pub epoch: u64,
    /// The step, counted from 1.
    pub step: u64,
    /// When it was presented, by the session's clock.
    pub presented_ns: u64,
    /// Nanoseconds that drawing it took.
    pub render_ns: u64,
}

/// Whether a time is more than a window before another.
fn is_over(ns: u64, now_ns: u64) -> bool {
    ns < now_ns.saturating_sub(WINDOW_NS)
}

/// Steps that are kept: those of a second, unless they are fast.
const MAX_STEPS: usize = 1_000;

/// The steps and the pictures of the last second.
#[derive(Debug, Default)]
pub(super) struct RateMeter {
    steps: VecDeque<Span>,
    /// When the last step ended, or the motion went on after a stop of more than a second.
    last_ns: Option<u64>,
    /// When each was presented, and the nanoseconds of drawing it.
    pictures: VecDeque<(u64, u64)>,
}

/// A step, from the end of the one before.
#[derive(Debug)]
struct Span {
    began_ns: u64,
    figures: FrameFigures,
}

impl RateMeter {
    /// Counts a picture that was presented during motion.
    pub(super) fn presented(&mut self, Drawing { presented_ns, render_ns, .. }: Drawing) {
        self.pictures.push_back((presented_ns, render_ns));
        // The first one only marks the beginning. One slower than the window is alone in it.
        while self.pictures.len() > 2 && is_over(self.pictures[1].0, presented_ns) {
            self.pictures.pop_front();
        }
    }

    /// Nanoseconds between two pictures, and the share of drawing.
    fn of_pictures(&self) -> Option<(f64, f64)> {
        let (began_ns, last_ns) = (self.pictures.front()?.0, self.pictures.back()?.0);
        let wall_ns = last_ns.checked_sub(began_ns).filter(|wall| *wall > 0)? as f64;
        let ns = self.pictures.range(1..).map(|(_, ns)| ns).sum::<u64>();
        // A picture's time on the GPU may overlap with the next picture's on the CPU.
        Some((wall_ns / (self.pictures.len() - 1) as f64, (ns as f64 / wall_ns).min(1.0)))
    }

    /// Adds a step that ended at `at_ns`.
    pub(super) fn step(&mut self, at_ns: u64, figures: FrameFigures) {
        if let Some(began_ns) = self.last_ns.replace(at_ns) {
            self.steps.push_back(Span { began_ns, figures });
        }
        // A step longer than the window is alone in it.
        while self.steps.len() > MAX_STEPS
            || (self.steps.len() > 1 && is_over(self.steps[0].began_ns, at_ns))
        {
            self.steps.pop_front();
        }
    }

    /// Motion begins or goes on at `at_ns`: a stop of more than a second before is no part of the rates.
    pub(super) fn resume(&mut self, at_ns: u64) {
        if self.last_ns.is_none_or(|last_ns| is_over(last_ns, at_ns)) {
            self.steps.clear();
            self.last_ns = Some(at_ns);
        }
        if self.pictures.back().is_some_and(|(last_ns, _)| is_over(*last_ns, at_ns)) {
            self.pictures.clear();
        }
    }

    /// Forgets all steps and pictures.
    pub(super) fn forget(&mut self) {
        *self = Self { last_ns: self.last_ns, ..Self::default() };
    }

    /// Rates over the last second, or since the motion began; `None` before there are any.
    pub(super) fn rates(&self) -> Option<Rates> {
        let number = self.steps.len() as u64;
        let wall_ns = self.last_ns?.saturating_sub(self.steps.front()?.began_ns);
        if wall_ns == 0 || (number < MIN_STEPS && wall_ns < MIN_WALL_NS) {
            return None;
        }
        let (wall_ns, seconds) = (wall_ns as f64, wall_ns as f64 / 1e9);
        let sum = |of: &dyn Fn(&Span) -> u64| self.steps.iter().map(of).sum::<u64>() as f64;
        let share = |of: &dyn Fn(&Span) -> u64| sum(of) / wall_ns;
        let pictures = self.of_pictures();
        Some(Rates {
            steps: number as f64 / seconds,
            tests: sum(&|step| step.figures.tests) / seconds,
            hits: sum(&|step| step.figures.hits) / seconds,
            search: SearchPhase::ALL.map(|phase| share(&|step| step.figures.search[phase])),
            response: share(&|step| step.figures.response_ns),
            drawing: pictures.map(|(_, share)| share),
            stages: std::array::from_fn(|stage| share(&|step| step.figures.stages[stage])),
            picture_ns: pictures.map(|(ns, _)| ns),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::PhaseTimes;

    /// A step with 6 ms for the algorithm, 10 tests and a hit.
    const STEP: FrameFigures = FrameFigures {
        step: 0,
        motion_ns: 1_000_000,
        search: PhaseTimes::new([2_000_000, 4_000_000]),
        response_ns: 500_000,
        stages: [200_000, 400_000, 600_000, 800_000],
        tests: 10,
        pairs: 2,
        hits: 1,
    };

    /// After such steps, finished at each of these milliseconds.
    fn meter(ends_ms: impl IntoIterator<Item = u64>) -> RateMeter {
        let mut meter = RateMeter::default();
        ends_ms.into_iter().for_each(|ms| push(&mut meter, ms));
        meter
    }

    fn push(meter: &mut RateMeter, end_ms: u64) {
        meter.step(end_ms * 1_000_000, STEP);
    }

    fn picture(step: u64, presented_ms: u64, render_ms: u64) -> Drawing {
        let [presented_ns, render_ns] = [presented_ms, render_ms].map(|ms| ms * 1_000_000);
        Drawing { epoch: 0, step, presented_ns, render_ns }
    }

    #[test]
    fn rates_are_per_second_of_the_last_second() {
        for ends_ms in [vec![], vec![5], vec![5, 5]] {
            assert_eq!(meter(ends_ms).rates(), None, "no time has passed");
        }
        let steady = meter((0..200).map(|i| i * 20)).rates().unwrap();
        assert_eq!((steady.steps, steady.tests, steady.hits), (50.0, 500.0, 50.0));
        assert_eq!((steady.search, steady.response), ([0.1, 0.2], 0.025));
        assert_eq!((steady.drawing, steady.picture_ns), (None, None));
        assert_eq!(steady.stages, [0.01, 0.02, 0.03, 0.04]);
        // Without the checks: 2 + 4 + 0.5 ms, and 0.2 + 0.4 + 0.6 ms, in each 20 ms.
        assert!((steady.collisions() - 7.7 / 20.0).abs() < 1e-12);
        // A long step is alone, and of fast ones there is a part of a second.
        for (ends_ms, steps) in [(vec![0, 10, 20, 4020], 0.25), ((0..5000).collect(), 1000.0)] {
            assert_eq!(meter(ends_ms).rates().unwrap().steps, steps);
        }
    }

    #[test]
    fn drawing_slower_than_steps_has_its_share_of_wall_time() {
        // 100 steps a second for six seconds, and a picture of 580 ms every 600 ms.
        let mut meter = meter((0..600).map(|i| i * 10));
        (1..=10).for_each(|i| meter.presented(picture(60 * i - 58, 600 * i, 580)));
        let rates = meter.rates().unwrap();
        assert!((rates.drawing.unwrap() - 580.0 / 600.0).abs() < 1e-9, "{rates:?}");
        assert_eq!((rates.picture_ns, rates.steps), (Some(6e8), 100.0));
    }

    #[test]
    fn rates_begin_again_after_a_long_stop() {
        let mut meter = meter((0..200).map(|i| i * 20));
        (1..=50).for_each(|i| meter.presented(picture(2 * i, 40 * i, 20)));
        assert_eq!(meter.rates().unwrap().drawing, Some(0.5));
        meter.resume(60_000_000_000);
        push(&mut meter, 60_040);
        assert_eq!(meter.rates(), None, "of a single step");
        push(&mut meter, 60_080);
        let rates = meter.rates().unwrap();
        assert_eq!((rates.steps, rates.drawing), (25.0, None));
        (1..=2).for_each(|i| meter.presented(picture(201, 60_000 + 40 * i, 10)));
        assert_eq!(meter.rates().unwrap().drawing, Some(0.25));
        meter.resume(60_500_000_000);
        push(&mut meter, 60_540);
        assert_eq!(meter.rates().unwrap().steps, 3.0 / 0.54, "a short stop is counted");
        (1..=100).for_each(|i| push(&mut meter, 60_540 + 20 * i));
        assert_eq!(meter.rates().unwrap().steps, 50.0);
    }
}
