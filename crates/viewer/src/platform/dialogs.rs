//! Dialogs that choose a file.

use std::io;
use std::path::{Path, PathBuf};

/// The purpose of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Choose a scene or a trace to read.
    Load,
    /// Choose where to write the scene.
    Save,
}

/// The answer of a dialog.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The user chose a file.
    Chosen(Question, PathBuf),
    /// The user closed the dialog.
    Cancelled,
    /// The system shows no dialog.
    Unavailable,
}

/// Asks the user for a file.
pub trait Dialogs: Sync {
    /// Opens a dialog in the folder of `at`, which proposes its name for a new file, and calls `answer` when it is closed, on any thread.
    ///
    /// # Errors
    ///
    /// If the system creates no thread; `answer` is never called then.
    fn ask(
        &self,
        question: Question,
        at: Option<&Path>,
        answer: Box<dyn FnOnce(Answer) + Send>,
    ) -> io::Result<()>;
}
