//! `harness bodies --experiments`: what the sources claim of bodies, bounding volumes and motion within a step, measured, with
//! a verdict on each claim.
//!
//! Each experiment is measured into a folder with its own `stages.csv`, one with a `summary.csv`. Figures and verdicts come
//! from those files alone, so `--redraw` writes them again. A method that the registry lacks is named as missing.

mod claims;
mod figures;
mod page;
mod plan;
#[cfg(test)]
mod tests;

use super::bodies::BodiesOptions;
use super::bodies::measure_into;
use super::series::Series;
use crate::Process;
use crate::failure::Failure;
use crate::registry;
use crate::study::{Bench, Study};
use measure::{DEFAULT_ORDER_SEED, Plan, StageRow, Stages, finder};
use plan::{EXPERIMENTS, Experiment, Size, lab};

/// Measures unless only the page is to be written, and writes the page.
pub(super) fn experiments(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    let study =
        Study { name: "bodies", options: &options.results.study, is_redraw: options.redraw };
    study.run(process, |bench| measure(options, bench), page::report)
}

/// One table of all obstacles, and two areas, as ids.
const TABLES: [&str; 2] = ["brute-force", "areas@columns=2@rows=1"];

/// Measures what the claims need.
fn measure(options: &BodiesOptions, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let size = Size {
        pairs: if options.quick { 20 } else { 1000 },
        bodies: if options.quick { 100 } else { 400 },
        warmup: options.warmup,
        frames: options.frames,
    };
    let data = bench.files.data();
    let _lock = bench.prepare(&data, false)?;
    bench.setting.options.quiet = true;
    for (experiment, folder, summary) in EXPERIMENTS {
        bench.note(&format!("{folder}: {summary}"));
        if experiment == Experiment::Areas {
            let algorithms = TABLES.iter().filter_map(|id| registry::offered().resolve(id).ok());
            let algorithms: Vec<_> = algorithms.collect();
            let (cases, plan) = (vec![lab(&size)?], Plan::new(&algorithms, &[1], options.repeat));
            bench.part(folder, &Series::new(cases, plan), None)?;
            continue;
        }
        let (finder, methods) = ([finder()], experiment.methods());
        let plan = Plan {
            order_seed: options.seed.unwrap_or(DEFAULT_ORDER_SEED),
            stages: Some(Stages::Each(&methods)),
            ..Plan::new(&finder, &[1], options.repeat)
        };
        // The page has the doubts of the first experiment.
        let (cases, folder) = (experiment.stage_cases(&size)?, data.join(folder));
        let mut rows = Vec::new();
        measure_into(&folder, &cases, &plan, &bench.setting, &mut rows)?;
        bench.add(rows.iter().map(StageRow::exit));
    }
    Ok(())
}
