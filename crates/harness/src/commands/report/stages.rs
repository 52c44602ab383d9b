//! The section of the stages after the broad phase.

use super::page::figure;
use maud::{Markup, html};
use measure::numbers::{significant, thousands};
use measure::{StageRow, Status};

const COLUMNS: [&str; 9] = [
    "stage",
    "method",
    "ns/test",
    "95 % interval",
    "tests",
    "passed %",
    "false %",
    "missed",
    "status",
];

/// The rows of `stages.csv`, a table for each case, number of threads and kind of boxes.
pub(super) fn section(rows: &[StageRow]) -> Markup {
    let groups = rows.chunk_by(|a, b| a.labels() == b.labels() && a.box_kind == b.box_kind);
    html! {
        h2 { "Stages after the broad phase" }
        p {
            "Every method works on the same candidates. Times are medians over frames, per test: a body whose volume is \
             placed, a candidate, or a touching pair whose contact set is found. Every answer of a volume or a \
             narrow phase was compared with the reference. A method whose answer was wrong has no figures."
        }
        div.tables {
            @for group in groups { (table(group)) }
        }
    }
}

fn table(rows: &[StageRow]) -> Markup {
    let first = &rows[0];
    html! {
        section {
            h3 {
                (first.input) ": n = " (first.n)
                @if let Some(seed) = first.seed { ", seed " (seed) }
                ", " (first.threads) @if first.threads == 1 { " thread" } @else { " threads" }
                ", " (first.box_kind) " boxes, " (first.frames) " frames x " (first.repeats)
            }
            div.scroll tabindex="0" {
                table.sortable {
                    thead { tr { @for name in COLUMNS { th scope="col" { (name) } } } }
                    tbody { @for row in rows { (table_row(row)) } }
                }
            }
        }
    }
}

fn table_row(row: &StageRow) -> Markup {
    let interval = row.ci_low_test_ns.zip(row.ci_high_test_ns);
    let ends = |(low, high)| format!("{} .. {}", significant(low), significant(high));
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let count = |count: Option<u64>| figure(count, |count| count as f64, |n| thousands(n as f64));
    html! {
        tr data-name=(row.method) {
            th scope="row" { (row.stage) }
            td { (row.method) }
            (figure(row.test_ns, |ns| ns, significant))
            (figure(interval, |(low, _)| low, ends))
            (count(row.tests))
            (figure(row.passed_share(), |share| share, percent))
            (figure(row.false_share(), |share| share, percent))
            (count(row.missed))
            td { (status(row)) }
        }
    }
}

/// The status, with its reason.
fn status(row: &StageRow) -> String {
    let reason = || row.reason.as_ref().map(ToString::to_string).unwrap_or_default();
    match row.status {
        Status::Ok => "ok".to_owned(),
        Status::Skipped => format!("skipped: {}", reason()),
        Status::Error => format!("error: {}", reason()),
    }
}
