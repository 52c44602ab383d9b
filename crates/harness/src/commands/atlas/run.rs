//! Measures the cells of a part, and stores a row of each algorithm as soon as its cell is done.

use super::champions::champions;
use super::measuring::CellBench;
use super::plan::{AtlasPart, plan};
use super::rows;
use super::sources::part_folder;
use crate::Process;
use crate::cli::AtlasOptions;
use crate::commands::series::{Order, Series, Setting};
use crate::commands::{check_length, check_memory, without_repeats};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, Files, StudyRow};
use broadphase::registry::Algorithm;
use measure::{
    Checks, Clock, Exit, Machine, MonotonicClock, Plan, RunId, Status, Table, UNFINISHED, Warning,
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
    let settings = series.settings()?;
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
    let clock = MonotonicClock::new();
    let instruments = process.instruments(&clock);
    let setting = Setting::of_study(machine, instruments, &options.study, process);
    let mut log = setting.open(&data, table, settings)?;
    // Rows that were written before this process began.
    let before = rows::FILE.read_any(&log.path())?;
    let done: HashSet<u32> = before.iter().map(|row| row.cell).collect();
    let mut exit = before.iter().map(StudyRow::exit).max().unwrap_or_default();
    let bench = CellBench {
        plan: series.plan,
        twice: part.has_champions(),
        instruments: setting.instruments,
        stop: process.stop,
    };
    let cells_of_case = (algorithms.len() + usize::from(bench.twice)) * threads.len();
    let mut progress = Progress::new(&cases, cells_of_case, options.repeat, options.study.quiet);
    let (mut calibration_ns, stopped_before_ns) = (Vec::new(), clock.stopped_ns());
    for planned in &cells {
        if !done.contains(&planned.number) {
            progress.case_begins(&planned.case);
            let measured = bench.measure(planned, log.run_id(), &mut progress);
            let (rows, calibration) = measured.inspect_err(|_| progress.finish())?;
            calibration_ns.extend(calibration);
            log.add_case(&rows).inspect_err(|_| progress.finish())?;
            for row in rows.iter().filter(|row| row.status == Status::Error) {
                // Reported at once, and always.
                progress.note(&format!("error: {}", fault(row, part)));
            }
            exit = rows.iter().map(StudyRow::exit).fold(exit, Exit::max);
        }
        progress.case_done(&planned.case);
    }
    progress.finish();
    let drift = Warning::of_drift(&calibration_ns).into_iter();
    let warnings: Vec<_> = drift.chain(Warning::of_stops(&clock, stopped_before_ns)).collect();
    log.finish(&RunId::now().date(), &warnings)?;
    Ok(exit)
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
