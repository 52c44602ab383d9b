//! The figures of one search, and of the stages after it.

use measure::{FrameRow, PhaseTimes};
use sim::stages::{ContactCount, Tally};

/// Counts and times of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchFigures {
    /// Pairs of objects examined.
    pub tests: u64,
    /// Candidates: pairs of overlapping boxes.
    pub pairs: u64,
    /// Real collisions among them.
    pub hits: u64,
    /// Counts and times of the stages after the search; `None` where all objects are spheres.
    pub stages: Option<StageFigures>,
    /// Nanoseconds of the phases of the search.
    pub times: PhaseTimes,
    /// Bytes that the algorithm holds after the step in a run from the start; `None` where they are not known.
    pub heap_bytes: Option<u64>,
    /// The step in which the structure was new; `None` if it has searched all steps of the motion, as in a run.
    pub since: Option<u64>,
}

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

/// First contacts within a step of a continuous world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpactFigures {
    /// First contacts that the world responded to.
    pub responded: u64,
    /// Objects that waited at their last free pose.
    pub waiting: u64,
}
