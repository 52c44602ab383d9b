//! All methods side by side on the same candidates, and what was measured of each: its times, its counts, its end, and the
//! rows that they become.

use super::answers::{Answers, BodyFrame, StageEnd};
use super::method::{FrameFigures, Method, RunningMethod};
use crate::input::Case;
use crate::play::Rounds;
use crate::process::Clock;
use crate::rows::{Labels, Outcome, Stage, StageRow, Status};
use crate::table::{median, median_interval};
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

    pub(super) fn allows(&self, spent_ns: u64) -> bool {
        self.budget_ns.is_none_or(|budget| spent_ns <= budget)
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
    /// `None` for methods that have ended.
    running: Vec<Option<RunningMethod>>,
    /// Methods that ended as they began.
    ended: Vec<(usize, StageEnd)>,
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
        bodies: &impl BodyList,
        seed: u64,
        limits: BenchLimits<'a>,
    ) -> Self {
        let mut ended = Vec::new();
        let start = |(at, method): (usize, &mut MeasuredMethod)| {
            let started = method.start(bodies, &limits);
            started.map_err(|end| ended.push((at, end))).unwrap_or_default()
        };
        Self {
            running: methods.iter_mut().enumerate().map(start).collect(),
            ended,
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
        for (at, end) in self.ask(&of)? {
            let (frame, repeat) = (of.frame, self.limits.repeat);
            self.methods[at].ended = Some(match end {
                StageEnd::Faulty(problem) => problem.outcome(frame, repeat),
                StageEnd::Unfinished => Outcome::out_of_time(frame, repeat),
            });
        }
        Ok(())
    }

    /// Runs all methods on candidates that were examined. Returns those that end here, or ended as they began.
    pub(super) fn ask(
        &mut self,
        of: &BodyFrame<'_, impl BodyList>,
    ) -> Result<Vec<(usize, StageEnd)>, StageEnd> {
        let Self { methods, running, order, answers, limits, ended, .. } = self;
        for &at in order.draw() {
            if let Some(method) = &mut running[at]
                && let Err(end) = methods[at].frame(method, of, answers, limits)
            {
                ended.push((at, end));
                running[at] = None;
            }
            // It may have cut the check short.
            if limits.is_stopped() {
                return Err(StageEnd::Unfinished);
            }
        }
        Ok(std::mem::take(ended))
    }

    /// Methods that answer about each candidate, and have given no wrong answer.
    pub(super) fn answering(&self) -> usize {
        let each = self.methods.iter().zip(&self.running);
        each.filter(|(measured, running)| running.is_some() && measured.method.answers()).count()
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
                ..row
            }
        };
        let place =
            matches!(self.method, Method::Volume(_)).then(|| row(Stage::Place, &self.place));
        place.into_iter().chain([row(self.method.stage(), &self.times)]).collect()
    }
}
