//! How a command fails, and its exit code.

use crate::console;
use crate::figures::ReadError;
use measure::{CaseError, InputError, MemoryError, OutputError, RunError, SummaryFileError};
use std::io::IsTerminal;

/// Exit code of a failure while running.
pub(crate) const RUNNING: u8 = 1;
/// Exit code of a wrong command line.
pub(crate) const USAGE: u8 = 2;
/// Exit code of a bad input file.
pub(crate) const BAD_INPUT: u8 = 3;
/// Exit code where algorithms disagree.
pub(crate) const DISAGREEMENT: u8 = 4;
/// Exit code of a regression against a baseline.
pub(crate) const REGRESSION: u8 = 5;
/// Exit code after Ctrl-C: 128 and the number of the signal.
pub(crate) const STOPPED: u8 = 130;

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
    /// A file of results is no such file.
    BadSummary(SummaryFileError),
    /// Ctrl-C.
    Stopped,
    /// All is said already; only the exit code is left.
    Reported { code: u8 },
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Running(_) => RUNNING,
            Failure::Usage(_) => USAGE,
            Failure::BadInput(_) | Failure::BadFile(_) | Failure::BadSummary(_) => BAD_INPUT,
            Failure::Stopped => STOPPED,
            Failure::Reported { code } => *code,
        }
    }

    /// Tells the user, on standard error.
    pub(crate) fn report(&self) {
        match self {
            Failure::Running(message) | Failure::BadFile(message) => console::error(message),
            Failure::Usage(message) => {
                console::error(message);
                console::note("\nFor more information, try '--help'.");
            }
            // It shows the line, in colours where they can be seen.
            Failure::BadInput(InputError::Scene(error)) => {
                console::note(error.render(std::io::stderr().is_terminal()).trim_end());
            }
            Failure::BadInput(error) => console::error(&error.to_string()),
            Failure::BadSummary(error) => console::error(&error.to_string()),
            Failure::Stopped => console::error("stopped"),
            Failure::Reported { .. } => {}
        }
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
            RunError::Input(error) => Failure::BadInput(error),
            RunError::Stopped => Failure::Stopped,
            RunError::Threads { .. } | RunError::Output(_) => Failure::Running(error.to_string()),
        }
    }
}

impl From<SummaryFileError> for Failure {
    fn from(error: SummaryFileError) -> Self {
        Failure::BadSummary(error)
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

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::BadFile(error.to_string())
    }
}
