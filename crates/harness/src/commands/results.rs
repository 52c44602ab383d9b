//! The folder of a run, and what is printed of its rows.

use super::series::Setting;
use crate::cli::{ResultOptions, StudyOptions};
use crate::console;
use crate::failure::Failure;
use crate::page_files::refuse_input;
use measure::{RunId, StagesFile, SummaryFile, UNFINISHED, Warning, run_directory};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Names that a run writes in its folder, or removes from it.
const FILES: [&str; 6] =
    ["frames.csv", SummaryFile::NAME, StagesFile::NAME, "worlds.csv", "machine.json", UNFINISHED];

impl ResultOptions {
    /// Refuses inputs that the run would replace: --force is about results.
    pub(super) fn refuse_inputs(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let Some(folder) = &self.study.out else { return Ok(()) };
        FILES.iter().try_for_each(|name| refuse_input(&folder.join(name), inputs))?;
        let Ok(kept) = folder.join(UNFINISHED).canonicalize() else { return Ok(()) };
        let is_kept = |input: &&PathBuf| {
            input.canonicalize().is_ok_and(|input| input.parent() == Some(kept.as_path()))
        };
        inputs.iter().find(is_kept).map_or(Ok(()), |input| refuse_input(input, inputs))
    }

    /// Measures into the folder that is asked for, or into a new one. Prints the rows, also those before a failure, and what
    /// makes them doubtful.
    pub(super) fn run<R: Serialize>(
        &self,
        (setting, settings): (&Setting<'_>, Value),
        measure: impl FnOnce(&Path, &mut Vec<R>) -> Result<Vec<Warning>, Failure>,
        table: impl FnOnce(&[R]) -> String,
    ) -> Result<Vec<R>, Failure> {
        let StudyOptions { force, quiet, .. } = self.study;
        let (folder, mut rows) = (self.folder(&setting.run_id)?, Vec::new());
        setting.print_warnings(settings);
        let measured = measure(&folder, &mut rows);
        // A folder that was refused holds nothing of this run.
        let is_begun = !rows.is_empty() || matches!(measured, Ok(_) | Err(Failure::Stopped));
        if measured.is_ok() || !rows.is_empty() {
            // The complete cases are shown also where it fails, and can be resumed from.
            self.print(&rows, table, &folder)?;
        }
        let warnings = measured.inspect_err(|_| {
            if is_begun && !quiet {
                console::note_resume(Some(&folder), force);
            }
        })?;
        warnings.iter().filter(|_| !quiet).for_each(console::warn);
        Ok(rows)
    }

    /// The folder that is asked for, or a new one.
    fn folder(&self, run_id: &RunId) -> Result<PathBuf, Failure> {
        match &self.study {
            StudyOptions { out: Some(folder), .. } => Ok(folder.clone()),
            StudyOptions { resume: true, .. } => {
                let reason = "--resume takes --out DIR: else each run has a folder of its own";
                Err(Failure::Usage(reason.to_owned()))
            }
            _ => Ok(run_directory(Path::new(""), &run_id.stamp())?),
        }
    }

    /// Prints rows as JSON, or else a table of them.
    fn print<R: Serialize>(
        &self,
        rows: &[R],
        table: impl FnOnce(&[R]) -> String,
        folder: &Path,
    ) -> Result<(), Failure> {
        let place = format!("results in {}", folder.display());
        if self.json {
            if !self.study.quiet {
                console::note(&place);
            }
            return console::print(&format!("{:#}\n", json!(rows)));
        }
        match self.study.quiet {
            true => Ok(()),
            false => console::print(&format!("{}{place}\n", table(rows))),
        }
    }
}
