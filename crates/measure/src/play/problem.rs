//! What can be wrong with an algorithm.

use crate::rows::{Checksum, Outcome, PANICKED};
use broadphase::benchmark::PairFault;

/// What can be wrong with an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Its pair list differs from the reference's.
    #[error(transparent)]
    Pairs(#[from] PairFault),
    /// The world that it drives alone takes another trajectory.
    #[error("the world's hash is {}, not {}: the motion differs", Checksum(*found), Checksum(*expected))]
    Trajectory {
        /// The hash of the world that the reference drives.
        expected: u64,
        /// The hash of its own.
        found: u64,
    },
    /// An invariant of its structure was broken.
    #[error("its structure is not valid: {0}")]
    Invalid(String),
    /// A volume, a narrow phase or the reference is wrong about two bodies.
    #[error("{0}")]
    Answer(String),
    /// It panicked.
    #[error("panicked: {0}")]
    Panicked(String),
}

impl Problem {
    /// What a cell or a method comes to by this problem, in this frame of a repetition.
    pub(crate) fn outcome(self, frame: u32, repeat: u32) -> Outcome {
        let place = format!("{frame} of repetition {repeat}");
        match self {
            Self::Panicked(message) => Outcome::Panicked(format!("{PANICKED}{place}: {message}")),
            fault => Outcome::Disagrees(format!("frame {place}: {fault}")),
        }
    }

    /// Whether the algorithm gave another result than the reference, rather than none.
    pub fn is_disagreement(&self) -> bool {
        !matches!(self, Problem::Panicked(_) | Problem::Invalid(_))
    }
}
