//! `harness atlas`: inputs that were not chosen by hand, and how far `auto` is from the best choice.
//!
//! Cells are drawn from a seed, and the champions are measured on each. The rows of a cell are on the disk
//! as soon as it is done. The winner map is measured likewise, by the whole registry, and so are recorded
//! traces. Page and charts come from these rows alone, of one folder or of all shards of a plan.

mod figures;
mod measuring;
mod page;
mod plan;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use rows::FILE;

use crate::Process;
use crate::cli::{MAX_THREADS, StudyOptions, replaced, seconds};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{make_folder, refuse_existing, remove_old};
use crate::study::{Bench, Files, Report, Study, results};
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};
use measure::Machine;
use plan::AtlasPart;
use report::Shard;
use rows::{PartRows, part_folder};
use sim::Scene;
use std::path::PathBuf;
use std::slice;
use std::time::Duration;

/// Most cells of an atlas. Its `machine.json` lists them, in up to 216 bytes each: 10.3 of the 16 MiB that are read.
const MAX_CELLS: u32 = 50_000;

#[derive(Debug, Args)]
pub(crate) struct AtlasOptions {
    /// Number of cells to draw and measure
    #[arg(long, value_name = "N", default_value = "300")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_CELLS)))]
    pub(crate) cells: u32,

    /// Seed of the cells
    #[arg(long, value_name = "SEED", value_parser = measure::parse_seed, default_value_t = Scene::default().seed)]
    pub(crate) seed: u64,

    /// Measure the winner map instead: the whole registry on a gas, over the number of objects and
    /// speed, and over the number of objects and the share that moves
    #[arg(long, conflicts_with = "cells")]
    pub(crate) map: bool,

    /// Measure on these traces instead of cells (docs/trace-file.md)
    #[arg(long = "trace", value_name = "F.bpt", num_args = 1.., conflicts_with_all = [
        "cells", "seed", "map", "objects_up_to",
    ])]
    pub(crate) traces: Vec<PathBuf>,

    /// Only cells of at most this many objects: the first of the seed, or those of the map
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(250..))]
    pub(crate) objects_up_to: Option<u32>,

    /// In commands of pages that earlier versions wrote.
    #[arg(long, hide = true)]
    #[arg(value_parser = replaced("measure a cell by `harness run --boxes atlas:SEED:K --warmup 0`"))]
    cell: Option<()>,
    #[arg(long, hide = true)]
    #[arg(value_parser = replaced("measure cells of worlds by `harness run --boxes atlas:SEED:K --worlds W`"))]
    worlds: Option<()>,

    /// Algorithms to measure, instead of the champions; with --map, instead of all
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(ALGORITHMS.iter().map(|entry| entry.id)))]
    champions: Vec<String>,

    /// Numbers of threads that the algorithms may use; without it 1,2, with --map 1
    #[arg(long, value_name = "T,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_THREADS))]
    pub(crate) threads: Vec<u32>,

    /// Repetitions, each with new structures; a frame counts by the fastest of them
    #[arg(long, value_name = "R", default_value = "5")]
    #[arg(value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: u32,

    /// Time that an algorithm may take for one cell, else it is skipped
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,

    /// Measure only the cells whose index modulo N is K - 1; other processes measure the others
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Measure nothing: write page and charts from the rows in these folders, those of all shards of a
    /// plan; without a folder, in --out
    #[arg(long, value_name = "DIR", num_args = 0.., conflicts_with_all = [
        "cells", "seed", "map", "traces", "objects_up_to", "champions", "threads", "repeat", "budget",
        "shard", "resume",
    ])]
    pub(crate) redraw: Option<Vec<PathBuf>>,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

impl AtlasOptions {
    /// The chosen algorithms, in the registry's order; empty without a choice.
    pub(crate) fn champions(&self) -> Vec<&'static Algorithm> {
        let is_chosen = |entry: &&Algorithm| self.champions.iter().any(|id| id == entry.id);
        ALGORITHMS.iter().filter(is_chosen).collect()
    }
}

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn atlas(options: &AtlasOptions, process: &Process) -> Result<(), Failure> {
    atlas_of(&measuring::algorithms(AtlasPart::of(options), options), options, process)
}

fn atlas_of(
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    process: &Process,
) -> Result<(), Failure> {
    let part = AtlasPart::of(options);
    let mut study_options = options.study.clone();
    if let Some([single]) = options.redraw.as_deref() {
        // A page of one folder goes into that folder.
        study_options.out.get_or_insert_with(|| single.clone());
    }
    let is_redraw = options.redraw.is_some();
    let study = Study { name: "atlas", options: &study_options, is_redraw };
    let measure = |bench: &mut Bench<'_>| measuring::measure(part, algorithms, options, bench);
    study.run(process, measure, |files| report(options, files))
}

/// The page of what was measured, or of the folders that are named.
fn report(options: &AtlasOptions, files: &Files) -> Result<Option<Report>, Failure> {
    if let Some(shard) = options.shard {
        if !options.study.quiet {
            console::note(&format!("shard {shard} is measured: {}", files.folder.display()));
            console::note("`harness atlas --redraw DIR..` makes the page of all shards");
        }
        return Ok(None);
    }
    match (options.redraw.as_deref().unwrap_or_default(), &options.study.out) {
        ([], _) | ([_], None) => report_of(slice::from_ref(&files.folder), files, true).map(Some),
        (_, None) => {
            let reason = "--out DIR is needed for the page of several folders";
            Err(Failure::Usage(reason.to_owned()))
        }
        (sources, Some(out)) => {
            let is_out = |input: &&PathBuf| {
                input.canonicalize().is_ok_and(|input| out.canonicalize().is_ok_and(|o| o == input))
            };
            if let Some(input) = sources.iter().find(is_out) {
                let input = input.display();
                return Err(Failure::Usage(format!(
                    "--out {input} is one of the folders that are read: choose another"
                )));
            }
            refuse_existing(&files.page(), options.study.force)?;
            report_of(sources, files, options.study.force).map(Some)
        }
    }
}

/// Checks the rows in the folders. Those of several are written together, in place of others only if `replace`.
fn report_of(folders: &[PathBuf], files: &Files, replace: bool) -> Result<Report, Failure> {
    let parts = AtlasPart::ALL.into_iter().map(|part| PartRows::read(part, folders));
    let parts = parts.collect::<Result<Vec<Option<PartRows>>, Failure>>()?;
    let parts: Vec<PartRows> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        let missing = part_folder(&folders[0], AtlasPart::Cells).join(Machine::FILE);
        let missing = missing.display();
        return Err(Failure::BadFile(format!("cannot read {missing}: `harness atlas` writes it")));
    }
    if folders.len() > 1 {
        for rows in &parts {
            // All that belongs to the rows of a finished, killed or running atlas there.
            let folder = part_folder(&files.folder, rows.part);
            make_folder(&folder)?;
            remove_old(results(&folder)?, replace)?;
        }
        parts.iter().try_for_each(|rows| rows.write_together(&files.folder))?;
    }
    Ok(page::report(&parts, files))
}
