//! The summary as a table to read.

use super::numbers::{mean_count, milliseconds};
use crate::rows::{Status, SummaryRow};
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

/// A rule below the header, and no others.
pub const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The line that explains the mark.
const FASTEST: &str = "* the shortest median of the table\n";

/// The rows of one case on one number of threads: they can be compared with each other.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(pub &'a [SummaryRow]);

/// A heading and a table for each group, and a line for each row that is not ok.
///
/// The fastest is marked with `*`, which a line below explains. Speed-ups are ratios of medians over the row of `reference`,
/// where that was measured. Where the groups are of several numbers of threads, a column shows how
/// many times as fast each row is as the same on the least of them.
pub fn summary_table(groups: &[Group<'_>], reference: &str) -> String {
    let table = |group: &Group<'_>| group_table(group.0, reference, scaling_base(groups));
    let text = groups.iter().map(table).collect::<Vec<_>>().join("\n");
    let is_marked = groups.iter().flat_map(|group| group.0).any(|row| median_of(row).is_some());
    if is_marked { text + FASTEST } else { text }
}

/// The rows on the least number of threads; `None` where there is one number only.
fn scaling_base<'a>(groups: &[Group<'a>]) -> Option<Vec<&'a SummaryRow>> {
    let rows = || groups.iter().flat_map(|group| group.0);
    let least = rows().map(|row| row.threads).min()?;
    let several = rows().any(|row| row.threads != least);
    several.then(|| rows().filter(|row| row.threads == least).collect())
}

fn median_of(row: &SummaryRow) -> Option<u64> {
    row.median_ns.filter(|_| row.status == Status::Ok)
}

/// How many times as fast a row is as the same on the least number of threads.
fn scaling(row: &SummaryRow, base: &[&SummaryRow]) -> Option<f64> {
    let is_same = |other: &&&SummaryRow| {
        (&other.input, other.n, other.seed) == (&row.input, row.n, row.seed)
            && other.algorithm == row.algorithm
    };
    let base = median_of(base.iter().find(is_same)?)?;
    median_of(row).filter(|&ns| ns > 0).map(|ns| base as f64 / ns as f64)
}

fn group_table(
    rows: &[SummaryRow],
    reference: &str,
    scaling_base: Option<Vec<&SummaryRow>>,
) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let columns = Columns {
        fastest: rows.iter().filter_map(median_of).min(),
        base: rows.iter().find(|row| row.algorithm == reference).and_then(median_of),
        has_events: rows.iter().any(|row| row.events_median_ns.is_some()),
        scaling_base,
    };
    let mut table = Table::new();
    table.load_style(STYLE);
    let mut header = vec!["algorithm", "median ms", "95 % interval", "p95 ms", "speed-up"];
    let scaling_base = columns.scaling_base.as_ref();
    let least = scaling_base.and_then(|base| base.first()).map_or(1, |row| row.threads);
    let over_least = format!("over {least} thr.");
    if scaling_base.is_some() {
        header.push(&over_least);
    }
    if columns.has_events {
        header.extend(["events ms", "began", "ended"]);
    }
    header.extend(["tests", "pairs", "hits", "allocs/frame", "status"]);
    let last = header.len() - 1;
    table.set_header(header);
    for row in rows {
        table.add_row(columns.cells(row));
    }
    for index in 1..last {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = format!("{}\n{table}\n", heading(first));
    for row in rows.iter().filter(|row| row.status != Status::Ok) {
        let (status, reason) = (status_word(row.status), row.reason_text());
        text += &format!("{} {status}: {reason}\n", row.algorithm);
    }
    text
}

/// The columns of a group, and the rows that its rows are compared with.
struct Columns<'a> {
    /// The shortest median.
    fastest: Option<u64>,
    /// The median of the reference.
    base: Option<u64>,
    has_events: bool,
    /// The rows on the least number of threads, where there are several numbers.
    scaling_base: Option<Vec<&'a SummaryRow>>,
}

