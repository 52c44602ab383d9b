//! The summary as a table to read.

use super::numbers::{mean_count, milliseconds};
use super::shown::{Shown, ShownRow, ShownTable, texts};
use crate::play::reference;
use crate::rows::{Status, SummaryRow};

/// The tables of [`summary_tables`] as text.
pub fn summary_table(groups: &[&[SummaryRow]]) -> String {
    texts(&summary_tables(groups), "the shortest median of the table")
}

/// A table for each group of rows that can be compared with each other: those of one case on one number of threads.
///
/// Speed-ups are ratios of medians over the reference, where that was measured. Where the groups are of several numbers
/// of threads, a column shows how many times as fast each row is as the same on the least of them.
pub fn summary_tables(groups: &[&[SummaryRow]]) -> Vec<ShownTable> {
    let rows = || groups.iter().copied().flatten();
    let least = rows().map(|row| row.threads).min();
    let several = rows().any(|row| Some(row.threads) != least);
    let on_least: Vec<&SummaryRow> =
        rows().filter(|row| several && Some(row.threads) == least).collect();
    let table = |rows: &&[SummaryRow]| Some(group_table(rows.first()?, rows, &on_least));
    groups.iter().filter_map(table).collect()
}

/// `on_least`: the rows on the least number of threads, where there are several numbers.
fn group_table(first: &SummaryRow, rows: &[SummaryRow], on_least: &[&SummaryRow]) -> ShownTable {
    let fastest = rows.iter().filter_map(SummaryRow::result_ns).min();
    let base = rows.iter().find(|row| row.algorithm == reference().id);
    let base = base.and_then(SummaryRow::result_ns);
    let has_events = rows.iter().any(|row| row.events_median_ns.is_some());
    let shown = |row: &SummaryRow| {
        let median = row.result_ns();
        let interval = row.ci_low_ns.zip(row.ci_high_ns);
        let ends = |_| {
            let ends = interval.map(|(low, high)| [low, high].map(milliseconds).join(" .. "));
            ends.unwrap_or_default()
        };
        let times = |times: f64| format!("{times:.2}");
        let mut cells = vec![
            Shown::words("algorithm", &row.algorithm),
            ms("median ms", median),
            ms("mean ms", row.mean_ns),
            Shown::figure("95 % interval", interval.map(|(low, _)| low as f64), ends),
            ms("p95 ms", row.p95_ns),
            Shown::figure("speed-up", over(base, median), times),
        ];
        if let Some(least) = on_least.first() {
            let same = on_least.iter().find(|other| other.is_case_of(row));
            let scaling = over(same.and_then(|row| row.result_ns()), median);
            cells.push(Shown::figure(&format!("over {} thr.", least.threads), scaling, times));
        }
        if has_events {
            cells.extend([
                ms("events ms", row.events_median_ns),
                Shown::figure("began", row.began, mean_count),
                Shown::figure("ended", row.ended, mean_count),
            ]);
        }
        cells.extend([
            Shown::figure("tests", row.tests, mean_count),
            Shown::figure("pairs", row.pairs, mean_count),
            Shown::figure("hits", row.hits, mean_count),
            Shown::figure("allocs/frame", row.allocations, mean_count),
            Shown::words("status", row.status.to_string()),
        ]);
        let name = row.algorithm.clone();
        let is_fastest = median.is_some() && median == fastest;
        let fault = (row.status != Status::Ok).then(|| (row.status, row.reason_text()));
        ShownRow { full_name: name.clone(), name, cells, is_fastest, fault }
    };
    let measured = rows.iter().find(|row| row.status == Status::Ok).unwrap_or(first);
    ShownTable { heading: heading(measured), rows: rows.iter().map(shown).collect() }
}

fn ms(heading: &str, ns: Option<u64>) -> Shown {
    Shown::figure(heading, ns.map(|ns| ns as f64), |ns| milliseconds(ns as u64))
}

/// How many times as long `base` is.
fn over(base: Option<u64>, own: Option<u64>) -> Option<f64> {
    let (base, own) = base.zip(own.filter(|&ns| ns > 0))?;
    Some(base as f64 / own as f64)
}

fn heading(row: &SummaryRow) -> String {
    let seed = row.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let threads = if row.threads == 1 { "thread" } else { "threads" };
    format!(
        "{}: n = {}{seed}, {} {threads}, {} frames x {}",
        row.input, row.n, row.threads, row.frames, row.repeats
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(algorithm: &str, median_ns: Option<u64>, status: Status) -> SummaryRow {
        let (input, algorithm) = ("random.scene".to_owned(), algorithm.to_owned());
        let reason = (status != Status::Ok).then(|| "too slow".to_owned());
        let (seed, tests) = (Some(1739), median_ns.map(|_| 499_500.0));
        let of_case =
            SummaryRow { input, n: 1000, seed, algorithm, threads: 1, ..Default::default() };
        SummaryRow { frames: 100, repeats: 3, status, reason, median_ns, tests, ..of_case }
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
        let table = summary_table(&[&rows]);
        assert!(table.starts_with("random.scene: n = 1000, seed 1739, 1 thread, 100 frames x 3\n"));
        assert!(line(&table, "bsp").contains("bsp *"), "{table}");
        assert!(line(&table, "bsp").contains(" 6.00 "), "{table}");
        assert!(!line(&table, "brute-force").contains('*'), "{table}");
        assert!(table.ends_with("\n* the shortest median of the table\n"), "{table}");
        let failed =
            SummaryRow { events_median_ns: Some(250_000), ..row("bsp", None, Status::Error) };
        let failed = summary_table(&[&[failed]]);
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
        let table = summary_table(&[&one, &two]);
        assert!(table.contains("over 1 thr."), "{table}");
        let scaled: Vec<&str> = table.lines().filter(|line| line.contains("bsp")).collect();
        assert!(scaled[0].contains(" 1.00 ") && scaled[1].contains(" 1.50 "), "{table}");
        assert!(!summary_table(&[&one]).contains("thr."));
    }
}
