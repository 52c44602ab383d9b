//! Measures all experiments, each into its own folder.

use super::plan::{Experiment, Size, lab};
use crate::Process;
use crate::cli::{BodiesOptions, StudyOptions};
use crate::commands::bodies::measure_into;
use crate::commands::series::{Order, Series, Setting};
use crate::console;
use crate::failure::Failure;
use crate::registry;
use crate::study::{Files, run_files};
use measure::{
    DEFAULT_ORDER_SEED, Exit, Machine, MonotonicClock, Plan, StageRow, Stages, StagesFile, finder,
};
use std::path::Path;

/// One table of all obstacles, and two areas, as ids.
pub(super) const TABLES: [&str; 2] = ["brute-force", "areas@columns=2@rows=1"];

/// Measures what the claims need. Returns how the rows end the program.
pub(super) fn measure(
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
