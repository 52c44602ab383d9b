//! CSV tables that grow by whole cases, with a `machine.json`.

use super::csv_file::{CsvFile, csv_lines};
use super::error::{OutputError, io_error};
use super::kept_files::{CaseRows, KeptContent, KeptFiles, KeptRepetition};
use super::machine::Machine;
use super::manifest::Manifest;
use super::warning::Warning;
use super::whole_file::WholeFile;
use super::written::WrittenTables;
use crate::input::Case;
use crate::rows::{FinishedRepetition, StagesFile, SummaryFile, columns};
use serde::{Deserialize, Serialize};
use sim::refuse_link;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the folder of finished repetitions and cases, in that of a run. A complete run has none.
pub const UNFINISHED: &str = "unfinished";

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

/// The open tables of a measurement, its `machine.json`, and the folder `unfinished` until it is complete.
///
/// The tables grow by whole cases. A killed process loses at most the running repetition, or the running case where
/// repetitions are not kept: what is kept in `unfinished` is all that a resumed log takes, and it writes the tables again.
#[derive(Debug)]
pub struct CaseLog {
    machine: PathBuf,
    tables: Vec<CsvFile>,
    /// Rows of the running case, for each table.
    rows: Vec<Vec<u8>>,
    manifest: Manifest,
    kept: KeptFiles,
    /// Repetitions of cells that were not complete when the log was resumed.
    begun: Vec<KeptRepetition<FinishedRepetition>>,
    /// Damage that was found when it was resumed.
    damage: Vec<Warning>,
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
            remove_other_files(folder, &paths)?;
        }
        // It marks a run that can be resumed: it is removed first, and written last.
        match fs::remove_file(&manifest) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(io_error("write", &manifest)(e));
            }
            _ => {}
        }
        Ok(Self {
            tables: begin_all(opened, tables)?,
            kept: KeptFiles::begin(unfinished, &machine.run_id)?,
            manifest: Manifest::create(&manifest, machine)?,
            machine: manifest,
            rows: vec![Vec::new(); tables.len()],
            begun: Vec::new(),
            damage: Vec::new(),
        })
    }

    /// Resumes a measurement that was killed or stopped; where none was begun, begins it.
    ///
    /// # Errors
    ///
    /// Where the results come from another measurement, are complete and not as they were left, or are being
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
        let run_id = manifest.run_id().to_owned();
        let (tables, kept, content) = if manifest.is_finished() {
            let written = manifest.tables(&manifest_path)?;
            let files = opened.into_iter().zip(tables).map(|(file, table)| {
                let Some(was) = written.get(table.name) else {
                    let problem = format!("expected `{}` among the `tables`", table.name);
                    let path = manifest_path.clone();
                    return Err(OutputError::Corrupt { path, line: 1, problem });
                };
                CsvFile::go_on(file, *was, &run_id)
            });
            let files = files.collect::<Result<Vec<_>, OutputError>>()?;
            (files, KeptFiles::begin(unfinished, &run_id)?, KeptContent::default())
        } else {
            if !unfinished.is_dir() {
                return Err(OutputError::NothingKept(unfinished));
            }
            let mut files = begin_all(opened, tables)?;
            let (kept, content) = KeptFiles::resume(unfinished, &run_id, |rows| {
                let of_table = |table: &Table| rows.get(table.name).map_or("", String::as_str);
                let mut files = files.iter_mut().zip(tables);
                files.try_for_each(|(file, table)| file.append(of_table(table).as_bytes()))
            })?;
            (files, kept, content)
        };
        let damage: Vec<Warning> = content.damaged.into_iter().map(Warning::Damaged).collect();
        damage.iter().for_each(|damage| manifest.note(damage));
        manifest.write(&manifest_path)?;
        let rows = vec![Vec::new(); tables.len()];
        let begun = content.repetitions;
        Ok(Self { machine: manifest_path, tables, rows, manifest, kept, begun, damage })
    }

    /// Damage that was found when the log was resumed: what it concerns is measured again.
    pub fn damage(&self) -> &[Warning] {
        &self.damage
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
        self.tables[table].path()
    }

    /// Repetitions of a case that was begun when the log was resumed.
    pub fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        let its = self.begun.extract_if(.., |kept| kept.belongs_to(case));
        its.map(|kept| kept.repetition).collect()
    }

    /// Keeps a repetition of the case that is being measured. It is handed to the system when this
    /// returns.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk; and where a table was removed, replaced or shortened.
    pub fn keep(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        self.tables.iter().try_for_each(CsvFile::check)?;
        self.kept.keep_repetition(case, repetition)
    }

    /// Adds rows of the running case to the table at this place. They are in the table when the case is done.
    ///
    /// # Errors
    ///
    /// Where a row cannot be written as CSV.
    ///
    /// # Panics
    ///
    /// Where there is no such table.
    pub fn append<R: Serialize>(
        &mut self,
        table: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), OutputError> {
        let lines = csv_lines(rows).map_err(io_error("set rows for", self.path(table)))?;
        self.rows[table].extend(lines);
        Ok(())
    }

    /// Writes the rows of a case, all of which are added: its repetitions are no longer needed.
    ///
    /// # Errors
    ///
    /// Where the system refuses, and where a table was removed, replaced or shortened.
    pub fn case_done(&mut self) -> Result<(), OutputError> {
        self.tables.iter().try_for_each(CsvFile::check)?;
        let mut case = CaseRows::new();
        for (table, rows) in self.tables.iter().zip(&mut self.rows) {
            let rows = String::from_utf8(std::mem::take(rows)).map_err(io::Error::other);
            case.insert(table.name(), rows.map_err(io_error("set rows for", table.path()))?);
        }
        self.kept.keep_case(&case)?;
        // Killed from here on, the run is resumed with the rows that are kept.
        for table in &mut self.tables {
            table.append(case[&table.name()].as_bytes())?;
        }
        self.kept.drop_repetitions()
    }

    /// Adds a warning to `machine.json` at once: a kill would lose it otherwise.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn warn(&mut self, warning: &Warning) -> Result<(), OutputError> {
        self.manifest.note(warning);
        self.manifest.write(&self.machine)
    }

    /// Completes the measurement. The warnings go into `machine.json`.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn finish(mut self, date: &str, warnings: &[Warning]) -> Result<(), OutputError> {
        if self.rows.iter().any(|rows| !rows.is_empty()) {
            self.case_done()?;
        }
        self.tables.iter().try_for_each(CsvFile::sync)?;
        let run_id = self.run_id();
        let written = self.tables.iter().map(|table| (table.name(), table.written(run_id)));
        let written: WrittenTables = written.collect();
        warnings.iter().for_each(|warning| self.manifest.note(warning));
        self.manifest.finish(&self.machine, date, &written)?;
        self.kept.remove()
    }
}

