//! `harness capacity`: the pairs that an engine with a fixed buffer would lose, frame by frame.
//!
//! Counts, no times: the rows are the same on every machine. Page and chart come from the rows alone.

mod page;
mod rows;
#[cfg(test)]
mod tests;

use super::inputs::cases;
use super::series::Setting;
use super::{check_memory, without_repeats};
use crate::Process;
use crate::cli::CapacityOptions;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, FULL_SEARCH, Files, Report, Study};
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use broadphase::{Pair, PairEvents, registry};
use measure::{
    Case, Exit, Instruments, Machine, MonotonicClock, Observer, Outcome, Plan, RunId, Table,
    UNFINISHED, Watch, case_settings, measure_case_watched,
};
use rows::{Buffer, Capacity, CapacityRow, Curve};
use serde_json::json;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// The rows, in the folder of the study.
const TABLE: &str = "capacity.csv";

/// Counts unless only the page is to be written, and writes the page.
pub(crate) fn capacity(options: &CapacityOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    let study = Study { name: "capacity", options: &options.study, is_redraw: options.redraw };
    study.run(process, |files, machine| measure(options, files, machine, process), report)
}

/// The capacities that are asked for, the smallest first.
fn capacities(options: &CapacityOptions) -> Vec<Capacity> {
    let CapacityOptions { per_object, pairs, .. } = options;
    let is_per_object = pairs.is_empty();
    let mut all = without_repeats(if is_per_object { per_object } else { pairs });
    all.sort_unstable();
    all.into_iter().map(|pairs| Capacity { pairs, per_object: is_per_object }).collect()
}

fn measure(
    options: &CapacityOptions,
    files: &Files,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    let (playing, study) = (&options.playing, &options.study);
    if playing.threads != [1] {
        let reason = "--threads has no effect: the counts are the same on any number of threads";
        return Err(Failure::Usage(reason.to_owned()));
    }
    // Every frame counts, none warms up.
    let cases = cases(playing, Some(0), false, study.quiet)?;
    check_memory(&cases)?;
    let capacities = capacities(options);
    let data = files.data();
    let old = [TABLE, "machine.json", UNFINISHED].map(|name| data.join(name));
    let _lock = files.prepare(&data, false, old.into(), study)?;
    let clock = MonotonicClock::new();
    let setting = Setting::of_study(machine, process.instruments(&clock), study, process);
    let settings = json!({
        "cases": case_settings(&cases)?,
        "capacities": capacities.iter().map(|capacity| capacity.text()).collect::<Vec<_>>(),
    });
    let mut log = setting.open(&data, Table::of::<CapacityRow>(TABLE), settings)?;
    let done: HashSet<_> = rows::read(&log.path())?.iter().map(CapacityRow::case).collect();
    for case in &cases {
        if done.contains(&(case.input.clone(), case.n as u64, case.seed)) {
            continue;
        }
        let mut bar = Progress::of_frames(&case.input, case.total_frames().into(), study.quiet);
        let counted = count(case, &capacities, log.run_id(), &mut bar, process.stop);
        bar.finish();
        log.add_case(&counted?)?;
    }
    log.finish(&RunId::now().date(), &[])?;
    Ok(Exit::Ok)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
    let data = files.data();
    let path = data.join(TABLE);
    let rows = rows::read(&path)?;
    if rows.is_empty() {
        // Its empty page would replace a good one.
        return Err(Failure::BadFile(format!("{}, line 2: expected a row", path.display())));
    }
    let machine = Machine::read(&data.join("machine.json"))?;
    let curves = Curve::all(&rows);
    let chart = rows::chart(&curves).map(|chart| (data.join("lost.svg"), chart));
    let summary = page::summary(&curves);
    let page = page::page(&curves, &summary, chart.is_some(), &machine);
    Ok(Some(Report { page, charts: chart.into_iter().collect(), summary }))
}

