//! The stages after the broad phase, under the clock: bounding volume, narrow phase, contact sets, times of impact.

mod answers;
mod bench;
mod chain;
#[cfg(test)]
mod crowd_for_tests;
mod measured;
mod method;
mod verification;
mod wrong_pair;

pub(crate) use answers::{BodyFrame, StageEnd};
pub(crate) use bench::{Bench, BenchLimits, spent_ns};
pub(crate) use chain::{Chain, KnownAnswers};
pub use measured::MeasuredMethod;
pub use method::{Method, stage_holders};
pub(crate) use method::{bytes_of_methods, methods_of};
pub use proofs::oracle::MAX_EDGE_PAIRS;
pub(crate) use verification::StageVerification;
pub use verification::{Checked, VerifiedBodies};

use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;

/// What is timed on the candidates of bodies, apart from all other times. It changes no motion.
#[derive(Clone, Copy, Debug)]
pub enum Stages<'a> {
    /// One after the other.
    Chain {
        /// The bounding volume.
        volume: &'static VolumeKind,
        /// The narrow phase of what passes it.
        narrow: &'static NarrowPhaseKind,
    },
    /// Methods side by side, each on all candidates.
    Each(&'a [Method]),
}
