//! The cells of a plan, and how they are measured: a probe of each, then all champions interleaved. The rows of a cell are
//! stored as soon as it is done.

use super::page::Over;
use super::{AtlasOptions, FILE};
use crate::commands::inputs::NamedTrace;
use crate::commands::series::{Series, Setting};
use crate::commands::{check_length, check_memory, without_repeats};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{AUTO, Bench, FULL_SEARCH, StudyRow, champions};
use broadphase::benchmark::mix;
use broadphase::registry::{ALGORITHMS, Algorithm};
use measure::{
    Case, Cell, Checks, Checksum, FrameRow, Observer, Outcome, Plan, RunId, Status, Table, Warning,
    Watch, mean, measure_case_watched, median, probe_case,
};
use sim::atlas;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Numbers of objects of the winner map.
const NUMBERS: [u32; 7] = [200, 600, 2_000, 6_000, 20_000, 60_000, 200_000];
/// Speeds of the winner map, in usual sides a frame.
const SPEEDS: [f32; 7] = [0.002, 0.006, 0.02, 0.06, 0.2, 0.6, 2.0];
/// Shares of objects that move, of the winner map.
const MOVERS: [f32; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];

/// A part of the atlas, measured into a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtlasPart {
    /// Cells drawn from a seed, by the champions.
    Cells,
    /// The winner map: cells on two grids, by the whole registry.
    Map,
    /// Recorded boxes, by the champions.
    Traces,
}

impl AtlasPart {
    pub(super) const ALL: [Self; 3] = [Self::Cells, Self::Map, Self::Traces];

    /// The part that the options ask for.
    pub(super) fn of(options: &AtlasOptions) -> Self {
        match options {
            _ if options.map => AtlasPart::Map,
            _ if !options.traces.is_empty() => AtlasPart::Traces,
            _ => AtlasPart::Cells,
        }
    }

    /// The name of its folder.
    pub(super) fn folder(self) -> &'static str {
        ["cells", "map", "traces"][self as usize]
    }

    /// The folder of its rows in that of the study.
    pub(super) fn data(self, folder: &Path) -> PathBuf {
        folder.join("atlas").join(self.folder())
    }

    /// The file of its rows.
    pub(super) fn file(self) -> &'static str {
        ["atlas.csv", "map.csv", "traces.csv"][self as usize]
    }

    /// The command that measures the cell of a row. Rows have no path of a trace, since it says nothing on another machine.
    pub(super) fn command(self, row: &StudyRow) -> String {
        let StudyRow { description, input, seed, frames, .. } = row;
        match self {
            AtlasPart::Cells => {
                format!("`harness run --boxes {input} --warmup 0 --frames {frames}`")
            }
            AtlasPart::Map => format!("`harness atlas --map --seed {}`", seed.unwrap_or_default()),
            AtlasPart::Traces => {
                format!("`harness run {description} --warmup 0`, with the folder before the name")
            }
        }
    }

    /// The fault of a row that is an error, with the command that reproduces it.
    pub(super) fn fault(self, row: &StudyRow) -> String {
        let StudyRow { algorithm, input, n, .. } = row;
        let (threads, reason, command) =
            (of_threads(row.threads), row.reason_text(), self.command(row));
        format!("{algorithm} on {input}, n = {n}, {threads}: {reason}; reproduce it by {command}")
    }

    /// The algorithms that are measured.
    pub(super) fn algorithms(self, options: &AtlasOptions) -> Vec<&'static Algorithm> {
        let is_chosen = |entry: &&Algorithm| options.champions.iter().any(|id| id == entry.id);
        match self {
            _ if !options.champions.is_empty() => ALGORITHMS.iter().filter(is_chosen).collect(),
            AtlasPart::Map => ALGORITHMS.iter().collect(),
            _ => champions().collect(),
        }
    }

    /// The numbers of threads that are measured.
    fn threads(self, options: &AtlasOptions) -> Vec<u32> {
        match self {
            _ if !options.threads.is_empty() => without_repeats(&options.threads),
            AtlasPart::Map => vec![1],
            _ => vec![1, 2],
        }
    }

    /// All cells that the options ask for, in the order of their numbers.
    fn plan(self, options: &AtlasOptions) -> Result<Vec<Planned>, Failure> {
        let most = options.objects_up_to.unwrap_or(u32::MAX);
        match self {
            AtlasPart::Cells => {
                let cells = (0..=u32::MAX).map(|number| atlas::Cell::draw(options.seed, number));
                let cells = cells.filter(|cell| cell.objects <= most).take(options.cells as usize);
                Ok(cells.map(|cell| Planned::drawn(cell, None)).collect())
            }
            AtlasPart::Map => {
                Ok(map(options.seed).filter(|planned| planned.case.n <= most as usize).collect())
            }
            AtlasPart::Traces => traces(&options.traces),
        }
    }
}

