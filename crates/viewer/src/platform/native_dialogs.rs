//! The file dialogs of a desktop.

use super::{Answer, Dialogs, Platform, Question, System, Threads as _};
use measure::Clock;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// A dialog that is closed faster than this did not open: a user takes longer.
const TOO_FAST: Duration = Duration::from_millis(400);

impl Platform {
    /// The operating system's, with a clock.
    pub fn system(clock: &'static dyn Clock) -> Self {
        Self { clock, threads: &System, files: &System, dialogs: &System }
    }
}

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
