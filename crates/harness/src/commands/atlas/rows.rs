//! The rows of `atlas.csv`, `map.csv` and `traces.csv`: one algorithm on one cell on one number of threads.

use super::figures::Figures;
use super::measuring::Entry;
use super::plan::{Boxes, Part, Planned};
use crate::failure::Failure;
use crate::study::{self, Row};
use measure::{Checksum, Exit, Reason, Status};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// A row. One that was skipped or is an error has no figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtlasRow {
    /// The run that the row belongs to.
    pub(super) run_id: String,
    /// Number of the cell.
    pub(super) cell: u32,
    /// The grid of the map that the cell belongs to; empty of a drawn cell.
    pub(super) grid: String,
    pub(super) input: String,
    pub(super) n: u64,
    /// The seed of a drawn cell.
    pub(super) seed: Option<u64>,
    /// The properties of a drawn cell, in words and one by one. A trace has only the name of its file.
    pub(super) description: String,
    pub(super) placement: String,
    pub(super) sizes: String,
    pub(super) motion: String,
    pub(super) overlaps: Option<f32>,
    pub(super) speed: Option<f32>,
    pub(super) movers: Option<f32>,
    pub(super) churn: Option<f32>,
    pub(super) algorithm: String,
    /// Whether it is the second measurement of the champion that was the fastest in the probe.
    pub(super) again: bool,
    pub(super) threads: u32,
    pub(super) frames: u32,
    pub(super) repeats: u32,
    pub(super) mean_ns: Option<f64>,
    pub(super) median_ns: Option<u64>,
    pub(super) early_ns: Option<f64>,
    pub(super) worst_frame: Option<u32>,
    pub(super) worst_ns: Option<u64>,
    pub(super) late_worst_ns: Option<u64>,
    pub(super) tests: Option<f64>,
    pub(super) pairs: Option<f64>,
    pub(super) allocations: Option<f64>,
    pub(super) peak_heap_bytes: Option<u64>,
    pub(super) checksum: Option<Checksum>,
    /// Whether the pairs of every frame were compared with brute force.
    pub(super) proven: bool,
    pub(super) status: Status,
    /// Why there are no figures.
    pub(super) reason: Option<Reason>,
}

impl Row for AtlasRow {
    const COMMAND: &'static str = "atlas";
}

impl AtlasRow {
    /// The row of an entry of a cell.
    pub(super) fn new(run_id: &str, planned: &Planned, repeats: u32, entry: &Entry) -> Self {
        let Planned { number, boxes, grid, case } = planned;
        let (cell, description) = match boxes {
            Boxes::Drawn(cell) => (Some(cell), cell.describe()),
            Boxes::Trace(file) => (None, file.clone()),
        };
        let (status, reason) = entry.outcome.status();
        let figures = if status == Status::Ok { Figures::of(&entry.samples) } else { None };
        let figures = figures.as_ref();
        Self {
            run_id: run_id.to_owned(),
            cell: *number,
            grid: (*grid).to_owned(),
            input: case.input.clone(),
            n: case.n as u64,
            seed: case.seed,
            description,
            placement: cell.map_or("", |cell| cell.placement.name()).to_owned(),
            sizes: cell.map_or("", |cell| cell.sizes.name()).to_owned(),
            motion: cell.map_or("", |cell| cell.motion.name()).to_owned(),
            overlaps: cell.map(|cell| cell.overlaps),
            speed: cell.map(|cell| cell.speed),
            movers: cell.map(|cell| cell.movers),
            churn: cell.map(|cell| cell.churn),
            algorithm: entry.algorithm.clone(),
            again: entry.again,
            threads: entry.threads,
            frames: case.frames,
            repeats,
            mean_ns: figures.map(|f| f.mean_ns),
            median_ns: figures.map(|f| f.median_ns),
            early_ns: figures.and_then(|f| f.early_ns),
            worst_frame: figures.map(|f| f.worst_frame),
            worst_ns: figures.map(|f| f.worst_ns),
            late_worst_ns: figures.and_then(|f| f.late_worst_ns),
            tests: figures.and_then(|f| f.tests),
            pairs: figures.and_then(|f| f.pairs),
            allocations: figures.and_then(|f| f.allocations),
            peak_heap_bytes: figures.and_then(|f| f.peak_heap_bytes),
            checksum: figures.map(|f| f.checksum),
            proven: entry.proven,
            status,
            reason,
        }
    }

    /// The command that measures its cell. Rows have no path of a trace, since it says nothing on another machine.
    pub(super) fn command(&self, part: Part) -> String {
        let Self { description, cell, seed, .. } = self;
        let seed = seed.unwrap_or_default();
        match part {
            Part::Cells => format!("`harness atlas --seed {seed} --cell {cell}`"),
            Part::Map => format!("`harness atlas --map --seed {seed} --cell {cell}`"),
            Part::Traces => {
                format!("`harness atlas --trace {description}`, with the folder before the name")
            }
        }
    }

    /// How a program ends because of this row.
    pub(super) fn exit(&self) -> Exit {
        self.status.exit(self.reason.as_ref())
    }

    /// The reason in words.
    pub(super) fn reason_text(&self) -> String {
        self.reason.as_ref().map_or_else(|| "no reason given".to_owned(), Reason::to_string)
    }
}

/// Reads the rows of a part from its files, in the order of the cells. A cell with times of two runs is
/// refused.
pub(super) fn read(paths: &[impl AsRef<Path>]) -> Result<Vec<AtlasRow>, Failure> {
    let mut all: Vec<AtlasRow> = Vec::new();
    let mut runs: HashMap<u32, String> = HashMap::new();
    for path in paths {
        let path = path.as_ref();
        let rows: Vec<AtlasRow> = study::rows::read(path)?;
        for row in &rows {
            let run = runs.entry(row.cell).or_insert_with(|| row.run_id.clone());
            if *run != row.run_id {
                return Err(Failure::BadFile(format!(
                    "{}: cell {} was measured by two runs, whose times cannot be compared",
                    path.display(),
                    row.cell
                )));
            }
        }
        all.extend(rows);
    }
    all.sort_by_key(|row| row.cell);
    Ok(all)
}
