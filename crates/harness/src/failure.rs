//! How a command fails, and its exit code.

use crate::console;
use measure::{CaseError, Exit, InputError, MemoryError, OutputError, RowError, RunError};
use std::io::IsTerminal;

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

    /// The result of a command that has printed its errors.
    pub(crate) fn unless_ok(exit: Exit) -> Result<(), Failure> {
        if exit == Exit::Ok { Ok(()) } else { Err(Failure::Reported(exit)) }
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
            Failure::Stopped => console::error("stopped"),
            Failure::Reported(_) => {}
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

impl From<RowError> for Failure {
    fn from(error: RowError) -> Self {
        Failure::BadFile(error.to_string())
    }
}
