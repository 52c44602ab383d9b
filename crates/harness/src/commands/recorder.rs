//! Measures cases and writes their rows, for the commands that measure in a folder.

use crate::console;
use crate::failure::Failure;
use crate::page_files::cannot;
use crate::progress::Progress;
use measure::{
    Case, FinishedRepetition, InputError, Instruments, Machine, Observer, Output, OutputError,
    Plan, RunError, Status, SummaryRow, Warning, Watch, measure_case_watched, record_case,
    reference,
};
use sim::Unfinished;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A run under way.
pub(super) struct Recorder<'a> {
    pub(super) output: Output,
    pub(super) progress: Progress,
    pub(super) quiet: bool,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
    /// Readings of all cases.
    pub(super) calibration: Vec<u64>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        output: Output,
        progress: Progress,
        quiet: bool,
        stop: &'a AtomicBool,
    ) -> Self {
        Self { output, progress, quiet, stop, calibration: Vec::new() }
    }

    /// Returns the rows of a case. Measures and writes them unless an earlier process did.
    pub(super) fn case(
        &mut self,
        case: &Case,
        plan: &Plan<'_>,
        instruments: Instruments<'_>,
    ) -> Result<Vec<SummaryRow>, Failure> {
        let run_id = self.output.run_id().to_owned();
        if let Some(rows) = self.rows_done_before(case, plan, &run_id) {
            self.progress.case_done(case);
            return Ok(rows);
        }
        // What does not fit into memory is skipped below, by the measurement.
        let is_needed = !plan.programs.is_empty()
            && case.trace().is_none()
            && case.check_memory(plan.memory_limit).is_ok();
        let recorded =
            if is_needed { Recorded::write(case, &mut self.progress, self.stop)? } else { None };
        let played = recorded.as_ref().map_or(case, |recorded| &recorded.case);
        let finished = self.output.take_begun(case);
        finished.iter().for_each(|repetition| self.progress.repetition_done(case, repetition));
        let Self { output, progress, .. } = self;
        let mut keeper = Keeper { output, progress, case };
        let watch = Watch { observer: &mut keeper, stop: self.stop, finished };
        let measured = measure_case_watched(played, plan, instruments, watch)?;
        self.calibration.extend(measured.calibration_ns);
        if !measured.warnings.is_empty() {
            let warning = Warning::of_case(case, measured.warnings);
            self.output.warn(&warning)?;
            if !self.quiet {
                self.progress.note(&format!("warning: {warning}"));
            }
        }
        let mut rows = Vec::new();
        for cell in &measured.cells {
            let row = cell.summary(&run_id, case, plan);
            self.output.append(cell.frame_rows(&run_id, case), &row)?;
            if row.status == Status::Error {
                // Printed at once, also with `quiet`.
                self.progress.note(&format!("error: {}", line(&row)));
            }
            rows.push(row);
        }
        self.output.case_done()?;
        self.progress.case_done(case);
        Ok(rows)
    }

    /// The rows of a case that was complete when the run was resumed.
    fn rows_done_before(
        &self,
        case: &Case,
        plan: &Plan<'_>,
        run_id: &str,
    ) -> Option<Vec<SummaryRow>> {
        let done = |(algorithm, threads): (&str, u32)| {
            self.output.done_row(&case.labels(run_id, algorithm, threads)).cloned()
        };
        plan.cells().map(done).collect()
    }
}

/// A case as a trace, which is removed with this. Programs read it, and algorithms that they are compared with
/// play it: it has no layers.
struct Recorded {
    case: Case,
    _unfinished: Unfinished,
    _folder: TempDir,
}

impl Recorded {
    /// Writes the trace into a new folder for temporary files. `None` where a frame has more pairs than can
    /// be held.
    fn write(
        case: &Case,
        progress: &mut Progress,
        stop: &AtomicBool,
    ) -> Result<Option<Self>, Failure> {
        let temporary = std::env::temp_dir();
        let folder = tempfile::tempdir()
            .map_err(|e| cannot("make a folder for a trace in", &temporary, &e))?;
        let path = folder.path().join("input.bpt");
        let unfinished = Unfinished::new(folder.path());
        match record_case(case, reference(), &path, true, &mut Placed(progress), stop) {
            Err(RunError::Input(InputError::TooManyPairs { .. })) => Ok(None),
            case => Ok(Some(Self { case: case?, _unfinished: unfinished, _folder: folder })),
        }
    }
}

/// Shows how many objects of a case to record have a place.
struct Placed<'a>(&'a mut Progress);

impl Observer for Placed<'_> {
    fn objects_placed(&mut self, placed: usize, objects: usize) {
        self.0.objects_placed(placed, objects);
    }
}

/// Keeps each repetition as it ends, and moves the bar.
struct Keeper<'a> {
    output: &'a mut Output,
    progress: &'a mut Progress,
    case: &'a Case,
}

impl Observer for Keeper<'_> {
    fn repetition_begins(&mut self, algorithm: &str, _threads: u32) {
        self.progress.repetition_begins(self.case, algorithm);
    }

    fn objects_placed(&mut self, placed: usize, objects: usize) {
        self.progress.objects_placed(placed, objects);
    }

    fn frame_done(&mut self, frame: u32) {
        self.progress.frame_done(self.case, frame);
    }

    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.progress.repetition_done(self.case, repetition);
        self.output.keep(self.case, repetition)
    }
}

/// A row that has no figures, in a line.
pub(super) fn line(row: &SummaryRow) -> String {
    let SummaryRow { input, n, algorithm, threads, .. } = row;
    let seed = row.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let reason = row.reason_text();
    format!("{algorithm} on {input}, n = {n}, {threads} thread(s){seed}: {reason}")
}

/// The output of a part of a command's measurements: a new one that replaces what is there, or the
/// resumed one of an earlier process.
pub(crate) fn open_output(
    folder: &Path,
    machine: &Machine,
    resume: bool,
) -> Result<Output, Failure> {
    if !resume {
        return Ok(Output::create(folder, true, machine)?);
    }
    let output = Output::resume(folder, machine)?;
    output.damage().iter().for_each(console::warn);
    Ok(output)
}