/// The rows of all frames of a case. `capacities` are ascending. The pairs of `auto` are compared with those of brute force; of
/// a case that takes that too long, with those of a full search.
fn count(
    case: &Case,
    capacities: &[Capacity],
    run_id: &str,
    bar: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<CapacityRow>, Failure> {
    let ids = if case.is_provable() { &[AUTO][..] } else { &[AUTO, FULL_SEARCH] };
    let algorithms: Vec<&Algorithm> = ids.iter().filter_map(|id| registry::find(id)).collect();
    let threads = [std::thread::available_parallelism().map_or(1, |all| all.get() as u32)];
    let (plan, clock) = (Plan::new(&algorithms, &threads, 1), MonotonicClock::new());
    let instruments = Instruments { calibrates: false, ..Instruments::new(&clock, None) };
    let (events, rows, counts) = (PairEvents::default(), Vec::new(), false);
    let mut counter = Counter { case, capacities, run_id, bar, events, rows, counts };
    let watch = Watch { observer: &mut counter, stop, finished: Vec::new() };
    let measured = measure_case_watched(case, &plan, instruments, watch)?;
    let (Case { input, n, .. }, id) = (case, AUTO);
    if let Some(cell) = measured.cells.iter().find(|cell| cell.outcome != Outcome::Ok) {
        let id = &cell.algorithm;
        return Err(Failure::Running(format!("{id} on {input}, n = {n}: {}", cell.outcome)));
    }
    if !measured.proven && ids.len() == 1 {
        let reason = "nothing has checked its pairs: brute force did not search all frames";
        return Err(Failure::Running(format!("{id} on {input}, n = {n}: {reason}")));
    }
    Ok(counter.rows)
}

/// Counts the pairs that `auto` finds.
struct Counter<'a> {
    case: &'a Case,
    capacities: &'a [Capacity],
    run_id: &'a str,
    bar: &'a mut dyn Observer,
    events: PairEvents,
    rows: Vec<CapacityRow>,
    /// Whether the present repetition is that of `auto`.
    counts: bool,
}

impl Observer for Counter<'_> {
    fn repetition_begins(&mut self, algorithm: &str, _threads: u32) {
        self.counts = algorithm == AUTO;
    }

    fn objects_placed(&mut self, placed: usize, objects: usize) {
        self.bar.objects_placed(placed, objects);
    }

    fn pairs_found(&mut self, frame: u32, pairs: &[Pair]) {
        if !self.counts {
            return;
        }
        if frame == 0 {
            // A repetition in which the process was stopped is played once more.
            self.rows.clear();
            self.events = PairEvents::default();
        }
        self.events.advance(pairs);
        let Self { case, capacities, run_id, events, .. } = self;
        for buffer in Buffer::ALL {
            let lists = lists(buffer, events);
            let row = |(capacity, lost): (Capacity, u64)| CapacityRow {
                run_id: (*run_id).to_owned(),
                input: case.input.clone(),
                n: case.n as u64,
                seed: case.seed,
                frame,
                buffer,
                capacity: capacity.pairs,
                per_object: capacity.per_object,
                pairs: lists.iter().sum(),
                lost,
            };
            let losses = losses(buffer, &lists, capacities, case.n as u64);
            self.rows.extend(losses.into_iter().map(row));
        }
        self.bar.frame_done(frame);
    }
}

/// The pairs to be written to each list of a buffer.
fn lists(buffer: Buffer, events: &PairEvents) -> Vec<u64> {
    match buffer {
        Buffer::Frame => vec![events.pairs().len() as u64],
        Buffer::Began => vec![events.began().len() as u64],
        Buffer::Object => {
            let same_object = |p: &Pair, q: &Pair| p.a == q.a;
            events.pairs().chunk_by(same_object).map(|pairs| pairs.len() as u64).collect()
        }
    }
}

/// Each capacity up to the first that loses nothing, with the pairs that it loses.
fn losses(
    buffer: Buffer,
    lists: &[u64],
    capacities: &[Capacity],
    objects: u64,
) -> Vec<(Capacity, u64)> {
    let mut losses = Vec::new();
    for capacity in capacities {
        let Some(length) = capacity.list_length(buffer, objects) else { continue };
        let lost = lists.iter().map(|pairs| pairs.saturating_sub(length)).sum();
        losses.push((*capacity, lost));
        if lost == 0 {
            break;
        }
    }
    losses
}
