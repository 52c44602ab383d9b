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
#[cfg(test)]
mod tests;

use crate::Process;
use crate::cli::{BodiesOptions, ResultOptions, StudyOptions};
use crate::failure::Failure;
use crate::study::{Files, Report, Study};
use measure::Machine;
use plan::Experiment;
use rows::ExperimentRows;

/// Measures unless only the page is to be written, and writes the page.
pub(super) fn experiments(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    let &ResultOptions { ref out, resume, force, quiet, .. } = &options.results;
    let study_options = StudyOptions { out: out.clone(), resume, force, quiet };
    let study = Study { name: "bodies", options: &study_options, is_redraw: options.redraw };
    let measure = |files: &Files, machine| {
        measuring::measure(options, files, &study_options, machine, process)
    };
    study.run(process, measure, report)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
    let data = files.data();
    let rows = ExperimentRows::read(&data)?;
    let sheet = data.join(Experiment::Moving.folder()).join("machine.json");
    let machine = Machine::read(&sheet)?;
    let claims = claims::check(&rows);
    let charts = charts::all(&rows);
    let page = page::page(&machine, &rows, &claims, &charts);
    let charts = charts.into_iter().map(|chart| (data.join(chart.file), chart.chart)).collect();
    Ok(Some(Report { page, charts, summary: vec![page::count(&claims)] }))
}
