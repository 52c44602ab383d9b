//! What was measured on one case: a cell for each algorithm on each number of threads.

use super::plan::Plan;
use crate::input::Case;
use crate::output::Warning;
use crate::rows::{FrameRow, Outcome, StageRow, Status, SummaryRow, summarise};
use crate::stages::MeasuredMethod;

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
