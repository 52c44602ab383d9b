//! The chart: the time of the best peer over that of `auto`, by medians or means, whichever is worse for `auto`.

use super::peer_inputs::{ComparedTimes, PeerInput};
use crate::study::Bound;
use charts::{Axis, Chart, Factor, Marks, Panel};
use measure::numbers::significant;

/// Height of a bar and the gap to the next, mm.
const BAR_MM: f64 = 5.0;

/// The chart; `None` without a ratio.
pub(super) fn chart(inputs: &[PeerInput<'_>]) -> Option<Chart> {
    let mut names = Vec::new();
    let mut factors = Vec::new();
    for input in inputs {
        let Some(ComparedTimes { by, other, ratio }) = input.worse_peer_over_auto() else {
            continue;
        };
        let goal = match input.goal() {
            // The axis has a line at 1.
            Bound::AtLeast(goal) if goal > 1.0 => Some(goal),
            _ => None,
        };
        factors.push(Factor {
            at: names.len(),
            value: ratio.ratio,
            interval: Some([ratio.low, ratio.high]),
            goal,
            label: format!("{} {}, {}", significant(ratio.ratio), other.algorithm, by.plural()),
        });
        names.push(input.title());
    }
    if factors.is_empty() {
        return None;
    }
    let goals =
        if factors.iter().any(|f| f.goal.is_some()) { "; black stroke: the goal" } else { "" };
    let axis =
        Axis::log(format!("times as long as auto, by medians or means, whichever is worse{goals}"));
    let panel_mm = BAR_MM * names.len() as f64;
    let chart = Chart::new(axis, Axis::categories("", names))
        .wide()
        .titled("How many times as long as auto the best other library takes")
        .with(Panel::new(Marks::Factors(factors)));
    Some(Chart { panel_mm, ..chart })
}
