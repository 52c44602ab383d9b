//! Measures the cells of a part: a probe of each, then all champions interleaved. The rows of a cell are stored as soon as it
//! is done.

use super::AtlasOptions;
use super::plan::{AtlasPart, Planned, plan};
use super::rows;
use crate::commands::series::{Order, Series};
use crate::commands::{check_length, check_memory, without_repeats};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, Bench, FULL_SEARCH, StudyRow, champions};
use broadphase::registry::Algorithm;
use measure::{
    Cell, Checks, Instruments, Observer, Outcome, Plan, RunId, Status, Table, Warning, Watch,
    measure_case_watched, probe_case,
};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// The algorithms of a part.
pub(super) fn algorithms(part: AtlasPart, options: &AtlasOptions) -> Vec<&'static Algorithm> {
    let chosen = options.champions();
    match part {
        _ if !chosen.is_empty() => chosen,
        AtlasPart::Map => broadphase::registry::ALGORITHMS.iter().collect(),
        _ => champions().collect(),
    }
}

/// The numbers of threads of a part.
fn threads(part: AtlasPart, options: &AtlasOptions) -> Vec<u32> {
    match part {
        _ if !options.threads.is_empty() => without_repeats(&options.threads),
        AtlasPart::Map => vec![1],
        _ => vec![1, 2],
    }
}

/// Measures the cells that are not done yet.
pub(super) fn measure(
    part: AtlasPart,
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    bench: &mut Bench<'_>,
) -> Result<(), Failure> {
    if part.has_champions() && algorithms.iter().all(|entry| entry.id != AUTO) {
        return Err(Failure::Usage(format!(
            "--champions: name `{AUTO}` too: the page compares its time with that of the best"
        )));
    }
    let threads = threads(part, options);
    let mut cells = plan(part, options)?;
    let all = Plan::new(algorithms, &threads, options.repeat);
    let series = Series {
        cases: cells.iter().map(|planned| planned.case.clone()).collect(),
        plan: Plan { budget: options.budget, checks: Checks::UnknownLists, ..all },
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

    let data = rows::part_folder(&bench.files.folder, part);
    let _lock = bench.prepare(&data, true)?;
    let mut log = bench.setting.open(&data, Table::of::<StudyRow>(part.file()), settings)?;
    // Rows that were written before this process began.
    let before = rows::FILE.read_any(&log.path())?;
    let done: HashSet<u32> = before.iter().map(|row| row.cell).collect();
    bench.add(before.iter().map(StudyRow::exit));
    let instruments = bench.setting.instruments;
    let twice = part.has_champions();
    let cell_bench = CellBench { plan: series.plan, twice, instruments, stop: bench.setting.stop };
    let cells_of_case = (algorithms.len() + usize::from(twice)) * threads.len();
    let mut progress = Progress::new(&cases, cells_of_case, options.repeat, options.study.quiet);
    let (mut calibration_ns, stopped_before_ns) = (Vec::new(), instruments.clock.stopped_ns());
    for planned in &cells {
        if !done.contains(&planned.row.cell) {
            progress.case_begins(&planned.case);
            let measured = cell_bench.measure(planned, log.run_id(), &mut progress);
            let (rows, calibration) = measured.inspect_err(|_| progress.finish())?;
            calibration_ns.extend(calibration);
            log.add_case(&rows).inspect_err(|_| progress.finish())?;
            for row in rows.iter().filter(|row| row.status == Status::Error) {
                // Reported at once, and always.
                progress.note(&format!("error: {}", fault(row, part)));
            }
            bench.add(rows.iter().map(StudyRow::exit));
        }
        progress.case_done(&planned.case);
    }
    progress.finish();
    let drift = Warning::of_drift(&calibration_ns).into_iter();
    let stops = Warning::of_stops(instruments.clock, stopped_before_ns);
    log.finish(&RunId::now().date(), &drift.chain(stops).collect::<Vec<_>>())?;
    Ok(())
}

/// The fault of a row that is an error, with the command that reproduces it.
pub(super) fn fault(row: &StudyRow, part: AtlasPart) -> String {
    let StudyRow { algorithm, input, n, .. } = row;
    let (threads, reason, command) =
        (of_threads(row.threads), row.reason_text(), part.command(row));
    format!("{algorithm} on {input}, n = {n}, {threads}: {reason}; reproduce it by {command}")
}

/// A number of threads in words.
pub(super) fn of_threads(threads: u32) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
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
struct CellBench<'a> {
    plan: Plan<'a>,
    /// Whether the fastest of the probe is measured twice.
    twice: bool,
    instruments: Instruments<'a>,
    /// Set by Ctrl-C.
    stop: &'a AtomicBool,
}

impl CellBench<'_> {
    /// Measures a cell. Returns its rows, and readings of the machine's speed.
    ///
    /// The second measurement is of the fastest in the probe, which enters no figure. An algorithm chosen by
    /// the figures themselves would have a first time that is too low, by its noise.
    fn measure(
        &self,
        planned: &Planned,
        run_id: &str,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<StudyRow>, Vec<u64>), Failure> {
        let Self { plan, instruments, stop, .. } = *self;
        let case = &planned.case;
        let row = |cell: &Cell| rows::row(run_id, planned, plan.repeats, cell);
        let trials = probe_case(case, &plan, PROBE_FRAMES, TOO_SLOW, instruments, stop)?;
        let (mut goes, mut rows): (Vec<&Algorithm>, Vec<_>) = (Vec::new(), Vec::new());
        let mut fastest: Option<(f64, &Algorithm)> = None;
        for (&algorithm, trial) in plan.algorithms.iter().zip(trials) {
            match trial {
                Ok(mean_ns) => {
                    goes.push(algorithm);
                    if fastest.is_none_or(|(least, _)| mean_ns < least) {
                        fastest = Some((mean_ns, algorithm));
                    }
                }
                Err(Outcome::Skipped(_)) if NEEDED.contains(&algorithm.id) => goes.push(algorithm),
                Err(outcome) => rows.extend(plan.threads.iter().map(|&threads| {
                    row(&Cell::ended(algorithm.id.to_owned(), threads, outcome.clone()))
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
        rows.sort_by_key(|row: &StudyRow| {
            let of_plan = self.plan.algorithms.iter().position(|entry| entry.id == row.algorithm);
            (row.threads, row.again, of_plan)
        });
        Ok((rows, measured.calibration_ns))
    }
}
