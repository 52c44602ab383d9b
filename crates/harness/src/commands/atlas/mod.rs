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

/// The rows of a part, and where they are from.
struct Rows {
    part: Part,
    rows: Vec<AtlasRow>,
    sources: Vec<Source>,
}

impl Rows {
    /// Reads a part out of all folders; `None` where none of them has it.
    fn read(part: Part, folders: &[PathBuf]) -> Result<Option<Self>, Failure> {
        let of_part = folders.iter().map(|folder| part_folder(folder, part));
        let measured: Vec<PathBuf> =
            of_part.filter(|folder| folder.join("machine.json").exists()).collect();
        if measured.is_empty() {
            return Ok(None);
        }
        let sources = whole_plan(&measured)?;
        let files: Vec<PathBuf> = measured.iter().map(|folder| folder.join(part.file())).collect();
        Ok(Some(Self { part, rows: rows::read(&files)?, sources }))
    }
}

/// Draws and judges the rows in the folders, into `out`.
fn write_page(folders: &[PathBuf], out: &Path, quiet: bool) -> Result<(), Failure> {
    let parts = Part::ALL.map(|part| Rows::read(part, folders));
    let [cells, map] = parts;
    let (cells, map) = (cells?, map?);
    if let (None, None, Some(folder)) = (&cells, &map, folders.first()) {
        let missing = part_folder(folder, Part::Cells).join("machine.json");
        return Err(Failure::BadFile(format!(
            "cannot read {}: `harness atlas` writes it",
            missing.display()
        )));
    }
    fs::create_dir_all(out).map_err(|e| cannot("make the folder", out, &e))?;
    if folders.len() > 1 {
        for Rows { part, rows, .. } in cells.iter().chain(&map) {
            study::rows::write(&part_folder(out, *part).join(part.file()), rows)?;
        }
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
