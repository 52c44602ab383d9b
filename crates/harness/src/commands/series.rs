//! A series of cases: inputs, algorithms, threads and repetitions that are measured into one folder.

use super::recorder::{Recorder, open_output};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::Shard;
use measure::{
    Case, Clock, Exit, Instruments, Machine, Output, Plan, RunId, SummaryRow, Table, Warning,
    noise_of_rows, run_settings,
};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Cases that are measured by one plan into one folder.
pub(super) struct Series<'a> {
    /// All cases, those of other shards included.
    pub(super) cases: Vec<Case>,
    /// Algorithms, programs, threads and repetitions.
    pub(super) plan: Plan<'a>,
    pub(super) order: Order,
    /// The shard that this process measures.
    pub(super) shard: Option<Shard>,
}

/// The order of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// All repetitions of a case, then those of the next.
    CaseByCase,
    /// Each repetition passes once through all cases. So a machine that becomes warm or busy distorts no single
    /// number of objects.
    Rounds,
}

/// The setting in which all parts of a study are measured.
#[derive(Clone)]
pub(super) struct Setting<'a> {
    pub(super) machine: Machine,
    pub(super) instruments: Instruments<'a>,
    /// Whether an earlier run is completed.
    pub(super) resume: bool,
    pub(super) quiet: bool,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

impl Series<'_> {
    /// The machine, with the settings that all shards share, and the shard.
    pub(super) fn machine(&self, machine: Machine) -> Result<Machine, Failure> {
        let mut settings = run_settings(&self.cases, &self.plan)?;
        Shard::note(self.shard, &mut settings);
        Ok(machine.with_settings(settings))
    }

    /// The cases that this process measures.
    pub(super) fn own_cases(&self) -> Result<Vec<Case>, Failure> {
        match self.shard {
            Some(shard) => Ok(shard.select(self.cases.clone())?),
            None => Ok(self.cases.clone()),
        }
    }

    /// Measures the cases that are not done yet. The rows of each case go to `rows`, also of those before a failure.
    /// Returns what makes the figures doubtful; `subject` is what that is about, in `machine.json`.
    pub(super) fn measure(
        &self,
        output: Output,
        instruments: Instruments<'_>,
        quiet: bool,
        stop: &AtomicBool,
        subject: Option<&str>,
        rows: &mut Vec<Vec<SummaryRow>>,
    ) -> Result<Vec<Warning>, Failure> {
        let (cases, plan) = (self.own_cases()?, &self.plan);
        let progress = Progress::new(&cases, plan.cells().count(), plan.repeats, quiet);
        let mut recorder = Recorder { output, progress, quiet, stop, calibration_ns: Vec::new() };
        let measured = match self.order {
            Order::CaseByCase => recorder.case_by_case(&cases, plan, instruments, rows),
            Order::Rounds => recorder.rounds(&cases, plan, instruments, rows),
        };
        recorder.progress.finish();
        measured?;
        let mut warnings = noise_of_rows(rows.iter().flatten(), &recorder.calibration_ns);
        if let Some(subject) = subject {
            let about =
                |doubt| Warning::About { subject: subject.to_owned(), warnings: vec![doubt] };
            warnings = warnings.into_iter().map(about).collect();
        }
        recorder.output.finish(&RunId::now().date(), &warnings)?;
        Ok(warnings)
    }

    /// Measures a part of a study into its folder. Returns how its rows end the program.
    pub(super) fn measure_part(
        &self,
        folder: &Path,
        setting: &Setting<'_>,
        subject: Option<&str>,
    ) -> Result<Exit, Failure> {
        let Setting { instruments, resume, quiet, stop, .. } = *setting;
        let mut machine = self.machine(setting.machine.clone())?;
        if instruments.drawing.is_some() {
            machine.settings["adapter"] = machine.gpu.clone().into();
        }
        let output = open_output(folder, Table::of_cells(), &machine, resume, true)?;
        let mut rows = Vec::new();
        self.measure(output, instruments, quiet, stop, subject, &mut rows)?;
        Ok(rows.iter().flatten().map(SummaryRow::exit).max().unwrap_or_default())
    }
}

/// Measures cases with rows of their own one after the other into a folder. `measure` writes the rows of a case, unless an
/// earlier process did, and appends readings of the machine's speed. Returns what makes the figures doubtful.
pub(super) fn measure_each<C>(
    mut output: Output,
    mut progress: Progress,
    clock: &dyn Clock,
    cases: &[C],
    case_of: impl Fn(&C) -> &Case,
    mut measure: impl FnMut(&C, &mut Output, &mut Progress, &mut Vec<u64>) -> Result<(), Failure>,
) -> Result<Vec<Warning>, Failure> {
    let stopped_before_ns = clock.stopped_ns();
    let mut calibration_ns = Vec::new();
    let measured: Result<(), Failure> = cases.iter().try_for_each(|case| {
        measure(case, &mut output, &mut progress, &mut calibration_ns)?;
        progress.case_done(case_of(case));
        Ok(())
    });
    progress.finish();
    measured?;
    let drift = Warning::of_drift(&calibration_ns).into_iter();
    let warnings: Vec<_> = drift.chain(Warning::of_stops(clock, stopped_before_ns)).collect();
    output.finish(&RunId::now().date(), &warnings)?;
    Ok(warnings)
}
