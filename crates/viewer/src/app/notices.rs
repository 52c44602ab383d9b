//! The messages that are shown.

use crate::simulation::Notice;
use std::path::Path;

/// Most messages shown at once; the oldest are dropped.
const MOST_NOTICES: usize = 4;

/// The last messages, oldest first.
#[derive(Debug, Default)]
pub(super) struct Notices(Vec<Notice>);

impl Notices {
    pub(super) fn push(&mut self, notice: Notice) {
        self.0.push(notice);
        let excess = self.0.len().saturating_sub(MOST_NOTICES);
        self.0.drain(..excess);
    }

    pub(super) fn problem(&mut self, text: impl ToString) {
        self.push(Notice::Problem(text.to_string()));
    }

    /// Reports the outcome of writing a file.
    pub(super) fn written(&mut self, what: &str, path: &Path, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.push(Notice::Done(format!("{what} written to {}", path.display()))),
            Err(error) => self.problem(error),
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn all(&self) -> &[Notice] {
        &self.0
    }
}

impl From<Vec<Notice>> for Notices {
    /// All messages from before the window opened, even if they are many.
    fn from(notices: Vec<Notice>) -> Self {
        Self(notices)
    }
}
