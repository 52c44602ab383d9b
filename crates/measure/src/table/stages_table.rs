//! Rows of stages as tables for reading.

use super::numbers::{significant, thousands};
use super::summary_table::STYLE;
use crate::rows::{Stage, StageRow, Status};
use comfy_table::{CellAlignment, Table};

/// The line that explains the mark.
const FASTEST: &str = "* the shortest time per test of the narrow phases\n";

/// Rows that are named for a reason that they share; more are counted.
const MAX_NAMED: usize = 3;

/// A figure of a row, as tables show it.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFigure {
    /// Heading of its column.
    pub heading: &'static str,
    /// The number by which rows are sorted; `None` where it does not apply.
    pub value: Option<f64>,
    /// For reading.
    pub text: String,
}

impl StageFigure {
    fn new(heading: &'static str, value: Option<f64>, form: impl FnOnce(f64) -> String) -> Self {
        Self { heading, value, text: value.map_or_else(|| "-".to_owned(), form) }
    }
}

impl StageRow {
    /// The figures, in the order of the columns of a table; the same columns for every row. Errors of times are in
    /// steps, those of contacts in sizes of the pair.
    pub fn figures(&self) -> [StageFigure; 10] {
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
            StageFigure::new("ns/test", self.test_ns, significant),
            StageFigure::new("95 % interval", interval.map(|(low, _)| low), ends),
            StageFigure::new("tests", count(self.tests), thousands),
            StageFigure::new("passed %", passed, percent),
            StageFigure::new("false %", self.false_share(), percent),
            StageFigure::new("missed", count(self.missed), thousands),
            StageFigure::new("band", count(self.band), thousands),
            StageFigure::new(
                "work/test",
                work.map(|(work, tests)| work as f64 / tests as f64),
                significant,
            ),
            StageFigure::new("mean error", self.mean_error, scientific),
            StageFigure::new("largest error", self.largest_error, scientific),
        ]
    }

    /// What the rows of a table have in common, with their frames and repetitions.
    pub fn heading(&self) -> String {
        format!("{}, {} frames x {}", self.group(), self.frames, self.repeats)
    }
}

/// One table for each case, number of threads and kind of boxes. The fastest narrow phase is marked with `*`, which a
/// line below explains.
pub fn stages_table(rows: &[StageRow]) -> String {
    let groups = rows.chunk_by(StageRow::is_of_group);
    let text = groups.map(group_table).collect::<Vec<_>>().join("\n");
    let is_marked =
        rows.chunk_by(StageRow::is_of_group).any(|of| of.iter().any(|row| is_fastest(row, of)));
    if is_marked { text + FASTEST } else { text }
}

fn group_table(rows: &[StageRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let headings = first.figures().map(|figure| figure.heading);
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(["stage", "method"].iter().chain(&headings).chain(&["status"]));
    let mut stage = None;
    for row in rows {
        let is_new = stage.replace(row.stage) != Some(row.stage);
        let stage = if is_new { row.stage.word() } else { "" }.to_owned();
        let method = format!("{}{}", row.method, if is_fastest(row, rows) { " *" } else { "" });
        let status = format!("{:?}", row.status).to_lowercase();
        let figures = row.figures().map(|figure| figure.text);
        table.add_row([stage, method].into_iter().chain(figures).chain([status]));
    }
    for index in 2..2 + headings.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{}\n{table}\n{}", first.heading(), reasons(rows))
}

/// A line for each reason why rows have no figures.
fn reasons(rows: &[StageRow]) -> String {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| row.status != Status::Ok) {
        let (reason, name) = (row.reason_text(), format!("{} {}", row.stage, row.method));
        match reasons.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    let line = |(reason, names): (String, Vec<String>)| {
        let named = names[..names.len().min(MAX_NAMED)].join(", ");
        match names.len().saturating_sub(MAX_NAMED) {
            0 => format!("{named}: {reason}\n"),
            others => format!("{named} and {others} others: {reason}\n"),
        }
    };
    reasons.into_iter().map(line).collect()
}

/// Whether a row has the least median of its stage. A volume that is placed or tested is only a part of it.
fn is_fastest(row: &StageRow, rows: &[StageRow]) -> bool {
    let of_stage = rows.iter().filter(|other| other.stage == Stage::Narrow);
    let least = of_stage.filter_map(|other| other.test_ns).min_by(f64::total_cmp);
    row.stage == Stage::Narrow && row.test_ns.is_some() && row.test_ns == least
}
