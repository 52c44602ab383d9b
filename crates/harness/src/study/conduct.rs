//! How a study goes: its folder is prepared, its rows are measured, its page is made of the rows.

use crate::cli::StudyOptions;
use crate::console::note_resume;
use crate::failure::Failure;
use crate::machine_sheet::MachineSheet;
use crate::page_files::{PageFile, cannot, refuse_existing, remove_old};
use measure::{Exit, Machine};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of `--out`; without it that of the machine.
pub(crate) fn folder_of(options: &StudyOptions, machine: &Machine) -> PathBuf {
    let of_machine = || Path::new("results").join(MachineSheet::of(machine).slug());
    options.out.clone().unwrap_or_else(of_machine)
}

/// Measures, then writes the page. `measure` returns how its rows end the program.
pub(crate) fn conduct(
    options: &StudyOptions,
    measure: impl FnOnce() -> Result<Exit, Failure>,
    write_page: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let exit = measure().inspect_err(|failure| {
        if matches!(failure, Failure::Stopped) && !options.quiet {
            note_resume(options.out.as_deref(), options.force);
        }
    })?;
    write_page()?;
    // What is wrong was reported when it was found.
    Failure::unless_ok(exit)
}

/// Prepares the folder of the rows, and makes sure that the page can be written: hours later would be
/// too late. `old` are the files that an earlier run may have left. They are removed, unless that run
/// is resumed: nothing old is to be taken for new. `is_shared` says that the page may be there: it is
/// one of several parts.
pub(crate) fn prepare(
    page: &Path,
    is_shared: bool,
    data: &Path,
    old: Vec<PathBuf>,
    options: &StudyOptions,
) -> Result<(), Failure> {
    let replace = options.force || options.resume || is_shared;
    refuse_existing(page, replace)?;
    fs::create_dir_all(data).map_err(|e| cannot("make the folder", data, &e))?;
    if !options.resume {
        remove_old(old, options.force)?;
    }
    PageFile::create(page, replace).map(drop)
}

/// The files of a measurement in this folder.
pub(crate) fn run_files(folder: &Path) -> [PathBuf; 4] {
    ["frames.csv", "summary.csv", "machine.json", "unfinished.jsonl"].map(|name| folder.join(name))
}
