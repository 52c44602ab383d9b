//! Figures and times of the stages after the search.

use super::impacts::ImpactFigures;
use measure::FrameRow;
use sim::stages::{ContactCount, Tally};
use std::ops::AddAssign;

/// Figures of the stages over the candidates of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageFigures {
    /// Nanoseconds of each stage.
    pub times: StageTimes,
    /// The bounding volume's answers to all candidates.
    pub volume: Tally,
    /// The narrow phase's answers to those that passed.
    pub narrow: Tally,
    /// The contact sets of those that it called touching. If the stages were stopped while they found contact sets,
    /// and then repeated, no point counts as kept.
    pub contacts: ContactCount,
    /// First contacts within the step; `None` unless the world is continuous.
    pub impact: Option<ImpactFigures>,
}

/// Nanoseconds of the stages of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Placing the volumes and testing them.
    pub volume_ns: u64,
    /// Testing the pairs that passed.
    pub narrow_ns: u64,
    /// Finding contact sets.
    pub contact_ns: u64,
    /// Checking the answers. The stages do not contain it.
    pub checks_ns: u64,
}

impl StageTimes {
    /// Bounding volume, narrow phase, contact sets, checks.
    pub fn in_order(self) -> [u64; 4] {
        [self.volume_ns, self.narrow_ns, self.contact_ns, self.checks_ns]
    }
}

impl AddAssign for StageTimes {
    fn add_assign(&mut self, other: Self) {
        self.volume_ns += other.volume_ns;
        self.narrow_ns += other.narrow_ns;
        self.contact_ns += other.contact_ns;
        self.checks_ns += other.checks_ns;
    }
}

impl StageFigures {
    /// Notes them in a row of `frames.csv`.
    pub(super) fn note_in(&self, row: &mut FrameRow) {
        row.volume_ns = Some(self.times.volume_ns);
        row.volume_passed = Some(self.volume.passed);
        row.narrow_ns = Some(self.times.narrow_ns);
        row.contact_ns = Some(self.times.contact_ns);
        row.contact_points = Some(self.contacts.points);
    }
}
