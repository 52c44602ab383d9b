//! The figures of each drawn cell, their percentiles, and the goals. Those were set for 300 cells of a seed on which
//! nothing was tuned.

use crate::study::{AUTO, Bound, FULL_SEARCH, Statement, StudyRow};
use measure::Status;

/// Least number of objects for a comparison of two threads with one.
pub(super) const TWO_THREADS_FROM: u64 = 10_000;

/// All cells of a study.
pub(super) struct AtlasCells<'a> {
    pub(super) cells: Vec<CellRows<'a>>,
}

/// The rows of one cell.
pub(super) struct CellRows<'a> {
    /// At least one.
    rows: &'a [StudyRow],
}

impl<'a> AtlasCells<'a> {
    /// The cells of rows in the order of the cells.
    pub(super) fn new(rows: &'a [StudyRow]) -> Self {
        let cells = rows.chunk_by(|a, b| a.cell == b.cell).map(|rows| CellRows { rows });
        Self { cells: cells.collect() }
    }

    /// A figure of each cell that has it.
    pub(super) fn spread(&self, figure: impl Fn(&CellRows<'a>) -> Option<f64>) -> Spread {
        self.cells.iter().filter_map(figure).collect()
    }

    /// One thread over two, of `auto` on large cells.
    pub(super) fn speed_ups(&self) -> Spread {
        self.spread(|cell| cell.speed_up(AUTO).filter(|_| cell.first().n >= TWO_THREADS_FROM))
    }

    /// The numbers of threads that were measured, ascending.
    pub(super) fn threads(&self) -> Vec<u32> {
        sorted(self.cells.iter().flat_map(|cell| cell.rows.iter().map(|row| row.threads)))
    }

    /// The algorithms that were measured, in the order of their rows.
    pub(super) fn algorithms(&self) -> Vec<&'a str> {
        let mut ids: Vec<&str> = Vec::new();
        for row in self.cells.iter().flat_map(|cell| cell.rows) {
            if !ids.contains(&row.algorithm.as_str()) {
                ids.push(&row.algorithm);
            }
        }
        ids
    }

    /// The cells with the largest of a figure, the largest first.
    pub(super) fn worst(
        &self,
        most: usize,
        figure: impl Fn(&CellRows<'a>) -> Option<f64>,
    ) -> Vec<(f64, &CellRows<'a>)> {
        let mut all: Vec<(f64, &CellRows<'a>)> =
            self.cells.iter().filter_map(|cell| Some((figure(cell)?, cell))).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.truncate(most);
        all
    }
}

impl<'a> CellRows<'a> {
    /// A row, for the properties that all rows of the cell share.
    pub(super) fn first(&self) -> &'a StudyRow {
        &self.rows[0]
    }

    /// The rows with figures on this number of threads, without the second measurement.
    pub(super) fn measured(&self, threads: u32) -> impl Iterator<Item = &'a StudyRow> {
        let is_one =
            move |row: &&StudyRow| row.threads == threads && !row.again && row.status == Status::Ok;
        self.rows.iter().filter(is_one)
    }

