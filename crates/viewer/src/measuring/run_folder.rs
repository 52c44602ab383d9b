//! The folder of a run, which is temporary until it is kept.

use measure::{OutputError, RunId, run_directory};
use sim::Unfinished;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A folder that is removed with this, or at the end of the process, unless it is kept.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    /// The folder `results`, if it was made for this one.
    made_for_it: Option<PathBuf>,
    /// `None` once it is kept.
    unfinished: Mutex<Option<Unfinished>>,
}

impl RunFolder {
    /// Makes the folder in `results` in `parent`, or else among temporary files.
    ///
    /// # Errors
    ///
    /// If neither can be made; the error is that of the first.
    pub(super) fn create(parent: &Path, run: &RunId) -> Result<Self, OutputError> {
        Self::create_in(parent, run)
            .or_else(|error| Self::create_in(&env::temp_dir(), run).map_err(|_| error))
    }

    fn create_in(parent: &Path, run: &RunId) -> Result<Self, OutputError> {
        let results = parent.join("results");
        let was_there = results.exists();
        let (path, unfinished) = Unfinished::make(|| run_directory(parent, &run.stamp()))?;
        let unfinished = Mutex::new(Some(unfinished));
        Ok(Self { path, made_for_it: (!was_there).then_some(results), unfinished })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn keep(&self) {
        *self.unfinished.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if self.unfinished.get_mut().unwrap_or_else(PoisonError::into_inner).is_none() {
            return;
        }
        // A failure cannot be remedied.
        let _ = fs::remove_dir_all(&self.path);
        if let Some(results) = &self.made_for_it {
            // It stays if there is something else in it by now.
            let _ = fs::remove_dir(results);
        }
    }
}
