//! `harness atlas`: inputs that were not chosen by hand, and how far `auto` is from the best choice.
//!
//! Cells are drawn from a seed, and the champions are measured on each. The rows of a cell are on the disk
//! as soon as it is done. The winner map is measured likewise, by the whole registry, and so are recorded
//! traces. Page and charts come from these rows alone, of one folder or of all shards of a plan.

mod page;
mod plan;
#[cfg(test)]
mod tests;

use crate::Process;
use crate::cli::{MAX_THREADS, StudyOptions, replaced, seconds};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{make_folder, refuse_existing, remove_old};
use crate::study::{Files, Page, RowFile, Study, StudyRow, note_table, results, write_rows};
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};
use measure::Machine;
use plan::AtlasPart;
use report::{ResultFolder, Shard, whole_plan};
use sim::Scene;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
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

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn atlas(options: &AtlasOptions, process: &Process) -> Result<(), Failure> {
    atlas_of(&AtlasPart::of(options).algorithms(options), options, process)
}

fn atlas_of(
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    process: &Process,
) -> Result<(), Failure> {
    let mut study_options = options.study.clone();
    if let Some([single]) = options.redraw.as_deref() {
        // A page of one folder goes into that folder.
        study_options.out.get_or_insert_with(|| single.clone());
    }
    let is_redraw = options.redraw.is_some();
    let study = Study { name: "atlas", options: &study_options, is_redraw };
    study.run(process, |bench| plan::measure(algorithms, options, bench), |f| report(options, f))
}

/// The page of what was measured, or of the folders that are named.
fn report(options: &AtlasOptions, files: &Files) -> Result<Option<Page>, Failure> {
    if let Some(shard) = options.shard {
        if !options.study.quiet {
            console::note(&format!("shard {shard} is measured: {}", files.folder.display()));
            console::note("`harness atlas --redraw DIR..` makes the page of all shards");
        }
        return Ok(None);
    }
    let usage = |reason: String| Err(Failure::Usage(reason));
    match (options.redraw.as_deref().unwrap_or_default(), &options.study.out) {
        ([], _) | ([_], None) => report_of(slice::from_ref(&files.folder), files, true).map(Some),
        (_, None) => usage("--out DIR is needed for the page of several folders".to_owned()),
        (sources, Some(out)) => {
            let whole = |folder: &Path| folder.canonicalize().ok();
            let is_out = |input: &&PathBuf| whole(input).is_some() && whole(input) == whole(out);
            if let Some(input) = sources.iter().find(is_out) {
                let input = input.display();
                return usage(format!(
                    "--out {input} is one of the folders that are read: choose another"
                ));
            }
            refuse_existing(&files.page(), options.study.force)?;
            report_of(sources, files, options.study.force).map(Some)
        }
    }
}

/// Checks the rows in the folders. Those of several are written together, in place of others only if `replace`.
fn report_of(folders: &[PathBuf], files: &Files, replace: bool) -> Result<Page, Failure> {
    let parts = AtlasPart::ALL.into_iter().map(|part| PartRows::read(part, folders));
    let parts = parts.collect::<Result<Vec<Option<PartRows>>, Failure>>()?;
    let parts: Vec<PartRows> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        let missing = AtlasPart::Cells.data(&folders[0]).join(Machine::FILE);
        let missing = missing.display();
        return Err(Failure::BadFile(format!("cannot read {missing}: `harness atlas` writes it")));
    }
    if folders.len() > 1 {
        for rows in &parts {
            // All that belongs to the rows of a finished, killed or running atlas there.
            let folder = rows.part.data(&files.folder);
            make_folder(&folder)?;
            remove_old(results(&folder)?, replace)?;
        }
        parts.iter().try_for_each(|rows| rows.write_together(&files.folder))?;
    }
    Ok(page::report(&parts))
}

/// The rows of `atlas.csv`, `map.csv` and `traces.csv`.
pub(crate) const FILE: RowFile = RowFile {
    command: "atlas",
    columns: "cell grid seed description placement sizes motion overlaps speed movers churn again",
};

/// Reads the rows of a part from its files, in the order of the cells. A cell with times of two runs is
/// refused.
fn read(paths: &[impl AsRef<Path>]) -> Result<Vec<StudyRow>, Failure> {
    let mut all: Vec<StudyRow> = Vec::new();
    let mut runs: HashMap<u32, String> = HashMap::new();
    for path in paths {
        let path = path.as_ref();
        let rows = FILE.read(path)?;
        for StudyRow { cell, run_id, .. } in &rows {
            if runs.entry(*cell).or_insert_with(|| run_id.clone()) != run_id {
                return Err(Failure::BadFile(format!(
                    "{}: cell {cell} was measured by two runs, whose times cannot be compared",
                    path.display()
                )));
            }
        }
        all.extend(rows);
    }
    all.sort_by_key(|row| row.cell);
    Ok(all)
}

/// The folders with a manifest of the rows in a part's folder: itself, or one for each of the shards that
/// were put together.
fn manifests(folder: &Path) -> Vec<PathBuf> {
    let is_manifest = |folder: &PathBuf| folder.join(Machine::FILE).exists();
    let below = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    match is_manifest(&folder.to_owned()) {
        true => vec![folder.to_owned()],
        false => below.filter(is_manifest).collect(),
    }
}

/// The rows of a part, and their sources.
struct PartRows {
    part: AtlasPart,
    rows: Vec<StudyRow>,
    sources: Vec<ResultFolder>,
}

impl PartRows {
    /// Reads a part from all folders; `None` where none of them has it.
    fn read(part: AtlasPart, folders: &[PathBuf]) -> Result<Option<Self>, Failure> {
        let folders = folders.iter().map(|folder| part.data(folder));
        let folders: Vec<PathBuf> = folders.filter(|f| !manifests(f).is_empty()).collect();
        if folders.is_empty() {
            return Ok(None);
        }
        let sources = whole_plan(&folders.iter().flat_map(|f| manifests(f)).collect::<Vec<_>>())?;
        let files: Vec<PathBuf> = folders.iter().map(|folder| folder.join(part.file())).collect();
        Ok(Some(Self { part, rows: read(&files)?, sources }))
    }

    /// Writes the rows of all shards into one file, with the manifests of the shards in folders next to it,
    /// so that the page can be redrawn from there.
    fn write_together(&self, out: &Path) -> Result<(), Failure> {
        let folder = self.part.data(out);
        let rows = folder.join(self.part.file());
        write_rows(&rows, &self.rows)?;
        for source in &self.sources {
            let Some(shard) = source.shard() else { continue };
            let own = folder.join(shard.folder());
            make_folder(&own)?;
            let [from, to] = [&source.folder, &own].map(|folder| folder.join(Machine::FILE));
            note_table(&from, &to, &format!("../{}", self.part.file()), &rows)?;
        }
        Ok(())
    }
}
