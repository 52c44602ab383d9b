//! What a run prints at its end.

use crate::cli::ResultOptions;
use crate::commands::results::{self, Median};
use crate::failure::Failure;
use measure::{Group, SummaryRow, Warning, reference, summary_table, winners_table};
use std::path::Path;

/// Prints the rows, a group for each case.
pub(super) fn print(
    options: &ResultOptions,
    cases: &[Vec<SummaryRow>],
    folder: &Path,
) -> Result<(), Failure> {
    let table = || {
        let groups: Vec<Group<'_>> = cases
            .iter()
            .flat_map(|rows| rows.chunk_by(|a, b| a.threads == b.threads))
            .map(Group)
            .collect();
        let mut text = format!("{}\n", summary_table(&groups, reference().id));
        if groups.len() > 1 {
            text += &format!("{}\n", winners_table(&groups));
        }
        text
    };
    let rows: Vec<&SummaryRow> = cases.iter().flatten().collect();
    options.print(&rows, table, folder)
}

/// What makes the figures doubtful.
pub(in crate::commands) fn noise(
    cases: &[Vec<SummaryRow>],
    calibration_ns: &[u64],
) -> Vec<Warning> {
    let median = |row: &SummaryRow| {
        let interval = row.ci_low_ns.zip(row.ci_high_ns);
        Some(Median {
            value: row.median_ns? as f64,
            interval: interval.map(|(low, high)| [low as f64, high as f64]),
            repeats: row.repeats,
        })
    };
    let medians: Vec<Median> = cases.iter().flatten().filter_map(median).collect();
    results::noise(&medians, calibration_ns)
}
