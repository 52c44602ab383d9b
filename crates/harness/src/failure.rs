//! How a command fails, and its exit code.

use measure::{
    CaseError, ClockError, Exit, InputError, MemoryError, OutputError, RowError, RunError, Status,
};
use report::{ReportError, ShardError};
use thiserror::Error;

/// Why a command failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Something did not work.
    #[error("{0}")]
    Running(String),
    /// The command line asks for what cannot be.
    #[error("{0}")]
    Usage(String),
    /// An input cannot be read, or is wrong.
    #[error(transparent)]
    BadInput(#[from] InputError),
    /// A file to be read is not what it should be.
    #[error("{0}")]
    BadFile(String),
    /// Ctrl-C.
    #[error("stopped")]
    Stopped,
    /// The errors were printed already; only the exit code is left.
    #[error("reported before")]
    Reported(Exit),
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Rows(#[from] RowError),
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error(transparent)]
    Shard(#[from] ShardError),
}

impl Failure {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Report(ReportError::Figure { .. })
            | Failure::Running(_)
            | Failure::Clock(_)
            | Failure::Memory(_)
            | Failure::Output(_) => Exit::Running,
            Failure::Usage(_) | Failure::Case(_) | Failure::Shard(_) => Exit::Usage,
            Failure::BadInput(_) | Failure::BadFile(_) | Failure::Report(_) | Failure::Rows(_) => {
                Exit::BadInput
            }
            Failure::Stopped => Exit::Stopped,
            Failure::Reported(exit) => *exit,
        }
    }

    /// The result of a command that has printed its rows, by their exit codes. Where all are skipped, nothing was measured.
    pub(crate) fn unless_measured(rows: impl Iterator<Item = (Status, Exit)>) -> Result<(), Self> {
        let (statuses, exits): (Vec<Status>, Vec<Exit>) = rows.unzip();
        if statuses.iter().all(|status| *status == Status::Skipped) {
            return Err(Failure::Running("nothing was measured: every row is skipped".to_owned()));
        }
        Failure::unless_ok(exits.into_iter().max().unwrap_or_default())
    }

    /// The result of a command that has printed its errors.
    pub(crate) fn unless_ok(exit: Exit) -> Result<(), Failure> {
        if exit == Exit::Ok { Ok(()) } else { Err(Failure::Reported(exit)) }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            // Nothing is wrong with the input.
            RunError::Input(InputError::TooManyPairs { .. }) => Failure::Running(error.to_string()),
            RunError::Input(error) => Failure::BadInput(error),
            RunError::Stopped => Failure::Stopped,
            // A trace that cannot be written is no bad input.
            RunError::Threads(..)
            | RunError::Output(_)
            | RunError::Trace(_)
            | RunError::Create(_) => Failure::Running(error.to_string()),
        }
    }
}
