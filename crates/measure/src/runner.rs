//! Measures several algorithms on one case.

use crate::agreement::{Disagreement, find_disagreements};
use crate::repetition::{End, Repetition, measure_repetition};
use crate::{
    Case, FrameRow, InputError, Instruments, Labels, Sample, Status, SummaryRow, measuring_order,
    summarise,
};
use broadphase::{Algorithm, Settings};
use std::time::Duration;

/// How a case is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The algorithms: rows of the registry, or of a test.
    pub algorithms: &'a [&'a Algorithm],
    /// Threads that the algorithms may use.
    pub threads: u32,
    /// Repetitions of each algorithm.
    pub repeats: u32,
    /// Seed of the order of measuring.
    pub order_seed: u64,
    /// Time that one algorithm may take for all its repetitions, motion included.
    pub budget: Option<Duration>,
    /// Bytes that an algorithm may take.
    pub memory_limit: u64,
}

/// All that was measured on one case.
#[derive(Debug)]
pub struct MeasuredCase {
    /// One cell for each algorithm, in the order of the plan.
    pub cells: Vec<Cell>,
    /// What was doubtful about the placing of the objects.
    pub warning: Option<String>,
}

/// One algorithm on one case.
#[derive(Debug)]
pub struct Cell {
    /// Id of the algorithm.
    pub algorithm: &'static str,
    /// What became of it.
    pub outcome: Outcome,
    /// Its frames, warm-up included, in the order of measuring.
    pub samples: Vec<Sample>,
}

/// What became of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured to the end, for this reason.
    Skipped(String),
    /// Its pairs were wrong, or differ from those of the reference.
    Disagrees(String),
    /// It panicked.
    Panicked(String),
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Skipped(reason) | Outcome::Disagrees(reason) | Outcome::Panicked(reason) => {
                f.write_str(reason)
            }
        }
    }
}

/// Why a case could not be measured at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input failed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// There is no pool with so many threads.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// The threads asked for.
        threads: u32,
        /// What the pool says.
        source: rayon::ThreadPoolBuildError,
    },
}

impl Cell {
    /// The cell's row of `summary.csv`.
    pub fn summary(&self, run_id: &str, case: &Case, plan: &Plan<'_>) -> SummaryRow {
        let labels = self.labels(run_id, case, plan);
        let (status, reason) = match &self.outcome {
            Outcome::Ok => {
                return summarise(&labels, &self.samples, plan.order_seed);
            }
            Outcome::Skipped(reason) => (Status::Skipped, reason),
            Outcome::Disagrees(reason) | Outcome::Panicked(reason) => (Status::Error, reason),
        };
        let reason = Some(reason.clone());
        SummaryRow::without_figures(&labels, case.frames, plan.repeats, status, reason)
    }

    /// The cell's rows of `frames.csv`. None unless the cell is ok: frames that disagree, or that
    /// end half way, are no result.
    pub fn frame_rows(
        &self,
        run_id: &str,
        case: &Case,
        plan: &Plan<'_>,
    ) -> impl Iterator<Item = FrameRow> {
        let labels = self.labels(run_id, case, plan);
        let kept = if self.outcome == Outcome::Ok { &self.samples[..] } else { &[] };
        kept.iter().map(move |sample| FrameRow::new(&labels, sample))
    }

    fn labels(&self, run_id: &str, case: &Case, plan: &Plan<'_>) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: case.input.clone(),
            n: case.n as u64,
            seed: case.seed,
            algorithm: self.algorithm.to_owned(),
            threads: plan.threads,
        }
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
    in_pool(plan.threads, || measure_in_pool(case, plan, instruments))?.map_err(RunError::from)
}

/// Runs `work` in a pool of its own: all of it, so that an algorithm sees the number of threads.
pub(crate) fn in_pool<T: Send>(
    threads: u32,
    work: impl FnOnce() -> T + Send,
) -> Result<T, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads as usize)
        .build()
        .map_err(|source| RunError::Threads { threads, source })?;
    Ok(pool.install(work))
}

fn measure_in_pool(
    case: &Case,
    plan: &Plan<'_>,
    instruments: Instruments<'_>,
) -> Result<MeasuredCase, InputError> {
    let settings =
        Settings { objects: case.n, world: case.space(), memory_limit: plan.memory_limit };
    let mut tracks: Vec<Track> = plan.algorithms.iter().map(|_| Track::default()).collect();
    let mut warning = None;
    let budget_ns = plan.budget.map(|b| u64::try_from(b.as_nanos()).unwrap_or(u64::MAX));

    for (index, repeat) in measuring_order(plan.algorithms.len(), plan.repeats, plan.order_seed) {
        let track = &mut tracks[index];
        if track.stopped.is_some() {
            continue;
        }
        let start = instruments.clock.now_ns();
        let repetition = Repetition {
            case,
            algorithm: plan.algorithms[index],
            settings: &settings,
            instruments,
            repeat,
            budget_ns: budget_ns.map(|budget| budget.saturating_sub(track.spent_ns)),
        };
        let end = measure_repetition(&repetition, &mut track.samples, &mut warning)?;
        track.spent_ns += instruments.clock.now_ns() - start;
        track.stopped = outcome_of(end, repeat)
            .or_else(|| beyond_budget(track.spent_ns, repeat, plan.repeats, budget_ns));
    }

    let mut cells: Vec<Cell> = plan
        .algorithms
        .iter()
        .zip(tracks)
        .map(|(algorithm, track)| Cell {
            algorithm: algorithm.id,
            outcome: track.stopped.unwrap_or(Outcome::Ok),
            samples: track.samples,
        })
        .collect();
    let disagreements = find_disagreements(case, plan.algorithms, &settings, &cells)?;
    for Disagreement { cell, reason } in disagreements {
        cells[cell].outcome = Outcome::Disagrees(reason);
    }
    Ok(MeasuredCase { cells, warning })
}

/// What has come of one algorithm so far.
#[derive(Default)]
struct Track {
    samples: Vec<Sample>,
    spent_ns: u64,
    stopped: Option<Outcome>,
}

fn outcome_of(end: End, repeat: u32) -> Option<Outcome> {
    Some(match end {
        End::Complete => return None,
        End::Refused(refusal) => Outcome::Skipped(refusal.to_string()),
        End::OutOfTime { frame } => {
            Outcome::Skipped(format!("over the time budget at repetition {repeat}, frame {frame}"))
        }
        End::Wrong { frame, fault } => {
            Outcome::Disagrees(format!("frame {frame} of repetition {repeat}: {fault}"))
        }
        End::Panicked { frame, message } => Outcome::Panicked(format!(
            "panicked in frame {frame} of repetition {repeat}: {message}"
        )),
    })
}

/// After its first repetition a cell that would exceed its budget is given up, rather than at the
/// end of the budget.
fn beyond_budget(
    spent_ns: u64,
    repeat: u32,
    repeats: u32,
    budget_ns: Option<u64>,
) -> Option<Outcome> {
    let expected = spent_ns.saturating_mul(u64::from(repeats));
    if repeat > 0 || expected <= budget_ns? {
        return None;
    }
    Some(Outcome::Skipped(format!(
        "would take about {:.1} s, over the time budget",
        expected as f64 / 1e9
    )))
}
