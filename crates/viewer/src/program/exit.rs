//! The exit codes of the program.

use std::process::ExitCode;

/// How the program ends. Where several apply, the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Exit {
    Ok = 0,
    /// A failure while running, such as a panic of an algorithm.
    Running = 1,
    /// A wrong command line.
    Usage = 2,
    /// A bad input file.
    BadInput = 3,
    /// An algorithm found wrong pairs.
    Disagreement = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
