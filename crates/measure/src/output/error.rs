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
    #[error(
        "{}: `{what}` of the run to resume is {there}, here it is {here}; resume with the same \
         program, options and inputs, or measure again with --force",
        path.display()
    )]
    OtherRun {
        /// Where it says so.
        path: PathBuf,
        /// What differs.
        what: String,
        /// What it was then.
        there: String,
        /// What it is now.
        here: String,
    },
    /// A file is no longer the one that is being written.
    #[error(
        "{} was removed, replaced or changed in length during the run; measure again with --force",
        .0.display()
    )]
    Changed(PathBuf),
    /// A table has rows that are not in the folder of what a run keeps until it is complete.
    #[error(
        "{} has rows that {} does not keep: restore that folder, or move the tables away to measure \
         these rows again",
        table.display(),
        folder.display()
    )]
    NotKept {
        /// The table.
        table: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The content of a table is no longer what a run wrote.
    #[error(
        "{} is not as it was written: restore it, or measure again with --force",
        .0.display()
    )]
    Altered(PathBuf),
    /// A file is not as this program writes it.
    #[error("{}, line {line}: {problem}; measure again with --force", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
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

impl From<RowError> for OutputError {
    fn from(error: RowError) -> Self {
        match error {
            RowError::Line { path, line, problem } => Self::Corrupt { path, line, problem },
            RowError::Unreadable { path, problem } => {
                io_error("read", &path)(io::Error::other(problem))
            }
        }
    }
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io { action, path, source }
}
