//! How a case is measured: what is clocked, in which order, within which limits.

use crate::common::{
    Changed, INVENTS, NEVER, PANICS, SetClock, TickingClock, changed, crowded, crowded_scene,
    measure, outcome, plan, planted, repetitions, row, verify,
};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{BroadPhase, Frame, Pair};
use measure::{
    Case, Checks, Clock, Drawing, FinishedRepetition, HardwareCount, HardwareCounters,
    HardwareCounts, HeapProbe, Instruments, MeasuredCase, Observer, Outcome, OutputError, Phase,
    Plan, RunError, Warning, Watch, measure_case, measure_case_watched, probe_case,
};
use sim::{TraceWriter, World};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

#[test]
fn repetitions_of_all_cells_are_interleaved() {
    type Built = (char, usize);
    static BUILT: Mutex<Vec<Built>> = Mutex::new(Vec::new());
    fn note(letter: char, settings: &Settings) -> Box<dyn BroadPhase> {
        BUILT.lock().unwrap().push((letter, rayon::current_num_threads()));
        row("brute-force").build(settings)
    }
    static A: Algorithm = planted("a", |settings| note('a', settings));
    static B: Algorithm = planted("b", |settings| note('b', settings));

    let algorithms = [&A, &B];
    let measured = measure(&crowded(0, 1), &Plan { threads: &[1, 3], ..plan(&algorithms, 8) });
    assert!(measured.cells.iter().all(|cell| cell.outcome == Outcome::Ok));
    assert_eq!(measured.calibration_ns.len(), 8, "a reading before each round");
    let built = BUILT.lock().unwrap();
    assert_eq!(built.len(), 32);
    for round in built.chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, [('a', 1), ('a', 3), ('b', 1), ('b', 3)], "{built:?}");
    }
    assert!(built.chunks(4).any(|round| round != &built[..4]), "always the same order: {built:?}");
}

/// The heap of a process in which only the structure of the test allocates.
mod heap {
    use super::*;

    static ALLOCATED: AtomicU64 = AtomicU64::new(0);
    static LIVE: AtomicU64 = AtomicU64::new(1_000_000); // of others
    static PEAK: AtomicU64 = AtomicU64::new(0);
    static LIVE_AT_RESET: AtomicU64 = AtomicU64::new(0);

    pub(crate) const PROBE: HeapProbe = HeapProbe {
        allocated_bytes: || ALLOCATED.load(SeqCst),
        live_bytes: || LIVE.load(SeqCst),
        peak_growth: || PEAK.load(SeqCst) - LIVE_AT_RESET.load(SeqCst),
        reset_peak: || {
            LIVE_AT_RESET.store(LIVE.load(SeqCst), SeqCst);
            PEAK.store(LIVE.load(SeqCst), SeqCst);
        },
    };

    pub(crate) fn allocate(bytes: u64) {
        ALLOCATED.fetch_add(bytes, SeqCst);
        let live = LIVE.fetch_add(bytes, SeqCst) + bytes;
        PEAK.fetch_max(live, SeqCst);
    }

    pub(crate) fn free(bytes: u64) {
        LIVE.fetch_sub(bytes, SeqCst);
    }
}

/// Each reading is 7 instructions and 2 misses after the one before. Before the fourth, misses were
/// not counted for a moment.
struct TickingCounters(AtomicU64);

impl HardwareCounters for TickingCounters {
    fn read(&self) -> Option<HardwareCounts> {
        let readings = self.0.fetch_add(1, SeqCst);
        let lost_ns = if readings < 3 { 0 } else { 1 };
        Some(HardwareCounts {
            instructions: HardwareCount { value: 7 * readings, lost_ns: 0 },
            cache_misses: Some(HardwareCount { value: 2 * readings, lost_ns }),
        })
    }
}

