//! Summaries and stages as tables to read, and the fastest algorithm of each input.

use super::numbers::{mean_count, milliseconds, significant, thousands};
use super::shown::{Shown, ShownRow, ShownTable, texts};
use crate::play::reference;
use crate::rows::{Stage, StageRow, Status, SummaryRow};

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

/// A line for each group: the fastest, the next, and by how much the first is ahead.
///
/// Two whose intervals overlap share the first place: the figures show no difference.
pub fn winners_table(groups: &[&[SummaryRow]]) -> String {
    let row = |group: &&[SummaryRow]| {
        let order = ranked(group);
        let (first, next) = (order.first()?, order.get(1));
        let count = |count: f64| count.to_string();
        let cells = vec![
            Shown::words("input", &first.input),
            Shown::figure("n", Some(first.n as f64), count),
            Shown::figure("threads", Some(first.threads.into()), count),
            Shown::words("fastest", &first.algorithm),
            ms("median ms", first.median_ns),
            Shown::words("next", next.map_or("-", |next| &next.algorithm)),
            Shown::words("behind", next.map_or_else(|| "-".to_owned(), |next| behind(first, next))),
        ];
        Some(ShownRow { cells, ..ShownRow::default() })
    };
    let rows = groups.iter().filter_map(row).collect();
    ShownTable { heading: String::new(), rows }.text()
}

/// The rows with a result, the fastest first.
fn ranked(rows: &[SummaryRow]) -> Vec<&SummaryRow> {
    let mut order: Vec<&SummaryRow> = rows.iter().filter(|row| row.result_ns().is_some()).collect();
    order.sort_by_key(|row| row.median_ns);
    order
}

fn behind(first: &SummaryRow, next: &SummaryRow) -> String {
    if first.ci_high_ns >= next.ci_low_ns {
        return "within the interval".to_owned();
    }
    let (first, next) = (first.median_ns.unwrap_or(0), next.median_ns.unwrap_or(0));
    format!("{:.2} times", next as f64 / first.max(1) as f64)
}

/// The tables of [`stage_tables`] as text.
pub fn stages_table(rows: &[StageRow]) -> String {
    texts(&stage_tables(rows), "the shortest time per test of the narrow phases")
}

/// One table for each case, number of threads and kind of boxes. The fastest narrow phase is marked.
pub fn stage_tables(rows: &[StageRow]) -> Vec<ShownTable> {
    rows.chunk_by(StageRow::is_of_group).map(stage_group_table).collect()
}

fn stage_group_table(rows: &[StageRow]) -> ShownTable {
    let first = &rows[0];
    let shown = |row: &StageRow| {
        let stage = Shown::words("stage", row.stage.to_string());
        let words = [stage, Shown::words("method", &row.method)];
        let status = Shown::words("status", row.status.to_string());
        ShownRow {
            name: row.method.clone(),
            full_name: format!("{} {}", row.stage, row.method),
            cells: words.into_iter().chain(row.figures()).chain([status]).collect(),
            is_fastest: is_fastest(row, rows),
            fault: (row.status != Status::Ok).then(|| (row.status, row.reason_text())),
        }
    };
    let heading = format!("{}, {} frames x {}", first.group(), first.frames, first.repeats);
    ShownTable { heading, rows: rows.iter().map(shown).collect() }
}

impl StageRow {
    /// The figures, in the order of the columns of a table; the same columns for every row. Errors of times are in
    /// steps, those of contacts in sizes of the pair.
    fn figures(&self) -> [Shown; 10] {
        let interval = self.ci_low_test_ns.zip(self.ci_high_test_ns);
        let ends = |_| {
            interval.map_or_else(String::new, |(l, h)| {
                format!("{} .. {}", significant(l), significant(h))
            })
        };
        let work = self.work.zip(self.tests).filter(|(_, tests)| *tests > 0);
        let count = |count: Option<u64>| count.map(|count| count as f64);
        // Several sets of a pair of compounds are no share of the pairs.
        let passed = self.passed_share().filter(|_| self.stage != Stage::Contact);
        let scientific = |steps: f64| format!("{steps:.1e}");
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        [
            Shown::figure("ns/test", self.test_ns, significant),
            Shown::figure("95 % interval", interval.map(|(low, _)| low), ends),
            Shown::figure("tests", count(self.tests), thousands),
            Shown::figure("passed %", passed, percent),
            Shown::figure("false %", self.false_share(), percent),
            Shown::figure("missed", count(self.missed), thousands),
            Shown::figure("band", count(self.band), thousands),
            Shown::figure(
                "work/test",
                work.map(|(work, tests)| work as f64 / tests as f64),
                significant,
            ),
            Shown::figure("mean error", self.mean_error, scientific),
            Shown::figure("largest error", self.largest_error, scientific),
        ]
    }
}

