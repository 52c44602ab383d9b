//! `harness run`: measures.

use super::inputs::{cases, check_length, check_memory, without_repeats};
use super::series::{Order, Series, Setting};
use crate::cli::{ResultOptions, RunOptions};
use crate::failure::Failure;
use crate::probes::Probes;
use crate::{Process, console, registry};
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use measure::{
    Case, CaseError, DEFAULT_ORDER_SEED, Machine, MonotonicClock, Plan, RunId, Stages, SummaryRow,
    summary_table, winners_table, world_methods,
};
use std::path::Path;

/// Measures the chosen algorithms of the registry, or the methods on many worlds.
pub(crate) fn run(options: &RunOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    let methods = world_methods();
    match options.worlds.is_empty() {
        true => run_entries(&options.selection.entries(), options, process),
        false => run_entries(&methods.each_ref(), options, process),
    }
}

/// Measures every case, writes the rows, and prints them.
fn run_entries(
    algorithms: &[&Algorithm],
    options: &RunOptions,
    process: &Process,
) -> Result<(), Failure> {
    let results = &options.results;
    results.refuse_inputs(&options.playing.inputs)?;
    let is_one = options.worlds.is_empty();
    let mut cases = cases(&options.playing, options.effort.warmup, is_one, results.quiet)?;
    if !is_one {
        cases = worlds_of(&cases, &without_repeats(&options.worlds))?;
        check_memory(&cases)?;
    }
    check_length(&cases, options.repeat)?;
    let threads = without_repeats(&options.playing.threads);
    let stages = Stages::Chain { volume: options.stages.volume, narrow: options.stages.narrow };
    let plan = Plan {
        order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.effort.budget,
        events: options.events,
        stages: Some(stages),
        ..Plan::new(algorithms, &threads, options.repeat)
    };
    let series = Series { cases, plan, order: Order::CaseByCase, shard: options.shard };
    // A shard that does not exist is refused before there is a folder.
    series.own_cases()?;
    let (probes, clock, run_id) = (Probes::open(process), MonotonicClock::new(), RunId::now());
    let machine = Machine {
        hardware_counters: probes.describe(),
        peers: registry::peer_versions(),
        ..Machine::detect(&run_id, process.command_line.clone())
    };
    let instruments = probes.instruments(&clock);
    let setting = Setting::of_study(machine, instruments, &results.of_study(), process);
    let folder = results.folder(&run_id)?;
    setting.print_warnings(series.settings()?);
    let mut rows = Vec::new();
    let measured = series.measure(&folder, &setting, None, &mut rows);
    if measured.is_ok() || !rows.is_empty() {
        // The complete cases are shown also where it fails, and can be resumed from.
        print(results, &rows, &folder)?;
    }
    // A folder that was refused holds nothing of this run.
    let is_begun = |failure: &Failure| !rows.is_empty() || matches!(failure, Failure::Stopped);
    let warnings = measured.inspect_err(|failure| {
        if is_begun(failure) {
            results.note_resume(&folder);
        }
    })?;
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

/// Each case as each of these numbers of worlds.
fn worlds_of(cases: &[Case], worlds: &[u32]) -> Result<Vec<Case>, CaseError> {
    let of_case =
        |case| worlds.iter().map(move |&worlds| Case::of_worlds(Case::clone(case), worlds));
    cases.iter().flat_map(of_case).collect()
}

#[cfg(test)]
mod tests;

/// Prints the rows, a group for each case.
fn print(options: &ResultOptions, cases: &[Vec<SummaryRow>], folder: &Path) -> Result<(), Failure> {
    let table = || {
        let groups = cases.iter().flat_map(|rows| rows.chunk_by(|a, b| a.threads == b.threads));
        let groups: Vec<&[SummaryRow]> = groups.collect();
        let mut text = format!("{}\n", summary_table(&groups));
        if groups.len() > 1 {
            text += &format!("{}\n", winners_table(&groups));
        }
        text
    };
    let rows: Vec<&SummaryRow> = cases.iter().flatten().collect();
    options.print(&rows, table, folder)
}
