//! Measures cases and writes their rows, for the commands that measure in a folder.

use super::series::Order;
use crate::failure::Failure;
use crate::page_files::cannot;
use crate::progress::Progress;
use measure::{
    Case, FinishedRepetition, InputError, Instruments, MeasuredCase, Observer, Output, OutputError,
    Plan, RunError, Status, SummaryRow, Warning, Watch, measure_case_watched, record_case,
    reference,
};
use sim::Unfinished;
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
    pub(super) calibration_ns: Vec<u64>,
}

impl Recorder<'_> {
    /// Measures and writes the cases, unless an earlier process did. The rows of each go to `rows`.
    pub(super) fn cases(
        &mut self,
        cases: &[Case],
        order: Order,
        plan: &Plan<'_>,
        instruments: Instruments<'_>,
        rows: &mut Vec<Vec<SummaryRow>>,
    ) -> Result<(), Failure> {
        let (together, first) = match order {
            Order::CaseByCase => (1, plan.repeats),
            Order::Rounds => (cases.len().max(1), 1),
        };
        for cases in cases.chunks(together) {
            let mut open = Vec::new();
            for case in cases {
                match self.rows_done_before(case, plan) {
                    Some(done) => {
                        rows.push(done);
                        self.progress.case_done(case);
                    }
                    None => open.push((case, self.take_begun(case))),
                }
            }
            for round in first..=plan.repeats {
                for (case, finished) in &mut open {
                    // Finished repetitions are not measured again: one of each cell is left.
                    let measured = self.round(case, round, plan, instruments, finished)?;
                    if round == plan.repeats {
                        rows.push(self.write(case, plan, &measured)?);
                        self.progress.case_done(case);
                    }
                }
            }
        }
        Ok(())
    }

    /// Measures the repetitions of a case up to a round that are not `finished`. They are kept, and go to `finished` until
    /// the last round.
    fn round(
        &mut self,
        case: &Case,
        round: u32,
        plan: &Plan<'_>,
        instruments: Instruments<'_>,
        finished: &mut Vec<FinishedRepetition>,
    ) -> Result<MeasuredCase, Failure> {
        // What does not fit into memory is skipped below, by the measurement.
        let is_recorded = !plan.programs.is_empty()
            && case.trace().is_none()
            && case.check_memory(plan.memory_limit).is_ok();
        self.progress.case_begins(case);
        let recorded = if is_recorded { Recorded::write(case, self.stop)? } else { None };
        let played = recorded.as_ref().map_or(case, |recorded| &recorded.case);
        let is_last = round == plan.repeats;
        let before = if is_last { std::mem::take(finished) } else { finished.clone() };
        let kept = (!is_last).then_some(finished);
        let Self { output, progress, .. } = self;
        let mut follower = Follower { progress, case, output, kept };
        let watch = Watch { observer: &mut follower, stop: self.stop, finished: before };
        let plan = Plan { repeats: round, ..*plan };
        let measured = measure_case_watched(played, &plan, instruments, watch)?;
        self.calibration_ns.extend(&measured.calibration_ns);
        Ok(measured)
    }

    /// Repetitions of a case that an earlier process finished.
    fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        let finished = self.output.take_begun(case);
        self.progress.done_before(case, finished.len());
        finished
    }

    /// Writes the rows of a case, and what is doubtful about them.
    fn write(
        &mut self,
        case: &Case,
        plan: &Plan<'_>,
        measured: &MeasuredCase,
    ) -> Result<Vec<SummaryRow>, Failure> {
        if !measured.warnings.is_empty() {
            let warning = Warning::of_case(case, &measured.warnings);
            self.output.warn(&warning)?;
            if !self.quiet {
                self.progress.note(&format!("warning: {warning}"));
            }
        }
        let run_id = self.output.run_id();
        let rows = measured.cells.iter().map(|cell| cell.summary(run_id, case, plan));
        let rows: Vec<SummaryRow> = rows.collect();
        self.output.add_cells(&rows)?;
        for row in rows.iter().filter(|row| row.status == Status::Error) {
            // Printed at once, also with `quiet`.
            self.progress.note(&format!("error: {}", line(row)));
        }
        Ok(rows)
    }

    /// The rows of a case that was complete when the run was resumed.
    fn rows_done_before(&self, case: &Case, plan: &Plan<'_>) -> Option<Vec<SummaryRow>> {
        let run_id = self.output.run_id();
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
    fn write(case: &Case, stop: &AtomicBool) -> Result<Option<Self>, Failure> {
        let temporary = std::env::temp_dir();
        let (folder, unfinished) = Unfinished::make(tempfile::tempdir)
            .map_err(|e| cannot("make a folder for a trace in", &temporary, &e))?;
        let path = folder.path().join("input.bpt");
        match record_case(case, reference(), &path, true, &mut (), stop) {
            Err(RunError::Input(InputError::TooManyPairs { .. })) => Ok(None),
            case => Ok(Some(Self { case: case?, _unfinished: unfinished, _folder: folder })),
        }
    }
}

/// Moves the bar, and keeps each repetition as it ends.
struct Follower<'a> {
    progress: &'a mut Progress,
    case: &'a Case,
    /// Where repetitions are kept for a resumed run.
    output: &'a mut Output,
    /// Where they are kept for the next round, if there is one.
    kept: Option<&'a mut Vec<FinishedRepetition>>,
}

impl Observer for Follower<'_> {
    fn repetition_begins(&mut self, algorithm: &str, threads: u32) {
        self.progress.repetition_begins(algorithm, threads);
    }

    fn objects_placed(&mut self, placed: usize, objects: usize) {
        self.progress.objects_placed(placed, objects);
    }

    fn frame_done(&mut self, frame: u32) {
        self.progress.frame_done(frame);
    }

    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        if let Some(kept) = &mut self.kept {
            kept.push(repetition.clone());
        }
        self.output.keep(self.case, repetition)
    }
}

/// A row that has no figures, in a line.
fn line(row: &SummaryRow) -> String {
    let SummaryRow { input, n, algorithm, threads, .. } = row;
    let seed = row.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let reason = row.reason_text();
    format!("{algorithm} on {input}, n = {n}, {threads} thread(s){seed}: {reason}")
}
