//! `harness atlas`: inputs that were not chosen by hand, and how far `auto` is from the best choice.
//!
//! Cells are drawn from a seed, and the champions are measured on each. The rows of a cell are on the disk
//! as soon as it is done. The winner map is measured likewise, by the whole registry, and so are recorded
//! traces. Page and charts come from these rows alone, of one folder or of all shards of a plan. Cells of worlds have
//! rows and a summary, and no page.

mod figures;
mod map;
mod measuring;
mod page;
mod plan;
mod rows;
#[cfg(test)]
mod tests;
mod worlds;

pub(crate) use rows::FILE;

use crate::Process;
use crate::cli::AtlasOptions;
use crate::console;
use crate::failure::Failure;
use crate::page_files::{cannot, refuse_existing, remove_old};
use crate::study::{Files, Report, Study};
use broadphase::registry::Algorithm;
use plan::AtlasPart;
use rows::{PartRows, no_rows};
use std::fs;
use std::path::{Path, PathBuf};

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn atlas(options: &AtlasOptions, process: &Process) -> Result<(), Failure> {
    atlas_of(&measuring::algorithms(AtlasPart::of(options), options), options, process)
}

fn atlas_of(
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    process: &Process,
) -> Result<(), Failure> {
    if let Some(number) = options.cell {
        return measuring::measure_one(
            AtlasPart::of(options),
            number,
            algorithms,
            options,
            process,
        );
    }
    let mut study_options = options.study.clone();
    if let Some([single]) = options.redraw.as_deref() {
        // A page of one folder goes into that folder.
        study_options.out.get_or_insert_with(|| single.clone());
    }
    let is_redraw = options.redraw.is_some();
    let study = Study { name: "atlas", options: &study_options, is_redraw };
    let measure = |files: &Files, machine| match options.worlds {
        Some(worlds) => worlds::measure(worlds, files, options, machine, process),
        None => {
            measuring::measure(AtlasPart::of(options), algorithms, files, options, machine, process)
        }
    };
    study.run(process, measure, |files| report(options, files))
}

/// The page of what was measured, or of the folders that are named.
fn report(options: &AtlasOptions, files: &Files) -> Result<Option<Report>, Failure> {
    // The page is about cells that are one world each.
    if options.worlds.is_some() {
        return Ok(None);
    }
    if let Some(shard) = options.shard {
        if !options.study.quiet {
            console::note(&format!("shard {shard} is measured: {}", files.folder().display()));
            console::note("`harness atlas --redraw DIR..` makes the page of all shards");
        }
        return Ok(None);
    }
    let sources = options.redraw.as_deref().unwrap_or_default();
    match (sources, &options.study.out) {
        ([], _) | ([_], None) => report_of(&[files.folder().to_owned()], files, true).map(Some),
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
            let force = options.study.force;
            refuse_existing(&files.page(), force)?;
            report_of(sources, files, force).map(Some)
        }
    }
}

/// Whether both exist and are the same.
fn same_folder(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Checks the rows in the folders. Those of several are written together, in place of others only if `replace`.
fn report_of(folders: &[PathBuf], files: &Files, replace: bool) -> Result<Report, Failure> {
    let parts = AtlasPart::ALL.into_iter().map(|part| PartRows::read(part, folders));
    let parts = parts.collect::<Result<Vec<Option<PartRows>>, Failure>>()?;
    let parts: Vec<PartRows> = parts.into_iter().flatten().collect();
    if let (true, Some(folder)) = (parts.is_empty(), folders.first()) {
        return Err(no_rows(folder));
    }
    if folders.len() > 1 {
        let out = files.folder();
        let mut old = Vec::new();
        for rows in &parts {
            old.extend(rows.old_together(out)?);
        }
        remove_old(old, replace)?;
        fs::create_dir_all(out).map_err(|e| cannot("make the folder", out, &e))?;
        parts.iter().try_for_each(|rows| rows.write_together(out))?;
    }
    Ok(page::report(&parts, files))
}
