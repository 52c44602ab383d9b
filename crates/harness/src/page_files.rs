//! Files that are made whole: charts, pages.

use crate::failure::Failure;
use sim::AtomicFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that can be written, before there is anything to write: it appears whole or not at all.
pub(crate) struct PageFile {
    path: PathBuf,
    file: AtomicFile,
}

impl PageFile {
    /// Makes sure that the file can be written. What is there already is replaced only if `replace`.
    pub(crate) fn create(path: &Path, replace: bool) -> Result<Self, Failure> {
        refuse_existing(path, replace)?;
        let file = AtomicFile::create(path).map_err(|e| cannot_write(path, &e))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes all of it.
    pub(crate) fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file
            .write_all(bytes)
            .and_then(|()| self.file.commit())
            .map_err(|e| cannot_write(&self.path, &e))
    }
}

/// Refuses to replace a file unless told so.
pub(crate) fn refuse_existing(path: &Path, replace: bool) -> Result<(), Failure> {
    if path.exists() && !replace {
        return Err(Failure::Running(format!(
            "{} exists already: choose another name, or --force to replace it",
            path.display()
        )));
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Running(format!("cannot write {}: {error}", path.display()))
}
