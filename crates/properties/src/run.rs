//! A small run of two cases, killed when all repetitions of the second were kept.

use broadphase::registry::{Algorithm, find};
use measure::{
    Case, Checks, Clock, FinishedRepetition, Instruments, Machine, MeasuredCase, Observer, Output,
    OutputError, Plan, RunId, Table, UNFINISHED, Watch, measure_case_watched,
};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The files of a run, apart from what it keeps in the folder `unfinished`.
const FILES: [&str; 2] = ["machine.json", "summary.csv"];

/// A run that was killed.
pub(crate) struct Run {
    pub(crate) machine: Machine,
    /// The case that was begun.
    pub(crate) case: Case,
    pub(crate) measured: MeasuredCase,
    /// Repetitions of the case that was begun, in the order in which they were measured.
    pub(crate) kept: Vec<FinishedRepetition>,
    /// The files by their names, what is kept in the folder `unfinished` first.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// The run, measured once.
pub(crate) fn run() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| Run::begin().expect("the run can be measured and written"))
}

impl Run {
    /// The content of the file of this name.
    pub(crate) fn text(&self, name: &str) -> &[u8] {
        let file = self.files.iter().find(|(file, _)| file == name);
        file.map_or(&[], |(_, text)| text)
    }

    fn begin() -> Result<Self, OutputError> {
        let machine = Machine::detect(&RunId::now(), vec!["harness".into(), "run".into()]);
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let output = Output::create(folder.path(), Table::of_cells(), false, &machine)?;
        let [done, case] = ["gas:8", "gas:6"]
            .map(|boxes| Case::of_generated(boxes.parse().expect("a kind and a number"), 1, 2));
        let mut keeper = Keeper { output, case: &done, kept: Vec::new() };
        let measured = measure(&done, Vec::new(), &mut keeper);
        let id = keeper.output.run_id().to_owned();
        let rows = |plan: &Plan<'_>| {
            let cells = measured.cells.iter();
            cells.map(|cell| cell.summary(&id, &done, plan)).collect::<Vec<_>>()
        };
        keeper.output.add_cells(&with_plan(rows))?;
        let mut keeper = Keeper { output: keeper.output, case: &case, kept: Vec::new() };
        let measured = measure(&case, Vec::new(), &mut keeper);
        let kept = keeper.kept;
        let unfinished = std::fs::read_dir(folder.path().join(UNFINISHED));
        let mut names: Vec<String> = unfinished
            .expect("the run is not complete")
            .map(|file| file.expect("it can be listed").file_name())
            .map(|name| format!("{UNFINISHED}/{}", name.to_string_lossy()))
            .collect();
        names.sort();
        names.extend(FILES.map(str::to_owned));
        let read = |name| {
            let text = std::fs::read(folder.path().join(&name)).expect("it was written");
            (name, text)
        };
        let files = names.into_iter().map(read).collect();
        Ok(Self { machine, case, measured, kept, files })
    }
}

/// Measures a case, of which these repetitions were measured before.
pub(crate) fn measure(
    case: &Case,
    finished: Vec<FinishedRepetition>,
    observer: &mut dyn Observer,
) -> MeasuredCase {
    let clock = TickingClock(AtomicU64::new(0));
    let watch = Watch { observer, stop: &AtomicBool::new(false), finished };
    // Nothing is timed, so the machine's speed is of no interest.
    let instruments = Instruments { calibrates: false, ..Instruments::new(&clock, None) };
    let measured = with_plan(|plan| measure_case_watched(case, plan, instruments, watch));
    measured.unwrap_or_else(|error| panic!("{error}"))
}

fn with_plan<R>(f: impl FnOnce(&Plan<'_>) -> R) -> R {
    let algorithms: [&Algorithm; 2] =
        ["brute-force", "bsp"].map(|id| find(id).expect("it is in the registry"));
    f(&Plan {
        algorithms: &algorithms,
        programs: &[],
        threads: &[1],
        repeats: 3,
        order_seed: 1,
        budget: None,
        memory_limit: u64::MAX,
        events: false,
        checks: Checks::EveryList,
        stages: None,
    })
}

/// Every reading is 10 ns after the one before.
struct TickingClock(AtomicU64);

impl Clock for TickingClock {
    fn now_ns(&self) -> u64 {
        self.0.fetch_add(10, Relaxed)
    }
}

/// Keeps repetitions on the disk, and in memory.
struct Keeper<'a> {
    output: Output,
    case: &'a Case,
    kept: Vec<FinishedRepetition>,
}

impl Observer for Keeper<'_> {
    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.kept.push(repetition.clone());
        self.output.keep(self.case, repetition)
    }
}
