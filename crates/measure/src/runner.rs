//! Measures several algorithms on one case.

use crate::agreement::{Court, Disagreement, MAX_TESTS_TO_PROVE};
use crate::calibration::calibrate;
use crate::pools::Pools;
use crate::repetition::{End, Repetition, measure_repetition};
use crate::{
    Case, Exit, FinishedRepetition, FrameRow, InputError, Instruments, OutputError, Panicked,
    Reason, Sample, Status, SummaryRow, Warning, Watch, measuring_order, summarise,
};
use broadphase::{Algorithm, Settings};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a case is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The algorithms: rows of the registry, or of a test.
    pub algorithms: &'a [&'a Algorithm],
    /// Numbers of threads that the algorithms may use; each is a cell of its own.
    pub threads: &'a [u32],
    /// Repetitions of each cell.
    pub repeats: u32,
    /// Seed of the order of measuring, which each case draws for itself.
    pub order_seed: u64,
    /// Time that one cell may take for all its repetitions, motion included.
    pub budget: Option<Duration>,
    /// Bytes that an algorithm may take.
    pub memory_limit: u64,
    /// Whether the pairs that began and ended are found in each frame too, outside of all other
    /// times.
    pub events: bool,
    /// How pair lists are checked, outside the clock.
    pub checks: Checks,
}

/// How the pair lists of all frames are checked, outside the clock. Checksums are compared in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Every list is sorted and searched for faults.
    EveryList,
    /// A list is sorted and searched for faults unless its checksum is that of a list of the same
    /// frame that had none. Saves most of the time between frames where many repetitions show the
    /// same boxes. Lists that a world answers are sorted anyway.
    UnknownLists,
}

/// The measurement of one case.
#[derive(Debug)]
pub struct MeasuredCase {
    /// One cell for each algorithm on each number of threads, in the order of the plan: all
    /// algorithms on the first number, then all on the next.
    pub cells: Vec<Cell>,
    /// What was doubtful: the placing of the objects, or pairs that brute force has not seen.
    pub warnings: Vec<Warning>,
    /// Whether brute force has found the pairs of every frame, too.
    pub proven: bool,
    /// Nanoseconds of a fixed piece of work, once before each round of repetitions; see
    /// [`notable_drift`](crate::notable_drift).
    pub calibration_ns: Vec<u64>,
}

/// One algorithm on one case on one number of threads.
#[derive(Debug)]
pub struct Cell {
    /// Id of the algorithm.
    pub algorithm: &'static str,
    /// Threads that it could use.
    pub threads: u32,
    /// Its result.
    pub outcome: Outcome,
    /// Its frames, warm-up included, in the order of measuring.
    pub samples: Vec<Sample>,
}

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured to the end, for this reason.
    Skipped(String),
    /// Its pairs were wrong, or differ from those of the reference.
    Disagrees(String),
    /// It panicked.
    Panicked(Panicked),
}

impl Outcome {
    /// The status of the cell's row, and why it has no figures.
    pub fn status(&self) -> (Status, Option<Reason>) {
        match self {
            Outcome::Ok => (Status::Ok, None),
            Outcome::Skipped(reason) => (Status::Skipped, Some(Reason::Other(reason.clone()))),
            Outcome::Disagrees(reason) => (Status::Error, Some(Reason::Other(reason.clone()))),
            Outcome::Panicked(panicked) => {
                (Status::Error, Some(Reason::Panicked(panicked.clone())))
            }
        }
    }

    /// How a program ends because of this outcome.
    pub fn exit(&self) -> Exit {
        let (status, reason) = self.status();
        status.exit(reason.as_ref())
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Skipped(reason) | Outcome::Disagrees(reason) => f.write_str(reason),
            Outcome::Panicked(panicked) => panicked.fmt(f),
        }
    }
}

/// Why a case could not be measured at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input failed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A thread pool cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// The threads asked for.
        threads: u32,
        /// What the pool says.
        source: rayon::ThreadPoolBuildError,
    },
    /// What was measured could not be kept.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The measurement was stopped.
    #[error("stopped")]
    Stopped,
}

impl Cell {
    /// The cell's row of `summary.csv`.
    pub fn summary(&self, run_id: &str, case: &Case, plan: &Plan<'_>) -> SummaryRow {
        let labels = case.labels(run_id, self.algorithm, self.threads);
        let (status, reason) = self.outcome.status();
        if status == Status::Ok {
            return summarise(&labels, &self.samples, plan.order_seed);
        }
        SummaryRow::without_figures(&labels, case.frames, plan.repeats, status, reason)
    }

    /// The cell's rows of `frames.csv`. None unless the cell is ok: frames that disagree, or that
    /// end half way, are no result.
    pub fn frame_rows(&self, run_id: &str, case: &Case) -> impl Iterator<Item = FrameRow> {
        let labels = case.labels(run_id, self.algorithm, self.threads);
        let kept = if self.outcome == Outcome::Ok { &self.samples[..] } else { &[] };
        kept.iter().map(move |sample| FrameRow::new(&labels, sample))
    }
}

