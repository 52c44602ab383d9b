//! Errors of reading and writing a trace.

use std::io;
use std::path::{Path, PathBuf};

/// Why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The system failed, or the path is not a regular file.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The trace.
        path: PathBuf,
        /// The attempted action.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The file is no valid trace, or what was to be written is none.
    #[error("{}: {message}", path.display())]
    Refused {
        /// The trace.
        path: PathBuf,
        /// The byte or the frame, what was expected there, and what was found.
        message: String,
    },
}

impl TraceError {
    /// For `map_err`.
    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }

    /// For `map_err`.
    pub(super) fn refused(path: &Path) -> impl FnOnce(String) -> Self {
        move |message| Self::Refused { path: path.to_owned(), message }
    }
}
