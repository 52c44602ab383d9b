//! The goals of the atlas. They were set for 300 cells of a seed on which nothing was tuned.

use super::cell_rows::{AtlasCells, TWO_THREADS_FROM};
use super::spread::Spread;
use crate::study::{Bound, Statement};

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
