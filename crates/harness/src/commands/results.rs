//! The folder of a run, and what is printed of its rows.

use crate::cli::ResultOptions;
use crate::console;
use crate::failure::Failure;
use crate::page_files::refuse_input;
use measure::{RunId, StagesFile, SummaryFile, UNFINISHED, Warning, run_directory};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// From this width on, as a share of the median, an interval is called wide.
const WIDE: f64 = 0.10;

/// Names that a run writes in its folder, or removes from it.
const FILES: [&str; 5] =
    ["frames.csv", SummaryFile::NAME, StagesFile::NAME, "machine.json", UNFINISHED];

impl ResultOptions {
    /// Refuses inputs that the run would replace: --force is about results.
    pub(super) fn refuse_inputs(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let Some(folder) = &self.out else { return Ok(()) };
        FILES.iter().try_for_each(|name| refuse_input(&folder.join(name), inputs))?;
        let Ok(kept) = folder.join(UNFINISHED).canonicalize() else { return Ok(()) };
        let is_kept = |input: &&PathBuf| {
            input.canonicalize().is_ok_and(|input| input.parent() == Some(kept.as_path()))
        };
        inputs.iter().find(is_kept).map_or(Ok(()), |input| refuse_input(input, inputs))
    }

    /// The folder that is asked for, or a new one.
    pub(super) fn folder(&self, run_id: &RunId) -> Result<PathBuf, Failure> {
        match &self.out {
            Some(folder) => Ok(folder.clone()),
            None => Ok(run_directory(Path::new(""), &run_id.stamp())?),
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
            if !self.quiet {
                console::note(&place);
            }
            return console::print(&(json + "\n"));
        }
        if self.quiet {
            return Ok(());
        }
        console::print(&format!("{}{place}\n", table()))
    }

    /// Says how the run is resumed.
    pub(super) fn note_resume(&self, folder: &Path) {
        if !self.quiet {
            console::note_resume(Some(folder), self.force);
        }
    }
}

/// A median, with its interval where there is one.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Median {
    pub(in crate::commands) value: f64,
    pub(in crate::commands) interval: Option<[f64; 2]>,
    /// Repetitions that it is of.
    pub(in crate::commands) repeats: u32,
}

/// What makes medians doubtful.
pub(in crate::commands) fn noise(medians: &[Median], calibration_ns: &[u64]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Warning::of_drift(calibration_ns).into_iter().collect();
    if medians.iter().any(|median| median.repeats == 1) {
        warnings.push(Warning::SingleRepetition);
    }
    let is_wide = |median: &&Median| {
        median.interval.is_some_and(|[low, high]| high - low > WIDE * median.value)
    };
    let wide = medians.iter().filter(is_wide).count();
    if wide > 0 {
        warnings.push(Warning::WideIntervals { wide, of: medians.len(), share: WIDE });
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_interval_and_drift_are_warnings() {
        let median = |low, high| Median { value: 1000.0, interval: Some([low, high]), repeats: 2 };
        assert!(noise(&[median(960.0, 1050.0)], &[100, 105]).is_empty());
        let warnings = noise(&[median(900.0, 1010.0), median(999.0, 1001.0)], &[100, 130]);
        let text = Warning::joined(&warnings);
        assert!(text.contains("took up to 30 % longer"), "{text}");
        assert_eq!(warnings[1], Warning::WideIntervals { wide: 1, of: 2, share: WIDE });
        let once = Median { repeats: 1, ..median(999.0, 1001.0) };
        assert_eq!(noise(&[once], &[100]), [Warning::SingleRepetition]);
    }
}
