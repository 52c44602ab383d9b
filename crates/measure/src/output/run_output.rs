//! The tables of a run, which grow by whole cases, with a `machine.json`.

use super::csv_lines::csv_lines;
use super::error::{OutputError, io_error};
use super::kept_files::{KeptFiles, KeptRepetition};
use super::machine::Machine;
use super::manifest::Manifest;
use super::tables::{FRAMES, SUMMARY, Table, begin_all, open_all, paths, run_tables};
use super::warning::Warning;
use super::whole_file::WholeFile;
use super::written::WrittenTables;
use crate::input::Case;
use crate::rows::{FinishedRepetition, FrameRow, Labels, StagesFile, SummaryFile, SummaryRow};
use serde::Serialize;
use sim::refuse_link;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the folder of finished repetitions and cases, in that of a run. A complete run has none.
pub const UNFINISHED: &str = "unfinished";

/// The open tables of a measurement, its `machine.json`, and the folder `unfinished` until it is complete.
///
/// The tables grow by whole cases. A killed process loses at most the running repetition, or the running case where
/// repetitions are not kept: what is kept in `unfinished` is all that a resumed run takes, and it completes the tables from it.
#[derive(Debug)]
pub struct Output {
    tables: Vec<WholeFile>,
    manifest: Manifest,
    kept: KeptFiles,
    /// Repetitions of cells that were not complete when it was resumed.
    begun: Vec<KeptRepetition<FinishedRepetition>>,
    /// Damage that was found when it was resumed.
    damage: Vec<Warning>,
    /// Rows of `summary.csv` of cells that were complete then.
    done: HashMap<Labels, SummaryRow>,
}

