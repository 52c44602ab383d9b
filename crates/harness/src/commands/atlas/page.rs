//! The figures of each drawn cell, their percentiles, the goals, the winners of the map; the page `atlas.md` and its charts.

use super::PartRows;
use super::plan::{AtlasPart, of_threads};
use crate::commands::without_repeats;
use crate::study::{AUTO, Bound, FULL_SEARCH, Kind, Page, Statement, StudyRow, Verdict};
use charts::{Axis, Chart, Dash, Line, Marker, Marks, Numbers, Panel, Point, Rgb, Style, Tile};
use measure::Status;
use measure::numbers::{significant, thousands};

/// Cells in a list of the worst.
const WORST: usize = 10;

/// The page of the parts that were measured.
pub(super) fn report(parts: &[PartRows]) -> Page {
    let about = "How far `auto` is from the best choice on inputs that were not chosen by hand, and \
                 where it is worst. Computed by `harness atlas` from the rows that are linked below. METHODOLOGY.md \
                 describes how it is measured.";
    let mut page = Page::new("The atlas", about, parts.iter().flat_map(summary).collect());
    for rows in parts {
        let atlas = &AtlasCells::new(&rows.rows);
        match rows.part {
            AtlasPart::Cells => cells(&mut page, atlas),
            AtlasPart::Map => winner_map(&mut page, &grids(&rows.rows)),
            AtlasPart::Traces => recorded_motion(&mut page, atlas),
        }
        without_figures(&mut page, rows);
        machines(&mut page, rows);
    }
    page
}

/// Least number of objects for a comparison of two threads with one.
const TWO_THREADS_FROM: u64 = 10_000;

/// The rows of one cell, at least one.
#[derive(Clone, Copy)]
pub(super) struct CellRows<'a>(&'a [StudyRow]);

/// All cells of a study.
pub(super) struct AtlasCells<'a>(pub(super) Vec<CellRows<'a>>);

impl<'a> AtlasCells<'a> {
    /// The cells of rows in the order of the cells.
    pub(super) fn new(rows: &'a [StudyRow]) -> Self {
        Self(rows.chunk_by(|a, b| a.cell == b.cell).map(CellRows).collect())
    }

    /// A figure of each cell that has it.
    pub(super) fn spread(&self, figure: impl Fn(CellRows<'a>) -> Option<f64>) -> Spread {
        self.0.iter().filter_map(|cell| figure(*cell)).collect()
    }

    /// One thread over two, of an algorithm on large cells.
    pub(super) fn speed_ups(&self, id: &str) -> Spread {
        self.spread(|cell| cell.speed_up(id).filter(|_| cell.first().n >= TWO_THREADS_FROM))
    }

    /// The second measurement of a champion over its first or the other way, whichever is larger: 1 except for noise.
    pub(super) fn noise(&self, threads: u32) -> Spread {
        self.spread(|cell| cell.noise(threads).map(|ratio| ratio.max(1.0 / ratio)))
    }

    /// The numbers of threads that were measured, ascending.
    fn threads(&self) -> Vec<u32> {
        sorted(self.0.iter().flat_map(|cell| cell.0.iter().map(|row| row.threads)))
    }

    /// The algorithms that were measured, in the order of their rows.
    fn algorithms(&self) -> Vec<&'a str> {
        let all = self.0.iter().flat_map(|cell| cell.0).map(|row| row.algorithm.as_str());
        without_repeats(&all.collect::<Vec<_>>())
    }

