//! `harness atlas`: inputs that were not chosen by hand, and how far `auto` is from the best choice.
//!
//! Cells are drawn from a seed. The champions are measured on each, and a row of each algorithm is on
//! the disk when the cell is done. The winner map is measured likewise, by the whole registry. Page and
//! figures are made of these rows alone, of one folder or of all shards of a plan.

mod champions;
mod charts;
mod figures;
mod findings;
mod goals;
mod map;
mod measuring;
mod page;
mod plan;
mod rows;
mod run;
mod single;
mod spread;
#[cfg(test)]
mod tests;

use crate::Process;
use crate::cli::AtlasOptions;
use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, cannot, write_chart};
use crate::study;
use crate::study::shard::{Source, whole_plan};
use broadphase::Algorithm;
use measure::{Machine, RunId};
use plan::Part;
use rows::AtlasRow;
use std::fs;
use std::path::{Path, PathBuf};

/// Measures, unless only the page is to be made again, and writes the page.
pub(crate) fn atlas(options: &AtlasOptions, process: &Process) -> Result<(), Failure> {
    atlas_of(&run::algorithms(Part::of(options), options), options, process)
}

fn atlas_of(
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    process: &Process,
) -> Result<(), Failure> {
    let part = Part::of(options);
    if let Some(number) = options.cell {
        return single::measure_one(part, number, algorithms, options, process);
    }
    let machine = Machine::detect(&RunId::now(), process.command_line.clone());
    let folder = study::folder_of(&options.study, &machine);
    let quiet = options.study.quiet;
    match &options.redraw {
        Some(sources) => redraw(sources, &folder, options),
        None => study::conduct(
            &options.study,
            || run::measure(part, algorithms, &folder, options, machine, process),
            || match options.shard {
                Some(shard) if !quiet => {
                    console::note(&format!("shard {shard} is measured: {}", folder.display()));
                    console::note("`harness atlas --redraw DIR..` makes the page of all shards");
                    Ok(())
                }
                Some(_) => Ok(()),
                None => write_page(std::slice::from_ref(&folder), &folder, quiet),
            },
        ),
    }
}

/// Makes the page of rows that are there: in their own folder, or of several in that of `--out`.
fn redraw(sources: &[PathBuf], folder: &Path, options: &AtlasOptions) -> Result<(), Failure> {
    let quiet = options.study.quiet;
    match (sources, &options.study.out) {
        ([], _) => write_page(&[folder.to_owned()], folder, quiet),
        ([own], None) => write_page(std::slice::from_ref(own), own, quiet),
        (_, None) => {
            let reason = "--out DIR is needed for the page of several folders";
            Err(Failure::Usage(reason.to_owned()))
        }
        (_, Some(out)) => {
            if let Some(input) = sources.iter().find(|input| same_folder(input, out)) {
                return Err(Failure::Usage(format!(
                    "--out {} is one of the folders that are read: choose another",
                    input.display()
                )));
            }
            let page = out.join("atlas.md");
            crate::page_files::refuse_existing(&page, options.study.force)?;
            write_page(sources, out, quiet)
        }
    }
}

/// Whether both are there, and the same.
fn same_folder(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The folder of a part's rows.
fn part_folder(folder: &Path, part: Part) -> PathBuf {
    folder.join("atlas").join(part.folder())
}

/// Describes what rows were measured on, in the folder of each run.
const MANIFEST: &str = "machine.json";

/// The folders that describe the rows in a part's folder: itself, or of shards that were put together
/// one for each.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.join(MANIFEST).exists() {
        return Ok(vec![folder.to_owned()]);
    }
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| cannot("read", folder, &e))?.path();
        if path.join(MANIFEST).exists() {
            folders.push(path);
        }
    }
    Ok(folders)
}

/// The rows of a part, and where they are from.
struct Rows {
    part: Part,
    rows: Vec<AtlasRow>,
    sources: Vec<Source>,
}

impl Rows {
    /// Reads a part out of all folders; `None` where none of them has it.
    fn read(part: Part, folders: &[PathBuf]) -> Result<Option<Self>, Failure> {
        let (mut files, mut measured) = (Vec::new(), Vec::new());
        for folder in folders.iter().map(|folder| part_folder(folder, part)) {
            let manifests = manifests(&folder)?;
            if !manifests.is_empty() {
                files.push(folder.join(part.file()));
                measured.extend(manifests);
            }
        }
        if measured.is_empty() {
            return Ok(None);
        }
        let sources = whole_plan(&measured)?;
        Ok(Some(Self { part, rows: rows::read(&files)?, sources }))
    }

    /// Writes the rows of all shards into one file, and what the shards were measured on beside it, so
    /// that the page can be made of it again.
    fn write_together(&self, out: &Path) -> Result<(), Failure> {
        let folder = part_folder(out, self.part);
        study::rows::write(&folder.join(self.part.file()), &self.rows)?;
        for source in &self.sources {
            let Some(shard) = source.shard() else { continue };
            let own = folder.join(shard.folder());
            fs::create_dir_all(&own).map_err(|e| cannot("make the folder", &own, &e))?;
            let (from, to) = (source.folder.join(MANIFEST), own.join(MANIFEST));
            fs::copy(&from, &to).map_err(|e| cannot("write", &to, &e))?;
        }
        Ok(())
    }
}

/// Draws and judges the rows in the folders, into `out`.
fn write_page(folders: &[PathBuf], out: &Path, quiet: bool) -> Result<(), Failure> {
    let parts = Part::ALL.map(|part| Rows::read(part, folders));
    let [cells, map] = parts;
    let (cells, map) = (cells?, map?);
    if let (None, None, Some(folder)) = (&cells, &map, folders.first()) {
        let missing = part_folder(folder, Part::Cells).join(MANIFEST);
        return Err(Failure::BadFile(format!(
            "cannot read {}: `harness atlas` writes it",
            missing.display()
        )));
    }
    fs::create_dir_all(out).map_err(|e| cannot("make the folder", out, &e))?;
    if folders.len() > 1 {
        cells.iter().chain(&map).try_for_each(|rows| rows.write_together(out))?;
    }
    let page_path = out.join("atlas.md");
    let page = PageFile::create(&page_path, true)?;
    let text = page::Page::new(cells.as_ref(), map.as_ref());
    for (name, chart) in text.charts() {
        write_chart(&out.join("atlas").join(name), &chart)?;
    }
    page.write(text.markdown().as_bytes())?;
    if quiet {
        return Ok(());
    }
    console::print(&format!("{}\n{}\n", text.summary().join("\n"), page_path.display()))
}
