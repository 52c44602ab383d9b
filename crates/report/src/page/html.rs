//! The page itself: HTML with everything in it.

use super::groups::{Group, median};
use super::stages;
use crate::figures::Figure;
use crate::shard::ResultFolder;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use measure::numbers::{mean_count, milliseconds};
use measure::{StageRow, Status, SummaryRow};
use sim::printable;

const STYLE: &str = include_str!("style.css");
/// Contains no text of the measurements: those are in the page, escaped.
const SCRIPT: &str = include_str!("script.js");

/// The parts of the page.
pub(super) struct Parts<'a> {
    /// The folders, and the machines that they are from.
    pub(super) sources: &'a [ResultFolder],
    pub(super) groups: &'a [Group],
    pub(super) stages: &'a [StageRow],
    pub(super) drawings: &'a [Drawing],
}

/// A chart.
pub(super) struct Drawing {
    pub(super) figure: Figure,
    pub(super) svg: String,
    /// Whether it is wide, and some of its curves stand out.
    pub(super) has_many_curves: bool,
}

/// The page as HTML.
pub(super) fn page(parts: &Parts<'_>) -> String {
    let folders: Vec<String> =
        parts.sources.iter().map(|source| source.folder.display().to_string()).collect();
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
                @for warning in parts.sources.iter().flat_map(|source| &source.machine.warnings) {
                    p.warning { "Warning: " (warning) }
                }
                h2 { "Figures" }
                @if parts.drawings.is_empty() {
                    p { "No row is a result: there is nothing to draw." }
                }
                @if parts.drawings.iter().any(|drawing| drawing.has_many_curves) {
                    p {
                        "Of many curves, the best at some number of objects stand out; the names stand in the order \
                         of the curves' ends."
                    }
                }
                div.charts {
                    @for drawing in parts.drawings { (chart_card(drawing)) }
                }
                @if !parts.groups.is_empty() { (tables(parts.groups)) }
                @if !parts.stages.is_empty() { (stages::section(parts.stages)) }
                h2 { @if several { "Machines" } @else { "Machine" } }
                @for source in parts.sources {
                    @if several { h3 { code { (source.folder.display()) } } }
                    table.machine {
                        @for (name, value) in source.machine.lines() {
                            tr { th scope="row" { (name) } td { (value) } }
                        }
                    }
                }
                (commands(parts.sources, &title))
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

/// The rows of all algorithms, a table for each group.
fn tables(groups: &[Group]) -> Markup {
    html! {
        h2 { "Tables" }
        p {
            "Times are of update and pairs together, per frame, over the measured frames of all repetitions; the interval \
             is that of the median, 95 %. A mean far above its median means rare slow frames, as the full rebuilds of a \
             cached list. The fastest comes first. A row counts only if the pairs of every frame were right."
        }
        div.tables {
            @for group in groups { (table(group)) }
        }
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

/// The columns of a table.
const COLUMNS: [&str; 11] = [
    "algorithm",
    "median ms",
    "mean ms",
    "95 % interval",
    "p95 ms",
    "speed-up",
    "tests",
    "pairs",
    "hits",
    "allocs/frame",
    "status",
];
/// The column by which rows are sorted at first.
const SORTED_BY: &str = "median ms";

fn table(group: &Group) -> Markup {
    let case = group.case();
    let measured = group.rows().iter().find(|row| row.status == Status::Ok).unwrap_or(case);
    html! {
        section {
            h3 {
                (case.input) ": " (case.n) " objects"
                @if let Some(seed) = case.seed { ", seed " (seed) }
                ", " (case.threads) @if case.threads == 1 { " thread" } @else { " threads" }
                ", " (measured.frames) " frames x " (measured.repeats)
            }
            div.scroll tabindex="0" {
                table.sortable {
                    thead {
                        tr {
                            @for name in COLUMNS {
                                th scope="col" aria-sort=[(name == SORTED_BY).then_some("ascending")] {
                                    (name)
                                }
                            }
                        }
                    }
                    tbody { @for row in group.rows() { (table_row(group, row)) } }
                }
            }
        }
    }
}

fn table_row(group: &Group, row: &SummaryRow) -> Markup {
    let own = median(row);
    let class = match row.status {
        Status::Ok if own.is_some() && own == group.fastest() => "fastest",
        Status::Ok => "",
        Status::Skipped => "none",
        Status::Error => "error",
    };
    let ns = |ns: Option<u64>| figure(ns, |ns| ns as f64, milliseconds);
    let count = |count: Option<f64>| figure(count, |count| count, mean_count);
    let speed_up = group.reference().zip(own.filter(|ns| *ns > 0));
    let speed_up = speed_up.map(|(base, own)| base as f64 / own as f64);
    let interval = row.ci_low_ns.zip(row.ci_high_ns);
    let ends = |(l, h)| format!("{} .. {}", milliseconds(l), milliseconds(h));
    html! {
        tr class=(class) data-name=(row.algorithm) {
            th scope="row" { (row.algorithm) }
            @if row.status == Status::Ok {
                (ns(own))
                (ns(row.mean_ns))
                (figure(interval, |(low, _)| low as f64, ends))
                (ns(row.p95_ns))
                (figure(speed_up, |factor| factor, |factor| format!("{factor:.2}")))
                (count(row.tests))
                (count(row.pairs))
                (count(row.hits))
                (count(row.allocations))
                td { "ok" }
            } @else {
                td.reason colspan=(COLUMNS.len() - 2) { (row.reason_text()) }
                td { @if row.status == Status::Skipped { "skipped" } @else { "error" } }
            }
        }
    }
}

/// A cell with a figure, and the number by which it is sorted.
fn figure<T: Copy>(
    figure: Option<T>,
    number: impl FnOnce(T) -> f64,
    form: impl FnOnce(T) -> String,
) -> Markup {
    let text = figure.map_or_else(|| "-".to_owned(), form);
    html! { td data-sort=[figure.map(number)] { (text) } }
}
