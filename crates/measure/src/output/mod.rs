//! The files of a run.

mod journal;
mod manifest;
mod whole_file;

use crate::{Case, FinishedRepetition, FrameRow, Labels, Machine, SummaryFile, SummaryRow};
use journal::{Checkpoint, Entry, Journal};
use manifest::Manifest;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use whole_file::{CsvFile, WholeFile};

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
         program and options, or measure anew with --force",
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
    /// A file is not as this program writes it.
    #[error("{}, line {line}: {problem}; measure anew with --force", path.display())]
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

/// The names of a run's files.
#[derive(Clone, Debug)]
struct Paths {
    frames: PathBuf,
    summary: PathBuf,
    machine: PathBuf,
    journal: PathBuf,
}

/// The open `frames.csv` and `summary.csv` of a run, beside its `machine.json`, and until it is
/// complete `unfinished.jsonl`.
#[derive(Debug)]
pub struct Output {
    paths: Paths,
    frames: CsvFile,
    summary: CsvFile,
    manifest: Manifest,
    journal: Journal,
    /// Rows of cells that were complete when the run was taken up again.
    done: HashMap<Labels, SummaryRow>,
    /// Repetitions of cells that were not.
    begun: Vec<Entry<FinishedRepetition>>,
}

impl Output {
    /// Makes the folder and opens its files, so that a bad path is noticed before anything is
    /// measured. Results that are there already are replaced only if `replace`.
    ///
    /// # Errors
    ///
    /// Where there are results already, another run writes them, or the system refuses.
    pub fn create(folder: &Path, replace: bool, machine: &Machine) -> Result<Self, OutputError> {
        let paths = Paths::new(folder)?;
        let results = [&paths.frames, &paths.summary, &paths.machine];
        if let Some(path) = results.into_iter().find(|path| !replace && path.exists()) {
            return Err(OutputError::Exists(path.clone()));
        }
        let frames = WholeFile::open_locked(paths.frames.clone())?;
        if !replace && frames.bytes() > 0 {
            // Another run was faster, and is done already.
            return Err(OutputError::Exists(paths.frames));
        }
        // Without it no run can be taken up: it goes first, and comes last.
        match fs::remove_file(&paths.machine) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(io_error("write", &paths.machine)(e));
            }
            _ => {}
        }
        let frames = frames.cut(0)?;
        let frames = CsvFile::begin(frames, &FrameRow::COLUMNS)?;
        let summary = WholeFile::open(paths.summary.clone(), 0)?;
        let summary = CsvFile::begin(summary, &SummaryRow::COLUMNS)?;
        let journal = Journal::begin(&paths.journal, checkpoint(&frames, &summary)?)?;
        let manifest = Manifest::create(&paths.machine, machine)?;
        let (done, begun) = (HashMap::new(), Vec::new());
        Ok(Self { paths, frames, summary, manifest, journal, done, begun })
    }

    /// Takes up a run that was killed or stopped; where none was begun, begins it.
    ///
    /// # Errors
    ///
    /// Where the results come from another measurement, are not as they were left, or are being
    /// written by another run, and where the system refuses.
    pub fn resume(folder: &Path, machine: &Machine) -> Result<Self, OutputError> {
        let paths = Paths::new(folder)?;
        if !paths.machine.exists() {
            // Killed while it was being made: no row can have been written.
            let header = |path: &Path, columns: &[&str]| {
                let length = fs::metadata(path).map_or(0, |file| file.len());
                length <= columns.join(",").len() as u64 + 2
            };
            let nothing_lost = header(&paths.frames, &FrameRow::COLUMNS)
                && header(&paths.summary, &SummaryRow::COLUMNS);
            return Self::create(folder, nothing_lost, machine);
        }
        let length =
            |path: &Path| fs::metadata(path).map(|file| file.len()).map_err(io_error("read", path));
        // What is gone is not made anew.
        length(&paths.frames)?;
        let frames = WholeFile::open_locked(paths.frames.clone())?;
        let (frames_bytes, summary_bytes) = (frames.bytes(), length(&paths.summary)?);
        let manifest = Manifest::resume(&paths.machine, machine)?;
        let (checkpoint, journal, begun) = if paths.journal.exists() {
            let reading = Journal::read(&paths.journal)?;
            let journal = Journal::go_on(&paths.journal, &reading)?;
            (reading.checkpoint, journal, reading.entries)
        } else {
            let checkpoint = Checkpoint { frames_bytes, summary_bytes };
            (checkpoint, Journal::begin(&paths.journal, checkpoint)?, Vec::new())
        };
        for (path, is, was) in [
            (&paths.frames, frames_bytes, checkpoint.frames_bytes),
            (&paths.summary, summary_bytes, checkpoint.summary_bytes),
        ] {
            if is < was {
                let problem = format!("the file has {is} bytes, but {was} were written");
                return Err(OutputError::Corrupt { path: path.clone(), line: 1, problem });
            }
        }
        check_header(&paths.frames, &FrameRow::COLUMNS)?;
        check_header(&paths.summary, &SummaryRow::COLUMNS)?;
        let frames = CsvFile { file: frames.cut(checkpoint.frames_bytes)? };
        let summary = WholeFile::open(paths.summary.clone(), checkpoint.summary_bytes)?;
        let done = SummaryFile::read(&paths.summary)
            .map_err(|e| OutputError::Corrupt {
                path: paths.summary.clone(),
                line: e.line(),
                problem: e.problem(),
            })?
            .rows
            .into_iter()
            .map(|row| (row.labels(), row))
            .collect();
        Ok(Self {
            paths,
            frames,
            summary: CsvFile { file: summary },
            manifest,
            journal,
            done,
            begun,
        })
    }

    /// The run's name: that of its first process.
    pub fn run_id(&self) -> &str {
        self.manifest.run_id()
    }

    /// The row of a cell that was complete when the run was taken up again.
    pub fn done_row(&self, labels: &Labels) -> Option<&SummaryRow> {
        self.done.get(labels)
    }

    /// Repetitions of a case that was begun when the run was taken up again.
    pub fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        let begun = std::mem::take(&mut self.begun);
        let (its, others) = begun.into_iter().partition(|entry| entry.belongs_to(case));
        self.begun = others;
        let its: Vec<Entry<FinishedRepetition>> = its;
        its.into_iter().map(|entry| entry.repetition).collect()
    }

    /// Keeps a repetition of the case that is being measured. It is handed to the system when this
    /// returns.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk.
    pub fn keep(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        self.journal.append(case, repetition, &self.paths.journal)
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

    /// All cells of a case are appended: from here on their repetitions are not needed.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn case_done(&mut self) -> Result<(), OutputError> {
        let checkpoint = checkpoint(&self.frames, &self.summary)?;
        self.journal = Journal::begin(&self.paths.journal, checkpoint)?;
        Ok(())
    }

    /// Notes in `machine.json` what makes figures doubtful, at once: a kill would lose it otherwise.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn warn(&mut self, warning: &str) -> Result<(), OutputError> {
        self.manifest.warn(&self.paths.machine, warning)
    }

    /// The run is complete. What made its figures doubtful goes into `machine.json`.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn finish(mut self, date: &str, warnings: &[String]) -> Result<(), OutputError> {
        self.manifest.finish(&self.paths.machine, date, warnings)?;
        let path = &self.paths.journal;
        fs::remove_file(path).map_err(io_error("remove", path))
    }
}

