//! The comparisons on each input that peers are measured on.

use super::goals;
use super::inputs::title;
use super::parts::SpeedPart;
use super::rows::By;
use crate::study::{AUTO, Bound, StudyRow, Verdict};
use measure::Ratio;

/// The time of one algorithm over that of another.
#[derive(Clone, Copy)]
pub(super) struct ComparedTimes<'a> {
    pub(super) by: By,
    /// The one that is not `auto`.
    pub(super) other: &'a StudyRow,
    pub(super) ratio: Ratio,
}

/// All algorithms on one input, on one thread.
pub(super) struct PeerInput<'a> {
    pub(super) input: &'a str,
    pub(super) n: u64,
    /// The fastest first; those without figures last.
    pub(super) rows: Vec<&'a StudyRow>,
}

impl<'a> PeerInput<'a> {
    /// One for each input on which there are peers, in the order of measuring.
    pub(super) fn all(rows: &'a [StudyRow]) -> Vec<Self> {
        rows.chunk_by(|a, b| (&a.part, &a.input, a.n) == (&b.part, &b.input, b.n))
            .filter(|case| SpeedPart::of(&case[0]).is_some_and(SpeedPart::has_peers))
            .map(|case| {
                let StudyRow { input, n, .. } = &case[0];
                let mut rows: Vec<&StudyRow> = case.iter().collect();
                rows.sort_by_key(|row| row.median_ns.unwrap_or(u64::MAX));
                Self { input, n: *n, rows }
            })
            .collect()
    }

    /// The input's name on the page.
    pub(super) fn title(&self) -> String {
        title(self.input, self.n)
    }

    /// The fastest of the wanted rows that have figures.
    pub(super) fn fastest(
        &self,
        by: By,
        wanted: impl Fn(&StudyRow) -> bool,
    ) -> Option<&'a StudyRow> {
        let rows = self.rows.iter().copied().filter(|row| row.time(by).is_some() && wanted(row));
        rows.min_by_key(|row| row.time(by))
    }

    pub(super) fn auto(&self) -> Option<&'a StudyRow> {
        self.fastest(By::Median, |row| row.algorithm == AUTO)
    }

    pub(super) fn best_peer(&self, by: By) -> Option<&'a StudyRow> {
        self.fastest(by, |row| row.peer)
    }

    /// The fastest of ours, by means: the median of a neighbour list hides the cost of its rebuilds.
    pub(super) fn best_of_ours(&self) -> Option<&'a StudyRow> {
        self.fastest(By::Mean, |row| !row.peer)
    }

    /// The time of the best peer over that of `auto`.
    pub(super) fn peer_over_auto(&self, by: By) -> Option<ComparedTimes<'a>> {
        let other = self.best_peer(by)?;
        Some(ComparedTimes { by, other, ratio: other.over_by(by)? })
    }

    /// The ratio that is worse for the goal, of medians or of means; `None` unless both exist.
    pub(super) fn worse_peer_over_auto(&self) -> Option<ComparedTimes<'a>> {
        let [median, mean] = By::ALL.map(|by| self.peer_over_auto(by));
        self.goal().worst([median?, mean?], |compared| compared.ratio)
    }

    /// The best peer's time over that of the fastest of ours, both by means.
    pub(super) fn peer_over_best(&self) -> Option<Ratio> {
        self.best_peer(By::Mean)?.over_best()
    }

    /// `auto`'s time over that of the best fixed choice, of medians or of means, whichever is worse.
    pub(super) fn auto_over_fixed(&self) -> Option<ComparedTimes<'a>> {
        let [median, mean] = By::ALL.map(|by| {
            let other = self.fastest(by, |row| !row.peer && row.algorithm != AUTO)?;
            Some(ComparedTimes { by, other, ratio: inverse(other.over_by(by)?) })
        });
        goals::AUTO_OVER_FIXED.worst([median?, mean?], |compared| compared.ratio)
    }

    pub(super) fn goal(&self) -> Bound {
        goals::AGAINST_PEERS
    }

    /// The verdict on the goal against the best peer; `None` without a ratio.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.worse_peer_over_auto().map(|compared| self.goal().verdict(compared.ratio))
    }
}

/// The ratio of A over B, from that of B over A.
pub(super) fn inverse(ratio: Ratio) -> Ratio {
    Ratio { ratio: 1.0 / ratio.ratio, low: 1.0 / ratio.high, high: 1.0 / ratio.low }
}
