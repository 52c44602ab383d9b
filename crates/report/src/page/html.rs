//! The page itself: HTML with everything in it.

use super::Results;
use crate::figures::Figure;
use crate::shard::ResultFolder;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use measure::{Shown, ShownRow, ShownTable, Status, SummaryRow, stage_tables, summary_tables};
use sim::printable;

const STYLE: &str = include_str!("style.css");
/// Contains no text of the measurements: those are in the page, escaped.
const SCRIPT: &str = include_str!("script.js");
const OF_TABLES: &str = "Times are of update and pairs together, per frame, over the measured frames of all repetitions; the interval is that \
     of the median, 95 %. A mean far above its median means rare slow frames, as the full rebuilds of a cached list. The \
     fastest comes first. A row counts only if the pairs of every frame were right.";
const OF_STAGES: &str = "Every method works on the same candidates. Times are medians over frames, per test: a body whose volume is placed, a \
     candidate, or a touching pair whose contact set is found. Every answer of a volume, a narrow phase or a time of \
     impact was compared with the reference. A method whose answer was wrong has no figures. Errors of times of impact \
     are in steps.";

/// A chart.
pub(super) struct Drawing {
    pub(super) figure: Figure,
    pub(super) svg: String,
    /// Whether it is wide, and some of its curves stand out.
    pub(super) has_many_curves: bool,
}

/// The page as HTML.
pub(super) fn page(results: &Results, drawings: &[Drawing]) -> String {
    let Results { sources, groups, stages, .. } = results;
    let groups: Vec<&[SummaryRow]> = groups.iter().map(Vec::as_slice).collect();
    let folders: Vec<String> =
        sources.iter().map(|source| source.folder.display().to_string()).collect();
    let title = folders.join(" ");
    let several = folders.len() > 1;
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Broad-phase measurements" }
                p { code { (title) } }
                div #controls {}
                @for warning in sources.iter().flat_map(|source| &source.machine.warnings) {
                    p.warning { "Warning: " (warning) }
                }
                h2 { "Figures" }
                @if drawings.is_empty() {
                    p { "No row is a result: there is nothing to draw." }
                }
                @if drawings.iter().any(|drawing| drawing.has_many_curves) {
                    p {
                        "Of many curves, the best at some number of objects stand out; the names stand in the order \
                         of the curves' ends."
                    }
                }
                div.charts {
                    @for drawing in drawings { (chart_card(drawing)) }
                }
                @if !groups.is_empty() {
                    (tables("Tables", OF_TABLES, &summary_tables(&groups)))
                }
                @if !stages.is_empty() {
                    (tables("Stages after the broad phase", OF_STAGES, &stage_tables(stages)))
                }
                h2 { @if several { "Machines" } @else { "Machine" } }
                @for source in sources {
                    @if several { h3 { code { (source.folder.display()) } } }
                    table.machine {
                        @for (name, value) in source.machine.lines() {
                            tr { th scope="row" { (name) } td { (value) } }
                        }
                    }
                }
                (commands(sources, &title))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    // Names of files may contain characters that change how the text after them is shown.
    printable(&markup.into_string()).into_owned()
}

/// The commands that measured the rows, and those that show them.
fn commands(sources: &[ResultFolder], title: &str) -> Markup {
    let out = if sources.len() > 1 { " --out report.html" } else { "" };
    html! {
        h2 { "Commands" }
        p { "Measured by" }
        @for source in sources {
            p { code { (source.machine.command_line.join(" ")) } }
        }
        p { "This page, and single figures from the same rows:" }
        p { code { "harness report " (title) (out) " --force" } }
        p { code { "harness plot " (title) " --figures all --out figure.svg" } }
    }
}

fn chart_card(drawing: &Drawing) -> Markup {
    html! {
        figure.wide[drawing.has_many_curves] {
            (PreEscaped(&drawing.svg))
            figcaption { (drawing.figure.caption()) }
        }
    }
}

/// A section of tables.
fn tables(title: &str, explained: &str, tables: &[ShownTable]) -> Markup {
    html! {
        h2 { (title) }
        p { (explained) }
        div.tables { @for shown in tables { (table(shown)) } }
    }
}

/// The column by which rows are sorted at first.
const SORTED_BY: &str = "median ms";

fn table(table: &ShownTable) -> Markup {
    let first = table.rows.first().map_or(&[][..], |row| &row.cells);
    html! {
        section {
            h3 { (table.heading) }
            div.scroll tabindex="0" {
                table.sortable {
                    thead {
                        tr {
                            @for Shown { heading, .. } in first {
                                th scope="col" aria-sort=[(heading == SORTED_BY).then_some("ascending")] {
                                    (heading)
                                }
                            }
                        }
                    }
                    tbody { @for row in &table.rows { (table_row(row)) } }
                }
            }
        }
    }
}

fn table_row(row: &ShownRow) -> Markup {
    let class = match &row.fault {
        Some((Status::Error, _)) => "error",
        Some(_) => "none",
        None if row.is_fastest => "fastest",
        None => "",
    };
    // Words stand on the left: what the row is about.
    let words = row.cells.iter().take_while(|cell| !cell.is_figure).count();
    let cells = |cells: &[Shown]| {
        html! { @for cell in cells { td data-sort=[cell.value] { (cell.text) } } }
    };
    html! {
        tr class=(class) data-name=(row.name) {
            th scope="row" { (row.cells[0].text) }
            (cells(&row.cells[1..words]))
            @if let Some((status, reason)) = &row.fault {
                td.reason colspan=(row.cells.len() - words - 1) { (reason) }
                td { (status) }
            } @else {
                (cells(&row.cells[words..]))
            }
        }
    }
}
