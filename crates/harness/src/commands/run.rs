//! `harness run`: measures.

use super::inputs::{cases, check_length, check_memory, without_repeats};
use super::series::{Order, Series, Setting};
use crate::cli::{
    Effort, MAX_REPEATS, MAX_WORLDS, Playing, ResultOptions, Selection, StageOptions,
};
use crate::failure::Failure;
use crate::{Process, console, registry};
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use clap::{Args, value_parser};
use measure::{
    Case, CaseError, DEFAULT_ORDER_SEED, Instruments, Machine, MonotonicClock, Plan, RunId, Stages,
    SummaryRow, summary_table, winners_table, world_methods,
};
use report::Shard;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) selection: Selection,

    #[command(flatten)]
    pub(crate) stages: StageOptions,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// Measure only the cases whose index modulo N is K - 1, and leave the others to other processes
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Find the pairs that began and ended in each frame too: columns of their own, outside of all
    /// other times
    #[arg(long)]
    pub(crate) events: bool,

    /// Numbers of worlds: world K has the boxes of their seed + K. One call for all is compared with `auto` in a loop
    #[arg(long, value_name = "W,..", value_delimiter = ',', requires = "boxes")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_WORLDS))]
    #[arg(conflicts_with_all = ["inputs", "objects", "algorithms", "set", "volume", "narrow"])]
    pub(crate) worlds: Vec<u32>,

    /// Repetitions, each from a fresh start
    #[arg(long, value_name = "R", default_value = "5")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    #[command(flatten)]
    pub(crate) results: ResultOptions,
}

/// Measures the chosen algorithms of the registry, or the methods on many worlds.
pub(crate) fn run(options: &RunOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    let methods = world_methods();
    match options.worlds.is_empty() {
        true => run_entries(&options.selection.entries(false), options, process),
        false => run_entries(&methods.each_ref(), options, process),
    }
}

/// Measures every case, writes the rows, and prints them.
fn run_entries(
    algorithms: &[&Algorithm],
    options: &RunOptions,
    process: &Process,
) -> Result<(), Failure> {
    let (results, quiet) = (&options.results, options.results.study.quiet);
    results.refuse_inputs(&options.playing.inputs)?;
    let is_one = options.worlds.is_empty();
    let mut cases = cases(&options.playing, options.effort.warmup, is_one, quiet)?;
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
    let (clock, run_id) = (MonotonicClock::new(), RunId::now());
    let (hardware, hardware_counters) = crate::perf::open();
    let hardware = hardware.as_deref();
    let instruments = Instruments { hardware, ..process.instruments(&clock) };
    let machine = Machine::detect(&run_id, process.command_line.clone());
    let machine = Machine { hardware_counters, peers: registry::peer_versions(), ..machine };
    let setting = Setting::new(machine, instruments, &results.study, process);
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
    let warnings =
        measured.inspect_err(|failure| results.note_resume(&folder, is_begun(failure)))?;
    if !quiet {
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
