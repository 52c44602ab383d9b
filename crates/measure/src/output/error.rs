//! Files of the output that cannot be made, written or resumed.

use crate::rows::RowError;
use std::io;
use std::path::{Path, PathBuf};

/// A file or folder of the output that cannot be made, written, or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// There is a result already.
    #[error(
        "{} exists already: choose another folder, --resume to complete it, or --force to replace it",
        .0.display()
    )]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{} is being written by another run", .0.display())]
    InUse(PathBuf),
    /// The results there come from another measurement, and must not be mixed with this one.
    #[error("{0}; resume with the same program, options and inputs, or measure again with --force")]
    OtherRun(String),
    /// A file of the run to resume is wrong.
    #[error(transparent)]
    Read(#[from] RowError),
    /// The system refuses.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io { action, path, source }
}
