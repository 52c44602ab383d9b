//! The files of a run.

mod case_log;
mod csv_lines;
mod error;
mod frames_file;
mod kept_files;
mod machine;
mod manifest;
mod run_id;
mod warning;
mod whole_file;
mod written;

pub use case_log::{CaseLog, Table, UNFINISHED, remove_files};
pub use error::OutputError;
pub use frames_file::FramesFile;
pub use machine::{Git, Machine};
pub use run_id::{ClockError, RunId};
pub use warning::Warning;
pub use whole_file::FolderLock;
pub use written::{Written, WrittenTables};

use error::io_error;

use crate::input::Case;
use crate::rows::{FinishedRepetition, FrameRow, Labels, SummaryFile, SummaryRow};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The tables of a run, the first of which is locked while it is written.
fn tables() -> [Table; 2] {
    [Table::of::<FrameRow>("frames.csv"), Table::of::<SummaryRow>("summary.csv")]
}
/// Places in [`tables`].
const FRAMES: usize = 0;
const SUMMARY: usize = 1;

/// The open `frames.csv` and `summary.csv` of a run, in a [`CaseLog`].
#[derive(Debug)]
pub struct Output {
    log: CaseLog,
    /// Rows of cells that were complete when the run was resumed.
    done: HashMap<Labels, SummaryRow>,
}

impl Output {
    /// Creates the files of a run, as [`CaseLog::create`] does.
    ///
    /// # Errors
    ///
    /// Where there are results already, another run writes them, or the system refuses.
    pub fn create(folder: &Path, replace: bool, machine: &Machine) -> Result<Self, OutputError> {
        let log = CaseLog::create(folder, &tables(), replace, machine)?;
        Ok(Self { log, done: HashMap::new() })
    }

    /// Resumes a run that was killed or stopped, as [`CaseLog::resume`] does.
    ///
    /// # Errors
    ///
    /// Where the results come from another measurement, are not as they were left, or are being
    /// written by another run, and where the system refuses.
    pub fn resume(folder: &Path, machine: &Machine) -> Result<Self, OutputError> {
        let log = CaseLog::resume(folder, &tables(), machine)?;
        let path = log.path(SUMMARY);
        let done =
            SummaryFile::read(path)?.rows.into_iter().map(|row| (row.labels(), row)).collect();
        Ok(Self { log, done })
    }

    /// The run's name: that of its first process.
    pub fn run_id(&self) -> &str {
        self.log.run_id()
    }

    /// Damage that was found when the run was resumed, as [`CaseLog::damage`] reports.
    pub fn damage(&self) -> &[Warning] {
        self.log.damage()
    }

    /// The row of a cell that was complete when the run was resumed.
    pub fn done_row(&self, labels: &Labels) -> Option<&SummaryRow> {
        self.done.get(labels)
    }

    /// Repetitions of a case that was begun when the run was resumed.
    pub fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        self.log.take_begun(case)
    }

    /// Keeps a repetition of the case that is being measured, as [`CaseLog::keep`] does.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk.
    pub fn keep(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        self.log.keep(case, repetition)
    }

    /// Adds the rows of a cell that is done, as [`CaseLog::append`] does.
    ///
    /// # Errors
    ///
    /// Where a row cannot be written as CSV.
    pub fn append(
        &mut self,
        frames: impl IntoIterator<Item = FrameRow>,
        summary: &SummaryRow,
    ) -> Result<(), OutputError> {
        self.log.append(FRAMES, frames)?;
        self.log.append(SUMMARY, [summary])
    }

    /// Marks a case as done, as [`CaseLog::case_done`] does.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn case_done(&mut self) -> Result<(), OutputError> {
        self.log.case_done()
    }

    /// Adds a warning to `machine.json`, as [`CaseLog::warn`] does.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn warn(&mut self, warning: &Warning) -> Result<(), OutputError> {
        self.log.warn(warning)
    }

    /// Completes the run, as [`CaseLog::finish`] does.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn finish(self, date: &str, warnings: &[Warning]) -> Result<(), OutputError> {
        self.log.finish(date, warnings)
    }
}

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
    for number in 2.. {
        match fs::create_dir(&folder) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                folder = results.join(format!("run-{stamp}-{number}"));
            }
            other => {
                other.map_err(io_error("make the folder", &folder))?;
                break;
            }
        }
    }
    Ok(folder)
}
