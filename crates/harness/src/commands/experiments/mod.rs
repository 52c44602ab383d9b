//! `harness bodies --experiments`: what the sources claim of bodies, bounding volumes and motion within a step, measured, with
//! a verdict on each claim.
//!
//! Each experiment is measured into a folder with its own `stages.csv`, one with a `summary.csv`. Figures and verdicts come
//! from those files alone, so `--redraw` writes them again. A method that the registry lacks is named as missing.

mod charts;
mod claims;
mod figures;
mod measuring;
mod page;
mod plan;
mod rows;
mod rules;
#[cfg(test)]
mod tests;

use crate::Process;
use crate::cli::{BodiesOptions, StudyOptions};
use crate::failure::Failure;
use crate::study::{self, Files, Report, Study};
use measure::{Exit, Machine};
use plan::Experiment;
use rows::ExperimentRows;

/// Measures unless only the page is to be written, and writes the page.
pub(super) fn experiments(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    let results = &options.results;
    let study = StudyOptions {
        out: results.out.clone(),
        resume: results.resume,
        force: results.force,
        quiet: results.quiet,
    };
    study::run(&Experiments { options, study }, process)
}

struct Experiments<'a> {
    options: &'a BodiesOptions,
    study: StudyOptions,
}

impl Study for Experiments<'_> {
    const NAME: &'static str = "bodies";

    fn options(&self) -> &StudyOptions {
        &self.study
    }

    fn is_redraw(&self) -> bool {
        self.options.redraw
    }

    fn measure(&self, files: &Files, machine: Machine, process: &Process) -> Result<Exit, Failure> {
        measuring::measure(self.options, files, &self.study, machine, process)
    }

    fn report(&self, files: &Files) -> Result<Option<Report>, Failure> {
        let data = files.data();
        let rows = ExperimentRows::read(&data)?;
        let sheet = data.join(Experiment::Moving.folder()).join("machine.json");
        let machine = Machine::read(&sheet)?;
        let claims = claims::check(&rows);
        let charts = charts::all(&rows);
        let page = page::page(&machine, &rows, &claims, &charts);
        let charts = charts.into_iter().map(|chart| (data.join(chart.file), chart.chart)).collect();
        Ok(Some(Report { page, charts, summary: page::terminal_lines(&claims) }))
    }
}
