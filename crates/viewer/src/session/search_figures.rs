//! The figures of one search.

use super::stage_figures::StageFigures;
use measure::PhaseTimes;

/// What a search of some boxes found, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchFigures {
    /// Pairs of objects examined.
    pub tests: u64,
    /// Candidates: pairs of overlapping boxes.
    pub pairs: u64,
    /// Real collisions among them.
    pub hits: u64,
    /// What the stages after the search did with the candidates; `None` where all objects are spheres.
    pub stages: Option<StageFigures>,
    /// Nanoseconds of the phases of the search.
    pub times: PhaseTimes,
    /// Bytes that the algorithm holds after the step in a run from the start; `None` where they are not known.
    pub heap_bytes: Option<u64>,
    /// The step in which the structure was new; `None` if it has searched all steps of the motion, as in a run.
    pub since: Option<u64>,
}
