//! Figures of the last second, per second and as shares of its wall time.

use super::history::FrameFigures;
use super::slices::{Slices, Work};
use measure::SearchPhase;

/// Fewest steps of which rates are shown, or nanoseconds of wall time: a single step says nothing of a second.
const MIN_STEPS: u64 = 2;
const MIN_WALL_NS: u64 = 250_000_000;

/// Figures over the last second, without a stop of more than a second before the present motion.
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
    /// Of drawing. It has a thread of its own, so that all shares together may exceed 1. It means nothing without
    /// `picture_ns`.
    drawing: f64,
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

    /// The share of drawing; `None` while no two pictures of the motion were presented.
    pub fn drawing(&self) -> Option<f64> {
        self.picture_ns.map(|_| self.drawing)
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

/// The work of the last second, of steps and of pictures.
#[derive(Debug, Default)]
pub(super) struct RateMeter {
    steps: Slices,
    pictures: Slices,
}

impl RateMeter {
    /// Adds a step that was finished at `at_ns`. Compared searches took `compared_ns` of it.
    pub(super) fn step(&mut self, at_ns: u64, frame: &FrameFigures, compared_ns: u64) {
        self.steps.push(at_ns, Work { number: 1, ns: compared_ns, sum: *frame });
    }

    /// Counts a picture that was presented during motion. Pictures that it stands for count with its time.
    pub(super) fn presented(&mut self, drawing: Drawing) {
        let Drawing { presented_ns, render_ns, pictures, .. } = drawing;
        let ns = render_ns.saturating_mul(pictures);
        self.pictures.push(presented_ns, Work { number: pictures, ns, ..Work::default() });
    }

    /// Motion begins or continues at `at_ns`.
    pub(super) fn resume(&mut self, at_ns: u64) {
        self.steps.resume(at_ns);
        self.pictures.resume(at_ns);
    }

    /// Rates over the last second, or since the motion began; `None` before there are any.
    pub(super) fn rates(&self) -> Option<Rates> {
        let (Work { number, ns, sum }, wall_ns) = self.steps.of_window()?;
        if number < MIN_STEPS && wall_ns < MIN_WALL_NS {
            return None;
        }
        let seconds = wall_ns as f64 / 1e9;
        let share = |ns: u64| ns as f64 / wall_ns as f64;
        let pictures = self.pictures.of_window();
        // A picture's time on the GPU may overlap with the next picture's on the CPU.
        let drawing = pictures.map(|(work, wall_ns)| work.ns as f64 / wall_ns as f64);
        Some(Rates {
            steps: number as f64 / seconds,
            tests: sum.tests as f64 / seconds,
            hits: sum.hits as f64 / seconds,
            search: SearchPhase::ALL.map(|phase| share(sum.search[phase])),
            response: share(sum.response_ns),
            motion: share(sum.motion_ns),
            drawing: drawing.unwrap_or(0.0).min(1.0),
            compared: share(ns),
            stages: sum.stages.in_order().map(share),
            picture_ns: pictures.map(|(work, wall_ns)| wall_ns as f64 / work.number.max(1) as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::StageTimes;
    use measure::PhaseTimes;

    /// A step with 6 ms for the algorithm, 10 tests and a hit.
    const STEP: FrameFigures = FrameFigures {
        step: 0,
        motion_ns: 1_000_000,
        search: PhaseTimes::new([2_000_000, 4_000_000]),
        response_ns: 500_000,
        stages: StageTimes {
            volume_ns: 200_000,
            narrow_ns: 400_000,
            contact_ns: 600_000,
            checks_ns: 800_000,
        },
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
        meter.step(end_ms * 1_000_000, &STEP, 3_000_000);
    }

    fn picture(step: u64, presented_ms: u64, render_ms: u64) -> Drawing {
        let [presented_ns, render_ns] = [presented_ms, render_ms].map(|ms| ms * 1_000_000);
        Drawing { epoch: 0, step, presented_ns, render_ns, pictures: 1 }
    }

    #[test]
    fn rates_are_per_second_of_the_last_second() {
        assert_eq!(meter([]).rates(), None);
        assert_eq!(meter([5]).rates(), None);
        let steady = meter((0..200).map(|i| i * 20)).rates().unwrap();
        assert_eq!((steady.steps, steady.tests, steady.hits), (50.0, 500.0, 50.0));
        assert_eq!((steady.search, steady.response), ([0.1, 0.2], 0.025));
        assert_eq!((steady.drawing, steady.motion), (0.0, 0.05));
        assert_eq!((steady.compared, steady.picture_ns), (0.15, None));
        assert_eq!(steady.stages, [0.01, 0.02, 0.03, 0.04]);
        // Without the checks: 2 + 4 + 0.5 ms, and 0.2 + 0.4 + 0.6 ms, in each 20 ms.
        assert!(
            (steady.collisions() - 7.7 / 20.0).abs() < 1e-12 && STEP.collision_ns() == 7_700_000
        );
    }

    #[test]
    fn drawing_slower_than_steps_has_its_share_of_wall_time() {
        // 100 steps a second for six seconds, and a picture of 580 ms every 600 ms.
        let mut meter = meter((0..600).map(|i| i * 10));
        (1..=10).for_each(|i| meter.presented(picture(60 * i - 58, 600 * i, 580)));
        let rates = meter.rates().unwrap();
        assert!((rates.drawing - 580.0 / 600.0).abs() < 1e-9, "{rates:?}");
        assert_eq!(rates.picture_ns, Some(6e8));
        assert_eq!(rates.steps, 100.0);
    }

    #[test]
    fn drawing_is_unknown_for_single_steps_after_a_motion() {
        let mut meter = meter((0..200).map(|i| i * 20));
        assert_eq!(meter.rates().unwrap().drawing(), None, "no picture");
        (1..=50).for_each(|i| meter.presented(picture(2 * i, 40 * i, 20)));
        assert_eq!(meter.rates().unwrap().drawing(), Some(0.5));
        meter.resume(60_000_000_000);
        assert!(meter.rates().is_none());
        push(&mut meter, 60_040);
        assert!(meter.rates().is_none(), "of a single step");
        push(&mut meter, 60_080);
        let rates = meter.rates().unwrap();
        assert_eq!((rates.steps, rates.drawing()), (25.0, None));
        // Motion again: its pictures count.
        (1..=2).for_each(|i| meter.presented(picture(201, 60_000 + 40 * i, 10)));
        assert_eq!(meter.rates().unwrap().drawing(), Some(0.25));
    }

    #[test]
    fn pictures_without_a_gpu_time_are_counted() {
        // A picture every 10 ms, of which every fourth has a time.
        let mut meter = meter((0..200).map(|i| i * 10));
        for i in 1..=50 {
            meter.presented(Drawing { pictures: 4, ..picture(4 * i, 40 * i, 2) });
        }
        let rates = meter.rates().unwrap();
        assert_eq!(rates.picture_ns, Some(1e7));
        assert!((rates.drawing - 0.2).abs() < 1e-9, "{rates:?}");
    }
}
