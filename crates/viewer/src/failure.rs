//! Why the program ends without a result.

use measure::{Exit, InputError};
use std::fmt;

/// A failure: its exit code, and its message without the word *error*.
#[derive(Debug)]
pub struct Failure {
    /// How the program ends.
    pub exit: Exit,
    text: String,
}

impl Failure {
    pub(crate) fn new(exit: Exit, text: impl fmt::Display) -> Self {
        Self { exit, text: text.to_string() }
    }

    pub(crate) fn running(text: impl fmt::Display) -> Self {
        Self::new(Exit::Running, text)
    }

    /// The command line contradicts itself.
    pub(crate) fn usage(text: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, text)
    }

    /// The input cannot be read. The message of a scene file shows its line, after the word *error*.
    pub(crate) fn input(error: &InputError) -> Self {
        let text = error.to_string();
        Self::new(Exit::BadInput, text.strip_prefix("error: ").unwrap_or(&text))
    }
}

/// Something fails while running.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::running(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