#[test]
fn instruments_read_update_and_pairs_alone() {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // 100 bytes when it is made, 50 in each update, and 30 temporarily in each search.
    static GROWING: Algorithm = planted("growing", |settings| {
        COUNT.fetch_add(1000, SeqCst); // building is not counted
        heap::allocate(100);
        let searched = |_, _: &Frame<'_>, _: &mut Vec<Pair>| {
            heap::allocate(30);
            heap::free(30);
        };
        Box::new(Changed {
            hook: |call| match call {
                "update" => heap::allocate(50),
                // Other code allocates between the frames.
                _ => heap::allocate(10_000),
            },
            ..Changed::new(settings, searched)
        })
    });
    let (clock, counters) = (TickingClock::new(), TickingCounters(AtomicU64::new(0)));
    let plain = Instruments::new(&clock, Some(|| COUNT.fetch_add(7, SeqCst)));
    let instruments = Instruments { heap: Some(heap::PROBE), hardware: Some(&counters), ..plain };
    let measured = measure_case(&crowded(1, 2), &plan(&[&GROWING], 1), instruments).unwrap();
    // Two readings of the counters a frame: the fourth ends the second.
    let expected = [(Some(2), 180), (None, 230), (Some(2), 280)];
    assert_eq!(measured.cells[0].samples.len(), 3);
    for ((frame, sample), (misses, peak)) in (0..).zip(&measured.cells[0].samples).zip(expected) {
        // Neighbouring readings of the clock are 10 ns apart: nothing else is within.
        assert_eq!((sample.update_ns, sample.pairs_ns), (10, 10));
        assert_eq!((sample.motion_ns, sample.response_ns), (Some(10), Some(10)));
        assert_eq!((sample.render_ns, sample.allocations), (None, Some(7)));
        assert_eq!((sample.instructions, sample.cache_misses), (Some(7), misses));
        assert_eq!((sample.allocated_bytes, sample.peak_heap_bytes), (Some(80), Some(peak)));
        assert_eq!(sample.frame, frame);
        assert_eq!(sample.phase, if frame == 0 { Phase::Warmup } else { Phase::Measure });
        assert!(sample.pairs > 0 && sample.hits.is_some_and(|hits| hits <= sample.pairs));
    }
}

/// Draws nothing, and fails in one of its frames.
struct Brush {
    drawn: AtomicU64,
    fails_in: u64,
}

impl Drawing for Brush {
    fn begin(&self, _: &World) -> Result<(), String> {
        Ok(())
    }

    fn draw(&self, _: &World, input: &str) -> Result<(), String> {
        assert_eq!(input, crowded(1, 2).input);
        let drawn = self.drawn.fetch_add(1, SeqCst);
        if drawn == self.fails_in { Err("no device".to_owned()) } else { Ok(()) }
    }
}

#[test]
fn drawing_is_a_part_of_the_frame_and_its_failure_an_outcome() {
    let measured = |fails_in| {
        let (clock, brush) = (TickingClock::new(), Brush { drawn: AtomicU64::new(0), fails_in });
        let instruments = Instruments { drawing: Some(&brush), ..Instruments::new(&clock, None) };
        measure_case(&crowded(1, 2), &plan(&[row("bsp")], 2), instruments).unwrap().cells.remove(0)
    };
    let cell = measured(u64::MAX);
    assert_eq!((&cell.outcome, cell.samples.len()), (&Outcome::Ok, 6));
    assert!(
        cell.samples.iter().all(|sample| sample.render_ns == Some(10)),
        "one reading: {cell:?}"
    );
    let failed = "failed in repetition 1: no device".to_owned();
    assert_eq!(measured(4).outcome, Outcome::Error(failed));
}

#[test]
fn finished_repetitions_are_taken_over_if_they_are_whole() {
    let (case, algorithms) = (crowded(1, 3), [row("bsp")]);
    let plan = plan(&algorithms, 3);
    let expected = measure(&case, &plan).cells;
    let mut finished = repetitions(&expected[0]);
    finished.reverse();
    finished[1].samples.pop();
    let (clock, mut observer) = (TickingClock::new(), Follower::default());
    let watch = Watch { observer: &mut observer, stop: &NEVER, finished };
    let instruments = Instruments::new(&clock, None);
    let cells = measure_case_watched(&case, &plan, instruments, watch).unwrap().cells;
    assert_eq!(observer.repetitions, 1, "the one that was cut off");
    assert_eq!(cells[0].samples, expected[0].samples, "in their order");
}

/// Measures with a clock on which building this algorithm takes a tenth of a second, and a tenth more each time.
fn measure_slow(budget: Duration, repeats: u32) -> MeasuredCase {
    static CLOCK: TickingClock = TickingClock::new();
    static SLOW: Algorithm = planted("slow", |settings| {
        CLOCK.0.fetch_add(100_000_000 * BUILT.fetch_add(1, SeqCst), SeqCst);
        row("brute-force").build(settings)
    });
    static BUILT: AtomicU64 = AtomicU64::new(1);
    BUILT.store(1, SeqCst);
    let algorithms = [&SLOW, row("bsp")];
    let plan = Plan { budget: Some(budget), ..plan(&algorithms, repeats) };
    let instruments = Instruments::new(&CLOCK, None);
    measure_case(&crowded(0, 3), &plan, instruments).unwrap()
}