    /// The cells that have a figure, the largest first.
    fn worst(&self, figure: impl Fn(CellRows<'a>) -> Option<f64>) -> Vec<(f64, CellRows<'a>)> {
        let figures = self.0.iter().filter_map(|cell| Some((figure(*cell)?, *cell)));
        let mut all: Vec<(f64, CellRows<'a>)> = figures.collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all
    }
}

impl<'a> CellRows<'a> {
    /// A row, for the properties that all rows of the cell share.
    fn first(self) -> &'a StudyRow {
        &self.0[0]
    }

    /// The rows with figures on this number of threads, without the second measurement.
    fn measured(self, threads: u32) -> impl Iterator<Item = &'a StudyRow> {
        let is_one =
            move |row: &&StudyRow| row.threads == threads && !row.again && row.status == Status::Ok;
        self.0.iter().filter(is_one)
    }

    fn row(self, algorithm: &str, threads: u32) -> Option<&'a StudyRow> {
        self.measured(threads).find(|row| row.algorithm == algorithm)
    }

    /// The mean time of an algorithm, ns.
    fn time(self, algorithm: &str, threads: u32) -> Option<f64> {
        self.row(algorithm, threads)?.mean_ns
    }

    /// The champions with their mean times, `auto` included, the fastest first.
    fn ranked(self, threads: u32) -> Vec<(f64, &'a StudyRow)> {
        let times = self.measured(threads).filter_map(|row| Some((row.mean_ns?, row)));
        let mut times: Vec<(f64, &StudyRow)> = times.collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        times
    }

    /// The champion of the least mean time.
    pub(super) fn best(self, threads: u32) -> Option<&'a StudyRow> {
        self.ranked(threads).first().map(|(_, row)| *row)
    }

    /// The time of an algorithm over that of the best champion, at least 1.
    fn over_best(self, algorithm: &str, threads: u32) -> Option<f64> {
        ratio(self.time(algorithm, threads)?, self.best(threads)?.mean_ns?)
    }

    /// The same of `auto`.
    pub(super) fn regret(self, threads: u32) -> Option<f64> {
        self.over_best(AUTO, threads)
    }

    /// The regret over frames 5 to 44 alone, whose best champion is their own.
    fn early_regret(self, threads: u32) -> Option<f64> {
        let times = self.measured(threads).filter_map(|row| row.early_ns);
        ratio(self.row(AUTO, threads)?.early_ns?, times.min_by(f64::total_cmp)?)
    }

    /// The second measurement of a champion over its first: 1 but for noise.
    pub(super) fn noise(self, threads: u32) -> Option<f64> {
        let again = self.0.iter().find(|row| row.again && row.threads == threads)?;
        ratio(again.mean_ns?, self.time(&again.algorithm, threads)?)
    }

    /// The time on one thread over that on two.
    pub(super) fn speed_up(self, algorithm: &str) -> Option<f64> {
        ratio(self.time(algorithm, 1)?, self.time(algorithm, 2)?)
    }

    /// The slowest frame of `auto` from frame 50 on, over the median frame of a full search.
    pub(super) fn late_frame(self, threads: u32) -> Option<f64> {
        let search = self.row(FULL_SEARCH, threads)?.median_ns?;
        ratio(self.row(AUTO, threads)?.late_worst_ns? as f64, search as f64)
    }
}

fn ratio(a: f64, b: f64) -> Option<f64> {
    let ratio = a / b;
    ratio.is_finite().then_some(ratio)
}

/// Values in ascending order, each once.
fn sorted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Figures in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread(Vec<f64>);

impl FromIterator<f64> for Spread {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        let finite = figures.into_iter().filter(|figure| figure.is_finite());
        let mut sorted: Vec<f64> = finite.collect();
        sorted.sort_by(f64::total_cmp);
        Self(sorted)
    }
}

impl Spread {
    /// The percentile by nearest rank: the least figure that at least this share does not exceed. Of 50, the middle figure;
    /// of an even number the mean of the middle two. `None` without figures.
    fn percentile(&self, percent: usize) -> Option<f64> {
        let all = &self.0;
        if percent == 50 {
            let (lower, upper) = (all.get(all.len().checked_sub(1)? / 2)?, all.get(all.len() / 2)?);
            return Some((lower + upper) / 2.0);
        }
        all.get((all.len() * percent).div_ceil(100).max(1) - 1).copied()
    }

