//! Figures and times of the stages after the search.

use super::impacts::ImpactFigures;
use measure::FrameRow;
use sim::stages::{ContactCount, Tally};

/// Figures of the stages over the candidates of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageFigures {
    /// Nanoseconds of the bounding volume, the narrow phase, the contact sets, and the checks of the answers, which the stages
    /// do not contain.
    pub times: [u64; 4],
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

impl StageFigures {
    /// Notes them in a row of `frames.csv`.
    pub(super) fn note_in(&self, row: &mut FrameRow) {
        let [volume_ns, narrow_ns, contact_ns, _] = self.times;
        row.volume_ns = Some(volume_ns);
        row.volume_passed = Some(self.volume.passed);
        row.narrow_ns = Some(narrow_ns);
        row.contact_ns = Some(contact_ns);
        row.contact_points = Some(self.contacts.points);
    }
}
