//! Why a case cannot be measured at all.

use crate::input::InputError;
use crate::output::OutputError;
use broadphase::registry::CreateError;
use sim::TraceError;

/// Why a case could not be measured at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input failed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The system refuses threads, for example by a limit on the number of processes.
    #[error(
        "cannot start {threads} threads: {source}: ask for fewer, or raise the limit (ulimit -u)"
    )]
    Threads {
        /// The threads asked for.
        threads: u32,
        /// Why not.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// What was measured could not be kept.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A trace could not be written.
    #[error(transparent)]
    Trace(TraceError),
    /// The algorithm that answers a scene's collisions while it is recorded refused.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The measurement was stopped.
    #[error("stopped")]
    Stopped,
}
