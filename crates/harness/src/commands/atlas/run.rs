//! Measures the cells of a part, and stores a row of each algorithm as soon as its cell is done.

use super::champions::champions;
use super::measuring::CellBench;
use super::plan::{AtlasPart, Planned, plan};
use super::rows;
use super::sources::part_folder;
use crate::Process;
use crate::cli::AtlasOptions;
use crate::commands::recorder::{Follower, open_output};
use crate::commands::series::{Order, Series};
use crate::commands::{check_length, check_memory, without_repeats};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, Files, StudyRow};
use broadphase::registry::Algorithm;
use measure::{
    Checks, Clock, Exit, Machine, MonotonicClock, Output, Plan, RunId, Status, Table, UNFINISHED,
    Warning,
};
use std::collections::HashSet;

/// The algorithms of a part.
pub(super) fn algorithms(part: AtlasPart, options: &AtlasOptions) -> Vec<&'static Algorithm> {
    let chosen = options.champions();
    match part {
        _ if !chosen.is_empty() => chosen,
        AtlasPart::Cells | AtlasPart::Traces => champions(),
        AtlasPart::Map => broadphase::registry::ALGORITHMS.iter().collect(),
    }
}

/// The numbers of threads of a part.
pub(super) fn threads(part: AtlasPart, options: &AtlasOptions) -> Vec<u32> {
    match part {
        _ if !options.threads.is_empty() => without_repeats(&options.threads),
        AtlasPart::Cells | AtlasPart::Traces => vec![1, 2],
        AtlasPart::Map => vec![1],
    }
}

/// How the cells of a part are measured.
pub(super) fn plan_of<'a>(
    algorithms: &'a [&'a Algorithm],
    threads: &'a [u32],
    options: &AtlasOptions,
) -> Plan<'a> {
    let plan = Plan::new(algorithms, threads, options.repeat);
    Plan { budget: options.budget, checks: Checks::UnknownLists, ..plan }
}

/// Measures the cells that are not done yet. Returns how the rows of all cells end the program.
pub(super) fn measure(
    part: AtlasPart,
    algorithms: &[&Algorithm],
    files: &Files,
    options: &AtlasOptions,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    if part.has_champions() && algorithms.iter().all(|entry| entry.id != AUTO) {
        return Err(Failure::Usage(format!(
            "--champions: name `{AUTO}` too: the page compares its time with that of the best"
        )));
    }
    let threads = threads(part, options);
    let mut cells = plan(part, options)?;
    let series = Series {
        cases: cells.iter().map(|planned| planned.case.clone()).collect(),
        plan: plan_of(algorithms, &threads, options),
        order: Order::CaseByCase,
        shard: options.shard,
    };
    let machine = series.machine(machine)?;
    let cases = series.own_cases()?;
    if let Some(shard) = options.shard {
        cells = shard.select(cells)?;
    }
    check_memory(&cases)?;
    check_length(&cases, options.repeat)?;

    let data = part_folder(files.folder(), part);
    let table = Table::of::<StudyRow>(part.file());
    let old = [table.name, "machine.json", UNFINISHED].map(|name| data.join(name));
    let _lock = files.prepare(&data, true, old.into(), &options.study)?;
    let log = open_output(&data, &[table], &machine, options.study.resume, options.study.force)?;
    let clock = MonotonicClock::new();
    let bench = CellBench {
        plan: series.plan,
        twice: part.has_champions(),
        instruments: process.instruments(&clock),
        stop: process.stop,
    };
    let cells_of_case = (algorithms.len() + usize::from(bench.twice)) * threads.len();
    let progress = Progress::new(&cases, cells_of_case, options.repeat, options.study.quiet);
    let mut recorder =
        CellRecorder { log, progress, bench, part, calibration: Vec::new(), exit: Exit::Ok };
    let stopped_before_ns = clock.stopped_ns();
    let measured = recorder.cells(&cells);
    recorder.progress.finish();
    measured?;
    let drift = Warning::of_drift(&recorder.calibration).into_iter();
    let warnings: Vec<_> = drift.chain(Warning::of_stops(&clock, stopped_before_ns)).collect();
    recorder.log.finish(&RunId::now().date(), &warnings)?;
    Ok(recorder.exit)
}

/// A part that is being measured.
struct CellRecorder<'a> {
    log: Output,
    progress: Progress,
    bench: CellBench<'a>,
    part: AtlasPart,
    calibration: Vec<u64>,
    /// How the rows so far end the program.
    exit: Exit,
}

impl CellRecorder<'_> {
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
        let rows = rows::FILE.read_any(self.log.path(0))?;
        self.exit = rows.iter().map(StudyRow::exit).max().unwrap_or_default();
        Ok(rows.iter().map(|row| row.cell).collect())
    }

    fn cell(&mut self, planned: &Planned) -> Result<(), Failure> {
        let mut follower = Follower::new(&mut self.progress, &planned.case);
        let (rows, calibration) = self.bench.measure(planned, self.log.run_id(), &mut follower)?;
        self.calibration.extend(calibration);
        self.log.append_rows(0, &rows)?;
        self.log.case_done()?;
        for row in rows.iter().filter(|row| row.status == Status::Error) {
            // Reported at once, and always.
            self.progress.note(&format!("error: {}", fault(row, self.part)));
        }
        self.exit = rows.iter().map(StudyRow::exit).fold(self.exit, Exit::max);
        Ok(())
    }
}

/// The fault of a row that is an error, with the command that reproduces it.
pub(super) fn fault(row: &StudyRow, part: AtlasPart) -> String {
    let StudyRow { algorithm, input, n, threads, .. } = row;
    let (reason, command) = (row.reason_text(), part.command(row));
    let plural = if *threads == 1 { "" } else { "s" };
    format!(
        "{algorithm} on {input}, n = {n}, {threads} thread{plural}: {reason}; reproduce it by {command}"
    )
}