impl Columns<'_> {
    fn cells(&self, row: &SummaryRow) -> Vec<String> {
        let Self { fastest, base, has_events, scaling_base } = self;
        let median = median_of(row);
        let mark = if median.is_some() && median == *fastest { " *" } else { "" };
        let interval = row.ci_low_ns.zip(row.ci_high_ns);
        let speed_up = base.zip(median).filter(|&(_, median)| median > 0);
        let mut cells = vec![
            format!("{}{mark}", row.algorithm),
            shown(median, milliseconds),
            shown(interval, |(l, h)| format!("{} .. {}", milliseconds(l), milliseconds(h))),
            shown(row.p95_ns, milliseconds),
            shown(speed_up, |(base, own)| format!("{:.2}", base as f64 / own as f64)),
        ];
        if let Some(base) = scaling_base {
            cells.push(shown(scaling(row, base), |times| format!("{times:.2}")));
        }
        if *has_events {
            cells.extend([
                shown(row.events_median_ns, milliseconds),
                shown(row.began, mean_count),
                shown(row.ended, mean_count),
            ]);
        }
        cells.extend([
            shown(row.tests, mean_count),
            shown(row.pairs, mean_count),
            shown(row.hits, mean_count),
            shown(row.allocations, mean_count),
            status_word(row.status).to_owned(),
        ]);
        cells
    }
}

fn heading(row: &SummaryRow) -> String {
    let seed = row.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let threads = if row.threads == 1 { "thread" } else { "threads" };
    format!(
        "{}: n = {}{seed}, {} {threads}, {} frames x {}",
        row.input, row.n, row.threads, row.frames, row.repeats
    )
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Skipped => "skipped",
        Status::Error => "error",
    }
}

fn shown<T>(figure: Option<T>, form: impl FnOnce(T) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Labels;

    fn row(algorithm: &str, median_ns: Option<u64>, status: Status) -> SummaryRow {
        let labels = Labels {
            run_id: "r".into(),
            input: "random.scene".into(),
            n: 1000,
            seed: Some(1739),
            algorithm: algorithm.into(),
            threads: 1,
        };
        let reason = (status != Status::Ok).then(|| "too slow".to_owned());
        let row = SummaryRow::without_figures(&labels, 100, 3, status, reason.map(Into::into));
        SummaryRow { median_ns, tests: median_ns.map(|_| 499_500.0), ..row }
    }

    fn line<'a>(table: &'a str, algorithm: &str) -> &'a str {
        table.lines().skip(1).find(|line| line.trim_start().starts_with(algorithm)).unwrap()
    }

    #[test]
    fn fastest_is_marked_and_speed_ups_are_over_the_reference() {
        let rows = [
            row("brute-force", Some(3_000_000), Status::Ok),
            row("bsp", Some(500_000), Status::Ok),
        ];
        let table = summary_table(&[Group(&rows)], "brute-force");
        assert!(table.starts_with("random.scene: n = 1000, seed 1739, 1 thread, 100 frames x 3\n"));
        assert!(line(&table, "bsp").contains("bsp *"), "{table}");
        assert!(line(&table, "bsp").contains(" 6.00 "), "{table}");
        assert!(!line(&table, "brute-force").contains('*'), "{table}");
        assert!(table.ends_with(FASTEST), "{table}");
        let failed =
            SummaryRow { events_median_ns: Some(250_000), ..row("bsp", None, Status::Error) };
        let failed = summary_table(&[Group(&[failed])], "brute-force");
        assert!(!failed.contains('*') && failed.contains("\nbsp error: too slow\n"), "{failed}");
        assert!(failed.contains("events ms") && !table.contains("events"), "{failed}");
        assert!(line(&table, "brute-force").contains("499,500"), "{table}");
    }

    #[test]
    fn several_numbers_of_threads_are_compared_with_the_least() {
        let one = [row("bsp", Some(3_000_000), Status::Ok), row("kd-tree", None, Status::Error)];
        let two = [("bsp", Some(2_000_000)), ("kd-tree", Some(5))].map(|(algorithm, median)| {
            SummaryRow { threads: 2, ..row(algorithm, median, Status::Ok) }
        });
        let table = summary_table(&[Group(&one), Group(&two)], "brute-force");
        assert!(table.contains("over 1 thr."), "{table}");
        let scaled: Vec<&str> = table.lines().filter(|line| line.contains("bsp")).collect();
        assert!(scaled[0].contains(" 1.00 ") && scaled[1].contains(" 1.50 "), "{table}");
        assert!(!summary_table(&[Group(&one)], "brute-force").contains("thr."));
    }
}
