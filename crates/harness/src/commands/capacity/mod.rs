//! `harness capacity`: the pairs that an engine with a fixed buffer would lose, frame by frame.
//!
//! Counts, no times: the rows are the same on every machine. Page and chart come from the rows alone.

mod page;
#[cfg(test)]
mod tests;

use super::inputs::cases;
use super::series::Setting;
use super::{check_memory, without_repeats};
use crate::Process;
use crate::cli::{Playing, StudyOptions};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, Bench, FULL_SEARCH, Study};
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use broadphase::{Pair, PairEvents, registry};
use clap::{Args, value_parser};
use measure::numbers::thousands;
use measure::{
    Case, Instruments, MeasuredCase, Observer, Outcome, Plan, RowReader, RunId, Table, Watch,
    case_settings, measure_case_watched, seed_form,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct CapacityOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// Capacities of a buffer, in pairs an object
    #[arg(long, value_name = "K,..", value_delimiter = ',', default_value = "1,2,4,8,16,32,64")]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    pub(crate) per_object: Vec<u64>,

    /// Capacities in pairs a frame, instead of those in pairs an object
    #[arg(long, value_name = "C,..", value_delimiter = ',', conflicts_with = "per_object")]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    pub(crate) pairs: Vec<u64>,

    /// Count nothing: write page and chart from the rows of an earlier run
    #[arg(long, conflicts_with_all = [
        "inputs", "boxes", "objects", "frames", "seed", "per_object", "pairs", "force", "resume",
    ])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

/// The rows, in the folder of the study.
const TABLE: &str = "capacity.csv";

/// The lists of a fixed length that pairs are written to, one of which may be full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Buffer {
    #[default]
    /// One list for all pairs of a frame.
    Frame,
    /// One list for the pairs that began in a frame: all of frame 0, later those that the frame before did not have.
    Began,
    /// A list for each object, with the pairs of which it has the lower id. Capacities in pairs a frame do not bound it.
    Object,
}

impl Buffer {
    const ALL: [Self; 3] = [Self::Frame, Self::Began, Self::Object];

    /// The pairs to be written to each of its lists.
    fn lists(self, events: &PairEvents) -> Vec<u64> {
        let same_object = |p: &Pair, q: &Pair| p.a == q.a;
        match self {
            Self::Frame => vec![events.pairs().len() as u64],
            Self::Began => vec![events.began().len() as u64],
            Self::Object => {
                events.pairs().chunk_by(same_object).map(|pairs| pairs.len() as u64).collect()
            }
        }
    }
}

/// A capacity with its unit.
fn text(pairs: u64, per_object: bool) -> String {
    let plural = if pairs == 1 { "pair" } else { "pairs" };
    let unit = if per_object { "an object" } else { "a frame" };
    format!("{} {plural} {unit}", thousands(pairs as f64))
}

/// A row of `capacity.csv`: the pairs that one capacity of a buffer loses in a frame.
///
/// A frame has a row for each capacity that loses pairs, and for the smallest one that loses none. Larger ones lose none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CapacityRow {
    run_id: String,
    input: String,
    n: u64,
    #[serde(default, with = "seed_form")]
    seed: Option<u64>,
    frame: u32,
    buffer: Buffer,
    /// Whether the capacity is in pairs an object: one list for all objects has this many times their number.
    capacity: u64,
    per_object: bool,
    /// Pairs to be written in this frame, and those beyond the ends of their lists.
    pairs: u64,
    lost: u64,
}

/// Reads a file of rows.
fn read(path: &Path) -> Result<Vec<CapacityRow>, Failure> {
    Ok(RowReader::open(path)?.rows()?)
}

/// Counts unless only the page is to be written, and writes the page.
pub(crate) fn capacity(options: &CapacityOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    let study = Study { name: "capacity", options: &options.study, is_redraw: options.redraw };
    study.run(process, |bench| measure(options, bench), page::report)
}

