//! The figures of each drawn cell, their percentiles, the goals, and the winners of the map.

use crate::study::{AUTO, Bound, FULL_SEARCH, Statement, StudyRow};
use measure::Status;

/// Least number of objects for a comparison of two threads with one.
pub(super) const TWO_THREADS_FROM: u64 = 10_000;

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
    pub(super) fn threads(&self) -> Vec<u32> {
        sorted(self.0.iter().flat_map(|cell| cell.0.iter().map(|row| row.threads)))
    }

    /// The algorithms that were measured, in the order of their rows.
    pub(super) fn algorithms(&self) -> Vec<&'a str> {
        let mut ids: Vec<&str> = Vec::new();
        for row in self.0.iter().flat_map(|cell| cell.0) {
            if !ids.contains(&row.algorithm.as_str()) {
                ids.push(&row.algorithm);
            }
        }
        ids
    }

    /// The cells that have a figure, the largest first.
    pub(super) fn worst(
        &self,
        figure: impl Fn(CellRows<'a>) -> Option<f64>,
    ) -> Vec<(f64, CellRows<'a>)> {
        let figures = self.0.iter().filter_map(|cell| Some((figure(*cell)?, *cell)));
        let mut all: Vec<(f64, CellRows<'a>)> = figures.collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all
    }
}

impl<'a> CellRows<'a> {
    /// A row, for the properties that all rows of the cell share.
    pub(super) fn first(self) -> &'a StudyRow {
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
    pub(super) fn time(self, algorithm: &str, threads: u32) -> Option<f64> {
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
    pub(super) fn over_best(self, algorithm: &str, threads: u32) -> Option<f64> {
        ratio(self.time(algorithm, threads)?, self.best(threads)?.mean_ns?)
    }

    /// The same of `auto`.
    pub(super) fn regret(self, threads: u32) -> Option<f64> {
        self.over_best(AUTO, threads)
    }

    /// The regret over frames 5 to 44 alone, whose best champion is their own.
    pub(super) fn early_regret(self, threads: u32) -> Option<f64> {
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
pub(super) fn sorted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Figures in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread(pub(super) Vec<f64>);

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
    pub(super) fn percentile(&self, percent: usize) -> Option<f64> {
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
pub(super) const CELLS: usize = 300;

/// The time of `auto` over that of the best champion, by percentiles.
pub(super) const REGRET: [(usize, Bound); 3] =
    [(50, Bound::AtMost(1.04)), (90, Bound::AtMost(1.2)), (100, Bound::AtMost(1.6))];

/// The time of `auto` on one thread over that on two, by percentiles.
pub(super) const TWO_THREADS: [(usize, Bound); 2] =
    [(50, Bound::AtLeast(1.5)), (10, Bound::AtLeast(1.2))];

/// All goals whose figures were measured.
pub(super) fn check(atlas: &AtlasCells<'_>) -> Vec<Statement> {
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
    pub(super) fn of(self, row: &StudyRow) -> f64 {
        let quantity = if self == Over::Speed { row.speed } else { row.movers };
        quantity.map_or(f64::NAN, f64::from)
    }
}

/// A cell of the map.
pub(super) struct Won<'a> {
    pub(super) winner: &'a StudyRow,
    /// The time of the second fastest over that of the fastest.
    pub(super) ahead: Option<f64>,
}

/// A grid of the map.
pub(super) struct Grid<'a> {
    pub(super) over: Over,
    pub(super) cells: Vec<Won<'a>>,
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
