//! The files of a run.

use crate::{FrameRow, Machine, SummaryRow};
use csv::{Terminator, WriterBuilder};
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file or folder of the output that cannot be made or written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// There is a result already.
    #[error("{} exists already: choose another folder, or --force to replace it", .0.display())]
    Exists(PathBuf),
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

/// The open `frames.csv` and `summary.csv` of a run, beside its `machine.json`.
#[derive(Debug)]
pub struct Output {
    frames: CsvFile,
    summary: CsvFile,
}

impl Output {
    /// Makes the folder and opens its files, so that a bad path is noticed before anything is
    /// measured. Results that are there already are replaced only if `replace`.
    ///
    /// # Errors
    ///
    /// Where there are results already, or the system refuses.
    pub fn create(folder: &Path, replace: bool, machine: &Machine) -> Result<Self, OutputError> {
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
        let paths = ["frames.csv", "summary.csv", "machine.json"].map(|name| folder.join(name));
        if let Some(path) = paths.iter().find(|path| !replace && path.exists()) {
            return Err(OutputError::Exists(path.clone()));
        }
        let [frames, summary, machine_path] = paths;
        let output = Self {
            frames: CsvFile::create(frames, &FrameRow::COLUMNS)?,
            summary: CsvFile::create(summary, &SummaryRow::COLUMNS)?,
        };
        let json = serde_json::to_string_pretty(machine)
            .map_err(|e| io_error("write", &machine_path)(io::Error::other(e)))?;
        fs::write(&machine_path, json + "\n").map_err(io_error("write", &machine_path))?;
        Ok(output)
    }

    /// Appends the rows of a cell that is done. They are handed to the system when this returns.
    ///
    /// The summary comes last: where it stands, the frames stand too.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk.
    pub fn append(
        &mut self,
        frames: impl IntoIterator<Item = FrameRow>,
        summary: &SummaryRow,
    ) -> Result<(), OutputError> {
        self.frames.append(frames)?;
        self.summary.append([summary])
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

/// A CSV file that only ever holds whole rows.
#[derive(Debug)]
struct CsvFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole rows.
    whole: u64,
}

impl CsvFile {
    fn create(path: PathBuf, columns: &[&str]) -> Result<Self, OutputError> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .map_err(io_error("write", &path))?;
        let mut csv = Self { path, file, whole: 0 };
        csv.append([columns])?;
        Ok(csv)
    }

    fn append<R: Serialize>(
        &mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), OutputError> {
        // Set in memory and written at once: a process killed in between leaves no half row.
        let mut writer = WriterBuilder::new()
            .has_headers(false)
            .terminator(Terminator::CRLF) // RFC 4180
            .from_writer(Vec::new());
        let set = || -> io::Result<()> {
            rows.into_iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()
        };
        set().map_err(io_error("set rows for", &self.path))?;
        self.file.write_all(writer.get_ref()).map_err(|error| {
            // A full disk takes a part: the half row is taken back. That this fails too is no news.
            let _ = self.file.set_len(self.whole).and_then(|()| self.file.seek(SeekFrom::End(0)));
            io_error("write", &self.path)(error)
        })?;
        self.whole += writer.get_ref().len() as u64;
        Ok(())
    }
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io { action, path, source }
}
