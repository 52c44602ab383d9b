//! The page `atlas.md`.

mod cells;
mod map;
mod method;
mod traces;

use super::cell_rows::AtlasCells;
use super::charts;
use super::goals;
use super::map::{Grid, grids, winners};
use super::sources::PartRows;
use crate::study::{Kind, Page, Statement, Verdict};
use ::charts::Chart;
use measure::Status;
use measure::numbers::significant;

/// The content of the page: drawn cells, the winner map and recorded motion, as far as they were measured.
pub(super) struct Contents<'a> {
    cells: Option<(&'a PartRows, AtlasCells<'a>, Vec<Statement>)>,
    map: Option<(&'a PartRows, Vec<Grid<'a>>)>,
    traces: Option<(&'a PartRows, AtlasCells<'a>)>,
}

impl<'a> Contents<'a> {
    pub(super) fn new(
        cells: Option<&'a PartRows>,
        map: Option<&'a PartRows>,
        traces: Option<&'a PartRows>,
    ) -> Self {
        let cells = cells.map(|rows| {
            let atlas = AtlasCells::new(&rows.rows);
            let goals = goals::check(&atlas);
            (rows, atlas, goals)
        });
        let map = map.map(|rows| (rows, grids(&rows.rows)));
        let traces = traces.map(|rows| (rows, AtlasCells::new(&rows.rows)));
        Self { cells, map, traces }
    }

    /// The charts, with the names of their files.
    pub(super) fn charts(&self) -> Vec<(String, Chart)> {
        let mut all = Vec::new();
        if let Some((_, atlas, _)) = &self.cells {
            let named = |name: &str, chart: Option<Chart>| Some((name.to_owned(), chart?));
            all.extend(named("regret.svg", charts::regret(atlas)));
            all.extend(named("two-threads.svg", charts::two_threads(atlas)));
        }
        if let Some((_, grids)) = &self.map {
            let chart =
                |grid: &Grid<'_>| Some((map::file(grid.over), charts::winner_map(grid, grids)?));
            all.extend(grids.iter().filter_map(chart));
        }
        all
    }

    /// The results in a few lines, for the head of the page and for a terminal.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((rows, atlas, goals)) = &self.cells {
            let seed = rows.rows.first().and_then(|row| row.seed).unwrap_or_default();
            let number = atlas.cells.len();
            // More than were measured, if the run was stopped.
            let planned = rows.sources.first().and_then(|source| source.planned());
            let planned = planned.unwrap_or(number);
            for threads in atlas.threads() {
                let regret = atlas.spread(|cell| cell.regret(threads));
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
                    significant(median),
                    significant(ninety),
                    significant(worst)
                ));
            }
            let count = Verdict::count(Kind::Goal, goals.iter().map(|goal| goal.verdict));
            lines.push(match number < goals::CELLS {
                true => format!("{count}. They were set for {} cells.", goals::CELLS),
                false => format!("{count}."),
            });
            lines.extend(errors(rows));
        }
        if let Some((rows, grids)) = &self.map {
            let won: Vec<String> =
                winners(grids).iter().map(|(id, count)| format!("`{id}` {count}")).collect();
            lines.push(format!("Cells won of the winner map: {}.", won.join(", ")));
            lines.extend(errors(rows));
        }
        if let Some((rows, atlas)) = &self.traces {
            lines.extend(traces::summary(atlas));
            lines.extend(errors(rows));
        }
        lines
    }

    /// The page, with those of `charts` that exist.
    pub(super) fn page(&self, charts: &[(String, Chart)]) -> Page {
        let about = "How far `auto` is from the best choice on inputs that were not chosen by hand, and \
                     where it is worst. Computed by `harness atlas` from the rows that are linked below.";
        let mut page = Page::new("The atlas", about, &self.summary());
        let has_chart = |name: &str| charts.iter().any(|(chart, _)| chart == name);
        if let Some((rows, atlas, goals)) = &self.cells {
            cells::sections(&mut page, rows, atlas, goals, &has_chart);
        }
        if let Some((rows, grids)) = &self.map {
            map::section(&mut page, rows, grids);
        }
        if let Some((rows, atlas)) = &self.traces {
            traces::section(&mut page, rows, atlas);
        }
        let cells = self.cells.as_ref().map(|(rows, ..)| *rows);
        let traces = self.traces.as_ref().map(|(rows, _)| *rows);
        method::method(&mut page, cells, traces.is_some());
        let map = self.map.as_ref().map(|(rows, _)| *rows);
        let parts = cells.into_iter().chain(map).chain(traces);
        parts.for_each(|rows| method::machines(&mut page, rows));
        page
    }
}

fn errors(rows: &PartRows) -> Option<String> {
    let errors = rows.rows.iter().filter(|row| row.status == Status::Error).count();
    let text = "rows are errors, and no results: their pairs were wrong, or they panicked.";
    (errors > 0).then(|| format!("**{errors} {text}**"))
}
