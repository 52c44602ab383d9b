//! The system's file dialogs, asked on a thread of their own: the window goes on meanwhile.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Nobody closes a dialog as fast as this: it did not open.
const TOO_FAST: Duration = Duration::from_millis(400);

/// What a dialog was opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Which scene to read.
    Load,
    /// Where to write the scene.
    Save,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// A file.
    Chosen(Question, PathBuf),
    /// None: the user has thought better of it.
    Cancelled,
    /// The system has no dialog to show.
    Unavailable,
}

/// Opens a dialog that begins in the folder of `at`; `tell` is called with the answer.
pub(super) fn ask(question: Question, at: &Path, tell: impl FnOnce(Answer) + Send + 'static) {
    let folder = at.parent().and_then(|folder| folder.canonicalize().ok());
    let name = at.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut dialog = rfd::AsyncFileDialog::new().add_filter("Scenes", &["scene"]);
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
        tell(match chosen {
            Some(file) => Answer::Chosen(question, file.path().to_owned()),
            None if asked.elapsed() < TOO_FAST => Answer::Unavailable,
            None => Answer::Cancelled,
        });
    };
    if let Err(e) = thread::Builder::new().name("file dialog".to_owned()).spawn(wait) {
        // Without a thread nobody will answer; the path can still be typed.
        log::error!("no thread for a file dialog: {e}");
    }
}
