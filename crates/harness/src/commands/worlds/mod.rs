//! `harness run --worlds`: many worlds of generated boxes, searched in one call and by `auto` in a loop.
//!
//! Cases, algorithms and their rows know a frame as one list of boxes. Many worlds would change all of them, so that this
//! has frames, methods and a table of its own.

mod frames;
mod rows;

pub(super) use rows::FILE;

use super::inputs::without_repeats;
use super::recorder::open_output;
use crate::Process;
use crate::cli::RunOptions;
use crate::console;
use crate::failure::Failure;
use broadphase::Pair;
use broadphase::benchmark::{checksum as checksum_of, mix};
use frames::{Frames, Search, WorldsSpec};
use measure::{
    BoxesSpec, CaseOptions, Checksum, Clock, DEFAULT_FRAMES, DEFAULT_WARMUP, Input, Machine,
    MemoryError, MonotonicClock, Pools, RunId, Status, Table, Warning, available_memory, calibrate,
    median, percentile,
};
use rows::{WorldsRow, table};
use serde_json::json;
use sim::generated::GeneratedBoxes;

/// The methods: one call for all worlds; a kept `auto` for each world; one `auto` for all, one after the other.
const METHODS: [&str; 3] = ["worlds", "auto-each", "auto-one"];

/// Most tests of brute force, which proves the pairs of all frames: about half a minute.
const MAX_TESTS: u64 = 30_000_000_000;

/// Most boxes of all worlds together.
const MAX_BOXES: u32 = 1 << 26;

/// Measures all worlds, writes their rows, and prints them.
pub(super) fn run(options: &RunOptions, process: &Process) -> Result<(), Failure> {
    let results = &options.results;
    let specs = specs(options)?;
    check_memory(&specs)?;
    let threads = without_repeats(&options.playing.threads);
    let run_id = RunId::now();
    let mut machine = Machine::detect(&run_id, process.command_line.clone());
    machine.settings = json!({ "worlds": format!("{specs:?}") });
    let folder = results.folder(&run_id)?;
    let tables = [Table::of::<WorldsRow>(FILE)];
    let mut output = open_output(&folder, &tables, &machine, false, results.force)?;
    let warn = |warnings: &[Warning]| {
        if !results.quiet {
            warnings.iter().for_each(console::warn);
        }
    };
    warn(&machine.warnings);
    let pools = Pools::new(&threads)?;
    let (mut rows, mut calibration_ns) = (Vec::new(), Vec::new());
    for spec in &specs {
        let expected = pools.install_widest(|| Expected::of(spec, process))?;
        for threads in &threads {
            let measuring =
                Measuring { spec, expected: &expected, repeats: options.repeat, process };
            let measured = pools.install(*threads, || {
                measuring.all(*threads, output.run_id(), &mut calibration_ns)
            })?;
            output.append_rows(0, &measured)?;
            output.case_done()?;
            rows.extend(measured);
        }
    }
    let warnings: Vec<Warning> = Warning::of_drift(&calibration_ns).into_iter().collect();
    output.finish(&RunId::now().date(), &warnings)?;
    for row in rows.iter().filter(|row| !row.reason.is_empty()) {
        console::note(&row.note());
    }
    results.print(&rows, || table(&rows), &folder)?;
    warn(&warnings);
    Failure::unless_measured(rows.iter().map(|row| row.status), rows.iter().map(WorldsRow::exit))
}

/// The worlds that the command line names.
fn specs(options: &RunOptions) -> Result<Vec<WorldsSpec>, Failure> {
    let playing = &options.playing;
    let mut specs = Vec::new();
    for boxes in without_repeats(&playing.boxes) {
        let BoxesSpec::Generated(mut boxes) = boxes.with_moving(playing.moving) else {
            let reason = "--worlds is for generated boxes, not for cells of the atlas".to_owned();
            return Err(Failure::Usage(reason));
        };
        boxes.seed = playing.seed.unwrap_or(boxes.seed);
        if let Some(worlds) = options.worlds.iter().find(|w| **w > MAX_BOXES / boxes.objects) {
            let reason =
                format!("{worlds} worlds of {}: expected at most {MAX_BOXES} boxes", boxes.objects);
            return Err(Failure::Usage(reason));
        }
        specs.extend(without_repeats(&options.worlds).into_iter().map(|worlds| WorldsSpec {
            boxes,
            worlds,
            warmup: options.effort.warmup.unwrap_or(DEFAULT_WARMUP),
            frames: playing.frames.unwrap_or(DEFAULT_FRAMES),
        }));
    }
    Ok(specs)
}

