//! The rows of cells: of drawn ones, the winner map and traces.

use super::figures;
use super::plan::{Boxes, Planned};
use crate::failure::Failure;
use crate::study::{RowFile, StudyRow};
use measure::{Cell, Status};
use std::collections::HashMap;
use std::path::Path;

/// The rows of `atlas.csv`, `map.csv` and `traces.csv`.
pub(crate) const FILE: RowFile = RowFile {
    command: "atlas",
    columns: "cell grid seed description placement sizes motion overlaps speed movers churn again",
};

/// The row of an algorithm on a cell.
pub(super) fn row(run_id: &str, planned: &Planned, repeats: u32, measured: &Cell) -> StudyRow {
    let Planned { number, boxes, grid, case } = planned;
    let (status, reason) = measured.outcome.status();
    let row = StudyRow {
        run_id: run_id.to_owned(),
        cell: *number,
        grid: (*grid).to_owned(),
        input: case.input.clone(),
        n: case.n as u64,
        seed: case.seed,
        algorithm: measured.algorithm.clone(),
        threads: measured.threads,
        frames: case.frames,
        repeats,
        status,
        reason,
        ..described(boxes)
    };
    if status == Status::Ok { figures::with_figures(row, &measured.samples) } else { row }
}

/// A row with the properties of a cell alone.
fn described(boxes: &Boxes) -> StudyRow {
    match boxes {
        Boxes::Trace(file) => StudyRow { description: file.clone(), ..StudyRow::default() },
        Boxes::Drawn(cell) => StudyRow {
            description: cell.describe(),
            placement: cell.placement.name().to_owned(),
            sizes: cell.sizes.name().to_owned(),
            motion: cell.motion.name().to_owned(),
            overlaps: Some(cell.overlaps),
            speed: Some(cell.speed),
            movers: Some(cell.movers),
            churn: Some(cell.churn),
            ..StudyRow::default()
        },
    }
}

/// Reads the rows of a part from its files, in the order of the cells. A cell with times of two runs is
/// refused.
pub(super) fn read(paths: &[impl AsRef<Path>]) -> Result<Vec<StudyRow>, Failure> {
    let mut all: Vec<StudyRow> = Vec::new();
    let mut runs: HashMap<u32, String> = HashMap::new();
    for path in paths {
        let path = path.as_ref();
        let rows = FILE.read(path)?;
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