#[test]
fn cell_over_its_budget_is_skipped_alone() {
    // The only test that uses this clock: another in parallel would spend its time.
    for (budget_ms, repeats, reason) in [
        (50, 1, "over the time budget at repetition 0, frame 0"),
        // One repetition fits, four would not.
        (350, 4, "would take about 0.4 s, over the time budget"),
        // All three together take 0.6 s.
        (550, 3, "over the time budget at repetition 2, frame 0"),
        (650, 3, "ok"),
    ] {
        let measured = measure_slow(Duration::from_millis(budget_ms), repeats);
        assert_eq!(outcome(&measured, "slow").to_string(), reason);
        assert_eq!(*outcome(&measured, "bsp"), Outcome::Ok);
    }
}

#[test]
fn repetition_in_which_the_process_stopped_is_repeated() {
    // The only test that uses this clock.
    static CLOCK: SetClock = SetClock::new();
    static BUILT: AtomicU64 = AtomicU64::new(0);
    // The process is stopped for 25 s while it is built for the first time. The clock counts 0.3 s of that.
    static STOPPED: Algorithm = planted("stopped", |settings| {
        if BUILT.fetch_add(1, SeqCst) == 0 {
            CLOCK.stopped_ns.fetch_add(25_000_000_000, SeqCst);
            CLOCK.now_ns.fetch_add(300_000_000, SeqCst);
        }
        row("brute-force").build(settings)
    });
    let algorithms = [&STOPPED];
    // In three repetitions the part of a stop would be 0.9 s.
    let plan = Plan { budget: Some(Duration::from_millis(500)), ..plan(&algorithms, 3) };
    for built in [4, 7] {
        let stopped_ns = CLOCK.stopped_ns.load(SeqCst);
        let measured = measure_case(&crowded(0, 3), &plan, Instruments::new(&CLOCK, None)).unwrap();
        assert_eq!(*outcome(&measured, "stopped"), Outcome::Ok);
        assert_eq!((measured.cells[0].samples.len(), BUILT.load(SeqCst)), (9, built));
        let warnings = Warning::joined(&measured.warnings);
        assert_eq!(warnings.contains("stopped, or got no processor, for 25.0 s"), stopped_ns == 0);
    }
}

#[test]
fn algorithm_that_cannot_run_is_skipped_with_the_reason() {
    static GREEDY: Algorithm = Algorithm {
        memory: |n| n << 20,
        ..planted("greedy", |settings| row("bsp").build(settings))
    };
    static ABSENT: Algorithm =
        Algorithm { unavailable: Some("no adapter"), ..planted("absent", |_| unreachable!()) };
    let algorithms = [row("brute-force"), &GREEDY, &ABSENT];
    let limit = (60 << 20) - 1;
    let measured = measure(&crowded(0, 2), &Plan { memory_limit: limit, ..plan(&algorithms, 1) });
    let Outcome::Skipped(reason) = outcome(&measured, "greedy") else {
        panic!("{measured:?}");
    };
    assert!(reason.contains("greedy needs"), "{reason}");
    assert_eq!(*outcome(&measured, "brute-force"), Outcome::Ok);
    let reason = "absent is unavailable: no adapter".to_owned();
    assert_eq!(*outcome(&measured, "absent"), Outcome::Skipped(reason));
}

#[test]
fn first_frame_of_a_peer_is_searched_by_what_counts_its_pairs() {
    // As another library, it searches without the frame's limits.
    let peer = planted("peer", |settings| {
        Box::new(Changed { is_unbounded: true, ..Changed::new(settings, |_, _, _| {}) })
    });
    let peer = Algorithm { peer: true, ..peer };
    let [center, velocity] = [glam::Vec3::ZERO; 2];
    let ball = sim::scene::Ball { center, velocity, radius: Some(0.1) };
    let scene = sim::Scene { objects: 0, balls: vec![ball; 60], ..crowded_scene() };
    let (case, entries) = (Case::of_scene("heap", scene, 0, 2), [&peer]);
    let outcome_within = |pairs: u64| {
        let memory_limit = 20_000 + pairs * broadphase::PairLimit::BYTES_PER_PAIR as u64;
        let plan = Plan { memory_limit, ..plan(&entries, 1) };
        measure(&case, &plan).cells.remove(0).outcome
    };
    assert_eq!(outcome_within(60 * 59 / 2), Outcome::Ok);
    let Outcome::Skipped(reason) = outcome_within(1000) else { panic!("measured") };
    assert!(reason.starts_with("frame 0: more than "), "{reason}");
}

