//! The recent frames, for live figures and the chart.

use super::slices::Slices;
use super::stages::StageTimes;
use measure::Sample;
use std::collections::VecDeque;
use std::ops::AddAssign;

/// Steps kept, which are those that the charts show.
pub const HISTORY_STEPS: usize = 300;

/// The figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameFigures {
    /// The step, counted from 1.
    pub step: u64,
    /// Nanoseconds: moving the objects.
    pub motion_ns: u64,
    /// Nanoseconds: bringing the structure up to date.
    pub update_ns: u64,
    /// Nanoseconds: finding the pairs.
    pub pairs_ns: u64,
    /// Nanoseconds: responding to them.
    pub response_ns: u64,
    /// Testing the pairs of bodies. It is no part of the response.
    pub stages: StageTimes,
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

impl Rates {
    /// The share of collisions: update, pairs and response, and the stages of bodies without the checks.
    pub fn collisions(&self) -> f64 {
        self.shares[..3].iter().chain(&self.stages[..3]).sum()
    }

    /// The share of drawing; `None` while no two pictures of the motion were presented.
    pub fn drawing(&self) -> Option<f64> {
        self.picture_ns.map(|_| self.shares[3])
    }
}

impl FrameFigures {
    /// Nanoseconds spent on collisions: the search, the stages of bodies without the checks, and the response.
    pub fn collision_ns(&self) -> u64 {
        let [volume_ns, narrow_ns, contact_ns, _] = self.stages.in_order();
        self.update_ns + self.pairs_ns + volume_ns + narrow_ns + contact_ns + self.response_ns
    }
}

/// Figures over the last second, without a stop of more than a second before the present motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Steps per second.
    pub steps: f64,
    /// Pairs of objects examined per second.
    pub tests: f64,
    /// Real collisions per second.
    pub hits: f64,
    /// Shares of wall time, each 0 to 1: update, pairs, response, drawing, motion. Drawing has a thread of its
    /// own, so that their sum may exceed 1. Its share means nothing without `picture_ns`.
    pub shares: [f64; 5],
    /// The share of the compared searches.
    pub compared: f64,
    /// Shares of the stages after the search of bodies: bounding volume, narrow phase, contact sets, checks.
    pub stages: [f64; 4],
    /// Nanoseconds of wall time between two presented pictures; `None` before the second one of the motion. Pictures of
    /// single steps are not counted.
    pub picture_ns: Option<f64>,
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

/// Work of some steps.
#[derive(Clone, Copy, Debug, Default)]
struct StepWork {
    steps: u64,
    tests: u64,
    hits: u64,
    update_ns: u64,
    pairs_ns: u64,
    response_ns: u64,
    motion_ns: u64,
    compared_ns: u64,
    stages: StageTimes,
}

impl AddAssign for StepWork {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.tests += other.tests;
        self.hits += other.hits;
        self.update_ns += other.update_ns;
        self.pairs_ns += other.pairs_ns;
        self.response_ns += other.response_ns;
        self.motion_ns += other.motion_ns;
        self.compared_ns += other.compared_ns;
        self.stages += other.stages;
    }
}

/// Work of some pictures.
#[derive(Clone, Copy, Debug, Default)]
struct PictureWork {
    pictures: u64,
    render_ns: u64,
}

impl AddAssign for PictureWork {
    fn add_assign(&mut self, other: Self) {
        self.pictures += other.pictures;
        self.render_ns += other.render_ns;
    }
}

/// Median and 95th percentile of some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The median, in ns.
    pub median_ns: u64,
    /// The 95th percentile by nearest rank, in ns.
    pub p95_ns: u64,
}

