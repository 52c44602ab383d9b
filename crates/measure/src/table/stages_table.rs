//! Rows of stages as tables for reading.

use super::numbers::{significant, thousands};
use super::shown::{Shown, ShownRow, ShownTable, texts};
use crate::rows::{Stage, StageRow, Status};

/// The tables of [`stage_tables`] as text.
pub fn stages_table(rows: &[StageRow]) -> String {
    texts(&stage_tables(rows), "the shortest time per test of the narrow phases")
}

/// One table for each case, number of threads and kind of boxes. The fastest narrow phase is marked.
pub fn stage_tables(rows: &[StageRow]) -> Vec<ShownTable> {
    rows.chunk_by(StageRow::is_of_group).map(group_table).collect()
}

fn group_table(rows: &[StageRow]) -> ShownTable {
    let first = &rows[0];
    let shown = |row: &StageRow| {
        let words = [Shown::words("stage", row.stage.word()), Shown::words("method", &row.method)];
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
