//! Rows of stages as tables for reading.

use super::row::{Stage, StageRow};
use crate::numbers::{significant, thousands};
use crate::{STYLE, Status};
use comfy_table::{CellAlignment, Table};

/// One table for each case, number of threads and kind of boxes. The fastest narrow phase is marked with `*`.
pub fn stages_table(rows: &[StageRow]) -> String {
    let groups = rows.chunk_by(|a, b| a.labels() == b.labels() && a.box_kind == b.box_kind);
    groups.map(group_table).collect::<Vec<_>>().join("\n")
}

fn group_table(rows: &[StageRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut table = Table::new();
    table.load_style(STYLE);
    let header = [
        "stage",
        "method",
        "ns/test",
        "95 % interval",
        "tests",
        "passed %",
        "false %",
        "missed",
        "band",
        "work/test",
        "status",
    ];
    table.set_header(header);
    let mut stage = None;
    for row in rows {
        let is_new = stage.replace(row.stage) != Some(row.stage);
        let interval = row.ci_low_test_ns.zip(row.ci_high_test_ns);
        let work = row.work.zip(row.tests).filter(|(_, tests)| *tests > 0);
        table.add_row([
            if is_new { row.stage.word() } else { "" }.to_owned(),
            format!("{}{}", row.method, if is_fastest(row, rows) { " *" } else { "" }),
            shown(row.test_ns, significant),
            shown(interval, |(low, high)| format!("{} .. {}", significant(low), significant(high))),
            shown(row.tests, |tests| thousands(tests as f64)),
            shown(row.passed_share().filter(|_| row.stage != Stage::Contact), percent),
            shown(row.false_share(), percent),
            shown(row.missed.filter(|missed| *missed > 0), |missed| thousands(missed as f64)),
            shown(row.band.filter(|band| *band > 0), |band| thousands(band as f64)),
            shown(work, |(work, tests)| significant(work as f64 / tests as f64)),
            format!("{:?}", row.status).to_lowercase(),
        ]);
    }
    for index in 2..header.len() - 1 {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = format!("{}\n{table}\n", heading(first));
    for row in rows.iter().filter(|row| row.status != Status::Ok) {
        let reason = row.reason.as_ref().map(ToString::to_string).unwrap_or_default();
        text += &format!("{} {}: {reason}\n", row.stage, row.method);
    }
    text
}

/// Whether a row has the least median of its stage. A volume that is placed or tested is only a part of it.
fn is_fastest(row: &StageRow, rows: &[StageRow]) -> bool {
    let of_stage = rows.iter().filter(|other| other.stage == Stage::Narrow);
    let least = of_stage.filter_map(|other| other.test_ns).min_by(f64::total_cmp);
    row.stage == Stage::Narrow && row.test_ns.is_some() && row.test_ns == least
}

fn heading(row: &StageRow) -> String {
    let seed = row.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let threads = if row.threads == 1 { "thread" } else { "threads" };
    format!(
        "{}: n = {}{seed}, {} {threads}, {} boxes, {} frames x {}",
        row.input, row.n, row.threads, row.box_kind, row.frames, row.repeats
    )
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn shown<T>(figure: Option<T>, form: impl FnOnce(T) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), form)
}
