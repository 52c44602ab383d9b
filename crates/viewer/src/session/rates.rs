//! Figures of the last second, per second and as shares of its wall time.

use super::history::FrameFigures;
use super::step_log::StepLog;
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
    /// Of the motion.
    pub motion: f64,
    /// Of drawing, which has a thread of its own, so that all shares together may exceed 1; `None` while no two pictures of
    /// the motion were presented.
    pub drawing: Option<f64>,
    /// The share of the compared searches.
    pub compared: f64,
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
    /// Pictures that it stands for: itself, and those before it whose time on the GPU was not measured.
    pub pictures: u64,
}

/// Since when the motion goes on, and the pictures of the last second.
#[derive(Debug, Default)]
pub(super) struct RateMeter {
    /// When the motion began or went on after a stop of more than a second, until a step follows.
    resumed_ns: Option<u64>,
    /// When each was presented, its number of pictures, and the nanoseconds of drawing them.
    pictures: VecDeque<(u64, u64, u64)>,
}

impl RateMeter {
    /// Counts a picture that was presented during motion. Pictures that it stands for count with its time.
    pub(super) fn presented(&mut self, drawing: Drawing) {
        let Drawing { presented_ns, render_ns, pictures, .. } = drawing;
        self.pictures.push_back((presented_ns, pictures, render_ns.saturating_mul(pictures)));
        // The first one only marks the beginning. One slower than the window is alone in it.
        while self.pictures.len() > 2 && is_over(self.pictures[1].0, presented_ns) {
            self.pictures.pop_front();
        }
    }

    /// Nanoseconds between two pictures, and the share of drawing.
    fn of_pictures(&self) -> Option<(f64, f64)> {
        let (began_ns, last_ns) = (self.pictures.front()?.0, self.pictures.back()?.0);
        let wall_ns = last_ns.checked_sub(began_ns).filter(|wall| *wall > 0)? as f64;
        let of = |(all, all_ns), (_, number, ns): &(u64, u64, u64)| (all + number, all_ns + ns);
        let (number, ns) = self.pictures.range(1..).fold((0, 0), of);
        // A picture's time on the GPU may overlap with the next picture's on the CPU.
        Some((wall_ns / number.max(1) as f64, (ns as f64 / wall_ns).min(1.0)))
    }

    pub(super) fn forget_pictures(&mut self) {
        self.pictures.clear();
    }

    /// When a step began that follows one that ended at `last_ns`.
    pub(super) fn begin_step(&mut self, last_ns: Option<u64>) -> Option<u64> {
        self.resumed_ns.take().or(last_ns)
    }
}

/// Whether a time is more than a window before another.
fn is_over(ns: u64, now_ns: u64) -> bool {
    ns < now_ns.saturating_sub(WINDOW_NS)
}

impl StepLog {
    /// Motion begins or goes on at `at_ns`: a stop of more than a second before is no part of the rates.
    pub(super) fn resume(&mut self, at_ns: u64) {
        if self.last_ended_ns().is_none_or(|last_ns| is_over(last_ns, at_ns)) {
            self.meter.resumed_ns = Some(at_ns);
        }
        if self.meter.pictures.back().is_some_and(|(last_ns, ..)| is_over(*last_ns, at_ns)) {
            self.meter.pictures.clear();
        }
    }

