//! `--worlds K`: each cell as many worlds, searched in one call and by `auto` in a loop.

use super::plan::{AtlasPart, drawn};
use super::run::threads;
use super::spread::Spread;
use crate::Process;
use crate::cli::AtlasOptions;
use crate::commands::recorder::open_output;
use crate::commands::worlds::{Over, WorldsPlan, WorldsRow, WorldsSpec, csv_table};
use crate::console;
use crate::failure::Failure;
use crate::study::Files;
use measure::numbers::significant;
use measure::{Case, Exit, Machine};

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
    let cells = cells.take(options.cells as usize);
    let plan = WorldsPlan {
        specs: cells.map(|cell| WorldsSpec { case: Case::of_cell(cell), worlds }).collect(),
        threads: threads(AtlasPart::Cells, options),
        repeats: options.repeat,
    };
    plan.check()?;
    let machine = plan.machine(machine)?;
    let (folder, study) = (files.data().join("worlds"), &options.study);
    let output = open_output(&folder, csv_table(), &machine, study.resume, study.force)?;
    let (rows, warnings) = plan.measure(output, study.quiet, process)?;
    if !study.quiet {
        let lines = summary(&Over::of(&rows), plan.specs.len(), worlds);
        console::print(&format!("{lines}results in {}\n", folder.display()))?;
        warnings.iter().for_each(console::warn);
    }
    Ok(rows.iter().map(WorldsRow::exit).max().unwrap_or_default())
}

/// A line for each number of threads: the ratios of `cells` cells.
fn summary(all: &[Over<'_>], cells: usize, worlds: u32) -> String {
    let mut threads: Vec<u32> = all.iter().map(|over| over.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let line = |threads| {
        let own = || all.iter().filter(move |over| over.threads == threads);
        let ratios: Spread = own().map(|over| over.ratio).collect();
        let at_worst = own().max_by(|a, b| a.ratio.total_cmp(&b.ratio))?;
        let [median, ten, ninety] =
            [ratios.median()?, ratios.percentile(10)?, ratios.percentile(90)?].map(significant);
        let plural = if threads == 1 { "" } else { "s" };
        Some(format!(
            "On {} of {cells} cells as {worlds} worlds each, {threads} thread{plural}: one call takes {median} times as \
             long as the faster loop of `auto` in the median, {ten} at the 10th percentile, {ninety} at the 90th, {} at \
             worst ({}). Brute force found the pairs of {}.\n",
            ratios.len(),
            significant(at_worst.ratio),
            at_worst.input,
            own().filter(|over| over.proven).count(),
        ))
    };
    threads.into_iter().filter_map(line).collect()
}