fn measure(options: &CapacityOptions, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let CapacityOptions { playing, study, pairs, .. } = options;
    if playing.threads != [1] {
        let reason = "--threads has no effect: the counts are the same on any number of threads";
        return Err(Failure::Usage(reason.to_owned()));
    }
    // Every frame counts, none warms up.
    let cases = cases(playing, Some(0), false, study.quiet)?;
    check_memory(&cases)?;
    let per_object = pairs.is_empty();
    let mut capacities = without_repeats(if per_object { &options.per_object } else { pairs });
    capacities.sort_unstable();
    let data = bench.files.data();
    let _lock = bench.prepare(&data, false)?;
    let texts: Vec<String> = capacities.iter().map(|pairs| text(*pairs, per_object)).collect();
    let settings = json!({ "cases": case_settings(&cases)?, "capacities": texts });
    let mut log = bench.setting.open(&data, Table::of::<CapacityRow>(TABLE), settings)?;
    let done = read(&log.path())?;
    for case in &cases {
        let labels = (&case.input, case.n as u64, case.seed);
        if done.iter().any(|row| (&row.input, row.n, row.seed) == labels) {
            continue;
        }
        let (run_id, input) = (log.run_id().to_owned(), case.input.clone());
        let (n, seed) = (case.n as u64, case.seed);
        let row = CapacityRow { run_id, input, n, seed, per_object, ..CapacityRow::default() };
        let bar = &mut Progress::of_frames(&case.input, case.total_frames().into(), study.quiet);
        let counter = Counter::new(row, &capacities, bar);
        log.add_case(&count(counter, case, &bench.setting)?)?;
    }
    Ok(log.finish(&RunId::now().date(), &[])?)
}

/// The rows of all frames of a case. The pairs of `auto` are compared with those of brute force; of a case that takes that too
/// long, with those of a full search.
fn count(
    mut counter: Counter<'_>,
    case: &Case,
    &Setting { instruments, stop, .. }: &Setting<'_>,
) -> Result<Vec<CapacityRow>, Failure> {
    let ids = if case.is_provable() { &[AUTO][..] } else { &[AUTO, FULL_SEARCH] };
    let algorithms: Vec<&Algorithm> = ids.iter().filter_map(|id| registry::find(id)).collect();
    let threads = [std::thread::available_parallelism().map_or(1, |all| all.get() as u32)];
    let plan = Plan::new(&algorithms, &threads, 1);
    let instruments =
        Instruments { calibrates: false, ..Instruments::new(instruments.clock, None) };
    let watch = Watch { observer: &mut counter, stop, finished: Vec::new() };
    let measured = measure_case_watched(case, &plan, instruments, watch)?;
    check(case, &measured, ids.len() > 1)?;
    Ok(counter.rows)
}

/// Refuses pairs that are wrong, or that neither brute force nor a full search has checked.
fn check(case: &Case, measured: &MeasuredCase, is_searched_twice: bool) -> Result<(), Failure> {
    let unchecked = "nothing has checked its pairs: brute force did not search all frames";
    let failed = measured.cells.iter().find(|cell| cell.outcome != Outcome::Ok);
    let failed = failed.map(|cell| (&*cell.algorithm, cell.outcome.to_string()));
    let is_unchecked = !measured.proven && !is_searched_twice;
    match failed.or_else(|| is_unchecked.then(|| (AUTO, unchecked.to_owned()))) {
        None => Ok(()),
        Some((id, why)) => {
            let Case { input, n, .. } = case;
            Err(Failure::Running(format!("{id} on {input}, n = {n}: {why}")))
        }
    }
}

/// Counts the pairs that `auto` finds.
struct Counter<'a> {
    /// The columns that all rows share.
    row: CapacityRow,
    /// Ascending.
    capacities: &'a [u64],
    bar: &'a mut dyn Observer,
    events: PairEvents,
    rows: Vec<CapacityRow>,
    /// Whether the present repetition is that of `auto`.
    counts: bool,
}

impl<'a> Counter<'a> {
    fn new(row: CapacityRow, capacities: &'a [u64], bar: &'a mut dyn Observer) -> Self {
        let (events, rows) = (PairEvents::default(), Vec::new());
        Self { row, capacities, bar, events, rows, counts: true }
    }

    /// Adds a row for each capacity up to the first that loses nothing.
    fn add(&mut self, frame: u32, buffer: Buffer) {
        let CapacityRow { n, per_object, .. } = self.row;
        let lists = buffer.lists(&self.events);
        if buffer == Buffer::Object && !per_object {
            return;
        }
        for &capacity in self.capacities {
            let factor = if per_object && buffer != Buffer::Object { n } else { 1 };
            let length = capacity.saturating_mul(factor);
            let (pairs, lost) =
                (lists.iter().sum(), lists.iter().map(|pairs| pairs.saturating_sub(length)).sum());
            let row = self.row.clone();
            self.rows.push(CapacityRow { frame, buffer, capacity, pairs, lost, ..row });
            if lost == 0 {
                break;
            }
        }
    }
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
        Buffer::ALL.into_iter().for_each(|buffer| self.add(frame, buffer));
        self.bar.frame_done(frame);
    }
}
