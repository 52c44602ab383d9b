//! Errors of reading and writing a trace.

use std::io;
use std::path::{Path, PathBuf};

/// Why a trace could not be read or written: the system failed, the path is not a regular file, the file is no valid trace,
/// or what was to be written is none.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", path.display())]
pub struct TraceError {
    path: PathBuf,
    /// The system's error; else the byte or the frame, what was expected there, and what was found.
    message: String,
}

impl TraceError {
    /// For `map_err`.
    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::refused(path)(format!("cannot {action}: {error}"))
    }

    /// What is wrong with the trace; for `map_err`.
    pub fn refused(path: &Path) -> impl FnOnce(String) -> Self {
        move |message| Self { path: path.to_owned(), message }
    }
}