    /// Some percentiles; `None` without figures.
    pub(super) fn percentiles<const N: usize>(&self, percents: [usize; N]) -> Option<[f64; N]> {
        (!self.0.is_empty()).then(|| percents.map(|p| self.percentile(p).unwrap_or(f64::NAN)))
    }
}

/// Number of cells that the goals were set for, of a seed on which nothing was tuned.
const CELLS: usize = 300;

/// The time of `auto` over that of the best champion, by percentiles.
const REGRET: [(usize, Bound); 3] =
    [(50, Bound::AtMost(1.04)), (90, Bound::AtMost(1.2)), (100, Bound::AtMost(1.6))];

/// The time of `auto` on one thread over that on two, by percentiles.
const TWO_THREADS: [(usize, Bound); 2] = [(50, Bound::AtLeast(1.5)), (10, Bound::AtLeast(1.2))];

/// All goals whose figures were measured.
fn check(atlas: &AtlasCells<'_>) -> Vec<Statement> {
    let regrets = atlas.spread(|cell| cell.regret(1));
    let regret = goals("auto over the best champion, one thread", &regrets, &REGRET);
    let what = format!("auto, one thread over two, n from {TWO_THREADS_FROM}");
    let two_threads = goals(&what, &atlas.speed_ups(AUTO), &TWO_THREADS);
    regret.into_iter().chain(two_threads).collect()
}

/// A goal for each percentile.
fn goals(what: &str, spread: &Spread, bounds: &[(usize, Bound)]) -> Vec<Statement> {
    let goal = |&(percent, bound): &(usize, Bound)| {
        let name = match percent {
            50 => "median".to_owned(),
            100 => "worst cell".to_owned(),
            other => format!("{other}th percentile"),
        };
        Some(Statement::exact(format!("{what}, {name}"), spread.percentile(percent)?, bound))
    };
    bounds.iter().filter_map(goal).collect()
}

/// The second quantity of a grid of the winner map; the first is the number of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Speed,
    Movers,
}

impl Over {
    /// The grid's name in rows and files.
    pub(super) fn name(self) -> &'static str {
        ["speed", "movers"][self as usize]
    }

    /// The quantity of a row.
    fn of(self, row: &StudyRow) -> f64 {
        let quantity = if self == Over::Speed { row.speed } else { row.movers };
        quantity.map_or(f64::NAN, f64::from)
    }
}

/// A cell of the map.
struct Won<'a> {
    winner: &'a StudyRow,
    /// The time of the second fastest over that of the fastest.
    ahead: Option<f64>,
}

/// A grid of the map.
pub(super) struct Grid<'a> {
    over: Over,
    cells: Vec<Won<'a>>,
}

/// The grids that were measured.
pub(super) fn grids(rows: &[StudyRow]) -> Vec<Grid<'_>> {
    let grid = |over: Over| {
        let cells = AtlasCells::new(rows).0.into_iter().filter(|c| c.first().grid == over.name());
        Grid { over, cells: cells.filter_map(won).collect() }
    };
    let grids = [Over::Speed, Over::Movers].map(grid);
    grids.into_iter().filter(|grid| !grid.cells.is_empty()).collect()
}

/// The winner of a cell, on the least number of threads.
fn won(cell: CellRows<'_>) -> Option<Won<'_>> {
    let order = cell.ranked(cell.0.iter().map(|row| row.threads).min()?);
    let (least, winner) = *order.first()?;
    Some(Won { winner, ahead: order.get(1).map(|(next, _)| next / least.max(1.0)) })
}

/// The winners of a map with the number of cells that each wins, the most cells first.
pub(super) fn winners<'a>(grids: &[Grid<'a>]) -> Vec<(&'a str, usize)> {
    let all = || grids.iter().flat_map(|grid| &grid.cells).map(|won| won.winner.algorithm.as_str());
    let count = |id: &str| all().filter(|other| *other == id).count();
    let mut winners: Vec<(&str, usize)> =
        sorted(all()).into_iter().map(|id| (id, count(id))).collect();
    winners.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    winners
}

