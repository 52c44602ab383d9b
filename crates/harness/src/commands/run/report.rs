//! What a run prints at its end.

use crate::cli::ResultOptions;
use crate::failure::Failure;
use measure::{SummaryRow, summary_table, winners_table};
use std::path::Path;

/// Prints the rows, a group for each case.
pub(super) fn print(
    options: &ResultOptions,
    cases: &[Vec<SummaryRow>],
    folder: &Path,
) -> Result<(), Failure> {
    let table = || {
        let groups = cases.iter().flat_map(|rows| rows.chunk_by(|a, b| a.threads == b.threads));
        let groups: Vec<&[SummaryRow]> = groups.collect();
        let mut text = format!("{}\n", summary_table(&groups));
        if groups.len() > 1 {
            text += &format!("{}\n", winners_table(&groups));
        }
        text
    };
    let rows: Vec<&SummaryRow> = cases.iter().flatten().collect();
    options.print(&rows, table, folder)
}
