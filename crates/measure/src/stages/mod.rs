//! The stages after the broad phase, under the clock: bounding volume, narrow phase, contact sets.

mod bench;
mod candidates;
mod chain;
#[cfg(test)]
mod crowd_for_tests;
mod moment;
mod needs;
mod random_pairs;
mod row;
mod source;
mod table;
mod times;
mod track;
mod verification;
mod wrong_pair;

pub use bench::{MeasuredStages, StagePlan, measure_stages};
pub(crate) use chain::{Chain, ChainEnd, SoundAnswers};
pub use needs::stage_memory;
pub use random_pairs::{PairsSpec, PairsSpecError, RandomPairs};
pub use row::{Stage, StageRow, StagesFile};
pub use source::{StageCase, finder};
pub use table::{StageFigure, stages_table};
pub use verification::{StageMethods, VerifiedBodies};
pub(crate) use verification::{StageVerification, VerifiedFrame};

use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use serde::{Deserialize, Serialize};
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

/// What the stages took and found in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageFigures {
    /// Nanoseconds of placing the volumes of all bodies and of testing those of each pair.
    pub volume_ns: u64,
    /// Pairs that the volume let pass.
    pub volume_passed: u64,
    /// Nanoseconds of the narrow phase on these pairs.
    pub narrow_ns: u64,
    /// Nanoseconds of finding the contact sets of the pairs that touch.
    pub contact_ns: u64,
    /// Points of these sets.
    pub contact_points: u64,
}