/// Creates the folder. Returns the paths of `machine.json` and of the folder of what is kept.
fn own_files(folder: &Path) -> Result<[PathBuf; 2], OutputError> {
    fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
    let files = ["machine.json", UNFINISHED].map(|name| folder.join(name));
    files.iter().try_for_each(|path| refuse_link(path).map_err(io_error("write", path)))?;
    Ok(files)
}

fn paths(folder: &Path, tables: &[Table]) -> Vec<PathBuf> {
    tables.iter().map(|table| folder.join(table.name)).collect()
}

/// Removes the tables of another command, which `machine.json` would not describe any more, and what an earlier version
/// of the program kept of a run.
fn remove_other_files(folder: &Path, own: &[PathBuf]) -> Result<(), OutputError> {
    let names = ["frames.csv", SummaryFile::NAME, StagesFile::NAME, "unfinished.jsonl"];
    let paths = names.map(|name| folder.join(name)).into_iter();
    let others = paths.filter(|path| !own.contains(path) && path.exists());
    remove_files(&others.collect::<Vec<_>>())
}

/// Removes existing files, unless another run writes one of them. A folder loses the files that a run kept in it.
///
/// # Errors
///
/// Where another run writes one, and where the system refuses.
pub fn remove_files(paths: &[PathBuf]) -> Result<(), OutputError> {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        paths.iter().partition(|path| path.is_dir());
    let held = files.iter().map(|path| WholeFile::open_locked(path.to_path_buf()));
    let held = held.collect::<Result<Vec<WholeFile>, OutputError>>()?;
    // Another run may have replaced one before it was locked.
    held.iter().try_for_each(WholeFile::check)?;
    files.iter().try_for_each(|path| fs::remove_file(path).map_err(io_error("remove", path)))?;
    folders.into_iter().try_for_each(|path| KeptFiles::begin(path.clone(), "")?.remove())
}

/// Opens the files at their ends. The lock of the first protects all.
fn open_all(paths: &[PathBuf]) -> Result<Vec<WholeFile>, OutputError> {
    let open = |(index, path): (usize, &PathBuf)| match index {
        0 => WholeFile::open_locked(path.clone()),
        _ => WholeFile::open_at_end(path.clone()),
    };
    paths.iter().enumerate().map(open).collect()
}

/// Tables with nothing but their headers.
fn begin_all(files: Vec<WholeFile>, tables: &[Table]) -> Result<Vec<CsvFile>, OutputError> {
    files.into_iter().zip(tables).map(|(file, table)| CsvFile::begin(file, table.columns)).collect()
}
