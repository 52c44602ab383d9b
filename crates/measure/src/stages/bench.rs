//! All methods side by side on the same candidates, and what was measured of each: its times, its counts, its end, and the
//! rows that they become.

use super::answers::{Answers, BodyFrame, StageEnd};
use super::method::{FrameFigures, Method, RunningMethod};
use crate::input::Case;
use crate::play::{Problem, Rounds};
use crate::process::Clock;
use crate::rows::{Labels, Outcome, Stage, StageRow, Status};
use crate::table::median_interval;
use sim::stages::{BodyList, Tally};
use std::sync::atomic::{AtomicBool, Ordering};

/// Clock and limits of the methods in a repetition.
#[derive(Clone, Copy)]
pub(crate) struct BenchLimits<'a> {
    pub(crate) repeat: u32,
    pub(crate) clock: &'a dyn Clock,
    /// Ends the checks when it is set. The caller then drops what was found.
    pub(crate) stop: &'a AtomicBool,
    /// Nanoseconds that a method may take for all its frames, its checks included.
    pub(crate) budget_ns: Option<u64>,
}

impl BenchLimits<'_> {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether work that has taken `spent_ns` goes on.
    pub(super) fn allows(&self, spent_ns: u64) -> bool {
        !self.is_stopped() && self.budget_ns.is_none_or(|budget| spent_ns <= budget)
    }
}

/// Nanoseconds of all methods in all repetitions.
pub(crate) fn spent_ns(methods: &[MeasuredMethod]) -> u64 {
    methods.iter().map(|method| method.spent_ns).sum()
}

/// The methods in a repetition. Every frame is a round, in an order of its own. A fault of a method ends it, and the others
/// go on.
pub(crate) struct Bench<'a> {
    pub(super) methods: &'a mut [MeasuredMethod],
    running: Vec<RunningMethod>,
    order: Rounds,
    pub(super) answers: Answers,
    pub(super) limits: BenchLimits<'a>,
    needs_impacts: bool,
    pub(super) has_wrong_reference: bool,
}

impl<'a> Bench<'a> {
    /// Begins a repetition. `seed` is that of the order, which is drawn for every second frame.
    pub(crate) fn new(
        methods: &'a mut [MeasuredMethod],
        seed: u64,
        limits: BenchLimits<'a>,
    ) -> Self {
        Self {
            running: methods.iter().map(|_| RunningMethod::default()).collect(),
            order: Rounds::new(methods.len(), seed ^ u64::from(limits.repeat)),
            answers: Answers::default(),
            limits,
            needs_impacts: methods.iter().any(|measured| measured.method.needs_impacts()),
            has_wrong_reference: false,
            methods,
        }
    }

    /// Nanoseconds of all methods in all repetitions.
    pub(crate) fn spent_ns(&self) -> u64 {
        spent_ns(self.methods)
    }

    /// Asks the references about the candidates of a frame, as long as `goes_on`, and runs all methods on them.
    pub(crate) fn frame(
        &mut self,
        of: BodyFrame<'_, impl BodyList>,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(), StageEnd> {
        let spent_ns = self.spent_ns();
        let seconds = of.seconds.filter(|_| self.needs_impacts);
        let of = BodyFrame { seconds, ..of };
        self.answers.examine(&of, &|| goes_on(spent_ns))?;
        self.ask(&of).map(drop)
    }

    /// Runs all methods on candidates that were examined. Returns the faults of those that end here.
    pub(super) fn ask(
        &mut self,
        of: &BodyFrame<'_, impl BodyList>,
    ) -> Result<Vec<(&'static str, Problem)>, StageEnd> {
        let Self { methods, running, order, answers, limits, .. } = self;
        let mut faults = Vec::new();
        for &at in order.draw() {
            let measured = &mut methods[at];
            if measured.ended.is_none()
                && let Err(end) = measured.frame(&mut running[at], of, answers, limits)
            {
                measured.ended = Some(end.outcome(of.frame, limits.repeat));
                if let StageEnd::Faulty(problem) = end {
                    faults.push((measured.method.id(), problem));
                }
            }
            // It may have cut the check short.
            if limits.is_stopped() {
                return Err(StageEnd::Unfinished);
            }
        }
        Ok(faults)
    }

    /// Methods that answer about each candidate, and have given no wrong answer.
    pub(super) fn answering(&self) -> usize {
        let answers = |of: &&MeasuredMethod| of.ended.is_none() && of.method.answers();
        self.methods.iter().filter(answers).count()
    }
}

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

    /// Runs the method on a frame under the clock, then checks its answers. A wrong answer, a panic or a spent
    /// budget ends it.
    fn frame(
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
        let goes_on = || limits.allows(spent());
        let figures = StageEnd::of(|| {
            running.run(self.method, of, known, clock, &goes_on).map_err(StageEnd::wrong)
        });
        self.spent_ns = spent();
        let figures = figures?;
        if !limits.allows(self.spent_ns) {
            return Err(StageEnd::Unfinished);
        }
        if of.counts {
            let FrameFigures { tests, ns, place_ns, work, tally } = figures;
            self.place.add(repeat, of.bodies.count(), place_ns);
            self.times.add(repeat, tests, ns);
            self.tally = self.tally.plus(&tally);
            self.work += work;
        }
        Ok(())
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
            let interval = median_interval(&times.test_ps, seed).filter(|_| is_ok);
            let interval = interval.map(|ends| ends.map(|ps| ps as f64 / 1000.0));
            let count =
                |count: u64, stages: &[Stage]| (is_ok && stages.contains(&stage)).then_some(count);
            let has_work = !matches!(self.method, Method::ApproximateContacts);
            let (tally, errors) = (&self.tally, &self.tally.errors);
            let mean_error = errors.mean().filter(|_| is_ok && stage != Stage::Place);
            use Stage::{Boxes, Contact, Impact, Narrow, Volume};
            let Labels { run_id, input, n, seed, algorithm, threads } = labels.clone();
            let row =
                StageRow { run_id, input, n, seed, algorithm, threads, ..StageRow::default() };
            StageRow {
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
                test_ns: interval.map(|[_, median, _]| median),
                ci_low_test_ns: interval.map(|[low, ..]| low),
                ci_high_test_ns: interval.map(|[.., high]| high),
                status,
                reason: reason.clone(),
                continuous: case.continuous().to_owned(),
                speed: motion.map(|motion| motion.speed),
                spin: motion.map(|motion| motion.spin),
                mean_error,
                largest_error: mean_error.map(|_| errors.largest),
                ..row
            }
        };
        let place =
            matches!(self.method, Method::Volume(_)).then(|| row(Stage::Place, &self.place));
        place.into_iter().chain([row(self.method.stage(), &self.times)]).collect()
    }
}
