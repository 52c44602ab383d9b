//! A series of cases: inputs, algorithms, threads and repetitions that are measured into one folder.

use super::recorder::Recorder;
use crate::Process;
use crate::cli::StudyOptions;
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::Shard;
use measure::{
    Case, Exit, Instruments, Machine, Output, Plan, RunId, SummaryRow, Table, Warning,
    noise_of_rows, run_settings,
};
use serde_json::Value;
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

/// The setting in which cases are measured, or all parts of a study.
#[derive(Clone)]
pub(super) struct Setting<'a> {
    pub(super) machine: Machine,
    pub(super) instruments: Instruments<'a>,
    /// Whether an earlier run is completed.
    pub(super) resume: bool,
    /// Whether existing results are replaced.
    pub(super) replace: bool,
    pub(super) quiet: bool,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

impl<'a> Setting<'a> {
    /// The setting of a study.
    pub(super) fn of_study(
        machine: Machine,
        instruments: Instruments<'a>,
        options: &StudyOptions,
        process: &Process,
    ) -> Self {
        let &StudyOptions { resume, force: replace, quiet, .. } = options;
        Self { machine, instruments, resume, replace, quiet, stop: process.stop }
    }

    /// Prints what makes figures measured with these settings doubtful, unless quiet.
    pub(super) fn print_warnings(&self, settings: Value) {
        if !self.quiet {
            self.machine.clone().with_settings(settings).warnings.iter().for_each(console::warn);
        }
    }

    /// The output of a measurement with these settings: a new one, or the resumed one of an earlier process.
    pub(super) fn open(
        &self,
        folder: &Path,
        table: Table,
        settings: Value,
    ) -> Result<Output, Failure> {
        let machine = self.machine.clone().with_settings(settings);
        if !self.resume {
            return Ok(Output::create(folder, table, self.replace, &machine)?);
        }
        let output = Output::resume(folder, table, &machine)?;
        output.damage().iter().for_each(console::warn);
        Ok(output)
    }
}

impl Series<'_> {
    /// The settings that all shards share, and the shard.
    pub(super) fn settings(&self) -> Result<Value, Failure> {
        let mut settings = run_settings(&self.cases, &self.plan)?;
        Shard::note(self.shard, &mut settings);
        Ok(settings)
    }

    /// The cases that this process measures.
    pub(super) fn own_cases(&self) -> Result<Vec<Case>, Failure> {
        match self.shard {
            Some(shard) => Ok(shard.select(self.cases.clone())?),
            None => Ok(self.cases.clone()),
        }
    }

    /// Measures the cases that are not done yet into a folder. The rows of each case go to `rows`, also of those before a
    /// failure. Returns what makes the figures doubtful; `subject` is what that is about, in `machine.json`.
    pub(super) fn measure(
        &self,
        folder: &Path,
        setting: &Setting<'_>,
        subject: Option<&str>,
        rows: &mut Vec<Vec<SummaryRow>>,
    ) -> Result<Vec<Warning>, Failure> {
        let (cases, plan) = (self.own_cases()?, &self.plan);
        let Setting { instruments, quiet, stop, .. } = *setting;
        let mut settings = self.settings()?;
        if instruments.drawing.is_some() {
            settings["adapter"] = setting.machine.gpu.clone().into();
        }
        let output = setting.open(folder, Table::of_cells(), settings)?;
        let progress = Progress::new(&cases, plan.cells().count(), plan.repeats, quiet);
        let mut recorder = Recorder { output, progress, quiet, stop, calibration_ns: Vec::new() };
        let measured = recorder.cases(&cases, self.order, plan, instruments, rows);
        recorder.progress.finish();
        measured?;
        let mut warnings = noise_of_rows(rows.iter().flatten(), &recorder.calibration_ns);
        if let Some(subject) = subject {
            let about = |doubt| Warning::about(subject, &[doubt]);
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
        let mut rows = Vec::new();
        self.measure(folder, setting, subject, &mut rows)?;
        Ok(rows.iter().flatten().map(SummaryRow::exit).max().unwrap_or_default())
    }
}
