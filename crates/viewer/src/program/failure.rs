//! Why the program ends without a result.

use measure::Exit;
use sim::SceneDiagnostic;
use std::fmt;

/// A failure, with its message for standard error.
#[derive(Debug)]
pub(super) enum Failure {
    /// The scene file cannot be read. The error shows the line itself.
    Scene(SceneDiagnostic),
    /// The input is invalid in another way.
    Input(String),
    /// The command line contradicts itself.
    Usage(String),
    /// Something else failed.
    Running(String),
}

impl Failure {
    /// A failure while running, from an error that states its own cause.
    pub(super) fn running(error: impl ToString) -> Self {
        Failure::Running(error.to_string())
    }

    pub(super) fn exit(&self) -> Exit {
        match self {
            Failure::Scene(_) | Failure::Input(_) => Exit::BadInput,
            Failure::Usage(_) => Exit::Usage,
            Failure::Running(_) => Exit::Running,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Scene(error) => write!(f, "{error}"),
            Failure::Input(text) | Failure::Usage(text) | Failure::Running(text) => {
                write!(f, "error: {text}")
            }
        }
    }
}
