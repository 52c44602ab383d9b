//! The section of the stages after the broad phase.

use maud::{Markup, html};
use measure::{StageRow, Status};

/// The rows of `stages.csv`, a table for each case, number of threads and kind of boxes.
pub(super) fn section(rows: &[StageRow]) -> Markup {
    let groups = rows.chunk_by(StageRow::is_of_group);
    html! {
        h2 { "Stages after the broad phase" }
        p {
            "Every method works on the same candidates. Times are medians over frames, per test: a body whose volume is \
             placed, a candidate, or a touching pair whose contact set is found. Every answer of a volume, a \
             narrow phase or a time of impact was compared with the reference. A method whose answer was wrong has no \
             figures. Errors of times of impact are in steps."
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
            h3 { (first.heading()) }
            div.scroll tabindex="0" {
                table.sortable {
                    thead {
                        tr {
                            @for name in ["stage", "method"] { th scope="col" { (name) } }
                            @for figure in first.figures() { th scope="col" { (figure.heading) } }
                            th scope="col" { "status" }
                        }
                    }
                    tbody { @for row in rows { (table_row(row)) } }
                }
            }
        }
    }
}

fn table_row(row: &StageRow) -> Markup {
    html! {
        tr data-name=(row.method) {
            th scope="row" { (row.stage) }
            td { (row.method) }
            @for figure in row.figures() { td data-sort=[figure.value] { (figure.text) } }
            td { (status(row)) }
        }
    }
}

/// The status, with its reason.
fn status(row: &StageRow) -> String {
    let reason = || row.reason_text();
    match row.status {
        Status::Ok => "ok".to_owned(),
        Status::Skipped => format!("skipped: {}", reason()),
        Status::Error => format!("error: {}", reason()),
    }
}
