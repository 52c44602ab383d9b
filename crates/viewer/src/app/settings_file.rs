//! The settings' file, which follows the settings.

use crate::settings::Settings;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time without a change until settings are written, in ns: not in the middle of a drag.
const SETTLED_NS: u64 = 300_000_000;

/// Settings that go on changing are written after this time, in ns.
const LONGEST_NS: u64 = 1_000_000_000;

/// Writes the settings soon after they change, so that a kill loses no more than a second.
///
/// On a thread of its own: waiting for the disk would delay pictures.
#[derive(Debug)]
pub(super) struct SettingsFile {
    /// `None` writes nothing.
    path: Option<PathBuf>,
    /// The settings at the last call.
    seen: Settings,
    change: Option<Change>,
    writing: Option<JoinHandle<Result<(), String>>>,
    /// The last failure, which is reported once.
    problem: Option<String>,
}

/// When the settings first and last changed since they were written, in ns.
#[derive(Clone, Copy, Debug)]
struct Change {
    first_ns: u64,
    last_ns: u64,
}

impl SettingsFile {
    /// The file at `path`, which holds `settings`.
    pub(super) fn new(path: Option<PathBuf>, settings: &Settings) -> Self {
        Self { path, seen: settings.clone(), change: None, writing: None, problem: None }
    }

    /// Writes the settings if it is time to. Returns how long until it is to be called again, and a failure that
    /// was not reported yet.
    pub(super) fn follow(
        &mut self,
        settings: &Settings,
        now_ns: u64,
    ) -> (Option<Duration>, Option<String>) {
        let Some(path) = &self.path else { return (None, None) };
        if self.seen != *settings {
            self.seen = settings.clone();
            let first_ns = self.change.map_or(now_ns, |change| change.first_ns);
            self.change = Some(Change { first_ns, last_ns: now_ns });
        }
        let mut wait = None;
        if let Some(Change { first_ns, last_ns }) = self.change {
            let due_ns = (last_ns + SETTLED_NS).min(first_ns + LONGEST_NS);
            let is_writing = self.writing.as_ref().is_some_and(|writing| !writing.is_finished());
            if now_ns < due_ns {
                wait = Some(Duration::from_nanos(due_ns - now_ns));
            } else if is_writing {
                wait = Some(Duration::from_nanos(SETTLED_NS));
            } else {
                let (path, settings) = (path.clone(), settings.clone());
                let problem = self.written();
                let write = move || settings.write(&path);
                // Without a thread they are written at the end.
                self.writing = thread::Builder::new().name("settings".to_owned()).spawn(write).ok();
                self.change = None;
                return (Some(Duration::from_nanos(SETTLED_NS)), problem);
            }
        }
        let is_written = self.writing.as_ref().is_some_and(JoinHandle::is_finished);
        let problem = if is_written { self.written() } else { None };
        let is_writing = self.writing.is_some().then_some(Duration::from_nanos(SETTLED_NS));
        (wait.or(is_writing), problem)
    }

    /// Waits until the last write is done. Returns its failure unless the one before failed alike.
    fn written(&mut self) -> Option<String> {
        let outcome = self.writing.take()?.join();
        let problem = outcome.unwrap_or_else(|_| Err("the settings were not written".to_owned()));
        let problem = problem.err();
        let is_new = problem != self.problem;
        self.problem = problem;
        self.problem.clone().filter(|_| is_new)
    }

    /// Writes the settings now.
    ///
    /// # Errors
    ///
    /// A message of one line if they cannot be written.
    pub(super) fn finish(&mut self, settings: &Settings) -> Result<(), String> {
        // An earlier state must not replace this one.
        self.written();
        self.path.as_ref().map_or(Ok(()), |path| settings.write(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    const MS: u64 = 1_000_000;

    fn of_width(width: f32) -> Settings {
        Settings { window: [width, 500.0], ..Settings::default() }
    }

    /// The width in the file, once what is being written is done.
    fn width(file: &mut SettingsFile, path: &Path) -> Option<f32> {
        assert_eq!(file.written(), None);
        path.exists().then(|| Settings::read(path).unwrap().window[0])
    }

    #[test]
    fn settings_are_written_soon_after_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        let mut file = SettingsFile::new(Some(path.clone()), &of_width(400.0));
        assert_eq!(file.follow(&of_width(400.0), 0), (None, None), "nothing has changed");
        let wait = Some(Duration::from_nanos(SETTLED_NS));
        assert_eq!(file.follow(&of_width(401.0), 0), (wait, None));
        assert_eq!(width(&mut file, &path), None, "it may go on changing");
        file.follow(&of_width(401.0), SETTLED_NS);
        assert_eq!(width(&mut file, &path), Some(401.0));
        assert_eq!(file.follow(&of_width(401.0), 9 * SETTLED_NS), (None, None));
    }

    #[test]
    fn settings_that_go_on_changing_are_written_each_second() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        let mut file = SettingsFile::new(Some(path.clone()), &Settings::default());
        let mut oldest_ms = 0;
        for ms in (0..5000).step_by(16) {
            file.follow(&of_width(400.0 + ms as f32), ms * MS);
            let written = width(&mut file, &path).map_or(0, |width| width as u64 - 400);
            oldest_ms = oldest_ms.max(ms - written);
        }
        assert!(oldest_ms <= 1020, "{oldest_ms} ms would be lost");
        assert!(oldest_ms >= 900, "it is written all the time");
    }

    #[test]
    fn failure_to_write_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let path = folder.path().join("file/viewer.toml");
        let mut file = SettingsFile::new(Some(path), &Settings::default());
        let mut problems = Vec::new();
        for ms in (0..5000).step_by(16) {
            problems.extend(file.follow(&of_width(400.0 + ms as f32), ms * MS).1);
        }
        problems.extend(file.written());
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("cannot write the settings "), "{problems:?}");
        assert!(file.finish(&Settings::default()).is_err());
    }
}
