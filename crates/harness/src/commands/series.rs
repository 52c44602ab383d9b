//! A series of cases: inputs, algorithms, threads and repetitions that are measured into one folder; what is printed of
//! its rows.

use crate::Process;
use crate::cli::{ResultOptions, StudyOptions};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{cannot, refuse_input};
use crate::progress::Progress;
use measure::{
    Case, Drawing, FinishedRepetition, InputError, Instruments, Machine, MeasuredCase, Observer,
    Output, OutputError, Plan, RunError, RunId, StagesFile, Status, SummaryFile, SummaryRow, Table,
    UNFINISHED, Warning, Watch, measure_case_watched, noise_of_rows, record_case, reference,
    run_directory, run_settings,
};
use report::Shard;
use serde::Serialize;
use serde_json::{Value, json};
use sim::Unfinished;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// Cases that are measured by one plan into one folder.
pub(crate) struct Series<'a> {
    /// All cases, those of other shards included.
    pub(crate) cases: Vec<Case>,
    /// Algorithms, programs, threads and repetitions.
    pub(crate) plan: Plan<'a>,
    /// Whether each repetition passes once through all cases. So a machine that becomes warm or busy distorts no single
    /// number of objects. Else all repetitions of a case come before those of the next.
    pub(crate) in_rounds: bool,
    /// Draws every frame.
    pub(crate) drawing: Option<&'a dyn Drawing>,
    /// The shard that this process measures.
    pub(crate) shard: Option<Shard>,
}

/// The setting in which cases are measured, or all parts of a study.
pub(crate) struct Setting<'a> {
    pub(crate) machine: Machine,
    pub(crate) instruments: Instruments<'a>,
    /// Whether an earlier run is completed, and existing results are replaced.
    pub(crate) options: StudyOptions,
    pub(crate) run_id: RunId,
    /// Set by Ctrl-C.
    pub(crate) stop: &'a AtomicBool,
}

impl<'a> Setting<'a> {
    pub(crate) fn new(process: &'a Process, options: &StudyOptions) -> Self {
        let (run_id, instruments) = (RunId::now(), process.instruments());
        let machine = Machine::detect(&run_id, process.command_line.clone());
        Self { machine, instruments, options: options.clone(), run_id, stop: process.stop }
    }

    /// Prints what makes figures measured with these settings doubtful, unless quiet.
    pub(crate) fn print_warnings(&self, settings: Value) {
        if !self.options.quiet {
            self.machine.clone().with_settings(settings).warnings.iter().for_each(console::warn);
        }
    }

    /// The output of a measurement with these settings: a new one, or the resumed one of an earlier process.
    pub(crate) fn open(
        &self,
        folder: &Path,
        table: Table,
        settings: Value,
    ) -> Result<Output, Failure> {
        let machine = self.machine.clone().with_settings(settings);
        if !self.options.resume {
            return Ok(Output::create(folder, table, self.options.force, &machine)?);
        }
        let output = Output::resume(folder, table, &machine)?;
        output.damage().iter().for_each(console::warn);
        Ok(output)
    }
}

impl<'a> Series<'a> {
    /// Cases that are measured one after the other, and not drawn.
    pub(crate) fn new(cases: Vec<Case>, plan: Plan<'a>) -> Self {
        Self { cases, plan, in_rounds: false, drawing: None, shard: None }
    }

    /// The settings that all shards share, and the shard.
    pub(crate) fn settings(&self) -> Result<Value, Failure> {
        let mut settings = run_settings(&self.cases, &self.plan)?;
        Shard::note(self.shard, &mut settings);
        Ok(settings)
    }

    /// The cases that this process measures.
    pub(crate) fn own_cases(&self) -> Result<Vec<Case>, Failure> {
        match self.shard {
            Some(shard) => Ok(shard.select(self.cases.clone())?),
            None => Ok(self.cases.clone()),
        }
    }

