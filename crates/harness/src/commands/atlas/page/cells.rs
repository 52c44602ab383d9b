//! The sections of drawn cells.

use super::Rows;
use crate::commands::atlas::findings::{Finding, Findings, sorted};
use crate::commands::atlas::goals::{Judged, TWO_THREADS_FROM};
use crate::commands::atlas::rows::AtlasRow;
use crate::commands::atlas::run::fault;
use crate::commands::atlas::spread::Spread;
use crate::page_files::cell;
use crate::study::numbers::{count, figure};
use crate::study::{AUTO, FULL_SEARCH};
use measure::Status;
use std::fmt::Write;

/// Cells in a list of the worst.
const WORST: usize = 10;

/// All sections.
pub(super) fn sections(
    rows: &Rows,
    findings: &Findings<'_>,
    judged: &[Judged],
    has_chart: &dyn Fn(&str) -> bool,
) -> String {
    let mut text = goals(judged);
    text += &regret(findings, has_chart("regret.svg"));
    text += &worst_cells(findings);
    text += &by_property(findings);
    text += &champions(findings);
    text += &two_threads(findings, has_chart("two-threads.svg"));
    text += &late_frames(findings);
    text + &without_figures(rows)
}

fn goals(judged: &[Judged]) -> String {
    let mut text = String::from("## Goals\n\n| what | is | goal | |\n|---|---|---|---|\n");
    for goal in judged {
        let (bound, word) = (goal.bound.text(), goal.verdict().word());
        let _ = writeln!(text, "| {} | {} | {bound} | {word} |", goal.what, figure(goal.figure));
    }
    text + "\n"
}

/// Median, 90th percentile and worst, as cells of a table.
fn spread(spread: &Spread) -> String {
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), figure);
    let [median, ninety, worst] =
        [spread.median(), spread.percentile(90), spread.worst()].map(shown);
    format!("{median} | {ninety} | {worst}")
}

fn regret(findings: &Findings<'_>, has_chart: bool) -> String {
    let mut text = String::from(
        "## Regret\n\nThe mean time of `auto` over that of the best champion, which is known afterwards only. A frame \
         counts by the fastest of its repetitions, and every frame counts from frame 0 on. \"Again\" is a champion \
         that was measured twice: the larger of both times over the smaller. What lies within it is noise.\n\n",
    );
    if has_chart {
        text += "![Regret of all cells in ascending order](atlas/regret.svg)\n\n";
    }
    text += "| threads | cells | median | 90 % | worst | frames 5 to 44: median | 90 % | worst | again: median | 90 % \
             | worst |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
    for threads in findings.threads() {
        let all = findings.spread(|cell| cell.regret(threads));
        let early = findings.spread(|cell| cell.early_regret(threads));
        let again = |cell: &Finding<'_>| cell.noise(threads).map(|ratio| ratio.max(1.0 / ratio));
        let (number, again) = (all.len(), findings.spread(again));
        let [all, early, again] = [all, early, again].map(|figures| spread(&figures));
        let _ = writeln!(text, "| {threads} | {number} | {all} | {early} | {again} |");
    }
    text + "\n"
}

/// What reproduces a cell.
fn command(row: &AtlasRow) -> String {
    format!("`harness atlas --seed {} --cell {}`", row.seed, row.cell)
}

fn worst_cells(findings: &Findings<'_>) -> String {
    let mut text = format!("## The {WORST} worst cells\n\nBy the regret on one thread.\n\n");
    text += "| regret | again | n | cell | best champion | its us | auto us | reproduced by |\n\
             |---|---|---|---|---|---|---|---|\n";
    for (regret, cell_of) in findings.worst(WORST, |cell| cell.regret(1)) {
        let (row, best) = (cell_of.first(), cell_of.best(1));
        let micros = |ns: Option<f64>| ns.map_or("-".to_owned(), |ns| figure(ns / 1e3));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            figure(regret),
            cell_of.noise(1).map_or("-".to_owned(), figure),
            count(row.n as f64),
            cell(&row.description),
            best.map_or("-", |best| &best.algorithm),
            micros(best.and_then(|best| best.mean_ns)),
            micros(cell_of.time(AUTO, 1)),
            command(row)
        );
    }
    text + "\n"
}

