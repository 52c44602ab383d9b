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
