//! The contests: ours and others on one input.

use super::goals;
use super::inputs::title;
use super::parts::SpeedPart;
use super::rows::By;
use crate::study::{AUTO, StudyRow};
use measure::Ratio;

/// The time of one algorithm over that of another.
#[derive(Clone, Copy)]
pub(super) struct ComparedTimes<'a> {
    pub(super) by: By,
    /// The one that is not `auto`.
    pub(super) other: &'a StudyRow,
    pub(super) ratio: Ratio,
}

/// All algorithms on one input, on one thread: ours, and peers or programs.
#[derive(Clone, Copy)]
pub(super) struct Contest<'a> {
    /// In the order of measuring, at least one.
    pub(super) rows: &'a [StudyRow],
}

impl<'a> Contest<'a> {
    /// One for each input of these parts, in the order of measuring.
    pub(super) fn all(rows: &'a [StudyRow], is_wanted: impl Fn(SpeedPart) -> bool) -> Vec<Self> {
        rows.chunk_by(|a, b| (&a.part, &a.input, a.n) == (&b.part, &b.input, b.n))
            .filter(|rows| SpeedPart::of(&rows[0]).is_some_and(&is_wanted))
            .map(|rows| Self { rows })
            .collect()
    }

    /// The input's name on the page.
    pub(super) fn title(self) -> String {
        title(&self.rows[0].input, self.rows[0].n)
    }

    /// The peers or programs.
    pub(super) fn others(self) -> impl Iterator<Item = &'a StudyRow> {
        self.rows.iter().filter(|row| row.peer)
    }

    /// The fastest of the wanted rows that have figures.
    fn fastest(self, by: By, wanted: impl Fn(&StudyRow) -> bool) -> Option<&'a StudyRow> {
        let rows = self.rows.iter().filter(|row| row.time(by).is_some() && wanted(row));
        rows.min_by_key(|row| row.time(by))
    }

    pub(super) fn auto(self) -> Option<&'a StudyRow> {
        self.fastest(By::Median, |row| row.algorithm == AUTO)
    }

    pub(super) fn best_peer(self, by: By) -> Option<&'a StudyRow> {
        self.fastest(by, |row| row.peer)
    }

    /// The fastest of ours, by means: the median of a neighbour list hides the cost of its rebuilds.
    pub(super) fn best_of_ours(self) -> Option<&'a StudyRow> {
        self.fastest(By::Mean, |row| !row.peer)
    }

    /// The time of the best peer over that of `auto`.
    pub(super) fn peer_over_auto(self, by: By) -> Option<ComparedTimes<'a>> {
        let other = self.best_peer(by)?;
        Some(ComparedTimes { by, other, ratio: other.over_by(by)? })
    }

    /// The ratio that is worse for the goal, of medians or of means; `None` unless both exist.
    pub(super) fn worse_peer_over_auto(self) -> Option<ComparedTimes<'a>> {
        let [median, mean] = By::ALL.map(|by| self.peer_over_auto(by));
        goals::AGAINST_PEERS.worst([median?, mean?], |compared| compared.ratio)
    }

    /// `auto`'s time over that of the best fixed choice, of medians or of means, whichever is worse.
    pub(super) fn auto_over_fixed(self) -> Option<ComparedTimes<'a>> {
        let [median, mean] = By::ALL.map(|by| {
            let other = self.fastest(by, |row| !row.peer && row.algorithm != AUTO)?;
            Some(ComparedTimes { by, other, ratio: inverse(other.over_by(by)?) })
        });
        goals::AUTO_OVER_FIXED.worst([median?, mean?], |compared| compared.ratio)
    }

    /// The fastest program, and its time over that of the fastest of ours, by means of whole rounds.
    pub(super) fn program_over_best(self) -> Option<(&'a StudyRow, Ratio)> {
        let ratios = self.others().filter_map(|row| Some((row, row.over_best()?)));
        goals::AGAINST_PROGRAMS.worst(ratios, |(_, ratio)| *ratio)
    }
}

/// The ratio of A over B, from that of B over A.
pub(super) fn inverse(ratio: Ratio) -> Ratio {
    Ratio { ratio: 1.0 / ratio.ratio, low: 1.0 / ratio.high, high: 1.0 / ratio.low }
}