    /// Measures the cases that are not done yet into a folder. The rows of each case go to `rows`, also of those before a
    /// failure. Returns what makes the figures doubtful; `subject` is what that is about, in `machine.json`.
    pub(crate) fn measure(
        &self,
        folder: &Path,
        setting: &Setting<'_>,
        subject: Option<&str>,
        rows: &mut Vec<SummaryRow>,
    ) -> Result<Vec<Warning>, Failure> {
        let (cases, plan) = (self.own_cases()?, &self.plan);
        let mut settings = self.settings()?;
        if self.drawing.is_some() {
            settings["adapter"] = setting.machine.gpu.clone().into();
        }
        let output = setting.open(folder, Table::of_cells(), settings)?;
        let quiet = setting.options.quiet;
        let progress = Progress::new(&cases, plan.cells().count(), plan.repeats, quiet);
        let calibration_ns = Vec::new();
        let mut recorder = Recorder { series: self, setting, output, progress, calibration_ns };
        recorder.cases(&cases, rows)?;
        let mut warnings = noise_of_rows(rows.iter(), &recorder.calibration_ns);
        if let Some(subject) = subject {
            let about = |doubt| Warning::about(subject, &[doubt]);
            warnings = warnings.into_iter().map(about).collect();
        }
        recorder.output.finish(&RunId::now().date(), &warnings)?;
        Ok(warnings)
    }
}

/// A run under way.
struct Recorder<'a> {
    series: &'a Series<'a>,
    setting: &'a Setting<'a>,
    output: Output,
    progress: Progress,
    /// Readings of all cases.
    calibration_ns: Vec<u64>,
}

impl Recorder<'_> {
    /// Measures and writes the cases, unless an earlier process did. The rows of each go to `rows`.
    fn cases(&mut self, cases: &[Case], rows: &mut Vec<SummaryRow>) -> Result<(), Failure> {
        let repeats = self.series.plan.repeats;
        let (together, first) =
            if self.series.in_rounds { (cases.len().max(1), 1) } else { (1, repeats) };
        for cases in cases.chunks(together) {
            let mut open = Vec::new();
            for case in cases {
                if let Some(done) = self.rows_done_before(case) {
                    rows.extend(done);
                    self.progress.case_done(case);
                } else {
                    let finished = self.output.take_begun(case);
                    self.progress.done_before(case, finished.len());
                    open.push((case, finished));
                }
            }
            for round in first..=repeats {
                for (case, finished) in &mut open {
                    // Finished repetitions are not measured again: one of each cell is left.
                    let measured = self.round(case, round, finished)?;
                    if round == repeats {
                        rows.extend(self.write(case, &measured)?);
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
        finished: &mut Vec<FinishedRepetition>,
    ) -> Result<MeasuredCase, Failure> {
        let Self { series, setting, output, progress, .. } = self;
        let (plan, stop) = (&series.plan, setting.stop);
        // Cells that do not fit into memory are skipped below, by the measurement.
        let is_recorded = !plan.programs.is_empty()
            && case.trace().is_none()
            && case.check_memory(plan.memory_limit).is_ok();
        progress.case_begins(case);
        let recorded = if is_recorded { Recorded::write(case, stop)? } else { None };
        let played = recorded.as_ref().map_or(case, |recorded| &recorded.case);
        let is_last = round == plan.repeats;
        let before = if is_last { std::mem::take(finished) } else { finished.clone() };
        let kept = (!is_last).then_some(finished);
        let mut follower = Follower { progress, case, output, kept };
        let watch = Watch { observer: &mut follower, stop, finished: before };
        let plan = Plan { repeats: round, ..*plan };
        let instruments = Instruments { drawing: series.drawing, ..setting.instruments };
        let measured = measure_case_watched(played, &plan, instruments, watch)?;
        self.calibration_ns.extend(&measured.calibration_ns);
        Ok(measured)
    }

    /// Writes the rows of a case, and what is doubtful about them.
    fn write(&mut self, case: &Case, measured: &MeasuredCase) -> Result<Vec<SummaryRow>, Failure> {
        if !measured.warnings.is_empty() {
            let warning = Warning::of_case(case, &measured.warnings);
            self.output.warn(&warning)?;
            if !self.setting.options.quiet {
                self.progress.note(&format!("warning: {warning}"));
            }
        }
        let run_id = self.output.run_id();
        let rows = measured.cells.iter().map(|cell| cell.summary(run_id, case, &self.series.plan));
        let rows: Vec<SummaryRow> = rows.collect();
        self.output.add_cells(&rows)?;
        for row in rows.iter().filter(|row| row.status == Status::Error) {
            // Printed at once, also with `quiet`.
            self.progress.note(&format!("error: {}", line(row)));
        }
        Ok(rows)
    }

    /// The rows of a case that was complete when the run was resumed.
    fn rows_done_before(&self, case: &Case) -> Option<Vec<SummaryRow>> {
        let run_id = self.output.run_id();
        let done = |(algorithm, threads): (&str, u32)| {
            self.output.done_row(&case.labels(run_id, algorithm, threads)).cloned()
        };
        self.series.plan.cells().map(done).collect()
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