/// A number of threads in words.
pub(super) fn of_threads(threads: u32) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

/// A cell of a plan.
#[derive(Clone, Debug)]
struct Planned {
    case: Case,
    /// Columns that all of its rows share: its number, grid and properties.
    row: StudyRow,
}

impl Planned {
    fn new(case: Case, row: StudyRow) -> Self {
        let (input, n) = (case.input.clone(), case.n as u64);
        let row = StudyRow { input, n, seed: case.seed, frames: case.frames, ..row };
        Self { case, row }
    }

    /// A drawn cell, or one on a grid of the winner map.
    fn drawn(cell: atlas::Cell, grid: Option<Over>) -> Self {
        let mut case = Case::of_cell(cell);
        if grid.is_some() {
            // Another name than that of the drawn cell of this seed and number, whose properties differ.
            case.input = format!("atlas-map:{}:{}", cell.seed, cell.number);
        }
        let row = StudyRow {
            cell: cell.number,
            grid: grid.map_or("", Over::name).to_owned(),
            description: cell.describe(),
            placement: cell.placement.name().to_owned(),
            sizes: cell.sizes.name().to_owned(),
            motion: cell.motion.name().to_owned(),
            overlaps: Some(cell.overlaps),
            speed: Some(cell.speed),
            movers: Some(cell.movers),
            churn: Some(cell.churn),
            ..StudyRow::default()
        };
        Self::new(case, row)
    }
}

/// The traces, each by the name of its file, with all of its frames: every one counts, as those of a drawn cell do.
fn traces(paths: &[PathBuf]) -> Result<Vec<Planned>, Failure> {
    let mut all: Vec<Planned> = Vec::new();
    for (cell, path) in (0..).zip(paths) {
        let trace = NamedTrace::open(path)?;
        if all.iter().any(|planned| planned.case.input == trace.name) {
            return Err(trace.doubled("trace"));
        }
        let description = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let row = StudyRow { cell, description, ..StudyRow::default() };
        all.push(Planned::new(trace.case((0, trace.frames))?, row));
    }
    Ok(all)
}

/// The winner map: a plain gas over the number of objects and the speed, then over the number of
/// objects and the share that moves.
fn map(seed: u64) -> impl Iterator<Item = Planned> {
    let plain = atlas::Cell::plain(seed);
    let of_speed = move |objects| SPEEDS.map(|speed| atlas::Cell { objects, speed, ..plain });
    let of_movers = move |objects| MOVERS.map(|movers| atlas::Cell { objects, movers, ..plain });
    let over_speed = NUMBERS.into_iter().flat_map(of_speed).map(|cell| (Over::Speed, cell));
    let over_movers = NUMBERS.into_iter().flat_map(of_movers).map(|cell| (Over::Movers, cell));
    let cells = over_speed.chain(over_movers).zip(0..);
    cells.map(|((over, cell), number)| Planned::drawn(atlas::Cell { number, ..cell }, Some(over)))
}

