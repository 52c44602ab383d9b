//! The stages after the broad phase, under the clock: bounding volume, narrow phase, contact sets, times of impact.

mod answers;
mod bench;
#[cfg(test)]
mod crowd_for_tests;
mod method;
mod verification;

pub(crate) use answers::{BodyFrame, Chain, KnownAnswers, StageEnd};
pub use bench::MeasuredMethod;
pub(crate) use bench::{Bench, BenchLimits, spent_ns};
pub use method::{Method, stage_holders};
pub(crate) use method::{bytes_of_methods, methods_of};
pub use proofs::oracle::MAX_EDGE_PAIRS;
pub use verification::VerifiedBodies;

use crate::input::Case;
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

impl Stages<'_> {
    /// The methods that a case has. Those side by side begin with the boxes, unless it is one of random pairs.
    pub(crate) fn methods(&self, case: &Case) -> Vec<Method> {
        match self {
            Self::Chain { volume, narrow } => {
                vec![Method::Volume(volume), Method::Narrow(narrow), Method::Contacts]
            }
            Self::Each(methods) => {
                let boxes = case.pairs().is_none().then_some(Method::Boxes(case.box_kind));
                boxes.into_iter().chain(methods_of(case, methods)).collect()
            }
        }
    }
}
