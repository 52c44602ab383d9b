//! The steps of a study: measure, then check the rows and write page and charts.

use super::files::Files;
use super::page::Page;
use crate::Process;
use crate::cli::StudyOptions;
use crate::console::{self, note_resume};
use crate::failure::Failure;
use crate::page_files::{PageFile, cannot, write_chart};
use charts::Chart;
use measure::{Exit, Machine, RunId};
use std::fs;
use std::path::{Path, PathBuf};

/// A command that measures into a folder, and writes a page about the rows there.
pub(crate) trait Study {
    /// The subcommand's name; page and folder are named after it.
    const NAME: &'static str;

    fn options(&self) -> &StudyOptions;

    /// Whether only page and charts are written, from rows that exist.
    fn is_redraw(&self) -> bool;

    /// The folder that was asked for; without one, that of the machine.
    fn folder(&self) -> Option<&Path> {
        self.options().out.as_deref()
    }

    /// Measures what is not measured yet. Returns the exit code that the rows call for.
    fn measure(&self, files: &Files, machine: Machine, process: &Process) -> Result<Exit, Failure>;

    /// Reads and checks the rows; `None` where only one shard was measured: the page needs all.
    fn report(&self, files: &Files) -> Result<Option<Report>, Failure>;
}

/// The output of a study.
pub(crate) struct Report {
    pub(crate) page: Page,
    /// Each with the path of its SVG file.
    pub(crate) charts: Vec<(PathBuf, Chart)>,
    /// Lines for the terminal.
    pub(crate) summary: Vec<String>,
}

/// Runs a study.
pub(crate) fn run<S: Study>(study: &S, process: &Process) -> Result<(), Failure> {
    let options = study.options();
    let machine = Machine::detect(&RunId::now(), process.command_line.clone());
    let of_machine = || Path::new("results").join(machine.slug());
    let files = Files::new(study.folder().map_or_else(of_machine, Path::to_owned), S::NAME);
    let exit = if study.is_redraw() {
        Exit::Ok
    } else {
        if !options.quiet {
            machine.warnings.iter().for_each(console::warn);
        }
        study.measure(&files, machine, process).inspect_err(|failure| {
            if matches!(failure, Failure::Stopped) && !options.quiet {
                note_resume(options.out.as_deref(), options.force);
            }
        })?
    };
    if let Some(report) = study.report(&files)? {
        report.write(&files, options.quiet)?;
    }
    // Each error was reported when it was found.
    Failure::unless_ok(exit)
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
