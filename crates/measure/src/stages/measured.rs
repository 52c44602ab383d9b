//! What was measured of a method: its times, its counts, its end, and the rows that they become.

use super::answers::{Answers, BodyFrame, StageEnd};
use super::bench::BenchLimits;
use super::method::{FrameFigures, Method, RunningMethod};
use crate::input::Case;
use crate::rows::{Labels, Outcome, Stage, StageRow, Status};
use crate::table::{median, median_interval};
use sim::stages::{BodyList, Tally};

/// Times of a stage.
#[derive(Clone, Debug, Default)]
struct Times {
    tests: u64,
    ns: u64,
    /// Picoseconds per test of each frame with a test, for each repetition.
    test_ps: Vec<Vec<u64>>,
}

impl Times {
    fn add(&mut self, repeat: u32, tests: usize, ns: u64) {
        self.tests += tests as u64;
        self.ns += ns;
        self.test_ps.resize_with(self.test_ps.len().max(repeat as usize + 1), Vec::new);
        if tests > 0 {
            self.test_ps[repeat as usize].push((u128::from(ns) * 1000 / tests as u128) as u64);
        }
    }
}

/// A method in all repetitions of a cell.
#[derive(Clone, Debug)]
pub struct MeasuredMethod {
    pub(super) method: Method,
    /// Times of placing volumes.
    place: Times,
    times: Times,
    tally: Tally,
    work: u64,
    /// Its checks included.
    pub(super) spent_ns: u64,
    pub(super) ended: Option<Outcome>,
}

impl MeasuredMethod {
    pub(crate) fn new(method: Method, threads: u32) -> Self {
        let is_refused = matches!(method, Method::RelativeSweep) && threads > 1;
        let refused = || Outcome::Skipped("runs on one thread only".to_owned());
        Self {
            method,
            place: Times::default(),
            times: Times::default(),
            tally: Tally::default(),
            work: 0,
            spent_ns: 0,
            ended: is_refused.then(refused),
        }
    }

    pub(crate) fn method(&self) -> Method {
        self.method
    }

    /// Begins a repetition: nothing is known of any pair. A panic ends the method.
    pub(super) fn start(
        &mut self,
        bodies: &impl BodyList,
        limits: &BenchLimits<'_>,
    ) -> Result<Option<RunningMethod>, StageEnd> {
        if self.ended.is_some() {
            return Ok(None);
        }
        let begin = limits.clock.now_ns();
        let started = StageEnd::of(|| Ok(Some(self.method.start(bodies))));
        self.spent_ns += limits.clock.now_ns() - begin;
        started
    }

    /// Runs the method on a frame under the clock, then checks its answers. A wrong answer, a panic or a spent
    /// budget ends it.
    pub(super) fn frame(
        &mut self,
        running: &mut RunningMethod,
        of: &BodyFrame<'_, impl BodyList>,
        known: &Answers,
        limits: &BenchLimits<'_>,
    ) -> Result<(), StageEnd> {
        let &BenchLimits { clock, repeat, .. } = limits;
        let begin = clock.now_ns();
        let spent_ns = self.spent_ns;
        let spent = || spent_ns + (clock.now_ns() - begin);
        let goes_on = || !limits.is_stopped() && limits.allows(spent());
        let run = || running.run(self.method, of, known, clock, &goes_on).map_err(StageEnd::wrong);
        let figures = StageEnd::of(run);
        self.spent_ns = spent();
        let figures = figures?;
        if !limits.allows(self.spent_ns) {
            return Err(StageEnd::Unfinished);
        }
        if of.counts {
            self.add(repeat, &figures, of.bodies.count());
        }
        Ok(())
    }

    fn add(&mut self, repeat: u32, figures: &FrameFigures, bodies: usize) {
        self.place.add(repeat, bodies, figures.place_ns);
        self.times.add(repeat, figures.tests, figures.ns);
        self.tally = self.tally.plus(&figures.tally);
        self.work += figures.work;
    }

    /// Its rows: two of a volume, which is placed and tested. `of_cell` is the outcome of what all methods share.
    pub(crate) fn rows(
        &self,
        labels: &Labels,
        case: &Case,
        repeats: u32,
        seed: u64,
        of_cell: &Outcome,
    ) -> Vec<StageRow> {
        let outcome = match (of_cell, &self.ended) {
            // Its own end is more to the point. What a wrong reference confirmed is no result.
            (Outcome::Ok | Outcome::Skipped(_), Some(own)) => own,
            (of_cell, _) => of_cell,
        };
        let (status, reason) = outcome.status();
        let motion = case.pairs().and_then(|pairs| pairs.motion());
        let is_ok = status == Status::Ok;
        let row = |stage: Stage, times: &Times| {
            let ns_of = |ps: u64| ps as f64 / 1000.0;
            let middle = median(&mut times.test_ps.concat()).filter(|_| is_ok);
            let interval = median_interval(&times.test_ps, seed).filter(|_| is_ok).zip(middle);
            let count =
                |count: u64, stages: &[Stage]| (is_ok && stages.contains(&stage)).then_some(count);
            let has_work = !matches!(self.method, Method::ApproximateContacts);
            let (tally, errors) = (&self.tally, &self.tally.errors);
            let mean_error = errors.mean().filter(|_| is_ok && stage != Stage::Place);
            use Stage::{Boxes, Contact, Impact, Narrow, Volume};
            let Labels { run_id, input, n, seed, algorithm, threads } = labels.clone();
            StageRow {
                run_id,
                input,
                n,
                seed,
                algorithm,
                threads,
                stage,
                method: self.method.name(),
                box_kind: case.box_kind_id().to_owned(),
                tests: is_ok.then_some(times.tests),
                passed: count(tally.passed, &[Boxes, Volume, Narrow, Contact, Impact]),
                false_passed: count(tally.false_passed, &[Boxes, Volume, Impact]),
                missed: count(tally.missed, &[Volume, Impact]),
                band: count(tally.band, &[Boxes, Volume, Narrow, Impact]),
                work: count(self.work, &[Narrow, Contact, Impact]).filter(|_| has_work),
                failures: count(tally.failures, &[Narrow, Impact]),
                ns: is_ok.then_some(times.ns),
                frames: case.frames,
                repeats,
                test_ns: middle.map(ns_of),
                // Nothing forces the bootstrap's quantiles to lie on either side of the median.
                ci_low_test_ns: interval.map(|(interval, middle)| ns_of(interval.low.min(middle))),
                ci_high_test_ns: interval
                    .map(|(interval, middle)| ns_of(interval.high.max(middle))),
                status,
                reason: reason.clone(),
                continuous: case.continuous().to_owned(),
                speed: motion.map(|motion| motion.speed),
                spin: motion.map(|motion| motion.spin),
                mean_error,
                largest_error: mean_error.map(|_| errors.largest),
            }
        };
        let place =
            matches!(self.method, Method::Volume(_)).then(|| row(Stage::Place, &self.place));
        place.into_iter().chain([row(self.method.stage(), &self.times)]).collect()
    }
}
