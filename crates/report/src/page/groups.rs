//! The rows of a summary, in groups that can be compared with each other.

use crate::error::ReportError;
use crate::figures::Cell;
use measure::{Status, SummaryFile, SummaryRow};
use std::path::Path;

/// The rows of one case on one number of threads.
#[derive(Debug)]
pub(super) struct Group {
    /// At least one.
    rows: Vec<SummaryRow>,
}

impl Group {
    /// A row that stands for what all share: input, numbers, seed.
    pub(super) fn case(&self) -> &SummaryRow {
        &self.rows[0]
    }

    /// All rows.
    pub(super) fn rows(&self) -> &[SummaryRow] {
        &self.rows
    }

    /// The least median time.
    pub(super) fn fastest(&self) -> Option<u64> {
        self.rows.iter().filter_map(median).min()
    }

    /// The median time of brute force.
    pub(super) fn reference(&self) -> Option<u64> {
        let reference = measure::reference().id;
        self.rows.iter().find(|row| row.algorithm == reference).and_then(median)
    }
}

/// The median time of a row that is a result.
pub(super) fn median(row: &SummaryRow) -> Option<u64> {
    row.median_ns.filter(|_| row.status == Status::Ok)
}

/// Reads all rows of a `summary.csv`.
pub(super) fn read_rows(path: &Path) -> Result<Vec<SummaryRow>, ReportError> {
    Ok(SummaryFile::read(path)?.rows)
}

/// The rows with the means of their frames, which older summaries do not have.
pub(super) fn with_means(mut rows: Vec<SummaryRow>, cells: &[Cell]) -> Vec<SummaryRow> {
    for row in rows.iter_mut().filter(|row| row.mean_ns.is_none()) {
        let same = |cell: &&Cell| {
            (&cell.input, cell.n, cell.seed, &cell.algorithm, cell.threads)
                == (&row.input, row.n, row.seed, &row.algorithm, row.threads)
        };
        let mean_ns = cells.iter().find(same).and_then(|cell| cell.mean_ns);
        row.mean_ns = mean_ns.map(|ns| ns.round() as u64);
    }
    rows
}

/// Groups rows by input, number of objects, seed and threads, in the order in which they were
/// measured; within a group the fastest comes first.
pub(super) fn groups(rows: Vec<SummaryRow>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let same = |group: &&mut Group| {
            let case = group.case();
            (&case.input, case.n, case.seed, case.threads)
                == (&row.input, row.n, row.seed, row.threads)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { rows: vec![row] }),
        }
    }
    for group in &mut groups {
        // The sort is stable: what has no time stays in the order of measuring, behind the others.
        group.rows.sort_by_key(|row| median(row).unwrap_or(u64::MAX));
    }
    groups
}
