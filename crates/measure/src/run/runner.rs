//! Measures several algorithms on one case: a cell for each of them on each number of threads.

use super::plan::{Contender, Plan, Watch};
use super::program::measure_program;
use super::repetition::{Repetition, Seen, measure_repetition};
use crate::input::Case;
use crate::output::Warning;
use crate::play::{Halt, Instruments, MAX_TESTS_TO_PROVE, Observer, Pools, Rounds, RunError};
use crate::process::calibrate;
use crate::rows::{FinishedRepetition, FrameRow, Outcome, StageRow, Status, SummaryRow, summarise};
use crate::stages::{MeasuredMethod, Stages, bytes_of_methods, spent_ns};
use broadphase::registry::Settings;
use std::sync::atomic::AtomicBool;

/// The measurement of one case.
#[derive(Debug)]
pub struct MeasuredCase {
    /// One cell for each algorithm on each number of threads, in the order of the plan: all
    /// algorithms on the first number, then all on the next, then the programs.
    pub cells: Vec<Cell>,
    /// What was doubtful: the placing of the objects, or pairs that brute force has not seen.
    pub warnings: Vec<Warning>,
    /// Whether brute force has found the pairs of every frame, too.
    pub proven: bool,
    /// Nanoseconds of a fixed piece of work, once before each round of repetitions; see
    /// [`Warning::of_drift`].
    pub calibration_ns: Vec<u64>,
}

/// One algorithm or program on one case on one number of threads.
#[derive(Debug)]
pub struct Cell {
    /// Id of the algorithm, or of the program.
    pub algorithm: String,
    /// Threads that it could use.
    pub threads: u32,
    /// Its result.
    pub outcome: Outcome,
    /// Its frames, warm-up included, in the order of repetitions and frames.
    pub samples: Vec<FrameRow>,
    pub(crate) methods: Vec<MeasuredMethod>,
}

impl MeasuredCase {
    /// The rows of `stages.csv`, where methods were measured side by side: of each cell the boxes, then the volumes, the
    /// narrow phases, the contact sets, the times of impact.
    pub fn stage_rows(&self, run_id: &str, case: &Case, plan: &Plan<'_>) -> Vec<StageRow> {
        self.cells.iter().flat_map(|cell| cell.stage_rows(run_id, case, plan)).collect()
    }
}

impl Cell {
    /// A cell without a frame.
    pub fn ended(algorithm: String, threads: u32, outcome: Outcome) -> Self {
        Self { algorithm, threads, outcome, samples: Vec::new(), methods: Vec::new() }
    }

    /// The cell's row of `summary.csv`.
    pub fn summary(&self, run_id: &str, case: &Case, plan: &Plan<'_>) -> SummaryRow {
        let labels = case.labels(run_id, &self.algorithm, self.threads);
        let (status, reason) = self.outcome.status();
        let continuous = case.continuous().to_owned();
        if status == Status::Ok {
            let row = summarise(&labels, &self.samples, plan.order_seed);
            return SummaryRow { continuous, ..row };
        }
        let (frames, repeats) = (case.frames, plan.repeats);
        SummaryRow { frames, repeats, status, reason, continuous, ..SummaryRow::of(&labels) }
    }

    fn stage_rows(&self, run_id: &str, case: &Case, plan: &Plan<'_>) -> Vec<StageRow> {
        // No broad phase finds random pairs.
        let finder = if case.pairs().is_some() { "" } else { &self.algorithm };
        let labels = case.labels(run_id, finder, self.threads);
        let &Plan { repeats, order_seed, .. } = plan;
        let rows = |method: &MeasuredMethod| {
            method.rows(&labels, case, repeats, order_seed, &self.outcome)
        };
        let mut rows: Vec<StageRow> = self.methods.iter().flat_map(rows).collect();
        rows.sort_by_key(|row| row.stage);
        rows
    }