fn shown(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), significant)
}

/// A time in microseconds.
fn micros(ns: Option<f64>) -> String {
    shown(ns.map(|ns| ns / 1e3))
}

/// The number of figures, their median, 90th percentile and worst.
fn spread(spread: &Spread) -> [String; 4] {
    let [median, ninety, worst] = [50, 90, 100].map(|p| shown(spread.percentile(p)));
    [spread.0.len().to_string(), median, ninety, worst]
}

/// The results of a part in a few lines, for the head of the page and for a terminal.
fn summary(rows: &PartRows) -> Vec<String> {
    let atlas = AtlasCells::new(&rows.rows);
    let of_all_threads = |line: &dyn Fn(u32) -> Option<String>| -> Vec<String> {
        atlas.threads().into_iter().filter_map(line).collect()
    };
    let mut lines = match rows.part {
        AtlasPart::Cells => {
            let seed = rows.rows[0].seed.unwrap_or_default();
            // More than were measured, if the run was stopped.
            let planned = rows.sources.first().and_then(|source| source.planned());
            let planned = planned.unwrap_or(atlas.0.len());
            let mut lines = of_all_threads(&|threads| {
                let regrets = atlas.spread(|cell| cell.regret(threads));
                let [median, ninety, worst] = regrets.percentiles([50, 90, 100])?.map(significant);
                Some(format!(
                    "On {} of {planned} cells of seed {seed}, {}: `auto` takes {median} times as long as the best \
                     champion in the median, {ninety} at the 90th percentile, {worst} at worst.",
                    regrets.0.len(),
                    of_threads(threads)
                ))
            });
            let goals = check(&atlas);
            let count = Verdict::count(Kind::Goal, goals.iter().map(|goal| goal.verdict));
            lines.push(match atlas.0.len() < CELLS {
                true => format!("{count}. They were set for {CELLS} cells."),
                false => format!("{count}."),
            });
            lines
        }
        AtlasPart::Map => {
            let winners = winners(&grids(&rows.rows));
            let won = winners.iter().map(|(id, count)| format!("`{id}` {count}"));
            let won: Vec<String> = won.collect();
            vec![format!("Cells won of the winner map: {}.", won.join(", "))]
        }
        AtlasPart::Traces => of_all_threads(&|threads| {
            let worst = atlas.worst(|cell| cell.regret(threads));
            let (regret, cell) = worst.first()?;
            let median = atlas.spread(|cell| cell.regret(threads)).percentile(50)?;
            Some(format!(
                "On {} traces, {}: `auto` takes {} times as long as the best champion in the median, {} at worst ({}).",
                worst.len(),
                of_threads(threads),
                significant(median),
                significant(*regret),
                cell.first().description
            ))
        }),
    };
    let errors = rows.rows.iter().filter(|row| row.status == Status::Error).count();
    if errors > 0 {
        let text = "rows are errors, and no results: their pairs were wrong, or they panicked.";
        lines.push(format!("**{errors} {text}**"));
    }
    lines
}

