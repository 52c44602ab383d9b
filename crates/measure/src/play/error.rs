//! Why a case cannot be measured at all, and what can be wrong with an algorithm.

use crate::input::InputError;
use crate::output::OutputError;
use crate::rows::{Checksum, Outcome, PANICKED};
use broadphase::benchmark::PairFault;
use broadphase::registry::CreateError;
use sim::TraceError;

/// Why a case could not be measured at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input failed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The system refuses threads, for example by a limit on the number of processes.
    #[error("cannot start {0} threads: {1}: ask for fewer, or raise the limit (ulimit -u)")]
    Threads(u32, Box<dyn std::error::Error + Send + Sync>),
    /// What was measured could not be kept.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A trace could not be written.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The algorithm that answers a scene's collisions while it is recorded refused.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The measurement was stopped.
    #[error("stopped")]
    Stopped,
}

/// Faults of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It gave another result than the reference: pairs, an answer about two bodies, or a trajectory.
    #[error("{0}")]
    Wrong(String),
    /// An invariant of its structure was broken.
    #[error("its structure is not valid: {0}")]
    Invalid(String),
    /// It panicked.
    #[error("panicked: {0}")]
    Panicked(String),
}

impl From<PairFault> for Problem {
    fn from(fault: PairFault) -> Self {
        Self::Wrong(fault.to_string())
    }
}

impl Problem {
    /// The world that it drives alone takes another trajectory, by their hashes.
    pub(crate) fn trajectory(expected: u64, found: u64) -> Self {
        let [found, expected] = [found, expected].map(Checksum);
        Self::Wrong(format!("the world's hash is {found}, not {expected}: the motion differs"))
    }

    /// The reference has found other pairs in the frame before, but the same ones now, by their checksums.
    pub(crate) fn other_frame(expected: u64, found: u64) -> Self {
        let [found, expected] = [found, expected].map(Checksum);
        Self::Wrong(format!(
            "the checksum of its pairs is {found}, which the reference finds now, not {expected} as before"
        ))
    }

    /// Outcome of a cell or a method with this problem, in this frame of a repetition.
    pub(crate) fn outcome(&self, frame: u32, repeat: u32) -> Outcome {
        let place = format!("{frame} of repetition {repeat}");
        Outcome::Error(match self {
            Self::Panicked(message) => format!("{PANICKED}{place}: {message}"),
            fault => format!("frame {place}: {fault}"),
        })
    }

    /// Whether the algorithm gave another result than the reference, rather than none.
    pub fn is_disagreement(&self) -> bool {
        matches!(self, Problem::Wrong(_))
    }
}
