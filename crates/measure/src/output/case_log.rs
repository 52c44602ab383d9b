//! CSV tables that grow by whole cases, with a `machine.json` and a journal.

use super::error::{OutputError, io_error};
use super::journal::{Entry, Journal, Reading};
use super::machine::Machine;
use super::manifest::Manifest;
use super::warning::Warning;
use super::whole_file::{CsvFile, WholeFile, remove_files};
use super::written::{Written, WrittenTables};
use crate::input::{Case, GrowingHash};
use crate::process::available_memory;
use crate::rows::{FinishedRepetition, StagesFile, SummaryFile, columns};
use serde::{Deserialize, Serialize};
use sim::{open_regular, refuse_link};
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// A CSV table of a [`CaseLog`].
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name of its file.
    pub name: &'static str,
    /// Its columns.
    columns: &'static [&'static str],
}

impl Table {
    /// A table of rows `R`.
    pub fn of<'de, R: Deserialize<'de>>(name: &'static str) -> Self {
        Self { name, columns: columns::<R>() }
    }
}

/// The open tables of a measurement, its `machine.json`, and `unfinished.jsonl` until it is complete.
///
/// A killed process loses at most the running repetition, or the running case where repetitions are
/// not kept: a log that is resumed cuts its tables back to the end of the last case.
#[derive(Debug)]
pub struct CaseLog {
    machine: PathBuf,
    unfinished: PathBuf,
    paths: Vec<PathBuf>,
    files: Vec<CsvFile>,
    manifest: Manifest,
    journal: Journal,
    /// Repetitions of cells that were not complete when the log was resumed.
    begun: Vec<Entry<FinishedRepetition>>,
    /// Damage that was found when it was resumed.
    damage: Option<Warning>,
}

