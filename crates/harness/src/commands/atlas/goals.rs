//! The goals that the atlas can judge. They were set for 300 cells of a seed on which nothing was
//! tuned.

use super::findings::Findings;
use super::spread::Spread;
use crate::study::{Bound, Verdict};
use measure::Ratio;

/// Cells that the goals were set for.
pub(super) const CELLS: usize = 300;

/// The time of `auto` over that of the best champion: median, 90th percentile, worst cell.
pub(super) const REGRET: [(usize, Bound); 3] =
    [(50, Bound::AtMost(1.04)), (90, Bound::AtMost(1.2)), (100, Bound::AtMost(1.6))];

/// The time of `auto` on one thread over that on two: median, 10th percentile.
pub(super) const TWO_THREADS: [(usize, Bound); 2] =
    [(50, Bound::AtLeast(1.5)), (10, Bound::AtLeast(1.2))];

/// From this number of objects on two threads are compared with one.
pub(super) const TWO_THREADS_FROM: u64 = 10_000;

/// A goal, and what became of it.
pub(super) struct Judged {
    pub(super) what: String,
    pub(super) figure: f64,
    pub(super) bound: Bound,
}

impl Judged {
    pub(super) fn verdict(&self) -> Verdict {
        let figure = self.figure;
        self.bound.judge(Ratio { ratio: figure, low: figure, high: figure })
    }
}

/// The name of a percentile.
fn percentile(percent: usize) -> String {
    match percent {
        50 => "median".to_owned(),
        100 => "worst cell".to_owned(),
        other => format!("{other}th percentile"),
    }
}

/// All goals whose figures were measured.
pub(super) fn judge(findings: &Findings<'_>) -> Vec<Judged> {
    let at = |spread: &Spread, percent| match percent {
        50 => spread.median(),
        _ => spread.percentile(percent),
    };
    let regrets = findings.spread(|cell| cell.regret(1));
    let speed_ups = findings.speed_ups();
    let regret = REGRET.iter().filter_map(|&(percent, bound)| {
        let what = format!("auto over the best champion, one thread, {}", percentile(percent));
        Some(Judged { what, figure: at(&regrets, percent)?, bound })
    });
    let threads = TWO_THREADS.iter().filter_map(|&(percent, bound)| {
        let what = format!(
            "auto, one thread over two, n from {TWO_THREADS_FROM}, {}",
            percentile(percent)
        );
        Some(Judged { what, figure: at(&speed_ups, percent)?, bound })
    });
    regret.chain(threads).collect()
}
