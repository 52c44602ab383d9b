//! `--worlds K`: each cell as many worlds, searched in one call and by `auto` in a loop.

use super::figures::Spread;
use super::measuring::{plan_of, threads};
use super::plan::{AtlasPart, drawn};
use crate::cli::AtlasOptions;
use crate::commands::series::{Order, Series, Setting};
use crate::commands::{check_length, check_memory};
use crate::failure::Failure;
use crate::study::Files;
use crate::{Process, console};
use measure::numbers::significant;
use measure::{Case, Exit, Machine, MonotonicClock, ONE_CALL, SummaryRow, world_methods};

/// Most objects of a world unless the options say otherwise: robots and their surroundings have 10 to 2,000 shapes.
const MAX_OBJECTS: u32 = 2_000;

/// Measures the cells that are not done yet, and prints how one call compares with the loops. Returns how the rows of all
/// cells end the program.
pub(super) fn measure(
    worlds: u32,
    files: &Files,
    options: &AtlasOptions,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    let cells = drawn(options.seed, options.objects_up_to.unwrap_or(MAX_OBJECTS));
    let cases = cells.take(options.cells as usize).map(Case::of_cell);
    let cases = cases.map(|case| Case::of_worlds(case, worlds)).collect::<Result<Vec<_>, _>>()?;
    check_memory(&cases)?;
    check_length(&cases, options.repeat)?;
    let (methods, threads) = (world_methods(), threads(AtlasPart::Cells, options));
    let (methods, count) = (methods.each_ref(), cases.len());
    let plan = plan_of(&methods, &threads, options);
    let series = Series { cases, plan, order: Order::CaseByCase, shard: None };
    let (folder, study, clock) =
        (files.data().join("worlds"), &options.study, MonotonicClock::new());
    let setting = Setting::of_study(machine, process.instruments(&clock), study, process);
    let mut rows = Vec::new();
    let warnings = series.measure(&folder, &setting, None, &mut rows)?;
    if !study.quiet {
        let lines = summary(&rows.concat(), count, worlds);
        console::print(&format!("{lines}results in {}\n", folder.display()))?;
        warnings.iter().for_each(console::warn);
    }
    Ok(rows.iter().flatten().map(SummaryRow::exit).max().unwrap_or_default())
}

/// A line for each number of threads: one call compared with the faster loop of `auto`, on `cells` cells.
fn summary(rows: &[SummaryRow], cells: usize, worlds: u32) -> String {
    let mut over: Vec<(u32, f64, &str)> = Vec::new();
    for rows in rows.chunk_by(|a, b| (&a.input, a.threads) == (&b.input, b.threads)) {
        let (calls, loops): (Vec<_>, Vec<_>) =
            rows.iter().partition(|row| row.algorithm == ONE_CALL);
        let call = calls.iter().find_map(|row| row.median_ns);
        let least = loops.iter().filter_map(|row| row.median_ns).min();
        let ratio = call.zip(least).map(|(call, least)| call as f64 / least.max(1) as f64);
        over.extend(ratio.map(|ratio| (rows[0].threads, ratio, rows[0].input.as_str())));
    }
    over.sort_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)));
    let line = |own: &[(u32, f64, &str)]| {
        let ratios: Spread = own.iter().map(|(_, ratio, _)| *ratio).collect();
        let (threads, worst, input) = *own.last()?;
        let [median, ten, ninety] =
            [ratios.median()?, ratios.percentile(10)?, ratios.percentile(90)?].map(significant);
        let plural = if threads == 1 { "" } else { "s" };
        Some(format!(
            "On {} of {cells} cells as {worlds} worlds each, {threads} thread{plural}: one call takes {median} times as \
             long as the faster loop of `auto` in the median, {ten} at the 10th percentile, {ninety} at the 90th, {} at \
             worst ({input}).\n",
            ratios.len(),
            significant(worst),
        ))
    };
    over.chunk_by(|a, b| a.0 == b.0).filter_map(line).collect()
}