/// Measures the cells that are not done yet.
pub(super) fn measure(
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    bench: &mut Bench<'_>,
) -> Result<(), Failure> {
    let part = AtlasPart::of(options);
    // The champions are compared, and one of them is measured twice.
    let is_twice = part != AtlasPart::Map;
    if is_twice && algorithms.iter().all(|entry| entry.id != AUTO) {
        return Err(Failure::Usage(format!(
            "--champions: name `{AUTO}` too: the page compares its time with that of the best"
        )));
    }
    let threads = part.threads(options);
    let mut cells = part.plan(options)?;
    let all = Plan::new(algorithms, &threads, options.repeat);
    let plan = Plan { budget: options.budget, checks: Checks::UnknownLists, ..all };
    let cases = cells.iter().map(|planned| planned.case.clone()).collect();
    let series = Series { shard: options.shard, ..Series::new(cases, plan) };
    let (settings, cases) = (series.settings()?, series.own_cases()?);
    if let Some(shard) = options.shard {
        cells = shard.select(cells)?;
    }
    check_memory(&cases)?;
    check_length(&cases, options.repeat)?;

    let data = part.data(&bench.files.folder);
    let _lock = bench.prepare(&data, true)?;
    let mut log = bench.setting.open(&data, Table::of::<StudyRow>(part.file()), settings)?;
    cells.iter_mut().for_each(|planned| log.run_id().clone_into(&mut planned.row.run_id));
    // Rows that were written before this process began.
    let before = FILE.read_any(&log.path())?;
    let done: HashSet<u32> = before.iter().map(|row| row.cell).collect();
    bench.add(before.iter().map(StudyRow::exit));
    let cells_of_case = (algorithms.len() + usize::from(is_twice)) * threads.len();
    let mut progress = Progress::new(&cases, cells_of_case, options.repeat, options.study.quiet);
    let clock = bench.setting.instruments.clock;
    let (mut calibration_ns, stopped_before_ns) = (Vec::new(), clock.stopped_ns());
    for planned in &cells {
        if !done.contains(&planned.row.cell) {
            progress.case_begins(&planned.case);
            let (rows, calibration) =
                measure_cell(planned, &series.plan, is_twice, &bench.setting, &mut progress)?;
            calibration_ns.extend(calibration);
            log.add_case(&rows)?;
            for row in rows.iter().filter(|row| row.status == Status::Error) {
                // Reported at once, and always.
                progress.note(&format!("error: {}", part.fault(row)));
            }
            bench.add(rows.iter().map(StudyRow::exit));
        }
        progress.case_done(&planned.case);
    }
    let drift = Warning::of_drift(&calibration_ns).into_iter();
    let stops = Warning::of_stops(clock, stopped_before_ns);
    Ok(log.finish(&RunId::now().date(), &drift.chain(stops).collect::<Vec<_>>())?)
}

/// Frames of the probe, a tenth of a cell or more: enough to reach the neighbour list of a steady motion.
const PROBE_FRAMES: u32 = 40;
/// An algorithm this many times as slow as the fastest in the probe is not measured.
const TOO_SLOW: f64 = 20.0;
/// Algorithms that are measured however slow they are: the page compares with both.
const NEEDED: [&str; 2] = [AUTO, FULL_SEARCH];
/// The id of the second measurement, where ids distinguish entries.
const AGAIN: &str = "best-again";

/// Measures a cell, the fastest of the probe twice if `is_twice`. Returns its rows, and readings of the machine's speed.
///
/// The second measurement is of the fastest in the probe, which enters no figure. An algorithm chosen by
/// the figures themselves would have a first time that is too low, by its noise.
fn measure_cell(
    planned: &Planned,
    plan: &Plan<'_>,
    is_twice: bool,
    &Setting { instruments, stop, .. }: &Setting<'_>,
    observer: &mut dyn Observer,
) -> Result<(Vec<StudyRow>, Vec<u64>), Failure> {
    let case = &planned.case;
    let row = |cell: &Cell| self::row(planned, plan.repeats, cell);
    let trials = probe_case(case, plan, PROBE_FRAMES, TOO_SLOW, instruments, stop)?;
    let (mut goes, mut rows): (Vec<&Algorithm>, Vec<StudyRow>) = (Vec::new(), Vec::new());
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
    let twice = fastest.filter(|_| is_twice).map(|(_, algorithm)| algorithm);
    let again = twice.map(|algorithm| Algorithm { id: AGAIN, ..*algorithm });
    goes.extend(&again);
    let watch = Watch { observer, stop, finished: Vec::new() };
    let measured =
        measure_case_watched(case, &Plan { algorithms: &goes, ..*plan }, instruments, watch)?;
    rows.extend(measured.cells.iter().map(|cell| {
        let row = StudyRow { proven: measured.proven, ..row(cell) };
        match twice.filter(|_| cell.algorithm == AGAIN) {
            Some(twice) => StudyRow { algorithm: twice.id.to_owned(), again: true, ..row },
            None => row,
        }
    }));
    rows.sort_by_key(|row| {
        let of_plan = plan.algorithms.iter().position(|entry| entry.id == row.algorithm);
        (row.threads, row.again, of_plan)
    });
    Ok((rows, measured.calibration_ns))
}

/// The row of an algorithm on a cell.
fn row(planned: &Planned, repeats: u32, measured: &Cell) -> StudyRow {
    let (status, reason) = measured.outcome.status();
    let (algorithm, threads) = (measured.algorithm.clone(), measured.threads);
    let row = StudyRow { algorithm, threads, repeats, status, reason, ..planned.row.clone() };
    if status == Status::Ok { with_figures(row, &measured.samples) } else { row }
}

