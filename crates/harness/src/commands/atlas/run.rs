//! Measures the cells of a part, and stores a row of each algorithm as soon as its cell is done.

use super::champions::champions;
use super::measuring::Bench;
use super::plan::{Part, Planned, plan};
use super::rows::AtlasRow;
use super::sources::part_folder;
use crate::Process;
use crate::cli::AtlasOptions;
use crate::commands::run::settings;
use crate::commands::{check_length, check_memory, without_repeats};
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{self, AUTO, Files, Shard};
use broadphase::registry::Algorithm;
use measure::{
    Case, CaseLog, Checks, DEFAULT_ORDER_SEED, Exit, FinishedRepetition, Instruments, Machine,
    MonotonicClock, Observer, OutputError, Plan, RunId, Status, Table, Warning, available_memory,
};
use std::collections::HashSet;

/// The algorithms of a part.
pub(super) fn algorithms(part: Part, options: &AtlasOptions) -> Vec<&'static Algorithm> {
    let chosen = options.champions();
    match part {
        _ if !chosen.is_empty() => chosen,
        Part::Cells | Part::Traces => champions(),
        Part::Map => broadphase::registry::ALGORITHMS.iter().collect(),
    }
}

/// The numbers of threads of a part.
pub(super) fn threads(part: Part, options: &AtlasOptions) -> Vec<u32> {
    match part {
        _ if !options.threads.is_empty() => without_repeats(&options.threads),
        Part::Cells | Part::Traces => vec![1, 2],
        Part::Map => vec![1],
    }
}

/// How the cells of a part are measured.
pub(super) fn plan_of<'a>(
    algorithms: &'a [&'a Algorithm],
    threads: &'a [u32],
    options: &AtlasOptions,
) -> Plan<'a> {
    Plan {
        algorithms,
        programs: &[],
        threads,
        repeats: options.repeat,
        order_seed: DEFAULT_ORDER_SEED,
        budget: options.budget,
        memory_limit: available_memory(),
        events: false,
        checks: Checks::UnknownLists,
        stages: None,
    }
}

/// Measures the cells that are not done yet. Returns how the rows of all cells end the program.
pub(super) fn measure(
    part: Part,
    algorithms: &[&Algorithm],
    files: &Files,
    options: &AtlasOptions,
    mut machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    let quiet = options.study.quiet;
    if part.has_champions() && algorithms.iter().all(|row| row.id != AUTO) {
        return Err(Failure::Usage(format!(
            "--champions: name `{AUTO}` too: the page compares its time with that of the best"
        )));
    }
    let threads = threads(part, options);
    let mut cells = plan(part, options)?;
    let case_plan = plan_of(algorithms, &threads, options);
    let cases: Vec<Case> = cells.iter().map(|planned| planned.case.clone()).collect();
    machine.settings = settings::of(&cases, &case_plan)?;
    Shard::note(options.shard, &mut machine.settings);
    if let Some(shard) = options.shard {
        cells = shard.select(cells)?;
    }
    let cases: Vec<Case> = cells.iter().map(|planned| planned.case.clone()).collect();
    check_memory(&cases)?;
    check_length(&cases, options.repeat)?;

    let data = part_folder(files.folder(), part);
    let table = Table::of::<AtlasRow>(part.file());
    let old = [table.name, "machine.json"].map(|name| data.join(name));
    let _lock = files.prepare(&data, true, old.into(), &options.study)?;
    let log = match options.study.resume {
        true => CaseLog::resume(&data, &[table], &machine)?,
        false => CaseLog::create(&data, &[table], options.study.force, &machine)?,
    };
    log.damage().iter().for_each(console::warn);
    let twice = part.has_champions();
    let cells_of_case = (algorithms.len() + usize::from(twice)) * threads.len();
    let clock = MonotonicClock::new();
    let bench = Bench {
        plan: case_plan,
        twice,
        instruments: Instruments {
            heap: process.heap,
            ..Instruments::new(&clock, process.allocations)
        },
        stop: process.stop,
    };
    let progress = Progress::new(&cases, cells_of_case, options.repeat, quiet);
    let mut recorder =
        Recorder { log, progress, bench, part, calibration: Vec::new(), exit: Exit::Ok };
    let measured = recorder.cells(&cells);
    recorder.progress.finish();
    measured?;
    let drift = Warning::of_drift(&recorder.calibration);
    recorder.log.finish(&RunId::now().date(), &drift.into_iter().collect::<Vec<_>>())?;
    Ok(recorder.exit)
}

/// A part that is being measured.
struct Recorder<'a> {
    log: CaseLog,
    progress: Progress,
    bench: Bench<'a>,
    part: Part,
    calibration: Vec<u64>,
    /// How the rows so far end the program.
    exit: Exit,
}

impl Recorder<'_> {
    fn cells(&mut self, cells: &[Planned]) -> Result<(), Failure> {
        let done = self.done()?;
        for planned in cells {
            if !done.contains(&planned.number) {
                self.cell(planned)?;
            }
            self.progress.case_done(&planned.case);
        }
        Ok(())
    }

    /// The numbers of cells whose rows were written before this process began.
    fn done(&mut self) -> Result<HashSet<u32>, Failure> {
        let rows: Vec<AtlasRow> = study::rows::read_any(self.log.path(0))?;
        self.exit = rows.iter().map(AtlasRow::exit).max().unwrap_or_default();
        Ok(rows.iter().map(|row| row.cell).collect())
    }

    fn cell(&mut self, planned: &Planned) -> Result<(), Failure> {
        let mut follower = Follower { progress: &mut self.progress, case: &planned.case };
        let measured = self.bench.measure(planned, &mut follower)?;
        self.calibration.extend(measured.calibration_ns);
        let (run_id, repeats) = (self.log.run_id().to_owned(), self.bench.plan.repeats);
        let row = |entry| AtlasRow::new(&run_id, planned, repeats, entry);
        let rows: Vec<AtlasRow> = measured.entries.iter().map(row).collect();
        self.log.append(0, &rows)?;
        self.log.case_done()?;
        for row in rows.iter().filter(|row| row.status == Status::Error) {
            // Reported at once, and always.
            self.progress.note(&format!("error: {}", fault(row, self.part)));
        }
        self.exit = rows.iter().map(AtlasRow::exit).fold(self.exit, Exit::max);
        Ok(())
    }
}

/// The fault of a row that is an error, with the command that reproduces it.
pub(super) fn fault(row: &AtlasRow, part: Part) -> String {
    let AtlasRow { algorithm, input, n, threads, .. } = row;
    let (reason, command) = (row.reason_text(), row.command(part));
    let plural = if *threads == 1 { "" } else { "s" };
    format!(
        "{algorithm} on {input}, n = {n}, {threads} thread{plural}: {reason}; reproduce it by {command}"
    )
}

/// Moves the progress bar.
struct Follower<'a> {
    progress: &'a mut Progress,
    case: &'a Case,
}

impl Observer for Follower<'_> {
    fn repetition_begins(&mut self, algorithm: &str, _threads: u32) {
        self.progress.repetition_begins(self.case, algorithm);
    }

    fn frame_done(&mut self, frame: u32) {
        self.progress.frame_done(self.case, frame);
    }

    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.progress.repetition_done(self.case, repetition);
        Ok(())
    }
}
