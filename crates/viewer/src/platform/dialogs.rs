//! Dialogs that choose a file.

#[cfg(not(target_family = "wasm"))]
use super::{System, Threads as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A dialog that is closed faster than this did not open: a user takes longer.
const TOO_FAST: Duration = Duration::from_millis(400);

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

#[cfg(not(target_family = "wasm"))]
/// On a thread of their own, so that the window does not wait.
impl Dialogs for System {
    fn ask(
        &self,
        question: Question,
        at: Option<&Path>,
        answer: Box<dyn FnOnce(Answer) + Send>,
    ) -> io::Result<()> {
        let folder = at.and_then(Path::parent).and_then(|folder| folder.canonicalize().ok());
        let name = at.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let filters: &[&str] = match question {
            Question::Load => &["scene", "bpt"],
            Question::Save => &["scene"],
        };
        let mut dialog = rfd::AsyncFileDialog::new().add_filter(filters.join(", "), filters);
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        if let (Question::Save, Some(name)) = (question, name) {
            dialog = dialog.set_file_name(name);
        }
        let asked = Instant::now();
        let wait = move || {
            let chosen = match question {
                Question::Load => pollster::block_on(dialog.pick_file()),
                Question::Save => pollster::block_on(dialog.save_file()),
            };
            answer(match chosen {
                Some(file) => Answer::Chosen(question, file.path().to_owned()),
                None if asked.elapsed() < TOO_FAST => Answer::Unavailable,
                None => Answer::Cancelled,
            });
        };
        self.spawn("file dialog", Box::new(wait))
    }
}