impl CaseLog {
    /// Creates the folder and its files, so that a bad path is noticed before anything is measured.
    /// Existing results are replaced only if `replace`.
    ///
    /// # Errors
    ///
    /// Where there are results already, another run writes them, or the system refuses.
    pub fn create(
        folder: &Path,
        tables: &[Table],
        replace: bool,
        machine: &Machine,
    ) -> Result<Self, OutputError> {
        let [manifest, unfinished] = own_files(folder)?;
        let paths = paths(folder, tables);
        let is_there = |path: &&PathBuf| !replace && path.exists();
        if let Some(path) = paths.iter().chain([&manifest]).find(is_there) {
            return Err(OutputError::Exists(path.clone()));
        }
        let opened = open_all(&paths)?;
        if let Some(index) = opened.iter().position(|file| !replace && file.bytes() > 0) {
            // Another run has finished in the meantime.
            return Err(OutputError::Exists(paths[index].clone()));
        }
        if replace {
            remove_other_tables(folder, &paths)?;
        }
        // It marks a run that can be resumed: it is removed first, and written last.
        match fs::remove_file(&manifest) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(io_error("write", &manifest)(e));
            }
            _ => {}
        }
        let begin =
            |(file, table): (WholeFile, &Table)| CsvFile::begin(file.cut(0)?, table.columns);
        let files =
            opened.into_iter().zip(tables).map(begin).collect::<Result<Vec<_>, OutputError>>()?;
        let written = written(&paths, &files, &machine.run_id)?;
        Ok(Self {
            journal: Journal::begin(&unfinished, &machine.run_id, &written)?,
            manifest: Manifest::create(&manifest, machine, &written)?,
            machine: manifest,
            begun: Vec::new(),
            damage: None,
            unfinished,
            paths,
            files,
        })
    }

    /// Resumes a measurement that was killed or stopped; where none was begun, begins it.
    ///
    /// # Errors
    ///
    /// Where the results come from another measurement, are not as they were left, or are being
    /// written by another run, and where the system refuses.
    pub fn resume(folder: &Path, tables: &[Table], machine: &Machine) -> Result<Self, OutputError> {
        let [manifest_path, unfinished] = own_files(folder)?;
        let paths = paths(folder, tables);
        if !manifest_path.exists() {
            // Killed while the files were created: no row can have been written.
            let is_header = |(path, table): (&PathBuf, &Table)| {
                let length = fs::metadata(path).map_or(0, |file| file.len());
                length <= table.columns.join(",").len() as u64 + 2
            };
            let nothing_lost = paths.iter().zip(tables).all(is_header);
            return Self::create(folder, tables, nothing_lost, machine);
        }
        // A missing file is an error: it is not replaced by an empty one.
        paths
            .iter()
            .try_for_each(|path| fs::metadata(path).map(|_| ()).map_err(io_error("read", path)))?;
        let opened = open_all(&paths)?;
        let mut manifest = Manifest::resume(&manifest_path, machine)?;
        let written = manifest.tables(&manifest_path)?;
        let (run_id, is_finished) = (manifest.run_id().to_owned(), manifest.is_finished());
        let mut contents = Vec::new();
        for ((path, file), table) in paths.iter().zip(&opened).zip(tables) {
            let Some(was) = written.get(table.name) else {
                let problem = format!("expected `{}` among the `tables`", table.name);
                return Err(OutputError::Corrupt { path: manifest_path, line: 1, problem });
            };
            check_length(path, file.bytes(), was.bytes(), is_finished)?;
            check_header(path, table.columns)?;
            contents.push(was.check_start(path, &run_id)?);
        }
        // All are as they were: rows of a case that was begun are cut off.
        let cut = |(file, content): (WholeFile, GrowingHash)| {
            Ok(CsvFile { file: file.cut(content.bytes())?, content })
        };
        let files =
            opened.into_iter().zip(contents).map(cut).collect::<Result<Vec<_>, OutputError>>()?;
        let reading = match is_finished {
            // It may have been killed before its journal was removed.
            true => Reading::default(),
            false => Journal::read(&unfinished, &run_id, available_memory())?,
        };
        let is_of_case = reading.tables.as_ref().is_none_or(|tables| *tables == written);
        let damaged = reading.damaged.filter(|_| is_of_case);
        let damage = damaged.map(|line| Warning::Damaged { path: unfinished.clone(), line });
        let (journal, begun) = match reading.tables {
            Some(_) if is_of_case => (Journal::go_on(&unfinished, reading.end)?, reading.entries),
            _ => (Journal::begin(&unfinished, &run_id, &written)?, Vec::new()),
        };
        match &damage {
            Some(damage) => manifest.warn(&manifest_path, damage)?,
            None => manifest.note_tables(&manifest_path, &written)?,
        }
        let machine = manifest_path;
        Ok(Self { machine, unfinished, paths, files, manifest, journal, begun, damage })
    }

    /// Damage that was found when the log was resumed: what it concerns is measured again.
    pub fn damage(&self) -> Option<&Warning> {
        self.damage.as_ref()
    }

    /// The `run_id` of the rows; a resumed run keeps that of its first process.
    pub fn run_id(&self) -> &str {
        self.manifest.run_id()
    }

    /// The path of the table at this place in the list that the log was opened with.
    ///
    /// # Panics
    ///
    /// Where there is no such table.
    pub fn path(&self, table: usize) -> &Path {
        &self.paths[table]
    }

    /// Repetitions of a case that was begun when the log was resumed.
    pub fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        let begun = std::mem::take(&mut self.begun);
        let (its, others): (Vec<_>, Vec<_>) =
            begun.into_iter().partition(|entry| entry.belongs_to(case));
        self.begun = others;
        its.into_iter().map(|entry| entry.repetition).collect()
    }

    /// Keeps a repetition of the case that is being measured. It is handed to the system when this
    /// returns.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk; and where a file was removed, replaced or shortened.
    pub fn keep(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        self.files.iter().try_for_each(|csv| csv.file.check())?;
        self.journal.check()?;
        self.journal.append(case, repetition, &self.unfinished)
    }

    /// Appends rows to the table at this place. They are handed to the system when this returns.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk.
    ///
    /// # Panics
    ///
    /// Where there is no such table.
    pub fn append<R: Serialize>(
        &mut self,
        table: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), OutputError> {
        self.files[table].append(rows)
    }

    /// Marks the end of a case, all rows of which are appended: its repetitions are no longer needed.
    ///
    /// # Errors
    ///
    /// Where the system refuses, and where a file was removed, replaced or shortened.
    pub fn case_done(&mut self) -> Result<(), OutputError> {
        self.files.iter().try_for_each(|csv| csv.file.check())?;
        let written = written(&self.paths, &self.files, self.manifest.run_id())?;
        self.manifest.note_tables(&self.machine, &written)?;
        // Killed here, the run is resumed with a journal of an earlier case, which is not believed.
        self.journal = Journal::begin(&self.unfinished, self.manifest.run_id(), &written)?;
        Ok(())
    }

    /// Adds a warning to `machine.json` at once: a kill would lose it otherwise.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn warn(&mut self, warning: &Warning) -> Result<(), OutputError> {
        self.manifest.warn(&self.machine, warning)
    }

    /// Completes the measurement. The warnings go into `machine.json`.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn finish(mut self, date: &str, warnings: &[Warning]) -> Result<(), OutputError> {
        let written = written(&self.paths, &self.files, self.manifest.run_id())?;
        self.manifest.finish(&self.machine, date, warnings, &written)?;
        fs::remove_file(&self.unfinished).map_err(io_error("remove", &self.unfinished))
    }
}