/// A ring of the last steps, and the work of the last second.
#[derive(Clone, Debug, Default)]
pub struct History {
    frames: VecDeque<FrameFigures>,
    steps: Slices<StepWork>,
    pictures: Slices<PictureWork>,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.steps.clear();
        self.pictures.clear();
    }

    /// Adds a step that was finished at `at_ns`. Compared searches took `compared_ns` of it, tests of bodies `stages`.
    pub(super) fn push(
        &mut self,
        step: u64,
        at_ns: u64,
        sample: &Sample,
        compared_ns: u64,
        stages: StageTimes,
    ) {
        if self.frames.len() == HISTORY_STEPS {
            self.frames.pop_front();
        }
        let frame = FrameFigures {
            step,
            motion_ns: sample.motion_ns.unwrap_or(0),
            update_ns: sample.collision.update_ns,
            pairs_ns: sample.collision.pairs_ns,
            response_ns: sample.response_ns.unwrap_or(0),
            stages,
            render_ns: 0,
            tests: sample.counters.tests,
            pairs: sample.pairs,
            hits: sample.hits.unwrap_or(0),
        };
        self.frames.push_back(frame);
        self.steps.push(
            at_ns,
            StepWork {
                steps: 1,
                tests: frame.tests,
                hits: frame.hits,
                update_ns: frame.update_ns,
                pairs_ns: frame.pairs_ns,
                response_ns: frame.response_ns,
                motion_ns: frame.motion_ns,
                compared_ns,
                stages,
            },
        );
    }

    /// Motion begins or continues at `at_ns`.
    pub(super) fn resume(&mut self, at_ns: u64) {
        self.steps.resume(at_ns);
        self.pictures.resume(at_ns);
    }

    /// Counts a picture that was presented during motion. Pictures that it stands for count with its time.
    pub(super) fn presented(&mut self, drawing: Drawing) {
        let Drawing { presented_ns, render_ns, pictures, .. } = drawing;
        let render_ns = render_ns.saturating_mul(pictures);
        self.pictures.push(presented_ns, PictureWork { pictures, render_ns });
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
    pub(super) fn forget_after(&mut self, step: u64) {
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

    /// Rates over the last second, or since the motion began; `None` before there are any.
    pub fn rates(&self) -> Option<Rates> {
        let (work, wall_ns) = self.steps.of_window()?;
        let seconds = wall_ns as f64 / 1e9;
        let share = |ns: u64| ns as f64 / wall_ns as f64;
        // A picture's time on the GPU may overlap with the next picture's on the CPU.
        let is_of_older_steps = self.pictures.awaits_work() && !self.steps.awaits_work();
        let pictures = if is_of_older_steps { None } else { self.pictures.of_window() };
        let drawing = pictures.map(|(work, wall_ns)| work.render_ns as f64 / wall_ns as f64);
        Some(Rates {
            steps: work.steps as f64 / seconds,
            tests: work.tests as f64 / seconds,
            hits: work.hits as f64 / seconds,
            shares: [
                share(work.update_ns),
                share(work.pairs_ns),
                share(work.response_ns),
                drawing.unwrap_or(0.0).min(1.0),
                share(work.motion_ns),
            ],
            compared: share(work.compared_ns),
            stages: work.stages.in_order().map(share),
            picture_ns: pictures
                .map(|(work, wall_ns)| wall_ns as f64 / work.pictures.max(1) as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Counters;
    use measure::{Collision, Phase};

    /// A step with 6 ms for the algorithm, 10 tests and a hit, finished at each of these milliseconds.
    fn history(ends_ms: impl IntoIterator<Item = u64>) -> History {
        let mut history = History::default();
        (1..).zip(ends_ms).for_each(|(step, ms)| push(&mut history, step, ms));
        history
    }

    fn push(history: &mut History, step: u64, end_ms: u64) {
        let sample = Sample {
            repeat: 0,
            frame: 0,
            phase: Phase::Measure,
            motion_ns: Some(1_000_000),
            collision: Collision {
                update_ns: 2_000_000,
                pairs_ns: 4_000_000,
                ..Default::default()
            },
            response_ns: Some(500_000),
            render_ns: None,
            counters: Counters { tests: 10, ..Counters::default() },
            pairs: 2,
            hits: Some(1),
            heap_bytes: 0,
            checksum: 0,
            events: None,
            stages: None,
        };
        let stages = StageTimes {
            volume_ns: 200_000,
            narrow_ns: 400_000,
            contact_ns: 600_000,
            checks_ns: 800_000,
        };
        history.push(step, end_ms * 1_000_000, &sample, 3_000_000, stages);
    }

    fn picture(step: u64, presented_ms: u64, render_ms: u64) -> Drawing {
        let [presented_ns, render_ns] = [presented_ms, render_ms].map(|ms| ms * 1_000_000);
        Drawing { epoch: 0, step, presented_ns, render_ns, pictures: 1 }
    }

    #[test]
    fn rates_are_per_second_of_the_last_second() {
        assert_eq!(history([]).rates(), None);
        assert_eq!(history([5]).rates(), None);
        let steady = history((0..200).map(|i| i * 20)).rates().unwrap();
        assert_eq!((steady.steps, steady.tests, steady.hits), (50.0, 500.0, 50.0));
        assert_eq!(steady.shares, [0.1, 0.2, 0.025, 0.0, 0.05]);
        assert_eq!((steady.compared, steady.picture_ns), (0.15, None));
        assert_eq!(steady.stages, [0.01, 0.02, 0.03, 0.04]);
    }

    #[test]
    fn drawing_slower_than_steps_has_its_share_of_wall_time() {
        // 100 steps a second for six seconds, and a picture of 580 ms every 600 ms.
        let mut history = history((0..600).map(|i| i * 10));
        (1..=10).for_each(|i| history.presented(picture(60 * i - 58, 600 * i, 580)));
        let rates = history.rates().unwrap();
        assert!((rates.shares[3] - 580.0 / 600.0).abs() < 1e-9, "{rates:?}");
        assert_eq!(rates.picture_ns, Some(6e8));
        assert_eq!(rates.steps, 100.0);
    }

    #[test]
    fn drawing_is_unknown_for_single_steps_after_a_motion() {
        let mut history = history((0..200).map(|i| i * 20));
        assert_eq!(history.rates().unwrap().drawing(), None, "no picture");
        (1..=50).for_each(|i| history.presented(picture(2 * i, 40 * i, 20)));
        assert_eq!(history.rates().unwrap().drawing(), Some(0.5));
        history.resume(60_000_000_000);
        assert_eq!(history.rates().unwrap().drawing(), Some(0.5), "shown until the next step");
        push(&mut history, 201, 60_040);
        let rates = history.rates().unwrap();
        assert_eq!((rates.steps, rates.drawing()), (25.0, None));
        // Motion again: its pictures count.
        (1..=2).for_each(|i| history.presented(picture(201, 60_000 + 40 * i, 10)));
        assert_eq!(history.rates().unwrap().drawing(), Some(0.25));
    }

    #[test]
    fn collisions_contain_stages_but_no_checks() {
        let history = history((0..200).map(|i| i * 20));
        let rates = history.rates().unwrap();
        // 2 + 4 + 0.5 ms, and 0.2 + 0.4 + 0.6 ms, in each 20 ms.
        assert!((rates.collisions() - 7.7 / 20.0).abs() < 1e-12, "{rates:?}");
        assert_eq!(history.last().unwrap().collision_ns(), 7_700_000);
    }

    #[test]
    fn pictures_without_a_gpu_time_are_counted() {
        // A picture every 10 ms, of which every fourth has a time.
        let mut history = history((0..200).map(|i| i * 10));
        for i in 1..=50 {
            history.presented(Drawing { pictures: 4, ..picture(4 * i, 40 * i, 2) });
        }
        let rates = history.rates().unwrap();
        assert_eq!(rates.picture_ns, Some(1e7));
        assert!((rates.shares[3] - 0.2).abs() < 1e-9, "{rates:?}");
    }

    #[test]
    fn drawing_time_is_recorded_for_the_step_shown() {
        let mut history = history([0, 10, 20]);
        history.drawn(2, 5);
        history.drawn(2, 6);
        history.drawn(9, 100);
        let drawn: Vec<u64> = history.frames().map(|f| f.render_ns).collect();
        assert_eq!(drawn, [0, 5, 0]);
        assert_eq!(history.drawing_spread(), Some(Spread { median_ns: 5, p95_ns: 5 }));
        history.forget_after(1);
        assert_eq!((history.frames().len(), history.drawing_spread()), (1, None));
    }
}
