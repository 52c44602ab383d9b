//! `harness capacity`: the pairs that an engine with a fixed buffer would lose, frame by frame.
//!
//! Counts, no times: the rows are the same on every machine. Page and chart come from the rows alone.

#[cfg(test)]
mod tests;

use super::inputs::cases;
use super::series::Setting;
use super::{check_memory, without_repeats};
use crate::Process;
use crate::cli::{Playing, StudyOptions, replaced};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, Bench, FULL_SEARCH, Files, Page, Study};
use broadphase::registry::Algorithm;
use broadphase::{Pair, PairEvents, registry};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use clap::{Args, value_parser};
use measure::numbers::{mean_count, thousands};
use measure::{
    Case, Instruments, Machine, MeasuredCase, Observer, Outcome, Plan, RowReader, RunId, Table,
    Watch, case_settings, measure_case_watched, seed_form,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
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

    /// In commands of earlier versions, where both had no effect on the counts.
    #[arg(long, hide = true, value_parser = replaced("the counts are the same on any number of threads"))]
    threads: Option<()>,
    #[arg(long, hide = true, value_parser = replaced("the counts are the same with all instructions"))]
    simd: Option<()>,

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
    let study = Study { name: "capacity", options: &options.study, is_redraw: options.redraw };
    study.run(process, |bench| measure(options, bench), report)
}

fn measure(options: &CapacityOptions, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let CapacityOptions { playing, study, pairs, .. } = options;
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

/// Engines that drop pairs or contacts where a buffer is full: each with the place that says so, as it was read.
const ENGINES: [&str; 5] = [
    "**MuJoCo Warp**, `naconmax`, for all worlds: no pair beyond it is written (`_add_geom_pair` in \
     `mujoco_warp/_src/collision_driver.py`, revision a7e93142), nor any contact (`write_contact` in `collision_core.py`, \
     revision 255c1513). It is *one list for the pairs of a frame*.",
    "**PhysX** 5.7.0 on GPUs, `PxGpuDynamicsMemoryConfig::foundLostPairsCapacity`, 262,144 by default: *\"the application \
     needs to increase [it], otherwise, the simulation will miss interactions\"* (`PxgCudaBroadPhaseSap::gpuDMABack`, \
     revision 176bc52d). Pairs found are *one list for the pairs that began*; pairs lost have another.",
    "**Jolt** 5.5.0, `inMaxBodyPairs`: *\"The body pair cache is full, this means that too many bodies contacted. Some contacts \
     were ignored.\"* (`EPhysicsUpdateError::BodyPairCacheFull`). In 5.6.0, bodies *\"will fall through the world\"* \
     (`ContactConstraintManager::Init`). It is *one list for the pairs of a frame*.",
    "**MJX** (MuJoCo in JAX), `max_geom_pairs`, off by default: only the nearest candidates of each group of shape types are \
     kept (`mjx/mujoco/mjx/_src/collision_driver.py`, revision 00db12af).",
    "No engine named here has *a list for each object*. It shows what a bound on crowded objects would lose.",
];

/// The definition of a lost pair.
const DEFINITION: [&str; 3] = [
    "A list of length C that P pairs are written to loses those beyond its end: P - C, if that is above 0. *One list* for all \
     has C = k times the number of objects, with k pairs an object. In frame 0 all pairs begin. *A list for each object* has \
     C = k, and holds the pairs of which the object has the lower id.",
    "Pairs are those that `auto` finds, after the filters of layers, compared with brute force in each frame, or with \
     `sweep-grid` from 10^10 tests on. Inputs without pairs have rows and no line here.",
    "A scene moves on with all pairs: a loss has no effect on later frames. Engines with larger bounds have more pairs. This \
     library appends to a list that grows, and loses none.",
];

/// The losses of a buffer on an input that has pairs.
struct Curve<'a> {
    /// The rows, at least one.
    rows: Vec<&'a CapacityRow>,
    frames: u64,
    /// Pairs to be written in all frames.
    pairs: u64,
}

