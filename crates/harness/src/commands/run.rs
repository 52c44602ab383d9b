//! `harness run`: measures.

pub(super) mod report;
pub(super) mod settings;

use super::inputs::{cases, check_length, without_repeats};
use super::recorder::Recorder;
use crate::Process;
use crate::cli::{ResultOptions, RunOptions};
use crate::console;
use crate::failure::Failure;
use crate::probes::Probes;
use crate::progress::Progress;
use crate::registry;
use crate::study::Shard;
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use measure::{
    Checks, DEFAULT_ORDER_SEED, Machine, MonotonicClock, Output, Plan, RunId, Stages, SummaryRow,
    available_memory,
};
use std::path::PathBuf;

/// Measures the chosen algorithms of the registry.
pub(crate) fn run(options: &RunOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    run_rows(&options.selection.rows(), options, process)
}

/// Measures every case, writes the rows, and prints them.
fn run_rows(
    algorithms: &[&Algorithm],
    options: &RunOptions,
    process: &Process,
) -> Result<(), Failure> {
    let results = &options.results;
    results.refuse_inputs(&options.playing.inputs)?;
    let mut cases = cases(&options.playing, options.effort.warmup, true, results.quiet)?;
    check_length(&cases, options.repeat)?;
    let threads = without_repeats(&options.playing.threads);
    let plan = Plan {
        algorithms,
        programs: &[],
        threads: &threads,
        repeats: options.repeat,
        order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.effort.budget,
        memory_limit: available_memory(),
        events: options.events,
        checks: Checks::EveryList,
        stages: Some(Stages {
            volume: options.stages.volume,
            narrow: options.stages.narrow,
            folder: None,
        }),
    };
    let probes = Probes::open(process);
    let run_id = RunId::now();
    let mut machine = Machine::detect(&run_id, process.command_line.clone());
    machine.settings = settings::of(&cases, &plan)?;
    Shard::note(options.shard, &mut machine.settings);
    if let Some(shard) = options.shard {
        cases = shard.select(cases)?;
    }
    machine.hardware_counters = probes.describe();
    machine.peers = registry::peer_versions();
    let (folder, output) = open_output(results, &run_id, &machine)?;
    let stages = plan.stages.map(|stages| Stages { folder: Some(&folder), ..stages });
    let plan = Plan { stages, ..plan };
    if !results.quiet {
        machine.warnings.iter().for_each(console::warn);
    }
    let progress = Progress::new(&cases, plan.cells().count(), options.repeat, results.quiet);
    let mut recorder = Recorder::new(output, progress, results.quiet, process.stop);

    let mut rows = Vec::new();
    let clock = MonotonicClock::new();
    for case in &cases {
        match recorder.case(case, &plan, probes.instruments(&clock)) {
            Ok(of_case) => rows.push(of_case),
            Err(failure) => {
                recorder.progress.finish();
                // The complete cases are shown, and can be resumed from.
                if !rows.is_empty() {
                    report::print(results, &rows, &folder)?;
                }
                results.note_resume(&folder);
                return Err(failure);
            }
        }
    }
    recorder.progress.finish();
    let warnings = report::noise(&rows, &recorder.calibration);
    recorder.output.finish(&RunId::now().date(), &warnings)?;
    report::print(results, &rows, &folder)?;
    if !results.quiet {
        warnings.iter().for_each(console::warn);
    }
    let exits = rows.iter().flatten().map(SummaryRow::exit);
    match options.shard {
        // The cases of other shards may be measured.
        Some(_) => Failure::unless_ok(exits.max().unwrap_or_default()),
        None => Failure::unless_measured(rows.iter().flatten().map(|row| row.status), exits),
    }
}

fn open_output(
    options: &ResultOptions,
    run_id: &RunId,
    machine: &Machine,
) -> Result<(PathBuf, Output), Failure> {
    let folder = options.folder(run_id)?;
    let output = if options.resume {
        Output::resume(&folder, machine)?
    } else {
        Output::create(&folder, options.force, machine)?
    };
    output.damage().iter().for_each(console::warn);
    Ok((folder, output))
}

#[cfg(test)]
mod tests;