    fn row(&self, algorithm: &str, threads: u32) -> Option<&'a StudyRow> {
        self.measured(threads).find(|row| row.algorithm == algorithm)
    }

    /// The mean time of an algorithm, ns.
    pub(super) fn time(&self, algorithm: &str, threads: u32) -> Option<f64> {
        self.row(algorithm, threads)?.mean_ns
    }

    /// The champion of the least mean time, `auto` included.
    pub(super) fn best(&self, threads: u32) -> Option<&'a StudyRow> {
        self.least(threads, |row| row.mean_ns).map(|(_, row)| row)
    }

    fn least(
        &self,
        threads: u32,
        time: impl Fn(&StudyRow) -> Option<f64>,
    ) -> Option<(f64, &'a StudyRow)> {
        let times = self.measured(threads).filter_map(|row| Some((time(row)?, row)));
        times.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The time of an algorithm over that of the best champion, at least 1.
    pub(super) fn over_best(&self, algorithm: &str, threads: u32) -> Option<f64> {
        ratio(self.time(algorithm, threads)?, self.best(threads)?.mean_ns?)
    }

    /// The same of `auto`.
    pub(super) fn regret(&self, threads: u32) -> Option<f64> {
        self.over_best(AUTO, threads)
    }

    /// The regret over frames 5 to 44 alone, whose best champion is their own.
    pub(super) fn early_regret(&self, threads: u32) -> Option<f64> {
        let (least, _) = self.least(threads, |row| row.early_ns)?;
        ratio(self.row(AUTO, threads)?.early_ns?, least)
    }

    /// The second measurement of a champion over its first: 1 but for noise.
    pub(super) fn noise(&self, threads: u32) -> Option<f64> {
        let again = self.rows.iter().find(|row| row.again && row.threads == threads)?;
        ratio(again.mean_ns?, self.time(&again.algorithm, threads)?)
    }

    /// The time on one thread over that on two.
    pub(super) fn speed_up(&self, algorithm: &str) -> Option<f64> {
        ratio(self.time(algorithm, 1)?, self.time(algorithm, 2)?)
    }

    /// The slowest frame of `auto` from frame 50 on, over the median frame of a full search.
    pub(super) fn late_frame(&self, threads: u32) -> Option<f64> {
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
pub(super) struct Spread(Vec<f64>);

impl FromIterator<f64> for Spread {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        let mut sorted: Vec<f64> =
            figures.into_iter().filter(|figure| figure.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        Self(sorted)
    }
}

impl Spread {
    /// The figures, the least first.
    pub(super) fn sorted(&self) -> &[f64] {
        &self.0
    }

    /// Their number.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The middle figure; of an even number the mean of the middle two. `None` without figures.
    pub(super) fn median(&self) -> Option<f64> {
        let upper = *self.0.get(self.0.len() / 2)?;
        let lower = *self.0.get((self.0.len() - 1) / 2)?;
        Some((lower + upper) / 2.0)
    }

    /// The percentile by nearest rank, 1 to 100: the least figure that at least this share does not exceed.
    pub(super) fn percentile(&self, percent: usize) -> Option<f64> {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0.get(rank.max(1) - 1).copied()
    }

    /// The largest figure.
    pub(super) fn worst(&self) -> Option<f64> {
        self.0.last().copied()
    }
}

/// Number of cells that the goals were set for.
pub(super) const CELLS: usize = 300;

/// The time of `auto` over that of the best champion: median, 90th percentile, worst cell.
pub(super) const REGRET: [(usize, Bound); 3] =
    [(50, Bound::AtMost(1.04)), (90, Bound::AtMost(1.2)), (100, Bound::AtMost(1.6))];

/// The time of `auto` on one thread over that on two: median, 10th percentile.
pub(super) const TWO_THREADS: [(usize, Bound); 2] =
    [(50, Bound::AtLeast(1.5)), (10, Bound::AtLeast(1.2))];

/// All goals whose figures were measured.
pub(super) fn check(atlas: &AtlasCells<'_>) -> Vec<Statement> {
    let regrets = atlas.spread(|cell| cell.regret(1));
    let regret = goals("auto over the best champion, one thread", &regrets, &REGRET);
    let what = format!("auto, one thread over two, n from {TWO_THREADS_FROM}");
    let two_threads = goals(&what, &atlas.speed_ups(), &TWO_THREADS);
    regret.into_iter().chain(two_threads).collect()
}

/// A goal for each percentile.
fn goals(what: &str, spread: &Spread, bounds: &[(usize, Bound)]) -> Vec<Statement> {
    let goal = |&(percent, bound): &(usize, Bound)| {
        let (name, figure) = match percent {
            50 => ("median".to_owned(), spread.median()),
            100 => ("worst cell".to_owned(), spread.worst()),
            other => (format!("{other}th percentile"), spread.percentile(other)),
        };
        Some(Statement::exact(format!("{what}, {name}"), figure?, bound))
    };
    bounds.iter().filter_map(goal).collect()
}