    /// The cell's rows of `frames.csv`. None unless the cell is ok: frames that disagree, or that
    /// end half way, are no result.
    pub fn frame_rows(&self, run_id: &str, case: &Case) -> impl Iterator<Item = FrameRow> {
        let labels = case.labels(run_id, &self.algorithm, self.threads);
        let kept = if self.outcome == Outcome::Ok { &self.samples[..] } else { &[] };
        kept.iter().map(move |row| row.clone().labelled(&labels))
    }
}

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
    let Watch { observer, stop, finished } = watch;
    let mut bench = CaseBench::new(case, plan, instruments, stop)?;
    let mut tracks = tracks(case, plan, finished);
    let mut calibration_ns = Vec::new();
    let stopped_before_ns = instruments.clock.stopped_ns();
    let mut rounds = Rounds::new(tracks.len(), case.order_seed(plan.order_seed));
    for repeat in 0..plan.repeats {
        let mut calibrates = instruments.calibrates;
        for &index in rounds.draw() {
            let track = &mut tracks[index];
            if track.cell.outcome != Outcome::Ok || track.done.contains(&repeat) {
                continue;
            }
            if std::mem::take(&mut calibrates) {
                calibration_ns.push(calibrate(instruments.clock));
            }
            observer.repetition_begins(track.contender.id(), track.cell.threads);
            let finished = bench.undisturbed(track, repeat, observer)?;
            case.check_unchanged()?;
            if let Contender::Program(program) = track.contender {
                program.check_unchanged()?;
            }
            observer.repetition_done(&finished)?;
            track.take(finished);
        }
    }
    let mut cells: Vec<Cell> = tracks.into_iter().map(CellTrack::into_cell).collect();
    // Else a changed trace would look like a wrong algorithm.
    case.check_unchanged()?;
    let (disagreements, proven) = bench.compare(&cells, MAX_TESTS_TO_PROVE)?;
    for (cell, reason) in disagreements {
        cells[cell].outcome = Outcome::Error(reason);
    }
    let unproven = (!proven).then(|| Warning::new(UNPROVEN));
    let stops = Warning::of_stops(instruments.clock, stopped_before_ns);
    let warnings = bench.seen.warnings().chain(unproven).chain(stops).collect();
    Ok(MeasuredCase { cells, warnings, proven, calibration_ns })
}

/// A warning: brute force has not seen the pairs of every frame.
const UNPROVEN: &str = "not every frame was compared with brute force, which would take too long; \
    algorithms were compared with each other, as far as there are several";

/// A track for each cell, with the repetitions that were measured before.
fn tracks<'a>(
    case: &Case,
    plan: &Plan<'a>,
    finished: Vec<FinishedRepetition>,
) -> Vec<CellTrack<'a>> {
    let methods = match &plan.stages {
        Some(stages @ Stages::Each(_)) if case.has_bodies() => stages.methods(case),
        _ => Vec::new(),
    };
    let track = |(contender, threads)| {
        let methods = methods.iter().map(|&method| MeasuredMethod::new(method, threads));
        let mut track = CellTrack::new(contender, threads, methods.collect());
        let bytes = bytes_of_methods(case, &track.cell.methods);
        if let Err(error) = case.check_memory_with(bytes, plan.memory_limit) {
            track.cell.outcome = Outcome::Skipped(error.to_string());
        }
        track
    };
    let mut tracks: Vec<CellTrack<'_>> = plan.contenders().map(track).collect();
    for finished in finished {
        let is_its = |t: &&mut CellTrack<'_>| {
            (t.contender.id(), t.cell.threads) == (&*finished.algorithm, finished.threads)
        };
        let is_wanted = |t: &&mut CellTrack<'_>| {
            finished.repeat < plan.repeats
                && !t.done.contains(&finished.repeat)
                && finished.is_whole(case.total_frames())
        };
        if let Some(track) = tracks.iter_mut().find(is_its).filter(is_wanted) {
            track.take(finished);
        }
    }
    tracks
}

/// The parts that all repetitions of a case share.
pub(super) struct CaseBench<'a> {
    pub(super) case: &'a Case,
    pub(super) plan: &'a Plan<'a>,
    pub(super) instruments: Instruments<'a>,
    pub(super) settings: Settings,
    pub(super) pools: Pools,
    /// Ends the measurement when it is set.
    pub(super) stop: &'a AtomicBool,
    pub(super) seen: Seen,
}