/// The sections of drawn cells.
fn cells(page: &mut Page, atlas: &AtlasCells<'_>) {
    page.section("Goals", "");
    let goal = |Statement { what, verdict, figure, basis }| {
        [what, figure, basis, verdict.word(Kind::Goal)]
    };
    page.table(["what", "is", "goal", ""], check(atlas).into_iter().map(goal));

    page.section(
        "Regret",
        "The mean time of `auto` over that of the best champion. \"Again\" is a champion that was measured twice: the larger \
         of both times over the smaller. A regret below it is noise.",
    );
    let caption = "Regret of all cells in ascending order";
    page.chart(caption, "atlas/regret.svg", regret_chart(atlas));
    let row = |threads: u32| {
        let all = spread(&atlas.spread(|cell| cell.regret(threads)));
        let [_, early @ ..] = spread(&atlas.spread(|cell| cell.early_regret(threads)));
        let [_, again @ ..] = spread(&atlas.noise(threads));
        [threads.to_string()].into_iter().chain(all).chain(early).chain(again).collect::<Vec<_>>()
    };
    let header = "threads | cells | median | 90 % | worst | frames 5 to 44: median | 90 % | worst | again: median | 90 % | worst";
    page.table(header.split(" | "), atlas.threads().into_iter().map(row));

    page.section(&format!("The {WORST} worst cells"), "By the regret on one thread.");
    worst_cells(page, atlas, (AtlasPart::Cells, 1), WORST);

    page.section("Regret by property", "On one thread.");
    let header = ["", "cells", "median", "90 %", "worst"];
    page.table(header, PROPERTIES.iter().flat_map(|property| by_property(atlas, *property)));

    let about =
        "Cells on which each is the fastest, and its time over that of the fastest, on one thread.";
    page.section("The champions", about);
    let row = |id: &str| {
        let best = atlas.0.iter().filter_map(|cell| cell.best(1));
        let won = best.filter(|best| best.algorithm == id).count();
        let over = atlas.spread(|cell| cell.over_best(id, 1));
        let ([_, median, ninety, worst], without) = (spread(&over), atlas.0.len() - over.0.len());
        [id.to_owned(), won.to_string(), median, ninety, worst, without.to_string()]
    };
    let header = "algorithm | cells won | median | 90 % | worst | without figures";
    page.table(header.split(" | "), atlas.algorithms().into_iter().map(row));

    let about = format!(
        "The mean time on one thread over that on two, of cells from {TWO_THREADS_FROM} objects on."
    );
    page.section("Two threads over one", &about);
    let caption = "Two threads over one, cells in ascending order";
    if page.chart(caption, "atlas/two-threads.svg", two_threads_chart(atlas)) {
        let row = |id: &str| {
            let gains = atlas.speed_ups(id);
            let [ten, median, ninety] = [10, 50, 90].map(|p| shown(gains.percentile(p)));
            [id.to_owned(), gains.0.len().to_string(), ten, median, ninety]
        };
        let header = ["algorithm", "cells", "10 %", "median", "90 %"];
        page.table(header, atlas.algorithms().into_iter().map(row));
    } else {
        page.paragraph("Not measured.");
    }
    late_frames(page, atlas);
}

/// The cells of the largest regret on a number of threads.
fn worst_cells(
    page: &mut Page,
    atlas: &AtlasCells<'_>,
    (part, threads): (AtlasPart, u32),
    most: usize,
) {
    let row = |(regret, cell): (f64, CellRows<'_>)| {
        let (row, best) = (cell.first(), cell.best(threads));
        [
            significant(regret),
            shown(cell.noise(threads)),
            thousands(row.n as f64),
            row.description.clone(),
            best.map_or("-", |best| &best.algorithm).to_owned(),
            micros(best.and_then(|best| best.mean_ns)),
            micros(cell.time(AUTO, threads)),
            part.command(row),
        ]
    };
    let header = "regret | again | n | cell | best champion | its us | auto us | reproduced by";
    let worst = atlas.worst(|cell| cell.regret(threads)).into_iter().take(most);
    page.table(header.split(" | "), worst.map(row));
}

