//! The rows of a summary, in groups that can be compared with each other.

use crate::figures::Cell;
use measure::SummaryRow;

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
pub(super) fn groups(rows: Vec<SummaryRow>) -> Vec<Vec<SummaryRow>> {
    let mut groups: Vec<Vec<SummaryRow>> = Vec::new();
    for row in rows {
        let case = |row: &SummaryRow| (row.input.clone(), row.n, row.seed, row.threads);
        match groups.iter_mut().find(|group| case(&group[0]) == case(&row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    for group in &mut groups {
        // The sort is stable: what has no time stays in the order of measuring, behind the others.
        group.sort_by_key(|row| row.result_ns().unwrap_or(u64::MAX));
    }
    groups
}
