//! The result of a cell, and why a case has none.

use crate::{Exit, Failed, InputError, OutputError, Panicked, Reason, Status};
use broadphase::registry::CreateError;
use serde::{Deserialize, Serialize};
use sim::TraceError;

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured to the end, for this reason.
    Skipped(String),
    /// Its pairs were wrong, or differ from those of the reference.
    Disagrees(String),
    /// It panicked.
    Panicked(Panicked),
    /// A program: it crashed, or what it printed cannot be used.
    Failed(Failed),
}

impl Outcome {
    /// The status of the cell's row, and why it has no figures.
    pub fn status(&self) -> (Status, Option<Reason>) {
        match self {
            Outcome::Ok => (Status::Ok, None),
            Outcome::Skipped(reason) => (Status::Skipped, Some(Reason::Other(reason.clone()))),
            Outcome::Disagrees(reason) => (Status::Error, Some(Reason::Other(reason.clone()))),
            Outcome::Panicked(panicked) => {
                (Status::Error, Some(Reason::Panicked(panicked.clone())))
            }
            Outcome::Failed(failed) => (Status::Error, Some(Reason::Failed(failed.clone()))),
        }
    }

    /// How a program ends because of this outcome.
    pub fn exit(&self) -> Exit {
        let (status, reason) = self.status();
        status.exit(reason.as_ref())
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Skipped(reason) | Outcome::Disagrees(reason) => f.write_str(reason),
            Outcome::Panicked(panicked) => panicked.fmt(f),
            Outcome::Failed(failed) => failed.fmt(f),
        }
    }
}

/// Why a case could not be measured at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input failed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A thread pool cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// The threads asked for.
        threads: u32,
        /// What the pool says.
        source: rayon::ThreadPoolBuildError,
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