fn late_frames(page: &mut Page, atlas: &AtlasCells<'_>) {
    let about = format!(
        "The slowest frame of `auto` from frame 50 on, over the median frame of `{FULL_SEARCH}`, which \
         searches every frame completely. On one thread."
    );
    page.section("Slow frames", &about);
    let worst = atlas.worst(|cell| cell.late_frame(1));
    if worst.is_empty() {
        return page.paragraph("Not measured.");
    }
    let frames = spread(&atlas.spread(|cell| cell.late_frame(1)));
    page.table(["cells", "median", "90 %", "worst"], [frames]);
    let row = |(ratio, cell): (f64, CellRows<'_>)| {
        let row = cell.first();
        let (n, command) = (thousands(row.n as f64), AtlasPart::Cells.command(row));
        [significant(ratio), n, row.description.clone(), command]
    };
    let header = ["slowest frame", "n", "cell", "reproduced by"];
    page.table(header, worst.into_iter().take(WORST).map(row));
}

/// A property of a cell in words.
type Property = fn(&StudyRow) -> String;

/// The properties that regrets are grouped by.
const PROPERTIES: [Property; 6] = [
    |row| format!("n from {}", 10f64.powf((row.n as f64).log10().floor())),
    |row| format!("placement {}", row.placement),
    |row| format!("sizes {}", row.sizes),
    |row| format!("motion {}", row.motion),
    |row| format!("speed from {}", significant(10f64.powf(Over::Speed.of(row).log10().floor()))),
    |row| match Over::Movers.of(row) {
        share if share >= 1.0 => "all move".to_owned(),
        share if share >= 0.1 => "10 % to all move".to_owned(),
        _ => "less than 10 % move".to_owned(),
    },
];

/// A row for each value of a property.
fn by_property(atlas: &AtlasCells<'_>, property: Property) -> Vec<[String; 5]> {
    let row = |value: String| {
        let is_one = |cell: CellRows<'_>| property(cell.first()) == value;
        let regrets = atlas.spread(|cell| cell.regret(1).filter(|_| is_one(cell)));
        let [cells, median, ninety, worst] = spread(&regrets);
        [value, cells, median, ninety, worst]
    };
    sorted(atlas.0.iter().map(|cell| property(cell.first()))).into_iter().map(row).collect()
}

/// Errors one by one, and skipped cells by algorithm.
fn without_figures(page: &mut Page, rows: &PartRows) {
    let of = |status: Status| rows.rows.iter().filter(move |row| row.status == status);
    let errors = of(Status::Error)
        .map(|row| format!("**error**: {}", rows.part.fault(row).replace('\n', " ")));
    let skipped = sorted(of(Status::Skipped).map(|row| row.algorithm.as_str()));
    let skipped = skipped.into_iter().filter_map(|id| {
        let own = || of(Status::Skipped).filter(|row| row.algorithm == id);
        let (cells, first) = (sorted(own().map(|row| row.cell)).len(), own().next()?);
        let (cell, reason) = (first.cell, first.reason_text().replace('\n', " "));
        Some(format!("skipped: {id} on {cells} cells; on cell {cell}: {reason}"))
    });
    let lines: Vec<String> = errors.chain(skipped).collect();
    if !lines.is_empty() {
        let of = ["", " of the winner map", " of recorded motion"][rows.part as usize];
        page.section(&format!("Rows{of} without figures"), "");
        page.list(lines);
    }
}

