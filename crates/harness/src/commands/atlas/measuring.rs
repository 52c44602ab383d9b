//! Measures the cells of a part: a probe of each, then all champions interleaved. The rows of a cell are stored as soon as it
//! is done.

use super::plan::{AtlasPart, Planned, plan, single};
use super::rows;
use super::rows::part_folder;
use crate::cli::AtlasOptions;
use crate::commands::series::{Order, Series, Setting};
use crate::commands::{check_length, check_memory, without_repeats};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, FULL_SEARCH, Files, StudyRow, champions};
use crate::{Process, console};
use broadphase::registry::Algorithm;
use measure::numbers::{significant, thousands};
use measure::{
    Cell, Checks, Clock, Exit, Instruments, Machine, MonotonicClock, Observer, Outcome, Plan,
    RunId, Status, Table, UNFINISHED, Warning, Watch, measure_case_watched, probe_case,
};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// The algorithms of a part.
pub(super) fn algorithms(part: AtlasPart, options: &AtlasOptions) -> Vec<&'static Algorithm> {
    let chosen = options.champions();
    match part {
        _ if !chosen.is_empty() => chosen,
        AtlasPart::Cells | AtlasPart::Traces => champions().collect(),
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

/// Frames of the probe, a tenth of a cell or more: enough to reach the neighbour list of a steady motion.
const PROBE_FRAMES: u32 = 40;
/// An algorithm this many times as slow as the fastest in the probe is not measured.
const TOO_SLOW: f64 = 20.0;
/// Algorithms that are measured however slow they are: the page compares with both.
const NEEDED: [&str; 2] = [AUTO, FULL_SEARCH];
/// The id of the second measurement, where ids distinguish entries.
const AGAIN: &str = "best-again";

/// The setting in which all cells are measured.
pub(super) struct CellBench<'a> {
    pub(super) plan: Plan<'a>,
    /// Whether the fastest of the probe is measured twice.
    pub(super) twice: bool,
    pub(super) instruments: Instruments<'a>,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

impl CellBench<'_> {
    /// Measures a cell. Returns its rows, and readings of the machine's speed.
    ///
    /// The second measurement is of the fastest in the probe, which enters no figure. An algorithm chosen by
    /// the figures themselves would have a first time that is too low, by its noise.
    pub(super) fn measure(
        &self,
        planned: &Planned,
        run_id: &str,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<StudyRow>, Vec<u64>), Failure> {
        let Self { plan, instruments, stop, .. } = *self;
        let case = &planned.case;
        let row = |cell: &Cell| rows::row(run_id, planned, plan.repeats, cell);
        let trials = probe_case(case, &plan, PROBE_FRAMES, TOO_SLOW, instruments, stop)?;
        let mut goes: Vec<&Algorithm> = Vec::new();
        let mut rows = Vec::new();
        let mut fastest: Option<(f64, &Algorithm)> = None;
        for (&algorithm, trial) in plan.algorithms.iter().zip(trials) {
            match trial {
                Ok(mean_ns) => {
                    goes.push(algorithm);
                    if fastest.is_none_or(|(least, _)| mean_ns < least) {
                        fastest = Some((mean_ns, algorithm));
                    }
                }
                Err(Outcome::Skipped(_)) if NEEDED.contains(&algorithm.id) => {
                    goes.push(algorithm);
                }
                Err(outcome) => rows.extend(plan.threads.iter().map(|&threads| {
                    let (algorithm, outcome) = (algorithm.id.to_owned(), outcome.clone());
                    row(&Cell::ended(algorithm, threads, outcome))
                })),
            }
        }
        let twice = fastest.filter(|_| self.twice).map(|(_, algorithm)| algorithm);
        let again = twice.map(|algorithm| Algorithm { id: AGAIN, ..*algorithm });
        goes.extend(&again);
        let plan = Plan { algorithms: &goes, ..plan };
        let watch = Watch { observer, stop, finished: Vec::new() };
        let measured = measure_case_watched(case, &plan, instruments, watch)?;
        rows.extend(measured.cells.iter().map(|cell| {
            let row = StudyRow { proven: measured.proven, ..row(cell) };
            match twice.filter(|_| cell.algorithm == AGAIN) {
                Some(twice) => StudyRow { algorithm: twice.id.to_owned(), again: true, ..row },
                None => row,
            }
        }));
        let place = |row: &StudyRow| {
            let of_plan = self.plan.algorithms.iter().position(|entry| entry.id == row.algorithm);
            (row.threads, row.again, of_plan)
        };
        rows.sort_by_key(place);
        Ok((rows, measured.calibration_ns))
    }
}

/// Measures one cell, and prints its algorithms.
pub(super) fn measure_one(
    part: AtlasPart,
    number: u32,
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    process: &Process,
) -> Result<(), Failure> {
    let Some(planned) = single(part, options.seed, number) else {
        return Err(Failure::Usage(format!("--cell {number}: the winner map has no such cell")));
    };
    check_memory(std::slice::from_ref(&planned.case))?;
    let threads = threads(part, options);
    let clock = MonotonicClock::new();
    let bench = CellBench {
        plan: plan_of(algorithms, &threads, options),
        twice: part.has_champions(),
        instruments: process.instruments(&clock),
        stop: process.stop,
    };
    let (rows, _) = bench.measure(&planned, "", &mut ())?;
    console::print(&table(&rows))?;
    rows.iter()
        .filter(|row| row.status == Status::Error)
        .for_each(|row| console::error(&fault(row, part)));
    Failure::unless_ok(rows.iter().map(StudyRow::exit).max().unwrap_or_default())
}

/// A table of the rows of a cell, the fastest of each number of threads first.
fn table(rows: &[StudyRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let time = |row: &StudyRow| row.mean_ns.unwrap_or(f64::INFINITY);
    let micros = |ns: Option<f64>| ns.map_or("-".to_owned(), |ns| significant(ns / 1e3));
    let count = |n: Option<f64>| n.map_or("-".to_owned(), thousands);
    let line = |row: &&StudyRow| {
        let alike = rows.iter().filter(|other| other.threads == row.threads && !other.again);
        let least = alike.map(time).fold(f64::INFINITY, f64::min);
        let again = if row.again { " (again)" } else { "" };
        [
            row.threads.to_string(),
            format!("{}{again}", row.algorithm),
            micros(row.mean_ns),
            row.mean_ns.map_or("-".to_owned(), |own| significant(own / least.max(1.0))),
            micros(row.early_ns),
            micros(row.median_ns.map(|ns| ns as f64)),
            micros(row.worst_ns.map(|ns| ns as f64)),
            count(row.worst_frame.map(f64::from)),
            count(row.tests),
            count(row.pairs),
            if row.status == Status::Skipped { row.reason_text() } else { String::new() },
        ]
    };
    let mut sorted: Vec<&StudyRow> = rows.iter().collect();
    sorted.sort_by(|a, b| a.threads.cmp(&b.threads).then(time(a).total_cmp(&time(b))));
    let header = "threads| |mean|over best|frames 5-44|median|worst|at|tests|pairs|skipped";
    let table = console::table(header, &[0, 2, 3, 4, 5, 6, 7, 8, 9], sorted.iter().map(line));
    let StudyRow { input, n, description, frames, repeats, .. } = first;
    format!(
        "{input}: n = {n}, {description}\n{frames} frames x {repeats}, times in us\n\n{table}\n"
    )
}