/// Measures all algorithms of the plan on one case, interleaved by repetition, then compares the
/// checksums of their frames.
///
/// A fault of an algorithm (a wrong pair, a panic, too little memory or time) is an outcome of its
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
    let settings =
        Settings { objects: case.n, world: case.space(), memory_limit: plan.memory_limit };
    let pools = Pools::new(plan.threads)?;
    let mut tracks: Vec<Track<'_>> = plan.tracks().collect();
    for finished in watch.finished {
        let is_its = |t: &&mut Track<'_>| {
            t.algorithm.id == finished.algorithm && t.threads == finished.threads
        };
        if let Some(track) = tracks.iter_mut().find(is_its) {
            track.take(finished);
        }
    }
    let mut placement = None;
    let mut calibration_ns = Vec::new();
    let mut calibrated = None;
    let mut sound = Vec::new();

    for (index, repeat) in
        measuring_order(tracks.len(), plan.repeats, case.order_seed(plan.order_seed))
    {
        let track = &mut tracks[index];
        if track.ended.is_some() || repeat < track.repeats_done {
            continue;
        }
        if calibrated != Some(repeat) {
            calibration_ns.push(calibrate(instruments.clock));
            calibrated = Some(repeat);
        }
        watch.observer.repetition_begins(track.algorithm.id, track.threads);
        let repetition = Repetition {
            case,
            algorithm: track.algorithm,
            settings: &settings,
            instruments,
            repeat,
            events: plan.events,
            budget_ns: plan.budget_ns().map(|budget| budget.saturating_sub(track.spent_ns)),
            stop: watch.stop,
            checks: plan.checks,
        };
        let mut samples = Vec::new();
        let start = instruments.clock.now_ns();
        let end = pools.install(track.threads, || {
            let tell = |frame| watch.observer.frame_done(frame);
            measure_repetition(&repetition, &mut samples, &mut sound, &mut placement, tell)
        })?;
        let spent_ns = instruments.clock.now_ns() - start;
        let outcome = outcome_of(end, repeat)?
            .or_else(|| beyond_budget(track.spent_ns + spent_ns, repeat, plan));
        let finished = FinishedRepetition {
            algorithm: track.algorithm.id.to_owned(),
            threads: track.threads,
            repeat,
            spent_ns,
            outcome,
            samples,
        };
        watch.observer.repetition_done(&finished)?;
        track.take(finished);
    }

    let rows: Vec<&Algorithm> = tracks.iter().map(|track| track.algorithm).collect();
    let mut cells: Vec<Cell> = tracks.into_iter().map(Track::into_cell).collect();
    let court = Court {
        case,
        settings: &settings,
        rows: &rows,
        pools: &pools,
        most_tests: MAX_TESTS_TO_PROVE,
        stop: watch.stop,
    };
    let verdict = court.judge(&cells)?;
    for Disagreement { cell, reason } in verdict.disagreements {
        cells[cell].outcome = Outcome::Disagrees(reason);
    }
    let unproven = (!verdict.proven).then_some(Warning::Unproven);
    let warnings = placement.map(Warning::Placement).into_iter().chain(unproven).collect();
    Ok(MeasuredCase { cells, warnings, proven: verdict.proven, calibration_ns })
}

impl<'a> Plan<'a> {
    /// One track for each algorithm on each number of threads.
    fn tracks(&self) -> impl Iterator<Item = Track<'a>> {
        let on = |threads: u32| {
            self.algorithms.iter().map(move |&algorithm| Track::new(algorithm, threads))
        };
        self.threads.iter().flat_map(move |&threads| on(threads))
    }

    fn budget_ns(&self) -> Option<u64> {
        self.budget.map(|budget| u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// The state of one cell during the measurement.
struct Track<'a> {
    algorithm: &'a Algorithm,
    threads: u32,
    samples: Vec<Sample>,
    spent_ns: u64,
    repeats_done: u32,
    ended: Option<Outcome>,
}

impl<'a> Track<'a> {
    fn new(algorithm: &'a Algorithm, threads: u32) -> Self {
        let (samples, ended) = (Vec::new(), None);
        Self { algorithm, threads, samples, spent_ns: 0, repeats_done: 0, ended }
    }

    fn take(&mut self, finished: FinishedRepetition) {
        self.samples.extend(finished.samples);
        self.spent_ns += finished.spent_ns;
        self.repeats_done = finished.repeat + 1;
        self.ended = finished.outcome;
    }

    fn into_cell(self) -> Cell {
        Cell {
            algorithm: self.algorithm.id,
            threads: self.threads,
            outcome: self.ended.unwrap_or(Outcome::Ok),
            samples: self.samples,
        }
    }
}

/// What the cell comes to by the end of a repetition; `None` where it goes on.
pub(crate) fn outcome_of(end: End, repeat: u32) -> Result<Option<Outcome>, RunError> {
    Ok(Some(match end {
        End::Complete => return Ok(None),
        End::Stopped => return Err(RunError::Stopped),
        End::Refused(refusal) => Outcome::Skipped(refusal.to_string()),
        End::OutOfTime { frame } => {
            Outcome::Skipped(format!("over the time budget at repetition {repeat}, frame {frame}"))
        }
        End::Wrong { frame, fault } => {
            Outcome::Disagrees(format!("frame {frame} of repetition {repeat}: {fault}"))
        }
        End::Panicked { frame, message } => Outcome::Panicked(Panicked { frame, repeat, message }),
    }))
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
