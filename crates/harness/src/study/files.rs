//! The files of a study, and what is checked before measuring begins.

use crate::cli::StudyOptions;
use crate::failure::Failure;
use crate::page_files::{PageFile, cannot, refuse_existing, remove_old};
use measure::{FolderLock, Machine, UNFINISHED, Written};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a study: all named after its command.
pub(crate) struct Files {
    folder: PathBuf,
    name: &'static str,
}

impl Files {
    pub(crate) fn new(folder: PathBuf, name: &'static str) -> Self {
        Self { folder, name }
    }

    /// The folder that holds all others.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The page: `NAME.md`.
    pub(crate) fn page(&self) -> PathBuf {
        self.folder.join(self.name).with_extension("md")
    }

    /// The rows: `NAME.csv`.
    pub(crate) fn rows(&self) -> PathBuf {
        self.folder.join(self.name).with_extension("csv")
    }

    /// The chart: `NAME.svg`.
    pub(crate) fn chart(&self) -> PathBuf {
        self.folder.join(self.name).with_extension("svg")
    }

    /// The folder of the measured data: `NAME`.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join(self.name)
    }

    /// Prepares `data`, and makes sure that the page can be written: hours later would be too late.
    ///
    /// `old` are the files that an earlier run may have left. They are removed unless that run is
    /// resumed, so that no old file is taken for a new one. With `may_exist` the page may be there: the
    /// folder holds several parts.
    ///
    /// Returns a lock that is held until the last file is written: between two tables none of them is locked.
    pub(crate) fn prepare(
        &self,
        data: &Path,
        may_exist: bool,
        old: Vec<PathBuf>,
        options: &StudyOptions,
    ) -> Result<FolderLock, Failure> {
        let replace = options.force || options.resume || may_exist;
        refuse_existing(&self.page(), replace)?;
        fs::create_dir_all(data).map_err(|e| cannot("make the folder", data, &e))?;
        let lock = FolderLock::take(data)?;
        if !options.resume {
            remove_old(old, options.force)?;
        }
        PageFile::create(&self.page(), replace)?;
        Ok(lock)
    }
}

/// Adds a table to a `machine.json`, so that `--redraw` can check it. In a copy in another folder it replaces the listed
/// tables. `name` is its path from the folder of `to`.
pub(crate) fn note_table(from: &Path, to: &Path, name: &str, table: &Path) -> Result<(), Failure> {
    let mut machine = Machine::read_unchecked(from)?;
    if from != to {
        machine.tables.clear();
    }
    let written = Written::of_file(table, &machine.run_id)?;
    machine.tables.insert(name.to_owned(), written);
    Ok(machine.write(to)?)
}

/// The files of a measurement in this folder, and the folder of what it keeps.
pub(crate) fn run_files(folder: &Path) -> [PathBuf; 4] {
    ["frames.csv", "summary.csv", "machine.json", UNFINISHED].map(|name| folder.join(name))
}