/// Refuses to go on with a file of other columns: rows of ours would not be under their names.
fn check_header(path: &Path, columns: &[&str]) -> Result<(), OutputError> {
    let expected = columns.join(",");
    let mut header = Vec::new();
    let file = fs::File::open(path).map_err(io_error("read", path))?;
    let most = expected.len() as u64 + 2;
    let mut start = io::BufReader::new(file.take(most));
    start.read_until(b'\n', &mut header).map_err(io_error("read", path))?;
    if header == format!("{expected}\r\n").as_bytes() {
        return Ok(());
    }
    let problem = "the columns are not those of this version of the program".to_owned();
    Err(OutputError::Corrupt { path: path.to_owned(), line: 1, problem })
}

/// How far the files have come, all of it on the disk.
fn checkpoint(frames: &CsvFile, summary: &CsvFile) -> Result<Checkpoint, OutputError> {
    frames.file.sync()?;
    summary.file.sync()?;
    let (frames_bytes, summary_bytes) = (frames.file.bytes(), summary.file.bytes());
    Ok(Checkpoint { frames_bytes, summary_bytes })
}

impl Paths {
    /// Makes the folder.
    fn new(folder: &Path) -> Result<Self, OutputError> {
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
        let [frames, summary, machine, journal] =
            ["frames.csv", "summary.csv", "machine.json", "unfinished.jsonl"]
                .map(|name| folder.join(name));
        Ok(Self { frames, summary, machine, journal })
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

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io { action, path, source }
}
