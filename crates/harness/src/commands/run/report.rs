//! What a run prints at its end.

use crate::cli::RunOptions;
use crate::console;
use crate::failure::Failure;
use measure::{Group, SummaryRow, Warning, reference, summary_table, winners_table};
use std::path::Path;

/// From this width on, as a share of the median, an interval is called wide.
const WIDE: f64 = 0.10;

/// Prints the rows, a group for each case.
pub(super) fn print(
    options: &RunOptions,
    cases: &[Vec<SummaryRow>],
    folder: &Path,
) -> Result<(), Failure> {
    let place = format!("results in {}", folder.display());
    if options.json {
        let rows: Vec<&SummaryRow> = cases.iter().flatten().collect();
        let json = serde_json::to_string_pretty(&rows)
            .map_err(|e| Failure::Running(format!("cannot write JSON: {e}")))?;
        if !options.quiet {
            console::note(&place);
        }
        return console::print(&(json + "\n"));
    }
    if options.quiet {
        return Ok(());
    }
    let groups: Vec<Group<'_>> = cases
        .iter()
        .flat_map(|rows| rows.chunk_by(|a, b| a.threads == b.threads))
        .map(Group)
        .collect();
    let mut text = format!("{}\n", summary_table(&groups, reference().id));
    if groups.len() > 1 {
        text += &format!("{}\n", winners_table(&groups));
    }
    console::print(&format!("{text}{place}\n"))
}

/// What makes the figures doubtful.
pub(in crate::commands) fn noise(
    cases: &[Vec<SummaryRow>],
    calibration_ns: &[u64],
) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Warning::of_drift(calibration_ns).into_iter().collect();
    let measured: Vec<&SummaryRow> =
        cases.iter().flatten().filter(|row| row.median_ns.is_some()).collect();
    if measured.iter().any(|row| row.repeats == 1) {
        warnings.push(Warning::SingleRepetition);
    }
    let wide = measured.iter().filter(|row| is_wide(row)).count();
    if wide > 0 {
        warnings.push(Warning::WideIntervals { wide, of: measured.len(), share: WIDE });
    }
    warnings
}

fn is_wide(row: &SummaryRow) -> bool {
    match (row.ci_low_ns, row.median_ns, row.ci_high_ns) {
        (Some(low), Some(median), Some(high)) => (high - low) as f64 > WIDE * median as f64,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::{Labels, Status};

    fn row(low: u64, high: u64) -> SummaryRow {
        let labels = Labels {
            run_id: "r".into(),
            input: "i".into(),
            n: 1,
            seed: None,
            algorithm: "a".into(),
            threads: 1,
        };
        SummaryRow {
            median_ns: Some(1000),
            ci_low_ns: Some(low),
            ci_high_ns: Some(high),
            ..SummaryRow::without_figures(&labels, 1, 2, Status::Ok, None)
        }
    }

    #[test]
    fn wide_interval_and_drift_are_warnings() {
        assert!(noise(&[vec![row(960, 1050)]], &[100, 105]).is_empty());
        let warnings = noise(&[vec![row(900, 1010), row(999, 1001)]], &[100, 130]);
        let text = Warning::joined(&warnings);
        assert!(text.contains("took up to 30 % longer"), "{text}");
        assert_eq!(warnings[1], Warning::WideIntervals { wide: 1, of: 2, share: WIDE });
        let once = SummaryRow { repeats: 1, ..row(999, 1001) };
        assert_eq!(noise(&[vec![once]], &[100]), [Warning::SingleRepetition]);
    }
}