/// Refuses worlds that do not fit into memory together.
fn check_memory(specs: &[WorldsSpec]) -> Result<(), Failure> {
    let available = available_memory();
    for WorldsSpec { boxes, worlds, .. } in specs {
        let (count, own) = (u64::from(*worlds), size_of::<GeneratedBoxes>() as u64);
        for case in Input::boxes(BoxesSpec::Generated(*boxes)).cases(&CaseOptions::default())? {
            // Each world in its share of the memory.
            let share = (available / count).saturating_sub(own);
            case.check_memory(share).map_err(|error| MemoryError {
                input: format!("{worlds} worlds of {}", error.input),
                objects: error.objects * *worlds as usize,
                needed: (error.needed + own).saturating_mul(count),
                available,
            })?;
        }
    }
    Ok(())
}

/// The expected pairs of each frame, as checksums.
struct Expected {
    checksums: Vec<u64>,
    /// Whether brute force found them; else `auto` did.
    proven: bool,
}

impl Expected {
    fn of(spec: &WorldsSpec, process: &Process) -> Result<Self, Failure> {
        let proven = spec.tests() <= MAX_TESTS;
        let reference = if proven { measure::reference().id } else { "auto" };
        let mut frames = Frames::new(spec);
        let mut search = Search::of_loop(reference, 1, spec).map_err(Failure::Running)?;
        let mut checksums = Vec::new();
        for _ in 0..spec.total_frames() {
            stopped(process)?;
            frames.advance();
            checksums.push(checksum(search.find(&frames)?));
        }
        Ok(Self { checksums, proven })
    }
}

/// The checksum of the pairs of all worlds: of the worlds in their order, of a world's pairs in any.
fn checksum((pairs, starts): (&[Pair], &[usize])) -> u64 {
    let worlds = starts.windows(2).map(|ends| &pairs[ends[0]..ends[1]]);
    worlds.fold(0, |sum, pairs| mix(sum ^ checksum_of(pairs)))
}

fn stopped(process: &Process) -> Result<(), Failure> {
    if process.stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    Ok(())
}

/// The measurement of some worlds on a number of threads.
struct Measuring<'a> {
    spec: &'a WorldsSpec,
    expected: &'a Expected,
    repeats: u32,
    process: &'a Process,
}

impl Measuring<'_> {
    /// Measures all methods, interleaved by repetition. Returns a row for each, and appends readings of the machine's speed.
    fn all(
        &self,
        threads: u32,
        run_id: &str,
        calibration_ns: &mut Vec<u64>,
    ) -> Result<Vec<WorldsRow>, Failure> {
        let mut rows = METHODS.map(|method| {
            WorldsRow::new(self.spec, run_id, method, threads, self.repeats, self.expected.proven)
        });
        let mut times = METHODS.map(|_| Vec::new());
        for repeat in 0..self.repeats as usize {
            calibration_ns.push(calibrate(&MonotonicClock::new()));
            for turn in 0..METHODS.len() {
                let at = (repeat + turn) % METHODS.len();
                if rows[at].reason.is_empty() {
                    self.repetition(&mut rows[at], &mut times[at])?;
                }
            }
        }
        for (row, times) in rows.iter_mut().zip(&mut times) {
            if row.reason.is_empty() {
                row.set_times(median(times), percentile(times, 95), self.spec);
            }
        }
        Ok(rows.into())
    }

    /// Plays all frames with a method, and checks the pairs of each outside of the clock.
    fn repetition(&self, row: &mut WorldsRow, times: &mut Vec<u64>) -> Result<(), Failure> {
        let worlds = self.spec.worlds as usize;
        let search = match row.method.as_str() {
            "worlds" => Ok(Search::of_worlds()),
            "auto-each" => Search::of_loop("auto", worlds, self.spec),
            _ => Search::of_loop("auto", 1, self.spec),
        };
        let mut search = match search {
            Ok(search) => search,
            Err(reason) => {
                row.fail(Status::Skipped, reason);
                return Ok(());
            }
        };
        let clock = MonotonicClock::new();
        let (mut frames, mut pairs, mut sum) = (Frames::new(self.spec), 0, 0);
        for (number, expected) in (0..).zip(&self.expected.checksums) {
            stopped(self.process)?;
            frames.advance();
            let before = clock.now_ns();
            let found = search.find(&frames)?;
            let (ns, count) = (clock.now_ns() - before, found.0.len());
            let found = checksum(found);
            if found != *expected {
                let [found, expected] = [found, *expected].map(Checksum);
                let reason = format!("frame {number}: pairs {found}, expected {expected}");
                row.fail(Status::Error, reason);
                return Ok(());
            }
            if number >= self.spec.warmup {
                times.push(ns);
                pairs += count;
                sum = mix(sum ^ found);
            }
        }
        row.pairs = Some(pairs as f64 / f64::from(self.spec.frames));
        row.checksum = Some(Checksum(sum));
        row.heap_bytes = Some(search.heap_bytes() as u64);
        Ok(())
    }
}
