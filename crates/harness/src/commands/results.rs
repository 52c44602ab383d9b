//! The folder of a run, and what is printed of its rows.

use crate::cli::{ResultOptions, StudyOptions};
use crate::console;
use crate::failure::Failure;
use crate::page_files::refuse_input;
use measure::{RunId, StagesFile, SummaryFile, UNFINISHED, run_directory};
use serde::Serialize;
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

    /// The folder that is asked for, or a new one.
    pub(super) fn folder(&self, run_id: &RunId) -> Result<PathBuf, Failure> {
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
    pub(super) fn print<R: Serialize>(
        &self,
        rows: &[R],
        table: impl FnOnce() -> String,
        folder: &Path,
    ) -> Result<(), Failure> {
        let place = format!("results in {}", folder.display());
        if self.json {
            let json = serde_json::to_string_pretty(rows)
                .map_err(|e| Failure::Running(format!("cannot write JSON: {e}")))?;
            if !self.study.quiet {
                console::note(&place);
            }
            return console::print(&(json + "\n"));
        }
        if self.study.quiet {
            return Ok(());
        }
        console::print(&format!("{}{place}\n", table()))
    }

    /// Says how the run is resumed, if it has begun.
    pub(super) fn note_resume(&self, folder: &Path, is_begun: bool) {
        if is_begun && !self.study.quiet {
            console::note_resume(Some(folder), self.study.force);
        }
    }
}
