//! `harness run`: measures.

use super::inputs::{cases, check_length, check_memory, without_repeats};
use super::series::{Series, Setting};
use crate::cli::{
    Effort, MAX_REPEATS, MAX_WORLDS, Playing, ResultOptions, Searching, Selection, StageOptions,
};
use crate::failure::Failure;
use crate::{Process, registry};
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use clap::{Args, value_parser};
use measure::{
    Case, CaseError, DEFAULT_ORDER_SEED, Machine, Plan, Stages, SummaryRow, summary_table,
    winners_table, world_methods,
};
use report::Shard;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) searching: Searching,

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
    limit_simd(options.searching.simd);
    let methods = world_methods();
    match options.worlds.is_empty() {
        true => run_entries(&options.selection.entries(false), options, process),
        false => run_entries(&methods.each_ref(), options, process),
    }
}

/// Measures every case, writes the rows, and prints them.
pub(super) fn run_entries(
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
    let threads = without_repeats(&options.searching.threads);
    let stages = Stages::Chain { volume: options.stages.volume, narrow: options.stages.narrow };
    let plan = Plan {
        order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.effort.budget,
        events: options.events,
        stages: Some(stages),
        ..Plan::new(algorithms, &threads, options.repeat)
    };
    let series = Series { shard: options.shard, ..Series::new(cases, plan) };
    // A shard that does not exist is refused before there is a folder.
    series.own_cases()?;
    let (hardware, hardware_counters) = crate::perf::open();
    let mut setting = Setting::new(process, &results.study);
    setting.instruments.hardware = hardware.as_deref();
    let peers = registry::peer_versions();
    setting.machine = Machine { hardware_counters, peers, ..setting.machine };
    let measure = |folder: &Path, rows: &mut _| series.measure(folder, &setting, None, rows);
    let rows = results.run((&setting, series.settings()?), measure, table)?;
    match options.shard {
        // The cases of other shards may be measured.
        Some(_) => Failure::unless_ok(rows.iter().map(SummaryRow::exit).max().unwrap_or_default()),
        None => Failure::unless_measured(rows.iter().map(|row| (row.status, row.exit()))),
    }
}

/// Each case as each of these numbers of worlds.
fn worlds_of(cases: &[Case], worlds: &[u32]) -> Result<Vec<Case>, CaseError> {
    let of_case =
        |case| worlds.iter().map(move |&worlds| Case::of_worlds(Case::clone(case), worlds));
    cases.iter().flat_map(of_case).collect()
}

/// The rows as tables, one for each case and number of threads, and the winners of all.
fn table(rows: &[SummaryRow]) -> String {
    let key = |row: &SummaryRow| (row.input.clone(), row.n, row.seed, row.threads);
    let groups: Vec<&[SummaryRow]> = rows.chunk_by(|a, b| key(a) == key(b)).collect();
    let winners = if groups.len() > 1 { winners_table(&groups) + "\n" } else { String::new() };
    format!("{}\n{winners}", summary_table(&groups))
}
