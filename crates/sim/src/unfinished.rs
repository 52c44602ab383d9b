//! Files and folders that a process has to remove before it ends by a signal.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and folders that exist now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder, known to [`remove_unfinished`] as long as this lives. It does not remove the
/// path itself: `tempfile` does when its value is dropped, which a signal prevents.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file or folder by `make`. A signal cannot end the process before its path is known here.
    ///
    /// `make` holds a lock: it must neither call this function nor drop an [`Unfinished`].
    ///
    /// # Errors
    ///
    /// The errors of `make`.
    pub fn make<T: AsRef<Path>, E>(make: impl FnOnce() -> Result<T, E>) -> Result<(T, Self), E> {
        let mut paths = unfinished();
        let made = make()?;
        let path = made.as_ref().to_owned();
        paths.push(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

/// Removes all unfinished files and folders of this process, which is about to end without dropping its
/// values. While the list that it returns lives, no thread makes an unfinished file or folder, or drops one: they wait.
#[must_use = "a file that is made after this is dropped is not removed"]
pub fn remove_unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut paths = unfinished();
    for path in paths.drain(..) {
        // A failure cannot be remedied any more.
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
    paths
}