/// Whether a row has the least median of its stage. A volume that is placed or tested is only a part of it.
fn is_fastest(row: &StageRow, rows: &[StageRow]) -> bool {
    let of_stage = rows.iter().filter(|other| other.stage == Stage::Narrow);
    let least = of_stage.filter_map(|other| other.test_ns).min_by(f64::total_cmp);
    row.stage == Stage::Narrow && row.test_ns.is_some() && row.test_ns == least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(algorithm: &str, threads: u32, median_ns: Option<u64>) -> SummaryRow {
        let ends = |share: f64| median_ns.map(|ns| (ns as f64 * share) as u64);
        let (input, algorithm, n) = ("gas".to_owned(), algorithm.to_owned(), 1000);
        let (seed, frames, repeats, tests) = (Some(1739), 100, 3, median_ns.map(|_| 499_500.0));
        let status = if median_ns.is_some() { Status::Ok } else { Status::Error };
        let reason = (status != Status::Ok).then(|| "too slow".to_owned());
        let (ci_low_ns, ci_high_ns) = (ends(0.99), ends(1.01));
        let row = SummaryRow {
            input,
            n,
            seed,
            algorithm,
            threads,
            frames,
            repeats,
            tests,
            ..SummaryRow::default()
        };
        SummaryRow { status, reason, median_ns, ci_low_ns, ci_high_ns, ..row }
    }

    /// The words of the lines below the headings.
    fn lines(table: &str) -> Vec<String> {
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn fastest_is_marked_and_speed_ups_are_over_the_reference() {
        let rows = [row("brute-force", 1, Some(3_000_000)), row("bsp", 1, Some(500_000))];
        let table = lines(&summary_table(&[&rows]));
        assert_eq!(table[0], "gas: n = 1000, seed 1739, 1 thread, 100 frames x 3");
        assert!(table[3].starts_with("brute-force 3.0000 - 2.9700 .. 3.0300 - 1.00 499,500"));
        assert!(table[4].starts_with("bsp * 0.5000 - 0.4950 .. 0.5050 - 6.00 "), "{table:?}");
        assert_eq!(table[5..], ["* the shortest median of the table"]);
        let failed = SummaryRow { events_median_ns: Some(250_000), ..row("bsp", 1, None) };
        let failed = summary_table(&[&[failed]]);
        assert!(!failed.contains('*') && failed.contains("\nbsp error: too slow\n"), "{failed}");
        assert!(failed.contains("events ms") && !table[1].contains("events"), "{failed}");
    }

    #[test]
    fn several_numbers_of_threads_are_compared_with_the_least() {
        let one = [row("bsp", 1, Some(3_000_000)), row("kd-tree", 1, None)];
        let two = [row("bsp", 2, Some(2_000_000)), row("kd-tree", 2, Some(5))];
        let table = summary_table(&[&one, &two]);
        assert!(table.contains("over 1 thr."), "{table}");
        let scaled: Vec<&str> = table.lines().filter(|line| line.contains("bsp")).collect();
        assert!(scaled[0].contains(" 1.00 ") && scaled[1].contains(" 1.50 "), "{table}");
        assert!(!summary_table(&[&one]).contains("thr."));
    }

    #[test]
    fn the_fastest_of_each_group_is_named_with_the_next() {
        let group =
            |times: [Option<u64>; 2]| [row("bsp", 1, times[0]), row("kd-tree", 2, times[1])];
        for (times, line) in [
            ([Some(2_000_000), Some(3_000_000)], "gas 1000 1 bsp 2.0000 kd-tree 1.50 times"),
            ([Some(1_600_000), Some(1_000_000)], "gas 1000 2 kd-tree 1.0000 bsp 1.60 times"),
            (
                [Some(2_000_000), Some(2_010_000)],
                "gas 1000 1 bsp 2.0000 kd-tree within the interval",
            ),
            ([None, Some(7)], "gas 1000 2 kd-tree 0.0000 - -"),
        ] {
            assert_eq!(lines(&winners_table(&[&group(times)]))[2], line);
        }
        assert_eq!(winners_table(&[&group([None, None])]), "");
    }
}
