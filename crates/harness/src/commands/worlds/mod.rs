//! `harness run --worlds`: many worlds of generated boxes, searched in one call and by `auto` in a loop. `harness atlas
//! --worlds` measures its cells likewise.
//!
//! Cases, algorithms and their rows know a frame as one list of boxes. Many worlds would change all of them, so that this
//! has frames, methods and a table of its own.

mod frames;
mod rows;
#[cfg(test)]
mod tests;

pub(super) use frames::WorldsSpec;
pub(super) use rows::{FILE, Over, WorldsRow};

use super::inputs::{cases, check_frames, without_repeats};
use super::recorder::open_output;
use super::series::measure_each;
use crate::Process;
use crate::cli::RunOptions;
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use broadphase::Pair;
use broadphase::benchmark::{checksum as checksum_of, mix};
use frames::{Frames, Search};
use measure::{
    Case, Checksum, Clock, Machine, MemoryError, MonotonicClock, Output, Pools, RunId, Status,
    Table, Warning, available_memory, calibrate, case_settings, median, percentile,
};
use rows::table;
use serde_json::{Value, json};
use sim::GeneratedBoxes;

/// The methods: one call for all worlds; a kept `auto` for each world; one `auto` for all, one after the other.
const METHODS: [&str; 3] = ["worlds", "auto-each", "auto-one"];

/// Most tests of brute force, which proves the pairs of all frames: about half a minute.
const MAX_TESTS: u64 = 30_000_000_000;

/// Most boxes of all worlds together.
const MAX_BOXES: u64 = 1 << 26;

/// Measures all worlds, writes their rows, and prints them.
pub(super) fn run(options: &RunOptions, process: &Process) -> Result<(), Failure> {
    let results = &options.results;
    let worlds = without_repeats(&options.worlds);
    let of_case = |case: &Case| {
        let case = case.clone();
        worlds.iter().map(move |&worlds| WorldsSpec { case: case.clone(), worlds })
    };
    let cases = cases(&options.playing, options.effort.warmup, false, results.quiet)?;
    let plan = WorldsPlan {
        specs: cases.iter().flat_map(of_case).collect(),
        threads: without_repeats(&options.playing.threads),
        repeats: options.repeat,
    };
    plan.check()?;
    let run_id = RunId::now();
    let machine = plan.machine(Machine::detect(&run_id, process.command_line.clone()))?;
    let folder = results.folder(&run_id)?;
    let output = open_output(&folder, csv_table(), &machine, false, results.force)?;
    if !results.quiet {
        machine.warnings.iter().for_each(console::warn);
    }
    let (rows, warnings) = plan.measure(output, results.quiet, process)?;
    results.print(&rows, || table(&rows), &folder)?;
    if !results.quiet {
        warnings.iter().for_each(console::warn);
    }
    Failure::unless_measured(rows.iter().map(|row| row.status), rows.iter().map(WorldsRow::exit))
}

/// The table of a measurement of worlds.
pub(super) fn csv_table() -> Table {
    Table::of::<WorldsRow>(FILE)
}

/// Worlds that are measured into one folder.
pub(super) struct WorldsPlan {
    pub(super) specs: Vec<WorldsSpec>,
    pub(super) threads: Vec<u32>,
    pub(super) repeats: u32,
}

impl WorldsPlan {
    /// Refuses worlds that have too many boxes, or do not fit into memory together.
    pub(super) fn check(&self) -> Result<(), Failure> {
        check_frames(self.specs.iter().map(|spec| spec.case.total_frames()), self.repeats)?;
        let available = available_memory();
        for WorldsSpec { case, worlds } in &self.specs {
            let (count, n) = (u64::from(*worlds), case.n as u64);
            if count > MAX_BOXES / n {
                let reason = format!("{worlds} worlds of {n}: expected at most {MAX_BOXES} boxes");
                return Err(Failure::Usage(reason));
            }
            // Each world in its share of the memory.
            let own = size_of::<GeneratedBoxes>() as u64;
            let share = (available / count).saturating_sub(own);
            case.check_memory(share).map_err(|error| MemoryError {
                input: format!("{worlds} worlds of {}", error.input),
                objects: error.objects * *worlds as usize,
                needed: (error.needed + own).saturating_mul(count),
                available,
            })?;
        }
        Ok(())
    }

    /// The machine, with all that the rows depend on.
    pub(super) fn machine(&self, machine: Machine) -> Result<Machine, Failure> {
        let worlds: Vec<Value> = self.specs.iter().map(|spec| spec.worlds.into()).collect();
        let settings = json!({
            "cases": case_settings(self.specs.iter().map(|spec| &spec.case))?,
            "worlds": worlds,
            "threads": self.threads,
            "repeat": self.repeats,
        });
        Ok(machine.with_settings(settings))
    }

    /// Measures and writes what an earlier process did not. Returns the rows of all worlds, and what makes the figures
    /// doubtful.
    pub(super) fn measure(
        &self,
        output: Output,
        quiet: bool,
        process: &Process,
    ) -> Result<(Vec<WorldsRow>, Vec<Warning>), Failure> {
        let mut rows = rows::read(&output.path())?;
        let cases: Vec<Case> = self.specs.iter().map(|spec| spec.case.clone()).collect();
        let progress = Progress::new(&cases, self.threads.len(), self.repeats, quiet);
        let (clock, pools) = (MonotonicClock::new(), Pools::new(&self.threads)?);
        let case = |spec: &WorldsSpec,
                    output: &mut Output,
                    progress: &mut Progress,
                    calibration_ns: &mut Vec<u64>| {
            if rows.iter().any(|row| row.is_of(spec)) {
                return Ok(());
            }
            progress.repetition_begins(&spec.case, METHODS[0]);
            let measured = self.rows_of(spec, &pools, output.run_id(), calibration_ns, process)?;
            output.add_case(&measured)?;
            for row in measured.iter().filter(|row| !row.reason.is_empty()) {
                progress.note(&row.note());
            }
            rows.extend(measured);
            Ok(())
        };
        let warnings =
            measure_each(output, progress, &clock, &self.specs, |spec| &spec.case, case)?;
        Ok((rows, warnings))
    }

    /// The rows of some worlds, on each number of threads.
    fn rows_of(
        &self,
        spec: &WorldsSpec,
        pools: &Pools,
        run_id: &str,
        calibration_ns: &mut Vec<u64>,
        process: &Process,
    ) -> Result<Vec<WorldsRow>, Failure> {
        let expected = pools.install_widest(|| Expected::of(spec, process))?;
        let measuring = Measuring { spec, expected: &expected, repeats: self.repeats, process };
        let mut rows = Vec::new();
        for &threads in &self.threads {
            rows.extend(pools.install(threads, || measuring.all(threads, run_id, calibration_ns))?);
        }
        Ok(rows)
    }
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
        for _ in 0..spec.case.total_frames() {
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
            if number >= self.spec.case.warmup {
                times.push(ns);
                pairs += count;
                sum = mix(sum ^ found);
            }
        }
        row.pairs = Some(pairs as f64 / f64::from(self.spec.case.frames));
        row.checksum = Some(Checksum(sum));
        row.heap_bytes = Some(search.heap_bytes() as u64);
        Ok(())
    }
}
