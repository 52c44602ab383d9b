//! The files of a run.

mod kept_files;
mod machine;
mod run_id;
mod run_output;
mod warning;

pub use kept_files::{FolderLock, UNFINISHED};
pub use machine::{Git, Machine};
pub use run_id::{ClockError, RunId};
pub use run_output::{FramesFile, Output, Table, Written, remove_files, write_rows};
pub use warning::{Median, Warning, noise, noise_of_rows};

use crate::rows::RowError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Makes the folder `results/run-YYYYMMDD-HHMMSS` under `parent`; a number follows where the name
/// is taken.
///
/// # Errors
///
/// Where the system refuses.
pub fn run_directory(parent: &Path, stamp: &str) -> Result<PathBuf, OutputError> {
    let results = parent.join("results");
    fs::create_dir_all(&results).map_err(io_error("make the folder", &results))?;
    let mut folder = results.join(format!("run-{stamp}"));
    let mut number = 1;
    loop {
        match fs::create_dir(&folder) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map_err(io_error("make the folder", &folder)).map(|()| folder),
        }
        folder = results.join(format!("run-{stamp}-{number}"));
    }
}

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

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io { action, path, source }
}
