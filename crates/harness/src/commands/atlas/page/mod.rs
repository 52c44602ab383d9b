//! The page `atlas.md`.

mod cells;
mod map;
mod method;

use super::Rows;
use super::charts;
use super::findings::Findings;
use super::goals::{self, Judged};
use super::map::{Grid, grids, winners};
use crate::study::Verdict;
use crate::study::numbers::figure;
use ::charts::Chart;
use measure::Status;
use std::fmt::Write;

/// What the page shows: drawn cells and the winner map, as far as they were measured.
pub(super) struct Page<'a> {
    cells: Option<(&'a Rows, Findings<'a>, Vec<Judged>)>,
    map: Option<(&'a Rows, Vec<Grid<'a>>)>,
}

impl<'a> Page<'a> {
    pub(super) fn new(cells: Option<&'a Rows>, map: Option<&'a Rows>) -> Self {
        let cells = cells.map(|rows| {
            let findings = Findings::new(&rows.rows);
            let judged = goals::judge(&findings);
            (rows, findings, judged)
        });
        let map = map.map(|rows| (rows, grids(&rows.rows)));
        Self { cells, map }
    }

    /// The figures, by the names of their files.
    pub(super) fn charts(&self) -> Vec<(String, Chart)> {
        let mut all = Vec::new();
        if let Some((_, findings, _)) = &self.cells {
            let named = |name: &str, chart: Option<Chart>| Some((name.to_owned(), chart?));
            all.extend(named("regret.svg", charts::regret(findings)));
            all.extend(named("two-threads.svg", charts::two_threads(findings)));
        }
        if let Some((_, grids)) = &self.map {
            let chart =
                |grid: &Grid<'_>| Some((map::file(grid.over), charts::winner_map(grid, grids)?));
            all.extend(grids.iter().filter_map(chart));
        }
        all
    }

    /// The page in a few lines, for its head and for a terminal.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((rows, findings, judged)) = &self.cells {
            let seed = rows.rows.first().map_or(0, |row| row.seed);
            let number = findings.cells.len();
            // More than were measured, if the run was stopped.
            let planned = rows.sources.first().and_then(|source| source.planned());
            let planned = planned.unwrap_or(number);
            for threads in findings.threads() {
                let regret = findings.spread(|cell| cell.regret(threads));
                let (Some(median), Some(ninety), Some(worst)) =
                    (regret.median(), regret.percentile(90), regret.worst())
                else {
                    continue;
                };
                let plural = if threads == 1 { "" } else { "s" };
                lines.push(format!(
                    "On {} of {planned} cells of seed {seed}, {threads} thread{plural}: `auto` takes \
                     {} times as long as the best champion in the median, {} at the 90th percentile, \
                     {} at worst.",
                    regret.len(),
                    figure(median),
                    figure(ninety),
                    figure(worst)
                ));
            }
            lines.push(goals_line(judged, number));
            lines.extend(errors(rows));
        }
        if let Some((rows, grids)) = &self.map {
            let won: Vec<String> =
                winners(grids).iter().map(|(id, count)| format!("`{id}` {count}")).collect();
            lines.push(format!("Cells won of the winner map: {}.", won.join(", ")));
            lines.extend(errors(rows));
        }
        lines
    }

    /// The page as Markdown.
    pub(super) fn markdown(&self) -> String {
        let mut page = String::from(
            "# The atlas\n\nHow far `auto` is from the best choice on inputs that were not chosen by \
             hand, and where it is worst. Made by `harness atlas` from the rows that are linked \
             below; nothing is written by hand.\n\n",
        );
        for line in self.summary() {
            let _ = writeln!(page, "- {line}");
        }
        page.push('\n');
        let charts = self.charts();
        let has = |name: &str| charts.iter().any(|(chart, _)| chart == name);
        if let Some((rows, findings, judged)) = &self.cells {
            page += &cells::sections(rows, findings, judged, &has);
        }
        if let Some((rows, grids)) = &self.map {
            page += &map::section(rows, grids);
        }
        page += &method::method(self.cells.as_ref().map(|(rows, ..)| *rows));
        let cells = self.cells.iter().map(|(rows, ..)| *rows);
        let parts = cells.chain(self.map.iter().map(|(rows, _)| *rows));
        parts.fold(page, |page, rows| page + &method::machines(rows))
    }
}

fn goals_line(judged: &[Judged], cells: usize) -> String {
    let of = |verdict: Verdict| judged.iter().filter(|goal| goal.verdict() == verdict).count();
    let few = match cells < goals::CELLS {
        true => format!(", which were set for {} cells", goals::CELLS),
        false => String::new(),
    };
    let (met, missed) = (of(Verdict::Met), of(Verdict::Missed));
    format!("{} goals{few}: {met} met, {missed} missed.", judged.len())
}

fn errors(rows: &Rows) -> Option<String> {
    let errors = rows.rows.iter().filter(|row| row.status == Status::Error).count();
    let text = "rows are errors, and no results: their pairs were wrong, or they panicked.";
    (errors > 0).then(|| format!("**{errors} {text}**"))
}
