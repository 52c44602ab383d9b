//! The steps of a study: prepare its files, measure, then check the rows and write page and charts.

use super::page::Page;
use crate::cli::StudyOptions;
use crate::console::note_resume;
use crate::failure::Failure;
use crate::page_files::{PageFile, cannot, refuse_existing, remove_old, write_chart};
use crate::{Process, console};
use charts::Chart;
use measure::{Exit, FolderLock, Machine, RunId, UNFINISHED, Written};
use std::fs;
use std::path::{Path, PathBuf};

/// A command that measures into a folder, and writes a page about the rows there.
pub(crate) struct Study<'a> {
    /// The subcommand's name; page and folder are named after it.
    pub(crate) name: &'static str,
    pub(crate) options: &'a StudyOptions,
    /// Whether only page and charts are written, from rows that exist.
    pub(crate) is_redraw: bool,
}

/// The output of a study.
pub(crate) struct Report {
    pub(crate) page: Page,
    /// Each with the path of its SVG file.
    pub(crate) charts: Vec<(PathBuf, Chart)>,
    /// Lines for the terminal.
    pub(crate) summary: Vec<String>,
}

impl Study<'_> {
    /// Runs the study. `measure` measures what is not measured yet, and returns the exit code that the rows call for.
    /// `report` reads and checks the rows; `None` if they get no page.
    pub(crate) fn run(
        &self,
        process: &Process,
        measure: impl FnOnce(&Files, Machine) -> Result<Exit, Failure>,
        report: impl FnOnce(&Files) -> Result<Option<Report>, Failure>,
    ) -> Result<(), Failure> {
        let options = self.options;
        let machine = Machine::detect(&RunId::now(), process.command_line.clone());
        let of_machine = || Path::new("results").join(machine.slug());
        let files = Files::new(options.out.clone().unwrap_or_else(of_machine), self.name);
        let exit = if self.is_redraw {
            Exit::Ok
        } else {
            if !options.quiet {
                machine.warnings.iter().for_each(console::warn);
            }
            measure(&files, machine).inspect_err(|failure| {
                if matches!(failure, Failure::Stopped) && !options.quiet {
                    note_resume(options.out.as_deref(), options.force);
                }
            })?
        };
        if let Some(report) = report(&files)? {
            report.write(&files, options.quiet)?;
        }
        // Each error was reported when it was found.
        Failure::unless_ok(exit)
    }
}

impl Report {
    fn write(self, files: &Files, quiet: bool) -> Result<(), Failure> {
        let Self { page, charts, summary } = self;
        let folder = files.folder();
        fs::create_dir_all(folder).map_err(|e| cannot("make the folder", folder, &e))?;
        let file = PageFile::create(&files.page(), true)?;
        charts.iter().try_for_each(|(path, chart)| write_chart(path, chart))?;
        file.write(page.text().as_bytes())?;
        if quiet {
            return Ok(());
        }
        console::print(&format!("{}\n{}\n", summary.join("\n"), files.page().display()))
    }
}

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
