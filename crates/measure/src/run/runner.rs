//! Measures several algorithms on one case.

use super::agreement::{Comparison, Disagreement};
use super::cell::{Cell, MeasuredCase};
use super::plan::{Contender, Plan};
use super::repetition::{Doubts, KnownFrames, Repetition, measure_repetition};
use super::watch::Watch;
use crate::input::Case;
use crate::output::Warning;
use crate::play::{
    End, Instruments, MAX_TESTS_TO_PROVE, Observer, Pools, RunError, measuring_order,
};
use crate::process::calibrate;
use crate::program::{ProgramRepetition, measure_program};
use crate::rows::{FinishedRepetition, Outcome, Sample};
use crate::stages::{MeasuredMethod, Method, Stages, bytes_of_methods, methods_of, spent_ns};
use broadphase::registry::Settings;
use std::sync::atomic::AtomicBool;

/// Measures all algorithms and programs of the plan on one case, interleaved by repetition, then compares
/// the checksums of their frames.
///
/// A fault of one of them (a wrong pair, a panic, too little memory or time) is an outcome of its
/// cell, and the others go on.
///
/// # Errors
///
/// Where the input fails, or the threads cannot be started.
pub fn measure_case(
    case: &Case,
    plan: &Plan<'_>,
    instruments: Instruments<'_>,
) -> Result<MeasuredCase, RunError> {
    let watch = Watch { observer: &mut (), stop: &AtomicBool::new(false), finished: Vec::new() };
    measure_case_watched(case, plan, instruments, watch)
}

/// [`measure_case`] with an observer and a flag that stops it.
///
/// # Errors
///
/// Where the input fails, the threads cannot be started, the observer fails, or it is stopped. The
/// repetitions that the observer was given stay valid: the measurement can be resumed with them.
pub fn measure_case_watched(
    case: &Case,
    plan: &Plan<'_>,
    instruments: Instruments<'_>,
    watch: Watch<'_>,
) -> Result<MeasuredCase, RunError> {
    let settings = Settings::new(case.n).world(case.space()).memory_limit(plan.memory_limit);
    let pools = Pools::new(plan.threads)?;
    let Watch { observer, stop, finished } = watch;
    let mut tracks = tracks(case, plan, finished);
    let (known, doubts) = (KnownFrames::default(), Doubts::default());
    let mut bench = Bench { case, plan, instruments, settings, pools, stop, known, doubts };
    let mut calibration_ns = Vec::new();
    let mut calibrated = None;
    let stopped_before_ns = instruments.clock.stopped_ns();

    for (index, repeat) in
        measuring_order(tracks.len(), plan.repeats, case.order_seed(plan.order_seed))
    {
        let track = &mut tracks[index];
        if track.ended.is_some() || track.has(repeat) {
            continue;
        }
        if instruments.calibrates && calibrated != Some(repeat) {
            calibration_ns.push(calibrate(instruments.clock));
            calibrated = Some(repeat);
        }
        observer.repetition_begins(track.contender.id(), track.threads);
        let finished = bench.undisturbed(track, repeat, observer)?;
        case.check_unchanged()?;
        if let Contender::Program(program) = track.contender {
            program.check_unchanged()?;
        }
        observer.repetition_done(&finished)?;
        track.take(finished);
    }

    let contenders: Vec<Contender<'_>> = tracks.iter().map(|track| track.contender).collect();
    let mut cells: Vec<Cell> = tracks.into_iter().map(CellTrack::into_cell).collect();
    // Else a changed trace would look like a wrong algorithm.
    case.check_unchanged()?;
    let agreement = bench.comparison(&contenders).compare(&cells)?;
    for Disagreement { cell, reason } in agreement.disagreements {
        cells[cell].outcome = Outcome::Disagrees(reason);
    }
    let unproven = (!agreement.proven).then_some(Warning::Unproven);
    let stops = Warning::of_stops(instruments.clock, stopped_before_ns);
    let warnings = bench.doubts.into_warnings().chain(unproven).chain(stops).collect();
    Ok(MeasuredCase { cells, warnings, proven: agreement.proven, calibration_ns })
}

/// A track for each cell, with the repetitions that were measured before.
fn tracks<'a>(
    case: &Case,
    plan: &Plan<'a>,
    finished: Vec<FinishedRepetition>,
) -> Vec<CellTrack<'a>> {
    let methods = match plan.stages {
        Some(Stages::Each(methods)) if case.has_bodies() => {
            let boxes = case.pairs().is_none().then_some(Method::Boxes(case.box_kind));
            boxes.into_iter().chain(methods_of(case, methods)).collect()
        }
        _ => Vec::new(),
    };
    let track = |(contender, threads)| {
        let methods = methods.iter().map(|&method| MeasuredMethod::new(method, threads)).collect();
        let mut track = CellTrack::new(contender, threads, methods);
        let bytes = bytes_of_methods(case, &track.methods);
        let checked = case.check_memory_with(bytes, plan.memory_limit);
        track.ended = checked.err().map(|error| Outcome::Skipped(error.to_string()));
        track
    };
    let mut tracks: Vec<CellTrack<'_>> = plan.contenders().map(track).collect();
    for finished in finished {
        let is_its = |t: &&mut CellTrack<'_>| {
            t.contender.id() == finished.algorithm && t.threads == finished.threads
        };
        let is_wanted = |t: &&mut CellTrack<'_>| {
            finished.repeat < plan.repeats
                && !t.has(finished.repeat)
                && finished.is_whole(case.total_frames())
        };
        if let Some(track) = tracks.iter_mut().find(is_its).filter(is_wanted) {
            track.take(finished);
        }
    }
    tracks
}

