//! `harness bodies --experiments`: what the sources claim of bodies, bounding volumes and motion within a step, measured, with
//! a verdict on each claim.
//!
//! Each experiment is measured into a folder with its own `stages.csv`, one with a `summary.csv`. Figures and verdicts come
//! from those files alone, so `--redraw` writes them again. A method that the registry lacks is named as missing.

mod claims;
mod figures;
mod page;
mod plan;
mod rows;
#[cfg(test)]
mod tests;

use super::bodies::measure_into;
use super::series::{Order, Series, Setting};
use crate::cli::{BodiesOptions, StudyOptions};
use crate::failure::Failure;
use crate::study::{Files, Report, Study, run_files};
use crate::{Process, console, registry};
use measure::{
    DEFAULT_ORDER_SEED, Exit, Machine, MonotonicClock, Plan, StageRow, Stages, StagesFile, finder,
};
use plan::{Experiment, Size, lab};
use rows::ExperimentRows;
use std::path::Path;

/// Measures unless only the page is to be written, and writes the page.
pub(super) fn experiments(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    let study_options = options.results.of_study();
    let study = Study { name: "bodies", options: &study_options, is_redraw: options.redraw };
    let measured =
        |files: &Files, machine| measure(options, files, &study_options, machine, process);
    study.run(process, measured, report)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
    let data = files.data();
    let rows = ExperimentRows::read(&data)?;
    let sheet = data.join(Experiment::Moving.folder()).join("machine.json");
    let machine = Machine::read(&sheet)?;
    let claims = claims::check(&rows);
    let charts = page::charts_of(&rows);
    let page = page::page(&machine, &rows, &claims, &charts);
    let charts = charts.into_iter().map(|chart| (data.join(chart.file), chart.chart)).collect();
    Ok(Some(Report { page, charts, summary: vec![page::count(&claims)] }))
}

/// One table of all obstacles, and two areas, as ids.
pub(super) const TABLES: [&str; 2] = ["brute-force", "areas@columns=2@rows=1"];

/// Measures what the claims need. Returns how the rows end the program.
fn measure(
    options: &BodiesOptions,
    files: &Files,
    study: &StudyOptions,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    let size = Size {
        pairs: if options.quick { 20 } else { 1000 },
        bodies: if options.quick { 100 } else { 400 },
        warmup: options.warmup,
        frames: options.frames,
    };
    let data = files.data();
    let folders = Experiment::ALL.map(|experiment| data.join(experiment.folder()));
    let old = folders
        .iter()
        .flat_map(|folder| run_files(folder).into_iter().chain([folder.join(StagesFile::NAME)]));
    let _lock = files.prepare(&data, false, old.collect(), study)?;
    let clock = MonotonicClock::new();
    let setting = Setting {
        replace: true,
        quiet: true,
        ..Setting::of_study(machine, process.instruments(&clock), study, process)
    };
    let mut exit = Exit::Ok;
    for (experiment, folder) in Experiment::ALL.into_iter().zip(&folders) {
        if !study.quiet {
            console::note(&format!("{}: {}", experiment.folder(), experiment.summary()));
        }
        exit = exit.max(match experiment.has_stages() {
            true => stages(experiment, &size, options, folder, &setting)?,
            false => areas(&size, options, folder, &setting)?,
        });
    }
    Ok(exit)
}

fn stages(
    experiment: Experiment,
    size: &Size,
    options: &BodiesOptions,
    folder: &Path,
    setting: &Setting<'_>,
) -> Result<Exit, Failure> {
    let (finder, methods) = ([finder()], experiment.methods());
    let plan = Plan {
        order_seed: options.seed.unwrap_or(DEFAULT_ORDER_SEED),
        stages: Some(Stages::Each(&methods)),
        ..Plan::new(&finder, &[1], options.repeat)
    };
    // The page has the doubts of the first experiment.
    let (rows, _) = measure_into(folder, &experiment.stage_cases(size)?, &plan, setting)?;
    Ok(rows.iter().map(StageRow::exit).max().unwrap_or_default())
}

fn areas(
    size: &Size,
    options: &BodiesOptions,
    folder: &Path,
    setting: &Setting<'_>,
) -> Result<Exit, Failure> {
    let algorithms = TABLES.iter().filter_map(|id| registry::offered().resolve(id).ok());
    let algorithms: Vec<_> = algorithms.collect();
    let plan = Plan::new(&algorithms, &[1], options.repeat);
    let series = Series { cases: vec![lab(size)?], plan, order: Order::CaseByCase, shard: None };
    series.measure_part(folder, setting, None)
}