#[test]
fn case_too_large_for_brute_force_is_unproven() {
    let case = Case::of_generated("gas:150000".parse().unwrap(), 0, 1);
    let measured = measure(&case, &plan(&[row("sweep-grid")], 1));
    let warnings = Warning::joined(&measured.warnings);
    assert!(!measured.proven && warnings.starts_with("not every frame"), "{measured:?}");
}

#[test]
fn cells_that_do_not_fit_into_memory_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowded.bpt");
    let b = broadphase::Aabb::around_sphere(glam::Vec3::ZERO, 1.0);
    let mut writer = TraceWriter::create(&path, 4000, 0.1).unwrap();
    writer.write_frame(&vec![broadphase::Aabb::EMPTY; 4000]).unwrap();
    writer.write_frame(&vec![b; 4000]).unwrap();
    writer.finish().unwrap();
    let dense = Case::of_trace("dense.bpt", path, 4000, 0, 2);
    let algorithms = [row("bsp"), row("kd-tree")];
    // Few objects and little memory: where nothing is checked, this fails instead of filling the machine's.
    for (case, memory_limit, reason, available) in [
        (crowded(0, 2), 5000, "crowded: 60 objects need about", "only 5.0 kB"),
        (dense.clone(), 100_000_000, "frame 1: more than 312,500 pairs", "only 100.0 MB"),
    ] {
        let measured = measure(&case, &Plan { memory_limit, ..plan(&algorithms, 2) });
        for cell in &measured.cells {
            let Outcome::Skipped(text) = &cell.outcome else { panic!("{:?}", cell.outcome) };
            assert!(text.contains(reason) && text.contains(available), "{text}");
            // The frame before has no pairs, and its row stays.
            let rows: Vec<u32> = cell.samples.iter().map(|sample| sample.frame).collect();
            assert_eq!(rows, if reason.starts_with("frame 1") { &[0][..] } else { &[] });
        }
    }
    let report = verify(&dense, &Plan { memory_limit: 100_000_000, ..plan(&algorithms, 1) });
    let reason = "brute-force on 1 thread(s): frame 1: more than 312,500 pairs found";
    assert!(report.skipped.len() == 1 && report.skipped[0].starts_with(reason), "{report:?}");
    assert_eq!((report.frames, report.findings.len()), (1, 0), "{report:?}");
}

#[test]
fn events_add_up_to_the_pairs_and_change_no_other_times() {
    let algorithms = [row("brute-force"), row("bsp")];
    let measured = measure(&crowded(2, 20), &Plan { events: true, ..plan(&algorithms, 2) });
    for cell in &measured.cells {
        let (mut pairs, mut total) = (0, 0);
        for sample in &cell.samples {
            let (began, ended) = (sample.began.unwrap(), sample.ended.unwrap());
            if sample.frame == 0 {
                assert_eq!((began, ended), (sample.pairs, 0), "all begin");
                pairs = 0;
            }
            (pairs, total) = (pairs + began - ended, total + ended);
            assert_eq!((pairs, sample.events_ns), (sample.pairs, Some(10)));
            assert_eq!((sample.update_ns, sample.pairs_ns), (10, 10));
        }
        assert!(total > 20, "{total} ended pairs are no test");
    }
}

/// Follows the placing of objects, sets a flag at its first call, and counts repetitions.
#[derive(Default)]
struct Follower {
    placed: usize,
    stop: Option<&'static AtomicBool>,
    repetitions: u32,
}

impl Observer for Follower {
    fn objects_placed(&mut self, placed: usize, objects: usize) {
        assert!(placed < objects);
        self.placed = placed;
        if let Some(stop) = self.stop {
            stop.store(true, SeqCst);
        }
    }

    fn repetition_done(&mut self, _: &FinishedRepetition) -> Result<(), OutputError> {
        self.repetitions += 1;
        Ok(())
    }
}

