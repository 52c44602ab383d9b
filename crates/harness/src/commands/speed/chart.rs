//! The chart: the time of the best peer over that of `auto`, by medians or means, whichever is worse for `auto`.

use super::contest::{ComparedTimes, Contest};
use super::goals::AGAINST_PEERS;
use charts::{Axis, Chart, Factor, Marks, Panel};
use measure::numbers::significant;

/// Height of a bar and the gap to the next, mm.
const BAR_MM: f64 = 5.0;

/// The chart; `None` without a ratio.
pub(super) fn chart(contests: &[Contest<'_>]) -> Option<Chart> {
    let mut names = Vec::new();
    let mut factors = Vec::new();
    for contest in contests {
        let Some(ComparedTimes { by, other, ratio }) = contest.worse_peer_over_auto() else {
            continue;
        };
        factors.push(Factor {
            at: names.len(),
            value: ratio.ratio,
            interval: Some([ratio.low, ratio.high]),
            goal: Some(AGAINST_PEERS.value()),
            label: format!("{} {}, {}", significant(ratio.ratio), other.algorithm, by.plural()),
        });
        names.push(contest.title());
    }
    if factors.is_empty() {
        return None;
    }
    let axis = Axis::log(
        "times as long as auto, by medians or means, whichever is worse; black stroke: the goal",
    );
    let panel_mm = BAR_MM * names.len() as f64;
    let chart = Chart::new(axis, Axis::categories("", names))
        .wide()
        .titled("How many times as long as auto the best other library takes")
        .with(Panel::new(Marks::Factors(factors)));
    Some(Chart { panel_mm, ..chart })
}