impl Curve<'_> {
    /// The share of the pairs of all frames that a capacity loses, and the largest share of a frame.
    fn loss(&self, capacity: u64) -> [f64; 2] {
        let rows = self.rows.iter().filter(|row| row.capacity == capacity && row.lost > 0);
        let lost: u64 = rows.clone().map(|row| row.lost).sum();
        let shares = rows.map(|row| row.lost as f64 / row.pairs as f64);
        [lost as f64 / self.pairs as f64, shares.fold(0.0, f64::max)]
    }

    fn row(&self, capacities: &[u64]) -> Vec<String> {
        let share = |capacity: &u64| match self.loss(*capacity) {
            [0.0, _] => "0".to_owned(),
            [of_all, worst_frame] => format!("{} ({})", percent(of_all), percent(worst_frame)),
        };
        let named = [
            self.rows[0].input.clone(),
            thousands(self.rows[0].n as f64),
            self.frames.to_string(),
            mean_count(self.pairs as f64 / self.frames as f64),
        ];
        let shares = capacities.iter().map(share);
        named.into_iter().chain(shares).chain(["0".to_owned()]).collect()
    }
}

/// A buffer with rows.
struct Section<'a> {
    title: &'static str,
    /// One for each input, in the order of the rows.
    curves: Vec<Curve<'a>>,
    /// The capacities of all rows of the file, the smallest first.
    capacities: &'a [u64],
    per_object: bool,
}

impl<'a> Section<'a> {
    /// `None` without a pair.
    fn new(rows: &'a [CapacityRow], capacities: &'a [u64], buffer: Buffer) -> Option<Self> {
        let cases = rows.chunk_by(|a, b| (&a.input, a.n, a.seed) == (&b.input, b.n, b.seed));
        let curves = cases.filter_map(|rows| {
            let rows: Vec<_> = rows.iter().filter(|row| row.buffer == buffer).collect();
            let frames: BTreeMap<u32, u64> =
                rows.iter().map(|row| (row.frame, row.pairs)).collect();
            let pairs = frames.values().sum();
            (pairs > 0).then_some(Curve { rows, frames: frames.len() as u64, pairs })
        });
        let curves: Vec<Curve<'_>> = curves.collect();
        let title = match buffer {
            Buffer::Frame => "One list for the pairs of a frame",
            Buffer::Began => "One list for the pairs that began",
            Buffer::Object => "A list for each object",
        };
        let per_object = curves.first()?.rows[0].per_object;
        Some(Self { title, curves, capacities, per_object })
    }

    /// The shares that a capacity loses, in ascending order.
    fn shares(&self, capacity: u64) -> Vec<f64> {
        let mut shares: Vec<f64> =
            self.curves.iter().map(|curve| curve.loss(capacity)[0]).collect();
        shares.sort_by(f64::total_cmp);
        shares
    }

    /// The result in a line.
    fn summary(&self) -> String {
        let first = self.capacities[0];
        let lost = |curve: &&Curve<'_>| curve.loss(first)[0];
        let worst = self.curves.iter().max_by(|a, b| lost(a).total_cmp(&lost(b)));
        let worst =
            worst.map(|curve| format!("{} {} %", curve.rows[0].input, percent(lost(&curve))));
        let is_safe = |capacity: &&u64| self.shares(**capacity).iter().all(|share| *share == 0.0);
        let safe = self.capacities.iter().find(is_safe);
        let safe = safe.map_or("no capacity is enough for all".to_owned(), |capacity| {
            format!("from {} on none does", text(*capacity, self.per_object))
        });
        format!(
            "{}: with {}, {} of {} inputs lose pairs, {} of them; {safe}.",
            self.title,
            text(first, self.per_object),
            self.curves.iter().filter(|curve| lost(curve) > 0.0).count(),
            self.curves.len(),
            worst.unwrap_or_default(),
        )
    }

