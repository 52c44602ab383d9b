//! A file that follows what it holds.

use crate::platform::{Files, Platform};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// Time from the first change until it is written, in ns.
const DELAY_NS: u64 = 500_000_000;

/// Writes a value into a file.
type Write<T> = fn(&T, &dyn Files, &Path) -> Result<(), String>;

/// Writes a value soon after it changes, so that a kill loses no more than a second.
///
/// On a thread of its own: waiting for the disk would delay pictures.
pub(super) struct FollowingFile<T> {
    name: &'static str,
    /// `None` writes nothing.
    path: Option<PathBuf>,
    platform: Platform,
    write: Write<T>,
    /// The value at the last call.
    seen: T,
    /// When the value first changed since it was written, in ns.
    changed_ns: Option<u64>,
    writing: Option<Receiver<Result<(), String>>>,
    /// The last failure, which is reported once.
    problem: Option<String>,
}

impl<T: Clone + PartialEq + Send + 'static> FollowingFile<T> {
    /// The file at `path`, which holds `value`. Its thread has this name.
    pub(super) fn new(
        name: &'static str,
        path: Option<PathBuf>,
        platform: Platform,
        write: Write<T>,
        value: T,
    ) -> Self {
        let (changed_ns, writing, problem) = (None, None, None);
        Self { name, path, platform, write, seen: value, changed_ns, writing, problem }
    }

    /// The value in the file; `None` while the file is behind, or could not be written.
    pub(super) fn written(&self) -> Option<&T> {
        let is_behind =
            self.changed_ns.is_some() || self.writing.is_some() || self.problem.is_some();
        self.path.as_ref().filter(|_| !is_behind).map(|_| &self.seen)
    }

    /// Writes the value if it is time to. Returns how long until it is to be called again, and a failure that
    /// was not reported yet.
    pub(super) fn follow(&mut self, value: &T, now_ns: u64) -> (Option<Duration>, Option<String>) {
        if self.path.is_none() {
            return (None, None);
        }
        if self.seen != *value {
            self.seen = value.clone();
            self.changed_ns.get_or_insert(now_ns);
        }
        let problem = self.take_problem();
        let left_ns = self.changed_ns.map(|at_ns| (at_ns + DELAY_NS).saturating_sub(now_ns));
        if left_ns == Some(0) && self.writing.is_none() {
            self.begin_write();
        }
        // The end of a write is noticed by the next call.
        let waits = self.changed_ns.is_some() || self.writing.is_some();
        let wait_ns = left_ns.filter(|left_ns| *left_ns > 0).or(waits.then_some(DELAY_NS));
        (wait_ns.map(Duration::from_nanos), problem)
    }

    fn begin_write(&mut self) {
        let Some(path) = self.path.clone() else { return };
        let (value, write, files) = (self.seen.clone(), self.write, self.platform.files);
        let (done, writing) = channel();
        let work = move || {
            // At the end, nothing waits for it any more.
            let _ = done.send(write(&value, files, &path));
        };
        // Without a thread it is written here: a page has no end at which it could be.
        if self.platform.threads.spawn(self.name, Box::new(work.clone())).is_err() {
            work();
        }
        (self.changed_ns, self.writing) = (None, Some(writing));
    }

    /// The failure of the last write, if it has ended, unless the one before failed alike.
    fn take_problem(&mut self) -> Option<String> {
        let written = match self.writing.as_ref()?.try_recv() {
            Ok(written) => written,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(format!("the {} were not written", self.name)),
        };
        self.writing = None;
        let problem = written.err();
        let is_new = problem != self.problem;
        self.problem = problem;
        self.problem.clone().filter(|_| is_new)
    }

    /// Writes the value now. Returns whether there is a file to write.
    ///
    /// # Errors
    ///
    /// A message of one line if it cannot be written.
    pub(super) fn finish(&mut self, value: &T) -> Result<bool, String> {
        if let Some(writing) = self.writing.take() {
            // An earlier state must not replace this one.
            let _ = writing.recv();
        }
        let files = self.platform.files;
        let Some(path) = &self.path else { return Ok(false) };
        (self.write)(value, files, path).map(|()| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::Double;
    use crate::settings::Settings;

    const MS: u64 = 1_000_000;

    fn of_width(width: f32) -> Settings {
        Settings { window: [width, 500.0], ..Settings::default() }
    }

    fn file(double: &'static Double, settings: &Settings) -> FollowingFile<Settings> {
        let path = Some("viewer.toml".into());
        FollowingFile::new("settings", path, double.platform(), Settings::write, settings.clone())
    }

    /// The width in the file.
    fn width(double: &Double) -> Option<f32> {
        double.text("viewer.toml")?;
        Some(Settings::read(double, Path::new("viewer.toml")).unwrap().window[0])
    }

    #[test]
    fn settings_are_written_soon_after_they_change() {
        let double = Double::leaked();
        let mut file = file(double, &of_width(400.0));
        assert_eq!(file.follow(&of_width(400.0), 0), (None, None), "nothing has changed");
        let wait = Some(Duration::from_nanos(DELAY_NS));
        assert_eq!(file.follow(&of_width(401.0), 0), (wait, None));
        assert!(double.let_go().is_empty(), "it may go on changing");
        assert_eq!(file.follow(&of_width(401.0), DELAY_NS), (wait, None));
        assert_eq!(width(double), None, "another thread writes it");
        assert_eq!(double.let_go(), ["settings"]);
        assert_eq!(width(double), Some(401.0));
        assert_eq!(file.follow(&of_width(401.0), 9 * DELAY_NS), (None, None));
        assert!(double.let_go().is_empty());
        // A slow write is followed by the last state.
        for (width, times) in [(402.0, 10), (402.0, 11), (403.0, 12), (403.0, 90)] {
            file.follow(&of_width(width), times * DELAY_NS);
        }
        assert_eq!((double.let_go().len(), width(double)), (1, Some(402.0)));
        file.follow(&of_width(403.0), 91 * DELAY_NS);
        assert_eq!((double.let_go().len(), width(double)), (1, Some(403.0)));
    }

    #[test]
    fn settings_that_go_on_changing_are_written_twice_a_second() {
        let double = Double::leaked();
        let mut file = file(double, &Settings::default());
        let mut oldest_ms = 0;
        for ms in (0..5000).step_by(16) {
            file.follow(&of_width(400.0 + ms as f32), ms * MS);
            double.let_go();
            let written = width(double).map_or(0, |width| width as u64 - 400);
            oldest_ms = oldest_ms.max(ms - written);
        }
        assert!(oldest_ms <= 540, "{oldest_ms} ms would be lost");
        assert!(oldest_ms >= 500, "it is written all the time");
    }

    #[test]
    fn settings_are_written_without_a_thread() {
        let double = Double::leaked();
        double.is_exhausted.store(true, std::sync::atomic::Ordering::SeqCst);
        let mut file = file(double, &of_width(400.0));
        for times in 0..3 {
            file.follow(&of_width(401.0), times * DELAY_NS);
        }
        assert_eq!((width(double), file.written()), (Some(401.0), Some(&of_width(401.0))));
    }

    #[test]
    fn failure_to_write_is_reported_once() {
        let double = Double::leaked();
        *double.read_only.lock().unwrap() = Some("viewer.toml".into());
        let mut file = file(double, &Settings::default());
        let mut problems = Vec::new();
        for ms in (0..5000).step_by(16) {
            problems.extend(file.follow(&of_width(400.0 + ms as f32), ms * MS).1);
            double.let_go();
        }
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("cannot write the settings "), "{problems:?}");
        assert!(file.finish(&Settings::default()).is_err());
    }
}
