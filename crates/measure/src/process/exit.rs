//! The exit codes that the project's programs share.

/// How a program ends. Where several codes apply, the greatest is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// All went well.
    #[default]
    Ok = 0,
    /// A failure while running, such as a panic of an algorithm.
    Running = 1,
    /// A wrong command line.
    Usage = 2,
    /// A bad input file.
    BadInput = 3,
    /// An algorithm gave wrong pairs.
    Disagreement = 4,
    /// A regression against a baseline.
    Regression = 5,
    /// Ctrl-C: 128 and the number of the signal.
    Stopped = 130,
}

impl Exit {
    /// The number that the process returns.
    pub fn code(self) -> u8 {
        self as u8
    }
}