/// Creates the folder. Returns the paths of `machine.json` and of the journal.
fn own_files(folder: &Path) -> Result<[PathBuf; 2], OutputError> {
    fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
    let files = ["machine.json", "unfinished.jsonl"].map(|name| folder.join(name));
    files.iter().try_for_each(|path| refuse_link(path).map_err(io_error("write", path)))?;
    Ok(files)
}

fn paths(folder: &Path, tables: &[Table]) -> Vec<PathBuf> {
    tables.iter().map(|table| folder.join(table.name)).collect()
}

/// Removes the tables of another command, which `machine.json` would not describe any more.
fn remove_other_tables(folder: &Path, own: &[PathBuf]) -> Result<(), OutputError> {
    let paths = ["frames.csv", SummaryFile::NAME, StagesFile::NAME].map(|name| folder.join(name));
    let others = paths.into_iter().filter(|path| !own.contains(path) && path.exists());
    remove_files(&others.collect::<Vec<_>>())
}

/// Opens the files at their ends. The lock of the first protects all.
fn open_all(paths: &[PathBuf]) -> Result<Vec<WholeFile>, OutputError> {
    let open = |(index, path): (usize, &PathBuf)| match index {
        0 => WholeFile::open_locked(path.clone()),
        _ => WholeFile::open_at_end(path.clone()),
    };
    paths.iter().enumerate().map(open).collect()
}

/// Refuses a file whose header differs: appended rows would not match it.
fn check_header(path: &Path, columns: &[&str]) -> Result<(), OutputError> {
    let expected = columns.join(",");
    let mut header = Vec::new();
    let file = open_regular(path).map_err(io_error("read", path))?;
    let most = expected.len() as u64 + 2;
    let mut start = io::BufReader::new(file.take(most));
    start.read_until(b'\n', &mut header).map_err(io_error("read", path))?;
    if header == format!("{expected}\r\n").as_bytes() {
        return Ok(());
    }
    let problem = "the columns are not those of this version of the program".to_owned();
    Err(OutputError::Corrupt { path: path.to_owned(), line: 1, problem })
}

/// Refuses a table that is shorter than what was written, or longer where no rows of a begun case can follow.
fn check_length(path: &Path, is: u64, was: u64, is_finished: bool) -> Result<(), OutputError> {
    if is < was || is_finished && is > was {
        let problem = format!("the file has {is} bytes, but {was} were written");
        return Err(OutputError::Corrupt { path: path.to_owned(), line: 1, problem });
    }
    Ok(())
}

/// The content of the tables, after a sync to the disk.
fn written(
    paths: &[PathBuf],
    files: &[CsvFile],
    run_id: &str,
) -> Result<WrittenTables, OutputError> {
    files.iter().try_for_each(|csv| csv.file.sync())?;
    let table = |(path, csv): (&PathBuf, &CsvFile)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, Written::new(&csv.content, run_id))
    };
    Ok(paths.iter().zip(files).map(table).collect())
}