/// The parts that all repetitions of a case share.
struct Bench<'a> {
    case: &'a Case,
    plan: &'a Plan<'a>,
    instruments: Instruments<'a>,
    settings: Settings,
    pools: Pools,
    stop: &'a AtomicBool,
    known: KnownFrames,
    doubts: Doubts,
}

impl Bench<'_> {
    /// Measures the next repetition of a cell; once more if the process was stopped meanwhile, since one of the frames, or
    /// the budget, has a part of that time. A fault stays.
    fn undisturbed(
        &mut self,
        track: &mut CellTrack<'_>,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRepetition, RunError> {
        let clock = self.instruments.clock;
        let (before_ns, methods) = (clock.stopped_ns(), track.methods.clone());
        let finished = self.repetition(track, repeat, observer)?;
        let is_fault = !matches!(finished.outcome, None | Some(Outcome::Skipped(_)));
        if is_fault || clock.stopped_ns() == before_ns {
            return Ok(finished);
        }
        track.methods = methods;
        self.repetition(track, repeat, observer)
    }

    /// Measures the next repetition of a cell.
    fn repetition(
        &mut self,
        track: &mut CellTrack<'_>,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRepetition, RunError> {
        let &mut Self { case, plan, instruments, stop, .. } = self;
        let budget_ns = plan.budget_ns().map(|budget| budget.saturating_sub(track.spent_ns));
        let mut samples = Vec::new();
        let start = instruments.clock.now_ns();
        let uncharged_before = self.known.answers.audits_ns + spent_ns(&track.methods);
        let end = match track.contender {
            Contender::Algorithm(algorithm) => {
                let settings = &self.settings;
                let repetition = Repetition {
                    case,
                    algorithm,
                    plan,
                    settings,
                    instruments,
                    repeat,
                    budget_ns,
                    stop,
                };
                let (known, doubts) = (&mut self.known, &mut self.doubts);
                let (samples, methods) = (&mut samples, &mut track.methods);
                self.pools.install(track.threads, || {
                    measure_repetition(&repetition, samples, known, methods, doubts, observer)
                })?
            }
            Contender::Program(program) => match case.trace() {
                Some(trace) => {
                    let clock = instruments.clock;
                    let repetition =
                        ProgramRepetition { program, trace, case, repeat, budget_ns, clock, stop };
                    measure_program(&repetition, &mut samples, |frame| observer.frame_done(frame))
                }
                None => End::Failed("the input is no trace".to_owned()),
            },
        };
        let uncharged = self.known.answers.audits_ns + spent_ns(&track.methods) - uncharged_before;
        let spent_ns = (instruments.clock.now_ns() - start).saturating_sub(uncharged);
        Ok(FinishedRepetition {
            algorithm: track.contender.id().to_owned(),
            threads: track.threads,
            repeat,
            spent_ns,
            outcome: end.outcome(repeat)?.or_else(|| beyond_budget(spent_ns, repeat, plan)),
            samples,
        })
    }

    /// The comparison of cells that measure these.
    fn comparison<'a>(&'a self, contenders: &'a [Contender<'a>]) -> Comparison<'a> {
        Comparison {
            case: self.case,
            settings: &self.settings,
            contenders,
            pools: &self.pools,
            most_tests: MAX_TESTS_TO_PROVE,
            stop: self.stop,
        }
    }
}

/// The state of one cell during the measurement.
struct CellTrack<'a> {
    contender: Contender<'a>,
    threads: u32,
    samples: Vec<Sample>,
    spent_ns: u64,
    /// Repetitions that have ended.
    done: Vec<u32>,
    ended: Option<Outcome>,
    /// What is measured on the candidates of bodies.
    methods: Vec<MeasuredMethod>,
}

impl<'a> CellTrack<'a> {
    fn new(contender: Contender<'a>, threads: u32, methods: Vec<MeasuredMethod>) -> Self {
        let (samples, done, ended) = (Vec::new(), Vec::new(), None);
        Self { contender, threads, samples, spent_ns: 0, done, ended, methods }
    }

    fn has(&self, repeat: u32) -> bool {
        self.done.contains(&repeat)
    }

    fn take(&mut self, finished: FinishedRepetition) {
        self.samples.extend(finished.samples);
        // That of a resumed run comes from a file.
        self.spent_ns = self.spent_ns.saturating_add(finished.spent_ns);
        self.done.push(finished.repeat);
        self.ended = self.ended.take().or(finished.outcome);
    }

    fn into_cell(mut self) -> Cell {
        // One that was damaged is measured after later ones.
        self.samples.sort_by_key(|sample| sample.repeat);
        Cell {
            algorithm: self.contender.id().to_owned(),
            threads: self.threads,
            outcome: self.ended.unwrap_or(Outcome::Ok),
            samples: self.samples,
            methods: self.methods,
        }
    }
}

/// After its first repetition a cell that would exceed its budget is given up, rather than at the
/// end of the budget.
fn beyond_budget(spent_ns: u64, repeat: u32, plan: &Plan<'_>) -> Option<Outcome> {
    let expected = spent_ns.saturating_mul(u64::from(plan.repeats));
    if repeat > 0 || expected <= plan.budget_ns()? {
        return None;
    }
    Some(Outcome::Skipped(format!(
        "would take about {:.1} s, over the time budget",
        expected as f64 / 1e9
    )))
}