impl<'a> CaseBench<'a> {
    pub(super) fn new(
        case: &'a Case,
        plan: &'a Plan<'a>,
        instruments: Instruments<'a>,
        stop: &'a AtomicBool,
    ) -> Result<Self, RunError> {
        let settings = Settings::new(case.n).world(case.space()).memory_limit(plan.memory_limit);
        let pools = Pools::new(plan.threads)?;
        Ok(Self { case, plan, instruments, settings, pools, stop, seen: Seen::default() })
    }

    /// Measures the next repetition of a cell; once more if the process was stopped meanwhile, since one of the frames, or
    /// the budget, has a part of that time. A fault stays.
    fn undisturbed(
        &mut self,
        track: &mut CellTrack<'_>,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRepetition, RunError> {
        let clock = self.instruments.clock;
        let (before_ns, methods) = (clock.stopped_ns(), track.cell.methods.clone());
        let finished = self.repetition(track, repeat, observer)?;
        let is_fault = matches!(finished.outcome, Some(Outcome::Error(_)));
        if is_fault || clock.stopped_ns() == before_ns {
            return Ok(finished);
        }
        track.cell.methods = methods;
        self.repetition(track, repeat, observer)
    }

    /// Measures the next repetition of a cell.
    pub(super) fn repetition(
        &mut self,
        track: &mut CellTrack<'_>,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRepetition, RunError> {
        let Self { case, plan, instruments, settings, pools, stop, seen } = self;
        let CellTrack { contender, cell: Cell { threads, methods, .. }, spent_ns, .. } = track;
        let uncharged_ns = seen.answers.audits_ns + self::spent_ns(methods);
        let repetition = Repetition {
            case,
            plan,
            settings,
            instruments: *instruments,
            repeat,
            budget_ns: plan.budget_ns().map(|budget| budget.saturating_sub(*spent_ns)),
            stop,
            start_ns: instruments.clock.now_ns(),
            uncharged_ns,
        };
        let mut samples = Vec::new();
        let ended = match contender {
            Contender::Algorithm(algorithm) => pools.install(*threads, || {
                let samples = &mut samples;
                measure_repetition(&repetition, algorithm, methods, seen, samples, observer)
            }),
            Contender::Program(program) => {
                measure_program(&repetition, program, &mut samples, observer)
            }
        };
        let start_ns = repetition.start_ns + seen.answers.audits_ns + self::spent_ns(methods);
        let spent_ns = (instruments.clock.now_ns() + uncharged_ns).saturating_sub(start_ns);
        let outcome = match ended {
            Ok(()) => None,
            Err(Halt::Ended(outcome)) => Some(outcome),
            Err(Halt::Faulty(frame, problem)) => {
                let outcome = problem.outcome(frame, repeat);
                seen.verification.iter_mut().for_each(|of| of.note(frame, problem.clone()));
                Some(outcome)
            }
            Err(Halt::Failed(error)) => return Err(error),
        };
        Ok(FinishedRepetition {
            algorithm: contender.id().to_owned(),
            threads: *threads,
            repeat,
            spent_ns,
            outcome: outcome.or_else(|| beyond_budget(spent_ns, repeat, plan)),
            samples,
        })
    }
}

/// A cell during the measurement.
pub(super) struct CellTrack<'a> {
    contender: Contender<'a>,
    cell: Cell,
    spent_ns: u64,
    /// Repetitions that have ended.
    done: Vec<u32>,
}

impl<'a> CellTrack<'a> {
    pub(super) fn new(
        contender: Contender<'a>,
        threads: u32,
        methods: Vec<MeasuredMethod>,
    ) -> Self {
        let cell = Cell::ended(contender.id().to_owned(), threads, Outcome::Ok);
        Self { contender, cell: Cell { methods, ..cell }, spent_ns: 0, done: Vec::new() }
    }

    pub(super) fn take(&mut self, finished: FinishedRepetition) {
        self.cell.samples.extend(finished.samples);
        // That of a resumed run comes from a file.
        self.spent_ns = self.spent_ns.saturating_add(finished.spent_ns);
        self.done.push(finished.repeat);
        if self.cell.outcome == Outcome::Ok {
            self.cell.outcome = finished.outcome.unwrap_or(Outcome::Ok);
        }
    }

    pub(super) fn into_cell(mut self) -> Cell {
        // One that was damaged is measured after later ones.
        self.cell.samples.sort_by_key(|sample| sample.repeat);
        self.cell
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