fn by_property(findings: &Findings<'_>) -> String {
    let mut text = String::from("## Regret by property\n\nOn one thread.\n\n");
    text += "| | cells | median | 90 % | worst |\n|---|---|---|---|---|\n";
    let properties: [fn(&AtlasRow) -> String; 6] = [
        |row| format!("n from {}", 10f64.powf((row.n as f64).log10().floor())),
        |row| format!("placement {}", row.placement),
        |row| format!("sizes {}", row.sizes),
        |row| format!("motion {}", row.motion),
        |row| format!("speed from {}", figure(10f64.powf(f64::from(row.speed).log10().floor()))),
        |row| match row.movers {
            share if share >= 1.0 => "all move".to_owned(),
            share if share >= 0.1 => "10 % to all move".to_owned(),
            _ => "less than 10 % move".to_owned(),
        },
    ];
    for property in properties {
        for value in sorted(findings.cells.iter().map(|cell| property(cell.first()))) {
            let regret =
                |cell: &Finding<'_>| cell.regret(1).filter(|_| property(cell.first()) == value);
            let regrets = findings.spread(regret);
            let _ = writeln!(text, "| {value} | {} | {} |", regrets.len(), spread(&regrets));
        }
    }
    text + "\n"
}

fn champions(findings: &Findings<'_>) -> String {
    let mut text = String::from(
        "## The champions\n\nCells on which each is the fastest, and its time over that of the fastest, on one thread.\n\n\
         | algorithm | cells won | median | 90 % | worst | without figures |\n|---|---|---|---|---|---|\n",
    );
    for id in findings.algorithms() {
        let won =
            findings.cells.iter().filter(|cell| cell.best(1).is_some_and(|b| b.algorithm == id));
        let over = findings.spread(|cell| cell.over_best(id, 1));
        let _ = writeln!(
            text,
            "| {id} | {} | {} | {} |",
            won.count(),
            spread(&over),
            findings.cells.len() - over.len()
        );
    }
    text + "\n"
}

fn two_threads(findings: &Findings<'_>, has_chart: bool) -> String {
    let mut text = format!(
        "## Two threads over one\n\nThe mean time on one thread over that on two, of cells from {TWO_THREADS_FROM} \
         objects on.\n\n",
    );
    if !has_chart {
        return text + "Not measured.\n\n";
    }
    text += "![Two threads over one, cells in ascending order](atlas/two-threads.svg)\n\n\
             | algorithm | cells | 10 % | median | 90 % |\n|---|---|---|---|---|\n";
    for id in findings.algorithms() {
        let large =
            |cell: &Finding<'_>| cell.speed_up(id).filter(|_| cell.first().n >= TWO_THREADS_FROM);
        let gains = findings.spread(large);
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), figure);
        let [ten, median, ninety] =
            [gains.percentile(10), gains.median(), gains.percentile(90)].map(shown);
        let _ = writeln!(text, "| {id} | {} | {ten} | {median} | {ninety} |", gains.len());
    }
    text + "\n"
}

fn late_frames(findings: &Findings<'_>) -> String {
    let late = |cell: &Finding<'_>| cell.late_frame(1);
    let frames = findings.spread(late);
    let mut text = format!(
        "## Slow frames\n\nThe slowest frame of `auto` from frame 50 on, over the median frame of `{FULL_SEARCH}`, which \
         searches every frame completely. On one thread.\n\n"
    );
    if frames.len() == 0 {
        return text + "Not measured.\n\n";
    }
    let _ = writeln!(
        text,
        "| cells | median | 90 % | worst |\n|---|---|---|---|\n| {} | {} |\n",
        frames.len(),
        spread(&frames)
    );
    text += "| slowest frame | n | cell | reproduced by |\n|---|---|---|---|\n";
    for (ratio, cell_of) in findings.worst(WORST, late) {
        let row = cell_of.first();
        let (n, what) = (count(row.n as f64), cell(&row.description));
        let _ = writeln!(text, "| {} | {n} | {what} | {} |", figure(ratio), command(row));
    }
    text + "\n"
}

/// Errors one by one, what was skipped by algorithm.
pub(super) fn without_figures(rows: &Rows) -> String {
    let of = |status: Status| rows.rows.iter().filter(move |row| row.status == status);
    let mut text = String::new();
    for row in of(Status::Error) {
        let _ = writeln!(text, "- **error**: {}", fault(row, rows.part).replace('\n', " "));
    }
    for id in sorted(of(Status::Skipped).map(|row| row.algorithm.as_str())) {
        let skipped: Vec<&AtlasRow> = of(Status::Skipped).filter(|r| r.algorithm == id).collect();
        let cells = sorted(skipped.iter().map(|row| row.cell));
        let example = skipped[0].reason_text();
        let _ = writeln!(
            text,
            "- skipped: {id} on {} cells; on cell {}: {}",
            cells.len(),
            skipped[0].cell,
            example.replace('\n', " ")
        );
    }
    if text.is_empty() { text } else { format!("## Rows without figures\n\n{text}\n") }
}
