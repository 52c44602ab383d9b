//! How a command fails, and its exit code.

use measure::{
    CaseError, ClockError, Exit, InputError, MemoryError, OutputError, RowError, RunError, Status,
};
use report::{ReportError, ShardError};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something did not work.
    Running(String),
    /// The command line asks for what cannot be.
    Usage(String),
    /// An input cannot be read, or is wrong.
    BadInput(InputError),
    /// A file to be read is not what it should be.
    BadFile(String),
    /// Ctrl-C.
    Stopped,
    /// The errors were printed already; only the exit code is left.
    Reported(Exit),
}

impl Failure {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Running(_) => Exit::Running,
            Failure::Usage(_) => Exit::Usage,
            Failure::BadInput(_) | Failure::BadFile(_) => Exit::BadInput,
            Failure::Stopped => Exit::Stopped,
            Failure::Reported(exit) => *exit,
        }
    }

    /// The result of a command that has printed its rows, by their exit codes. Where all are skipped, nothing was measured.
    pub(crate) fn unless_measured(
        mut statuses: impl Iterator<Item = Status>,
        exits: impl Iterator<Item = Exit>,
    ) -> Result<(), Failure> {
        if statuses.all(|status| status == Status::Skipped) {
            return Err(Failure::Running("nothing was measured: every row is skipped".to_owned()));
        }
        Failure::unless_ok(exits.max().unwrap_or_default())
    }

    /// The result of a command that has printed its errors.
    pub(crate) fn unless_ok(exit: Exit) -> Result<(), Failure> {
        if exit == Exit::Ok { Ok(()) } else { Err(Failure::Reported(exit)) }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::BadInput(error)
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
            RunError::Threads { .. }
            | RunError::Output(_)
            | RunError::Trace(_)
            | RunError::Create(_) => Failure::Running(error.to_string()),
        }
    }
}

impl From<ClockError> for Failure {
    fn from(error: ClockError) -> Self {
        Failure::Running(error.to_string())
    }
}

impl From<CaseError> for Failure {
    fn from(error: CaseError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        Failure::Running(error.to_string())
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Failure::Running(error.to_string())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::BadFile(_) | ReportError::Rows(_) => Failure::BadFile(error.to_string()),
            ReportError::Figure { .. } => Failure::Running(error.to_string()),
        }
    }
}

impl From<ShardError> for Failure {
    fn from(error: ShardError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<RowError> for Failure {
    fn from(error: RowError) -> Self {
        Failure::BadFile(error.to_string())
    }
}