impl Output {
    /// [`create_tables`](Self::create_tables) with [`run_tables`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn create(folder: &Path, replace: bool, machine: &Machine) -> Result<Self, OutputError> {
        Self::create_tables(folder, &run_tables(), replace, machine)
    }

    /// [`resume_tables`](Self::resume_tables) with [`run_tables`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn resume(folder: &Path, machine: &Machine) -> Result<Self, OutputError> {
        Self::resume_tables(folder, &run_tables(), machine)
    }

    /// Creates the folder and its files, so that a bad path is noticed before anything is measured.
    /// Existing results are replaced only if `replace`.
    ///
    /// # Errors
    ///
    /// Where there are results already, another run writes them, or the system refuses.
    pub fn create_tables(
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
        if !replace && KeptFiles::are_in(&unfinished)? {
            return Err(OutputError::Exists(unfinished));
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
        let kept = KeptFiles::begin(unfinished, &machine.run_id)?;
        let mut tables = begin_all(opened, tables)?;
        tables.iter_mut().try_for_each(WholeFile::cut)?;
        Ok(Self {
            tables,
            kept,
            manifest: Manifest::create(manifest, machine)?,
            begun: Vec::new(),
            damage: Vec::new(),
            done: HashMap::new(),
        })
    }

    /// Resumes a measurement that was killed or stopped; where none was begun, begins it.
    ///
    /// # Errors
    ///
    /// Where the results come from another measurement, are complete and not as they were left, or are being
    /// written by another run, and where the system refuses.
    pub fn resume_tables(
        folder: &Path,
        tables: &[Table],
        machine: &Machine,
    ) -> Result<Self, OutputError> {
        let [manifest_path, unfinished] = own_files(folder)?;
        let paths = paths(folder, tables);
        if !manifest_path.exists() {
            // Killed while the files were created: no row can have been written.
            let is_header = |(path, table): (&PathBuf, &Table)| {
                let length = fs::metadata(path).map_or(0, |file| file.len());
                length <= table.columns.join(",").len() as u64 + 2
            };
            let nothing_lost =
                paths.iter().zip(tables).all(is_header) && !KeptFiles::are_in(&unfinished)?;
            return Self::create_tables(folder, tables, nothing_lost, machine);
        }
        if Manifest::resume(&manifest_path, machine)?.is_finished() {
            // A missing table is an error: it is not replaced by an empty one.
            paths.iter().try_for_each(|path| {
                fs::metadata(path).map(drop).map_err(io_error("read", path))
            })?;
        }
        let opened = open_all(&paths)?;
        // Read before the tables are locked, it may be older than they are.
        let manifest = Manifest::resume(&manifest_path, machine)?;
        let mut output = match manifest.is_finished() {
            true => Self::go_on(opened, tables, manifest, unfinished)?,
            false => Self::refill(opened, tables, manifest, unfinished)?,
        };
        if let Some(summary) = output.tables.iter().find(|table| table.name() == SummaryFile::NAME)
        {
            let rows = SummaryFile::read(summary.path())?.rows.into_iter();
            output.done = rows.map(|row| (row.labels(), row)).collect();
        }
        Ok(output)
    }

    /// Goes on with the tables of a complete run.
    fn go_on(
        opened: Vec<WholeFile>,
        tables: &[Table],
        manifest: Manifest,
        unfinished: PathBuf,
    ) -> Result<Self, OutputError> {
        let written = manifest.tables()?;
        let go_on = |(file, table): (WholeFile, &Table)| {
            let missing = || manifest.corrupt(format!("expected `{}` of the `tables`", table.name));
            file.go_on(*written.get(table.name).ok_or_else(missing)?, manifest.run_id())
        };
        let tables = opened.into_iter().zip(tables).map(go_on).collect::<Result<Vec<_>, _>>()?;
        let kept = KeptFiles::begin(unfinished, manifest.run_id())?;
        manifest.write()?;
        let (begun, damage, done) = Default::default();
        Ok(Self { tables, manifest, kept, begun, damage, done })
    }

    /// Completes the tables from what is kept. All of that is checked before a file is changed.
    fn refill(
        opened: Vec<WholeFile>,
        tables: &[Table],
        mut manifest: Manifest,
        unfinished: PathBuf,
    ) -> Result<Self, OutputError> {
        let (kept, content) = KeptFiles::resume(unfinished.clone(), manifest.run_id())?;
        // A table has a header, and rows that were kept before.
        let mut line_ends = vec![1; tables.len()];
        for case in &content.cases {
            kept.rows(case, |(name, rows)| {
                let its = rows.bytes().filter(|&byte| byte == b'\n').count() as u64;
                let all = tables.iter().zip(&mut line_ends);
                all.filter(|(table, _)| table.name == name).for_each(|(_, count)| *count += its);
                Ok(())
            })?;
        }
        for (table, known) in opened.iter().zip(line_ends) {
            if table.line_ends()? > known && !content.has_damaged_case() {
                return Err(OutputError::NotKept {
                    table: table.path().to_owned(),
                    folder: unfinished,
                });
            }
        }
        let damage = content.damaged.iter().map(|name| Warning::Damaged(kept.path(name)));
        let damage: Vec<Warning> = damage.collect();
        damage.iter().for_each(|damage| manifest.note(damage));
        manifest.write()?;
        let mut tables = begin_all(opened, tables)?;
        for case in &content.cases {
            put_case(&kept, case, &mut tables)?;
        }
        tables.iter_mut().try_for_each(WholeFile::cut)?;
        // Their warnings are stated by now, also if this process is killed.
        content.damaged.iter().try_for_each(|name| kept.remove_file(name))?;
        let (begun, done) = (content.repetitions, HashMap::new());
        Ok(Self { tables, manifest, kept, begun, damage, done })
    }

    /// Damage that was found when it was resumed: what it concerns is measured again.
    pub fn damage(&self) -> &[Warning] {
        &self.damage
    }

    /// The `run_id` of the rows; a resumed run keeps that of its first process.
    pub fn run_id(&self) -> &str {
        self.manifest.run_id()
    }

    /// The path of the table at this place in the list that it was opened with.
    ///
    /// # Panics
    ///
    /// Where there is no such table.
    pub fn path(&self, table: usize) -> &Path {
        self.tables[table].path()
    }

    /// The row of a cell that was complete when it was resumed.
    pub fn done_row(&self, labels: &Labels) -> Option<&SummaryRow> {
        self.done.get(labels)
    }

    /// Repetitions of a case that was begun when it was resumed.
    pub fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        let its = self.begun.extract_if(.., |kept| kept.belongs_to(case));
        its.inspect(|kept| self.kept.note(kept)).map(|kept| kept.repetition).collect()
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
        self.tables.iter().try_for_each(WholeFile::check)?;
        self.kept.keep_repetition(case, repetition)
    }

    /// Adds rows of the running case to the table at this place. They are in the table when the case is done.
    ///
    /// # Errors
    ///
    /// Where a row cannot be written as CSV, and where the system refuses.
    ///
    /// # Panics
    ///
    /// Where there is no such table.
    pub fn append_rows<R: Serialize>(
        &mut self,
        table: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), OutputError> {
        let table = &self.tables[table];
        let lines = csv_lines(rows)
            .and_then(|lines| String::from_utf8(lines).map_err(io::Error::other))
            .map_err(io_error("set rows for", table.path()))?;
        self.kept.add_rows(&(table.name(), lines))
    }

    /// [`append_rows`](Self::append_rows) of a cell that is done, to [`run_tables`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn append(
        &mut self,
        frames: impl IntoIterator<Item = FrameRow>,
        summary: &SummaryRow,
    ) -> Result<(), OutputError> {
        self.append_rows(FRAMES, frames)?;
        self.append_rows(SUMMARY, [summary])
    }

    /// Writes the rows of a case, all of which are added: its repetitions are no longer needed.
    ///
    /// # Errors
    ///
    /// Where the system refuses, and where a table was removed, replaced or shortened.
    pub fn case_done(&mut self) -> Result<(), OutputError> {
        self.tables.iter().try_for_each(WholeFile::check)?;
        if let Some(case) = self.kept.keep_case()? {
            // Killed from here on, the run is resumed with the rows that are kept.
            put_case(&self.kept, &case, &mut self.tables)?;
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
        self.manifest.write()
    }

    /// Completes the measurement. The warnings go into `machine.json`.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn finish(mut self, date: &str, warnings: &[Warning]) -> Result<(), OutputError> {
        if self.kept.has_new_rows() {
            self.case_done()?;
        }
        self.tables.iter().try_for_each(WholeFile::sync)?;
        let run_id = self.run_id();
        let written = self.tables.iter().map(|table| (table.name(), table.written(run_id)));
        let written: WrittenTables = written.collect();
        warnings.iter().for_each(|warning| self.manifest.note(warning));
        self.manifest.finish(date, &written)?;
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

/// Puts the rows of a kept case into their tables.
fn put_case(kept: &KeptFiles, case: &str, tables: &mut [WholeFile]) -> Result<(), OutputError> {
    kept.rows(case, |(name, rows)| {
        let mut its = tables.iter_mut().filter(|table| table.name() == name);
        its.try_for_each(|table| table.put(rows.as_bytes()))
    })
}
