//! The measurement itself.

use super::ranking::{RankedAlgorithm, Ranking};
use super::run_folder::RunFolder;
use super::{Progress, Shared};
use broadphase::registry::Algorithm;
use measure::{
    Case, Clock, FinishedRepetition, Instruments, Machine, MeasuredCase, Observer, Output,
    OutputError, Plan, RunError, RunId, SummaryRow, Table, Warning, Watch, measure_case_watched,
    noise_of_rows, run_settings,
};
use std::path::PathBuf;
use std::slice;
use std::time::Duration;

/// Repetitions of each algorithm. A user waits for them: `harness run` takes five.
const REPEATS: u32 = 1;

/// Time that an algorithm may take; it is skipped then, with this reason in its row. Without a limit, brute force on a
/// million objects would measure for days.
const BUDGET: Duration = Duration::from_secs(60);

/// A measurement to be made: input, algorithms, and the place of its tables.
pub struct Job {
    /// The whole input.
    pub case: Case,
    /// The algorithms.
    pub algorithms: Vec<&'static Algorithm>,
    /// Threads that each may use.
    pub threads: u32,
    /// The folder of the run is made in a folder `results` in this one, or else among temporary files.
    pub parent: PathBuf,
    /// How the program was called, for the page.
    pub command_line: Vec<String>,
}

impl Job {
    /// Measures, compares the pairs, and writes the tables.
    ///
    /// Allocations are not counted: the window allocates at the same time.
    pub(super) fn run(&self, clock: &dyn Clock, shared: &Shared) -> Result<Ranking, RunError> {
        let Self { case, algorithms, .. } = self;
        case.check_unchanged()?;
        let threads = [self.threads];
        let plan = Plan { budget: Some(BUDGET), ..Plan::new(algorithms, &threads, REPEATS) };
        let run_id = RunId::now();
        let settings = run_settings(slice::from_ref(case), &plan)?;
        let machine = Machine::detect(&run_id, self.command_line.clone()).with_settings(settings);
        let folder = RunFolder::create(&self.parent, &run_id)?;
        let mut output = Output::create(folder.path(), Table::of_cells(), false, &machine)?;
        let mut follower = Follower { shared, output: &mut output, case };
        let watch = Watch { observer: &mut follower, stop: &shared.stop, finished: Vec::new() };
        let instruments = Instruments::new(clock, None);
        let measured = measure_case_watched(case, &plan, instruments, watch)?;
        let rows = write(&measured, case, &plan, &mut output)?;
        let ranked = algorithms.iter().zip(&measured.cells).zip(rows);
        let ranked = ranked.map(|((of, cell), row)| RankedAlgorithm::new(of, cell, row));
        let algorithms: Vec<_> = ranked.collect();
        let rows = algorithms.iter().map(|ranked| &ranked.row);
        let noise = noise_of_rows(rows, &measured.calibration_ns);
        output.finish(&RunId::now().date(), &noise)?;
        let doubts = measured.warnings.iter().chain(&noise).map(Warning::to_string);
        let warnings = machine.warnings.iter().cloned().chain(doubts).collect();
        Ok(Ranking { case: case.clone(), threads: self.threads, algorithms, warnings, folder })
    }
}

/// Writes the rows of all algorithms, and what is doubtful about them.
fn write(
    measured: &MeasuredCase,
    case: &Case,
    plan: &Plan<'_>,
    output: &mut Output,
) -> Result<Vec<SummaryRow>, OutputError> {
    if !measured.warnings.is_empty() {
        output.warn(&Warning::of_case(case, &measured.warnings))?;
    }
    let rows = measured.cells.iter().map(|cell| cell.summary(output.run_id(), case, plan));
    let rows: Vec<SummaryRow> = rows.collect();
    output.add_cells(&rows)?;
    Ok(rows)
}

/// Notes how far the measurement is, and keeps its repetitions.
struct Follower<'a> {
    shared: &'a Shared,
    output: &'a mut Output,
    case: &'a Case,
}

impl Observer for Follower<'_> {
    fn repetition_begins(&mut self, algorithm: &str, _: u32) {
        self.shared.advance(|Progress { algorithm: present, begun, frames, .. }| {
            *present = Some(algorithm.to_owned());
            *begun += 1;
            frames[0] = 0;
        });
    }

    fn frame_done(&mut self, frame: u32) {
        self.shared.advance(|progress| progress.frames[0] = frame + 1);
    }

    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.shared.advance(|progress| progress.algorithm = None);
        self.output.keep(self.case, repetition)
    }
}
