//! The page `atlas.md`.

mod cells;
mod map;
mod method;
mod traces;

use super::cell_rows::AtlasCells;
use super::charts;
use super::goals;
use super::map::{grids, winners};
use super::plan::AtlasPart;
use super::sources::PartRows;
use crate::study::{Files, Kind, Page, Report, Verdict};
use ::charts::Chart;
use measure::Status;
use measure::numbers::significant;

/// The page of the parts that were measured, its charts, and its results for a terminal.
pub(super) fn report(parts: &[PartRows], files: &Files) -> Report {
    let summary: Vec<String> = parts.iter().flat_map(summary).collect();
    let charts: Vec<(String, Chart)> = parts.iter().flat_map(charts_of).collect();
    let about = "How far `auto` is from the best choice on inputs that were not chosen by hand, and \
                 where it is worst. Computed by `harness atlas` from the rows that are linked below.";
    let mut page = Page::new("The atlas", about, &summary);
    let has_chart = |name: &str| charts.iter().any(|(chart, _)| chart == name);
    for rows in parts {
        match rows.part {
            AtlasPart::Cells => cells::sections(&mut page, rows, &has_chart),
            AtlasPart::Map => map::section(&mut page, rows),
            AtlasPart::Traces => traces::section(&mut page, rows),
        }
    }
    method::method(&mut page, parts);
    parts.iter().for_each(|rows| method::machines(&mut page, rows));
    let charts = charts.into_iter().map(|(name, chart)| (files.data().join(name), chart));
    Report { page, charts: charts.collect(), summary }
}

/// The charts of a part, with the names of their files.
fn charts_of(rows: &PartRows) -> Vec<(String, Chart)> {
    let charts = match rows.part {
        AtlasPart::Cells => {
            let atlas = AtlasCells::new(&rows.rows);
            let named = [
                ("regret.svg", charts::regret(&atlas)),
                ("two-threads.svg", charts::two_threads(&atlas)),
            ];
            named.map(|(name, chart)| (name.to_owned(), chart)).to_vec()
        }
        AtlasPart::Map => {
            let all = grids(&rows.rows);
            let chart = |grid| (map::file(grid), charts::winner_map(grid, &all));
            all.iter().map(chart).collect()
        }
        AtlasPart::Traces => Vec::new(),
    };
    charts.into_iter().filter_map(|(name, chart)| Some((name, chart?))).collect()
}

/// The results of a part in a few lines, for the head of the page and for a terminal.
fn summary(rows: &PartRows) -> Vec<String> {
    let mut lines = match rows.part {
        AtlasPart::Cells => summary_of_cells(rows),
        AtlasPart::Map => {
            let winners = winners(&grids(&rows.rows));
            let won: Vec<String> =
                winners.iter().map(|(id, count)| format!("`{id}` {count}")).collect();
            vec![format!("Cells won of the winner map: {}.", won.join(", "))]
        }
        AtlasPart::Traces => traces::summary(rows),
    };
    let errors = rows.rows.iter().filter(|row| row.status == Status::Error).count();
    if errors > 0 {
        let text = "rows are errors, and no results: their pairs were wrong, or they panicked.";
        lines.push(format!("**{errors} {text}**"));
    }
    lines
}

fn summary_of_cells(rows: &PartRows) -> Vec<String> {
    let atlas = AtlasCells::new(&rows.rows);
    let seed = rows.rows.first().and_then(|row| row.seed).unwrap_or_default();
    let number = atlas.cells.len();
    // More than were measured, if the run was stopped.
    let planned = rows.sources.first().and_then(|source| source.planned()).unwrap_or(number);
    let of_threads = |threads: u32| {
        let regret = atlas.spread(|cell| cell.regret(threads));
        let figures = [regret.median()?, regret.percentile(90)?, regret.worst()?];
        let [median, ninety, worst] = figures.map(significant);
        let plural = if threads == 1 { "" } else { "s" };
        Some(format!(
            "On {} of {planned} cells of seed {seed}, {threads} thread{plural}: `auto` takes {median} times as \
             long as the best champion in the median, {ninety} at the 90th percentile, {worst} at worst.",
            regret.len()
        ))
    };
    let mut lines: Vec<String> = atlas.threads().into_iter().filter_map(of_threads).collect();
    let goals = goals::check(&atlas);
    let count = Verdict::count(Kind::Goal, goals.iter().map(|goal| goal.verdict));
    lines.push(match number < goals::CELLS {
        true => format!("{count}. They were set for {} cells.", goals::CELLS),
        false => format!("{count}."),
    });
    lines
}