    /// The worst and the middle input at each capacity, and a list that grows.
    fn panel(&self) -> Panel {
        let line = |look: usize, name: &str, of: fn(&[f64]) -> f64| {
            let point = |at: &u64| Point::new(*at as f64, of(&self.shares(*at)));
            let points = self.capacities.iter().map(point).collect();
            Line { name: name.to_owned(), style: Style::nth(look), points }
        };
        let lines = vec![
            line(0, "worst input", |shares| shares[shares.len() - 1]),
            line(1, "median input", |shares| shares[shares.len() / 2]),
            line(2, "this library", |_| 0.0),
        ];
        Panel { title: self.title.to_owned(), marks: Marks::Lines(lines) }
    }
}

/// The page and its chart.
fn report(files: &Files) -> Result<Option<Page>, Failure> {
    let data = files.data();
    let path = data.join(TABLE);
    let rows = read(&path)?;
    if rows.is_empty() {
        // Its empty page would replace a good one.
        return Err(Failure::BadFile(format!("{}, line 2: expected a row", path.display())));
    }
    let machine = Machine::read(&data.join(Machine::FILE))?;
    let mut capacities: Vec<u64> = rows.iter().map(|row| row.capacity).collect();
    capacities.sort_unstable();
    capacities.dedup();
    let sections: Vec<Section<'_>> = Buffer::ALL
        .into_iter()
        .filter_map(|buffer| Section::new(&rows, &capacities, buffer))
        .collect();
    let ours = "This library: 0 lost on all inputs, since its lists grow.".to_owned();
    let summary: Vec<String> = sections.iter().map(Section::summary).chain([ours]).collect();
    let about = "The share of pairs that an engine loses if its list of pairs has a fixed length. Computed by `harness capacity` \
                 from [the rows](capacity/capacity.csv), which have every frame. Counts, no times: they are the same on every \
                 machine.";
    let mut page = Page::new("The price of a fixed buffer", about, summary);
    let caption = "Share of lost pairs over the capacity, by buffer";
    page.chart(caption, "capacity/lost.svg", chart(&sections, &capacities));
    page.section("Engines that drop", "");
    page.list(ENGINES);
    page.section("What is counted", "");
    page.list(DEFINITION);
    for section in &sections {
        let unit = if section.per_object { "an object" } else { "a frame" };
        let about = format!(
            "Pairs lost in all frames, in %; in brackets, those of the worst frame. Capacities are in pairs {unit}."
        );
        page.section(section.title, &about);
        let named = ["input", "n", "frames", "pairs a frame"].map(str::to_owned).into_iter();
        let header = named.chain(capacities.iter().map(|at| thousands(*at as f64)));
        let rows = section.curves.iter().map(|curve| curve.row(&capacities));
        page.table(header.chain(["ours".to_owned()]), rows);
    }
    page.section("Machine", "");
    page.machine(&machine, "capacity/machine.json");
    Ok(Some(page))
}

/// Height of a panel, mm.
const PANEL_MM: f64 = 36.0;

/// The chart; `None` without capacities in pairs an object.
fn chart(sections: &[Section<'_>], capacities: &[u64]) -> Option<Chart> {
    let values: Vec<f64> = capacities.iter().map(|pairs| *pairs as f64).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let x = Axis::log("capacity, pairs an object").within(first, last.max(2.0 * first));
    let chart = Chart::new(x.labelled_at(values), Axis::shares("pairs lost")).wide();
    let chart = sections.iter().map(Section::panel).fold(chart, Chart::with);
    sections[..].first()?.per_object.then_some(Chart { panel_mm: PANEL_MM, ..chart })
}

/// A share in per cent. A small one is not shown as 0.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 0.05 => "<0.1".to_owned(),
        percent => format!("{percent:.1}"),
    }
}