#[test]
fn placing_is_stopped_and_counts_into_the_budget() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let radius = sim::scene::Radius::Equal(0.001);
    let scene = sim::Scene { objects: 20_000, radius, ..crowded_scene() };
    let generated = Case::of_generated("cluster:20000".parse().unwrap(), 0, 1);
    let algorithms = [row("bsp")];
    for case in [Case::of_scene("many.scene", scene, 0, 1), generated] {
        let placed = |budget, stop: Option<&'static AtomicBool>| {
            let plan = Plan { budget, ..plan(&algorithms, 1) };
            let clock = TickingClock::new();
            let mut observer = Follower { stop, ..Follower::default() };
            let stop = stop.unwrap_or(&NEVER);
            let watch = Watch { observer: &mut observer, stop, finished: Vec::new() };
            let instruments = Instruments::new(&clock, None);
            let measured = measure_case_watched(&case, &plan, instruments, watch);
            (measured, observer.placed)
        };
        // The clock goes on by 10 ns with each reading, of which there is one for 256 objects.
        let (measured, number) = placed(Some(Duration::from_nanos(200)), None);
        let late = "over the time budget at repetition 0, frame 0";
        assert_eq!(measured.unwrap().cells[0].outcome, Outcome::Skipped(late.to_owned()));
        assert!((1..10_000).contains(&number), "{number}");
        STOP.store(false, SeqCst);
        let (end, number) = placed(None, Some(&STOP));
        assert!(matches!(end, Err(RunError::Stopped)) && number == 256, "{number}");
    }
}

/// Moves with the frames of the planted algorithms alone.
static PROBE_CLOCK: SetClock = SetClock::new();

/// Nanoseconds of a mean frame, or why it was not played.
type Trial = Result<f64, Outcome>;

fn take(ms: u64) {
    PROBE_CLOCK.now_ns.fetch_add(ms * 1_000_000, SeqCst);
}

/// Takes long to build, and is as fast as the others from then on.
static SLOW_START: Algorithm = planted("slow-start", |settings| {
    changed(settings, |number, _, _| take(if number == 0 { 80 } else { 2 }))
});

static STEADY: Algorithm = planted("steady", |settings| changed(settings, |_, _, _| take(1)));

/// Takes 20 times as long as `steady` in each frame.
static SLOW: Algorithm = planted("slow", |settings| changed(settings, |_, _, _| take(20)));

/// Ends no frame unless it is stopped.
static ENDLESS: Algorithm = planted("endless", |settings| {
    changed(settings, |_, frame, _| {
        take(3_600_000);
        while !frame.is_stopped() {
            std::thread::yield_now();
        }
    })
});

fn probed(
    algorithms: &[&Algorithm],
    clock: &dyn Clock,
    stop: &AtomicBool,
) -> Result<Vec<Trial>, RunError> {
    let plan = Plan { checks: Checks::UnknownLists, ..plan(algorithms, 5) };
    probe_case(&crowded(0, 30), &plan, 4, 5.0, Instruments::new(clock, None), stop)
}

fn skipped(trial: &Trial) -> String {
    match trial {
        Err(Outcome::Skipped(reason)) => reason.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn algorithm_far_slower_than_the_fastest_is_skipped() {
    // The only test that uses this clock.
    let trials = probed(&[&STEADY, &SLOW, &ENDLESS, &SLOW_START], &PROBE_CLOCK, &NEVER).unwrap();
    assert_eq!(trials[0], Ok(1e6));
    let slow = "too slow: the median of its first 4 frames is 20 times that of steady";
    assert_eq!(skipped(&trials[1]), slow);
    assert!(skipped(&trials[2]).starts_with("its first 4 frames were stopped"), "{trials:?}");
    assert_eq!(trials[3], Ok(21.5e6), "its first frame does not count for the comparison");
}

#[test]
fn faults_of_a_trial_are_its_outcome() {
    // They fail in frame 3, the last of the trial.
    let clock = SetClock::new();
    let trials = probed(&[&INVENTS, row("bsp"), &PANICS], &clock, &NEVER).unwrap();
    assert!(matches!(&trials[0], Err(Outcome::Error(_))), "{trials:?}");
    assert!(trials[1].is_ok(), "{trials:?}");
    assert!(matches!(&trials[2], Err(Outcome::Error(_))), "{trials:?}");
}

#[test]
fn stopped_trials_stop_the_measurement() {
    let stopped = probed(&[row("bsp")], &SetClock::new(), &AtomicBool::new(true));
    assert!(matches!(stopped, Err(RunError::Stopped)), "{stopped:?}");
}