/// Both charts, and the winners.
fn winner_map(page: &mut Page, grids: &[Grid<'_>]) {
    page.section(
        "The winner map",
        "The fastest entry of the whole registry on a gas of equal cubes in straight flight, one overlap \
         each, on one thread. The number in a tile is the time of the second fastest over that of the \
         fastest.",
    );
    for grid in grids {
        let (what, fixed) = match grid.over {
            Over::Speed => ("speed", "all objects move"),
            Over::Movers => ("share of objects that move", "at 0.05 usual sides a frame"),
        };
        page.paragraph(&format!("Number of objects and {what}, {fixed}:"));
        let file = format!("atlas/winners-{}.svg", grid.over.name());
        page.chart(&format!("Winners over {what}"), &file, map_chart(grid, grids));
    }
    let winners = winners(grids).into_iter().map(|(id, cells)| [id.to_owned(), cells.to_string()]);
    page.table(["winner", "cells"], winners);
}

/// A row for each trace and number of threads.
fn recorded_motion(page: &mut Page, atlas: &AtlasCells<'_>) {
    let about = "The mean time of `auto` over that of the best champion on boxes that other programs recorded. \"Again\" is a \
                 champion that was measured twice, its second time over its first: what differs from 1 is noise.";
    page.section("Recorded motion", about);
    for threads in atlas.threads() {
        page.paragraph(&format!("On {}:", of_threads(threads)));
        worst_cells(page, atlas, (AtlasPart::Traces, threads), usize::MAX);
    }
}

/// Where the rows of a part are and were measured, and what makes them doubtful.
fn machines(page: &mut Page, rows: &PartRows) {
    let (folder, file) = (rows.part.folder(), rows.part.file());
    page.section(&format!("Machine: {folder}"), "");
    let cells = |is_wanted: &dyn Fn(&StudyRow) -> bool| {
        sorted(rows.rows.iter().filter(|row| is_wanted(row)).map(|row| row.cell)).len()
    };
    let repeats = sorted(rows.rows.iter().map(|row| row.repeats));
    let doubt = repeats[0] < 5 && rows.part != AtlasPart::Map;
    let repeats: Vec<String> = repeats.iter().map(u32::to_string).collect();
    let (all, proven, repeats) = (cells(&|_| true), cells(&|row| row.proven), repeats.join(", "));
    let measured = format!(
        "[Rows](atlas/{folder}/{file}) of {repeats} repetitions. The pairs of {proven} of {all} cells were compared with \
         brute force."
    );
    let doubt = doubt.then(|| "Doubtful: fewer than five repetitions.".to_owned());
    page.list([measured].into_iter().chain(doubt));
    for source in &rows.sources {
        let shard = source.shard();
        let own = shard.map_or_else(String::new, |shard| format!("/{}", shard.folder()));
        page.machine(&source.machine, &format!("atlas/{folder}{own}/machine.json"));
        let warnings =
            source.machine.warnings.iter().map(|warning| format!("Doubtful: {warning}."));
        page.list(warnings);
    }
}

/// Height of a row of a map, mm.
const ROW_MM: f64 = 9.0;
/// Longest name of an algorithm that fits into a tile.
const LONGEST_NAME: usize = 14;
/// Style of goals.
const GOAL: Style = Style { color: Rgb(60, 60, 60), marker: Marker::Diamond, dash: Dash::Dotted };

/// The regret of all cells in ascending order, with the noise; `None` without a regret.
fn regret_chart(atlas: &AtlasCells<'_>) -> Option<Chart> {
    let regret = |(index, threads): (usize, u32)| {
        let regrets = atlas.spread(|cell| cell.regret(threads));
        curve(format!("{AUTO}, {}", of_threads(threads)), index + 1, &regrets)
    };
    let mut lines: Vec<Line> = atlas.threads().into_iter().enumerate().filter_map(regret).collect();
    let noise = atlas.noise(atlas.threads().first().copied().unwrap_or(1));
    let is_there = !lines.is_empty();
    lines.extend(curve("a champion again (noise)".to_owned(), 0, &noise));
    lines.push(goal_line(&REGRET));
    let y = Axis::log("time over that of the best champion");
    let chart = Chart::new(Axis::shares("cells, the least regret first"), y).wide();
    is_there.then(|| chart.with(Panel::new(Marks::Lines(lines))))
}

/// One thread over two of large cells in ascending order.
fn two_threads_chart(atlas: &AtlasCells<'_>) -> Option<Chart> {
    let speed_ups = curve(AUTO.to_owned(), 1, &atlas.speed_ups(AUTO))?;
    let [median, ten] = TWO_THREADS;
    let lines = vec![speed_ups, goal_line(&[ten, median])];
    let y = Axis::log("time on one thread over that on two");
    let x = Axis::shares(format!("cells from {TWO_THREADS_FROM} objects on"));
    Some(Chart::new(x, y).wide().with(Panel::new(Marks::Lines(lines))))
}

/// Figures in ascending order over the share of cells.
fn curve(name: String, look: usize, Spread(figures): &Spread) -> Option<Line> {
    let count = figures.len() as f64;
    let point = |(at, figure): (usize, &f64)| Point::new((at as f64 + 0.5) / count, *figure);
    let points: Vec<Point> = figures.iter().enumerate().map(point).collect();
    // Markers distinguish a few cells; many would hide the curve.
    let marker = if points.len() > 30 { Marker::None } else { Style::nth(look).marker };
    let style = Style { marker, ..Style::nth(look) };
    (!points.is_empty()).then_some(Line { name, style, points })
}

fn goal_line(goals: &[(usize, Bound)]) -> Line {
    let point =
        |(percent, bound): &(usize, Bound)| Point::new(*percent as f64 / 100.0, bound.value());
    Line { name: "goals".to_owned(), style: GOAL, points: goals.iter().map(point).collect() }
}

/// A grid of the winner map. A winner has the same color in `all` grids.
fn map_chart(grid: &Grid<'_>, all: &[Grid<'_>]) -> Option<Chart> {
    let order = winners(all);
    let values = |of: &dyn Fn(&StudyRow) -> f64| {
        let Spread(mut values) = grid.cells.iter().map(|won| of(won.winner)).collect();
        values.dedup();
        values
    };
    let numbers = values(&|row| row.n as f64);
    let over = values(&|row| grid.over.of(row));
    let tile = |Won { winner, ahead }: &Won<'_>| {
        let name = &winner.algorithm;
        let look = order.iter().position(|(id, _)| id == name).unwrap_or_default();
        Tile {
            x: ends(winner.n as f64, &numbers),
            y: ends(grid.over.of(winner), &over),
            name: name.clone(),
            color: Style::nth(look).color.pale(),
            label: broken(name).into_iter().chain(ahead.map(significant)).collect(),
        }
    };
    let axis = |label: &str, values: &[f64]| {
        let (first, last) = (*values.first()?, *values.last()?);
        let axis = Axis::log(label).within(ends(first, values)[0], ends(last, values)[1]);
        Some(axis.labelled_at(values.to_vec()))
    };
    let x = axis("objects", &numbers)?;
    let y = match grid.over {
        Over::Speed => axis("speed, usual sides a frame", &over)?,
        Over::Movers => Axis { numbers: Numbers::Percent, ..axis("objects that move", &over)? },
    };
    let panel_mm = ROW_MM * over.len() as f64;
    let tiles = grid.cells.iter().map(tile).collect();
    let chart = Chart::new(x, y).wide().with(Panel::new(Marks::Tiles(tiles)));
    Some(Chart { panel_mm, ..chart })
}

/// The ends of the tile of a value: half way to its neighbours, on a logarithmic scale.
fn ends(value: f64, values: &[f64]) -> [f64; 2] {
    let at = values.iter().position(|other| *other == value).unwrap_or_default();
    let below = at.checked_sub(1).map(|at| (value / values[at]).sqrt());
    let above = values.get(at + 1).map(|next| (next / value).sqrt());
    let usual = below.or(above).unwrap_or(2.0);
    [value / below.unwrap_or(usual), value * above.unwrap_or(usual)]
}

/// A name as one line, or as two if it is long, split at the hyphen or plus nearest to its middle.
fn broken(name: &str) -> Vec<String> {
    let marks = name.match_indices(['-', '+']).map(|(at, _)| at);
    let nearest = marks.min_by_key(|at| at.abs_diff(name.len() / 2));
    match nearest.filter(|_| name.len() > LONGEST_NAME) {
        Some(at) => vec![name[..=at].to_owned(), name[at + 1..].to_owned()],
        None => vec![name.to_owned()],
    }
}