    /// Rates over the last second, or since the motion began; `None` before there are any.
    pub(super) fn rates(&self) -> Option<Rates> {
        let (mut number, mut compared_ns, mut sum) = (0, 0, FrameFigures::default());
        let last_ns = self.last_ended_ns()?;
        let mut began_ns = last_ns;
        for step in self.charted() {
            let Some(from_ns) = step.began_ns else { break };
            // A step longer than the window is alone in it.
            if step.ended_ns != began_ns || (number > 0 && is_over(from_ns, last_ns)) {
                break;
            }
            (number, began_ns) = (number + 1, from_ns);
            sum += step.figures();
            compared_ns += step.compared_ns();
        }
        let wall_ns = last_ns - began_ns;
        if wall_ns == 0 || (number < MIN_STEPS && wall_ns < MIN_WALL_NS) {
            return None;
        }
        let seconds = wall_ns as f64 / 1e9;
        let share = |ns: u64| ns as f64 / wall_ns as f64;
        let pictures = self.meter.of_pictures();
        Some(Rates {
            steps: number as f64 / seconds,
            tests: sum.tests as f64 / seconds,
            hits: sum.hits as f64 / seconds,
            search: SearchPhase::ALL.map(|phase| share(sum.search[phase])),
            response: share(sum.response_ns),
            motion: share(sum.motion_ns),
            drawing: pictures.map(|(_, share)| share),
            compared: share(compared_ns),
            stages: sum.stages.map(share),
            picture_ns: pictures.map(|(ns, _)| ns),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::step_log::{RowInput, StepLog};
    use broadphase::registry::ALGORITHMS;
    use measure::FrameRow;

    /// After steps that were finished at these milliseconds, each with 6 ms for the algorithm, 3 ms for a compared one, 10 tests
    /// and a hit.
    fn log(ends_ms: impl IntoIterator<Item = u64>) -> StepLog {
        let mut log = StepLog::new();
        ends_ms.into_iter().for_each(|ms| push(&mut log, ms));
        log
    }

    fn push(log: &mut StepLog, end_ms: u64) {
        let stages = [200_000, 400_000, 600_000, 800_000];
        let sample = FrameRow {
            motion_ns: Some(1_000_000),
            update_ns: 2_000_000,
            pairs_ns: 4_000_000,
            response_ns: Some(500_000),
            tests: Some(10),
            pairs: 2,
            hits: Some(1),
            ..FrameRow::default()
        };
        let input = RowInput { name: "test".into(), objects: 2, seed: None };
        log.step(log.next(), &ALGORITHMS[0], input, stages, sample.clone());
        log.compared(&ALGORITHMS[1], FrameRow { update_ns: 3_000_000, pairs_ns: 0, ..sample });
        log.end_step(end_ms * 1_000_000);
    }

    fn picture(step: u64, presented_ms: u64, render_ms: u64) -> Drawing {
        let [presented_ns, render_ns] = [presented_ms, render_ms].map(|ms| ms * 1_000_000);
        Drawing { epoch: 0, step, presented_ns, render_ns, pictures: 1 }
    }

    #[test]
    fn rates_are_per_second_of_the_last_second() {
        for ends_ms in [vec![], vec![5], vec![5, 5]] {
            assert_eq!(log(ends_ms).rates(), None, "no time has passed");
        }
        let steady = log((0..200).map(|i| i * 20)).rates().unwrap();
        assert_eq!((steady.steps, steady.tests, steady.hits), (50.0, 500.0, 50.0));
        assert_eq!((steady.search, steady.response), ([0.1, 0.2], 0.025));
        assert_eq!((steady.drawing, steady.motion), (None, 0.05));
        assert_eq!((steady.compared, steady.picture_ns), (0.15, None));
        assert_eq!(steady.stages, [0.01, 0.02, 0.03, 0.04]);
        // Without the checks: 2 + 4 + 0.5 ms, and 0.2 + 0.4 + 0.6 ms, in each 20 ms.
        assert!((steady.collisions() - 7.7 / 20.0).abs() < 1e-12);
        // A long step is alone, and of fast ones the log holds a part of a second.
        for (ends_ms, steps) in [(vec![0, 10, 20, 4020], 0.25), ((0..5000).collect(), 1000.0)] {
            assert_eq!(log(ends_ms).rates().unwrap().steps, steps);
        }
    }

    #[test]
    fn drawing_slower_than_steps_has_its_share_of_wall_time() {
        // 100 steps a second for six seconds, and a picture of 580 ms every 600 ms.
        let mut log = log((0..600).map(|i| i * 10));
        (1..=10).for_each(|i| log.meter.presented(picture(60 * i - 58, 600 * i, 580)));
        let rates = log.rates().unwrap();
        assert!((rates.drawing.unwrap() - 580.0 / 600.0).abs() < 1e-9, "{rates:?}");
        assert_eq!((rates.picture_ns, rates.steps), (Some(6e8), 100.0));
    }

    #[test]
    fn rates_begin_again_after_a_long_stop() {
        let mut log = log((0..200).map(|i| i * 20));
        (1..=50).for_each(|i| log.meter.presented(picture(2 * i, 40 * i, 20)));
        assert_eq!(log.rates().unwrap().drawing, Some(0.5));
        log.resume(60_000_000_000);
        push(&mut log, 60_040);
        assert_eq!(log.rates(), None, "of a single step");
        push(&mut log, 60_080);
        let rates = log.rates().unwrap();
        assert_eq!((rates.steps, rates.drawing), (25.0, None));
        (1..=2).for_each(|i| log.meter.presented(picture(201, 60_000 + 40 * i, 10)));
        assert_eq!(log.rates().unwrap().drawing, Some(0.25));
        log.resume(60_500_000_000);
        push(&mut log, 60_540);
        assert_eq!(log.rates().unwrap().steps, 3.0 / 0.54, "a short stop is counted");
    }

    #[test]
    fn pictures_without_a_gpu_time_are_counted() {
        // A picture every 10 ms, of which every fourth has a time.
        let mut log = log((0..200).map(|i| i * 10));
        for i in 1..=50 {
            log.meter.presented(Drawing { pictures: 4, ..picture(4 * i, 40 * i, 2) });
        }
        let rates = log.rates().unwrap();
        assert_eq!(rates.picture_ns, Some(1e7));
        assert!((rates.drawing.unwrap() - 0.2).abs() < 1e-9, "{rates:?}");
    }
}
