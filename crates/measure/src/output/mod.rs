//! The files of a run.

mod error;
mod folder_lock;
mod kept_files;
mod machine;
mod run_id;
mod run_output;
mod tables;
mod warning;

pub use error::OutputError;
pub use folder_lock::FolderLock;
pub use kept_files::UNFINISHED;
pub use machine::{Git, Machine};
pub use run_id::{ClockError, RunId};
pub use run_output::{Output, Table, remove_files};
pub use tables::{FramesFile, Written};
pub use warning::{Median, Warning, noise, noise_of_rows};

use error::io_error;

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
