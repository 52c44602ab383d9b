//! The setting that all experiments share.

use super::experiments::Experiment;
#[cfg(feature = "draw")]
use crate::commands::recorder::line;
use crate::commands::recorder::open_output;
use crate::console;
use crate::failure::Failure;
#[cfg(feature = "draw")]
use measure::SummaryRow;
use measure::{Exit, Instruments, Machine, Output, Table};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The setting in which all experiments are measured.
pub(super) struct ThesisBench<'a> {
    pub(super) machine: Machine,
    pub(super) instruments: Instruments<'a>,
    /// Holds the folders of the experiments.
    pub(super) data: PathBuf,
    /// Whether an earlier run is completed.
    pub(super) resume: bool,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
    /// Whether progress is not shown.
    pub(super) quiet: bool,
    pub(super) start: Instant,
    /// How the rows so far end the program.
    pub(super) exit: Exit,
}

impl ThesisBench<'_> {
    /// Opens the output of an experiment.
    pub(super) fn output(
        &self,
        experiment: Experiment,
        machine: Machine,
    ) -> Result<Output, Failure> {
        let folder = self.data.join(experiment.folder());
        open_output(&folder, Table::of_cells(), &machine, self.resume, true)
    }

    /// Reports a row that is an error.
    #[cfg(feature = "draw")]
    pub(super) fn check(&mut self, row: &SummaryRow) {
        let exit = row.exit();
        if exit != Exit::Ok {
            console::error(&line(row));
        }
        self.exit = self.exit.max(exit);
    }

    /// Shows what is measured next.
    pub(super) fn progress(&self, what: &str) {
        if !self.quiet {
            console::note(&format!("{:6.1} s  {what}", self.start.elapsed().as_secs_f64()));
        }
    }

    /// What draws, if anything does.
    #[cfg(feature = "draw")]
    pub(super) fn adapter(&self) -> Option<&str> {
        self.machine.gpu.as_deref()
    }
}