/// Frames with a mean of their own: the first that an algorithm could have learnt for.
const EARLY: RangeInclusive<u32> = 5..=44;
/// Frames up to this one belong to the start: an algorithm may still be learning.
const LATE: u32 = 50;

/// A row with the figures of the frames of all repetitions. A frame's time is the least of its repetitions: a
/// disturbance only makes a repetition slower, and each has a new structure.
fn with_figures(row: StudyRow, samples: &[FrameRow]) -> StudyRow {
    let mut least: BTreeMap<u32, u64> = BTreeMap::new();
    for sample in samples {
        let ns = sample.detection_ns();
        least.entry(sample.frame).and_modify(|least| *least = ns.min(*least)).or_insert(ns);
    }
    let times = || least.values().copied();
    // The first of equally slow frames.
    let worst = least.iter().rev().max_by_key(|(_, ns)| **ns);
    let (Some(mean_ns), Some((frame, ns))) = (mean(times()), worst) else { return row };
    let checksums = samples.iter().filter(|sample| sample.repeat == 0).map(|s| s.checksum.0);
    let peak = samples.iter().filter_map(|s| s.peak_heap_bytes).max();
    StudyRow {
        mean_ns: Some(rounded(mean_ns)),
        median_ns: median(&mut times().collect::<Vec<_>>()),
        early_ns: mean(least.range(EARLY).map(|(_, ns)| *ns)).map(rounded),
        worst_frame: Some(*frame),
        worst_ns: Some(*ns),
        late_worst_ns: least.range(LATE..).map(|(_, ns)| *ns).max(),
        tests: mean(samples.iter().filter_map(|s| s.tests)).map(rounded),
        pairs: mean(samples.iter().map(|s| s.pairs)).map(rounded),
        allocations: mean(samples.iter().filter_map(|s| s.allocations)).map(rounded),
        bytes_per_object: peak.map(|bytes| rounded(bytes as f64 / row.n.max(1) as f64)),
        checksum: Some(Checksum(checksums.fold(0, |hash, own| mix(hash ^ own)))),
        ..row
    }
}

/// Rounded to three decimals: more are noise, and rows read back equal those written.
fn rounded(value: f64) -> f64 {
    (1000.0 * value).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_has_a_cell_for_each_pair_of_values() {
        let cells: Vec<StudyRow> = map(7).map(|planned| planned.row).collect();
        assert_eq!(cells.len(), 7 * 7 + 7 * 5);
        assert!(cells.iter().enumerate().all(|(at, row)| row.cell as usize == at));
        let last = &cells[cells.len() - 1];
        assert_eq!((last.n, last.movers, &*last.grid), (200_000, Some(1.0), "movers"));
        assert_eq!(last.input, "atlas-map:7:83");
    }

    fn sample(repeat: u32, frame: u32, ns: u64) -> FrameRow {
        let mut sample = FrameRow { repeat, frame, pairs: 7, ..FrameRow::default() };
        (sample.update_ns, sample.pairs_ns) = (ns / 2, ns - ns / 2);
        sample.peak_heap_bytes = Some(100 + u64::from(frame));
        sample.tests = Some(frame.into());
        sample
    }

    #[test]
    fn frame_counts_by_its_fastest_repetition() {
        // Frame 0 builds: 1000. Later ones take 10; 60 takes 50 in every repetition, 70 in one only.
        let frames = (0..100).flat_map(|frame| {
            let ns = move |repeat| match (frame, repeat) {
                (0, _) => 1000,
                (60, _) => 50 + repeat,
                (70, 0) => 900,
                (_, 0) => 10,
                _ => 13,
            };
            (0..3).map(move |repeat| sample(repeat, frame, ns(u64::from(repeat))))
        });
        let row = StudyRow { n: 10, ..StudyRow::default() };
        let figures = with_figures(row, &frames.collect::<Vec<_>>());
        // 1000 + 50 + 13 + 97 * 10 over 100 frames.
        assert_eq!(figures.mean_ns, Some(20.33));
        assert_eq!((figures.median_ns, figures.early_ns), (Some(10), Some(10.0)));
        assert_eq!((figures.worst_frame, figures.worst_ns), (Some(0), Some(1000)));
        assert_eq!(figures.late_worst_ns, Some(50));
        assert_eq!((figures.tests, figures.pairs), (Some(49.5), Some(7.0)));
        assert_eq!((figures.allocations, figures.bytes_per_object), (None, Some(19.9)));
    }
}
