//! The stages after the broad phase, under the clock: bounding volume, narrow phase, contact sets.

mod bench;
mod candidates;
mod chain;
#[cfg(test)]
mod crowd_for_tests;
mod moment;
mod needs;
mod random_pairs;
mod source;
mod times;
mod track;
mod verification;
mod wrong_pair;

pub use bench::{MeasuredStages, StagePlan, measure_stages};
pub(crate) use chain::{Chain, ChainEnd, SoundAnswers};
pub use needs::stage_memory;
pub use random_pairs::{PairsSpec, PairsSpecError, RandomPairs};
pub use source::{StageCase, finder};
pub use verification::{StageMethods, VerifiedBodies};
pub(crate) use verification::{StageVerification, VerifiedFrame};

use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use std::path::Path;

/// The methods that are timed on the pairs of a scene with bodies. They change no motion.
#[derive(Clone, Copy, Debug)]
pub struct Stages<'a> {
    /// The bounding volume.
    pub volume: &'static VolumeKind,
    /// The narrow phase of what passes it.
    pub narrow: &'static NarrowPhaseKind,
    /// Folder for pairs that were answered wrongly, each a scene of two bodies.
    pub folder: Option<&'a Path>,
}
