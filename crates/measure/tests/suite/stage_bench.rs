//! All stages side by side: their rows, their order, their faults.

use crate::common::{NEVER, TickingClock};
use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use measure::{
    Case, Clock, Exit, FramesFile, RandomPairs, RunError, Stage, StageCase, StagePlan, StageRow,
    StagesFile, Status, Warning, measure_stages,
};
use narrowphase::narrow::{self, NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{self, VOLUMES, VolumeKind};
use narrowphase::{Answer, Body, BoxKind, NarrowPhase, PairCache, Reference, Shape};
use sim::SceneDocument;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Large cubes and tetrahedra that find no room without overlap: a warm-up frame and two that count.
fn crowd() -> StageCase {
    let text = b"i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n#!speed 3\n\
        #!shape die box 1 1 1\n#!shape four tetrahedron 1\n#!bodies source 1 die 50 four 50\n";
    let scene = SceneDocument::parse("bodies", text).unwrap().scene().clone();
    StageCase::World(Case::of_scene("crowd", scene, 1, 2))
}

fn pairs(spec: &str, frames: u32) -> StageCase {
    let pairs = RandomPairs::new(spec.parse().unwrap(), None, 7).unwrap();
    StageCase::Pairs { pairs: Box::new(pairs), warmup: 0, frames }
}

fn plan<'a>(
    volumes: &'a [&'static VolumeKind],
    narrow_phases: &'a [&'static NarrowPhaseKind],
) -> StagePlan<'a> {
    StagePlan {
        finder: measure::finder(),
        volumes,
        narrow_phases,
        impacts: &[],
        relative_sweep: false,
        contacts: &[],
        box_kinds: &[BoxKind::Tight],
        threads: &[1],
        repeats: 2,
        order_seed: 1,
        budget: None,
        memory_limit: u64::MAX,
    }
}

/// Neighbouring readings of the clock are 10 ns apart.
fn rows(case: &StageCase, plan: &StagePlan<'_>) -> Vec<StageRow> {
    let clock = TickingClock::new();
    measure_stages(case, plan, "r", &clock, &mut (), &NEVER).unwrap().rows
}

fn find<'a>(rows: &'a [StageRow], stage: Stage, method: &str) -> &'a StageRow {
    rows.iter().find(|row| (row.stage, row.method.as_str()) == (stage, method)).unwrap()
}

#[test]
fn rows_of_all_methods_fit_each_other() {
    let volumes: Vec<_> = VOLUMES.iter().collect();
    let narrow_phases: Vec<_> = NARROW_PHASES.iter().collect();
    let rows = rows(&crowd(), &plan(&volumes, &narrow_phases));
    assert_eq!(rows.len(), 1 + 2 * VOLUMES.len() + NARROW_PHASES.len() + 1);
    assert!(rows.is_sorted_by_key(|row| row.stage));
    // Two frames that count, twice.
    assert!(rows.iter().all(|row| row.status == Status::Ok && row.ns == Some(40)), "{rows:?}");
    let boxes = find(&rows, Stage::Boxes, "tight");
    let (candidates, bodies) = (boxes.passed.unwrap(), boxes.tests.unwrap());
    assert_eq!((bodies, boxes.test_ns), (4 * 150, Some(0.066)), "10 ns for 150 bodies");
    let contact = find(&rows, Stage::Contact, "clip");
    let touching = contact.tests.unwrap();
    assert!(touching > 10 && candidates > 3 * touching, "{touching} of {candidates}");
    assert_eq!(contact.passed, Some(touching), "convex bodies have one set each");
    for kind in VOLUMES {
        assert_eq!(find(&rows, Stage::Place, kind.id).tests, Some(bodies));
        let row = find(&rows, Stage::Volume, kind.id);
        assert_eq!((row.tests, row.band), (Some(candidates), Some(0)));
        let right = row.passed.unwrap() - row.false_passed.unwrap();
        assert_eq!(right + row.missed.unwrap(), touching, "{}", kind.id);
        assert_eq!(row.missed > Some(0), !kind.exact, "{}", kind.id);
    }
    let none = find(&rows, Stage::Volume, "none");
    assert_eq!((none.passed, none.false_passed), (Some(candidates), boxes.false_passed));
    for kind in NARROW_PHASES {
        let row = find(&rows, Stage::Narrow, kind.id);
        assert_eq!((row.tests, row.passed), (Some(candidates), Some(touching)), "{}", kind.id);
        assert!(row.work > Some(0) && row.failures == Some(0), "{}", kind.id);
    }
}

#[test]
fn each_kind_of_boxes_has_candidates_of_its_own() {
    let sat = [narrow::find("sat").unwrap()];
    let plan = StagePlan { box_kinds: &BoxKind::ALL, threads: &[1, 2], ..plan(&[], &sat) };
    let rows = rows(&crowd(), &plan);
    assert_eq!(rows.len(), 2 * 3 * 3);
    let (one, two) = rows.split_at(9);
    let mut candidates = Vec::new();
    for (row, other) in one.iter().zip(two) {
        assert_eq!((row.threads, other.threads), (1, 2));
        assert_eq!((row.tests, row.passed, row.work), (other.tests, other.passed, other.work));
        match row.stage {
            Stage::Narrow => assert_eq!(row.passed, one[1].passed, "the same bodies touch"),
            Stage::Boxes => candidates.push(row.passed.unwrap()),
            _ => {}
        }
    }
    assert!(candidates[0] < candidates[1] && candidates[0] < candidates[2], "{candidates:?}");
}

#[test]
fn random_pairs_touch_as_often_as_they_should() {
    let sat = [narrow::find("sat").unwrap()];
    let none = [volume::find("none").unwrap()];
    let rows = rows(&pairs("cube,cube:1000", 2), &plan(&none, &sat));
    assert!(rows.iter().all(|row| row.stage != Stage::Boxes && row.algorithm.is_empty()));
    assert!(rows.iter().all(|row| row.box_kind.is_empty()), "no broad phase has found them");
    let row = find(&rows, Stage::Narrow, "sat");
    assert_eq!((row.input.as_str(), row.n, row.tests), ("cube,cube:uniform", 1000, Some(4000)));
    // By the formula for random poses, 40.5 %. Both repetitions show the same 2,000 pairs: three sigma are 3.3 points.
    let share = row.passed_share().unwrap();
    assert!((share - 0.405).abs() < 0.033, "{share}");
    assert_eq!(row.passed.unwrap() % 2, 0);
}

#[test]
fn pairs_within_the_band_are_counted_and_no_error() {
    let narrow_phases: Vec<_> = NARROW_PHASES.iter().collect();
    let obb = [volume::find("obb").unwrap()];
    for placing in ["near", "touching", "deep", "parallel"] {
        let case = pairs(&format!("rod,capsule:60:{placing}"), 2);
        let rows = rows(&case, &plan(&obb, &narrow_phases));
        assert!(rows.iter().all(|row| row.status == Status::Ok), "{rows:?}");
        let band = find(&rows, Stage::Narrow, "sat").band;
        assert_eq!(band > Some(0), placing == "touching", "{placing}: {band:?}");
    }
}

static ORDER: Mutex<Vec<char>> = Mutex::new(Vec::new());

/// Notes when it is asked, and answers as the reference.
struct Noting(char, Reference);

impl NarrowPhase for Noting {
    fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
        ORDER.lock().unwrap().push(self.0);
        self.1.examine(a, b).answer
    }
}

fn planted(
    id: &'static str,
    build: fn() -> Box<dyn NarrowPhase + Send>,
) -> &'static NarrowPhaseKind {
    let mut kind = *narrow::find("sat").unwrap();
    (kind.id, kind.build) = (id, build);
    Box::leak(Box::new(kind))
}

#[test]
fn methods_take_turns_in_every_frame() {
    let methods = [
        planted("a", || Box::new(Noting('a', Reference::new()))),
        planted("b", || Box::new(Noting('b', Reference::new()))),
        planted("c", || Box::new(Noting('c', Reference::new()))),
    ];
    rows(&pairs("rod,cube:1", 8), &StagePlan { repeats: 1, ..plan(&[], &methods) });
    let order = ORDER.lock().unwrap();
    assert_eq!(order.len(), 24);
    for round in order.chunks(3) {
        let mut letters = round.to_vec();
        letters.sort_unstable();
        assert_eq!(letters, ['a', 'b', 'c'], "{order:?}");
    }
    assert!(order.chunks(3).any(|round| round != &order[..3]), "always the same: {order:?}");
}

#[test]
fn wrong_method_is_an_error_and_the_others_go_on() {
    let blind = planted("blind", || {
        struct Blind;
        impl NarrowPhase for Blind {
            fn test(&mut self, _: &Body<'_>, _: &Body<'_>, _: &mut PairCache) -> Answer {
                Answer::Separated { axis: None }
            }
        }
        Box::new(Blind)
    });
    let panics = planted("panics", || panic!("planted panic"));
    let methods = [blind, panics, narrow::find("sat").unwrap()];
    for (case, shapes) in [(crowd(), "four"), (pairs("tetrahedron,rod:40", 1), "rod")] {
        let rows = rows(&case, &plan(&[], &methods));
        let row = find(&rows, Stage::Narrow, "blind");
        assert_eq!((row.status, row.exit(), row.ns), (Status::Error, Exit::Disagreement, None));
        assert_eq!((row.tests, row.passed, row.work, row.test_ns), (None, None, None, None));
        let reason = row.reason.as_ref().unwrap().to_string();
        assert!(
            reason.contains("`blind` is wrong about bodies")
                && reason.contains("it separates them"),
            "{reason}"
        );
        assert!(reason.contains(shapes), "{reason}");
        assert_eq!(find(&rows, Stage::Narrow, "panics").exit(), Exit::Running);
        assert_eq!(find(&rows, Stage::Narrow, "sat").status, Status::Ok);
    }
}

/// Threads of the pool in which each test ran.
static THREADS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

#[test]
fn numbers_of_threads_take_turns_in_every_frame() {
    let method = planted("threads", || {
        struct Threads(Reference);
        impl NarrowPhase for Threads {
            fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
                THREADS.lock().unwrap().push(rayon::current_num_threads());
                self.0.examine(a, b).answer
            }
        }
        Box::new(Threads(Reference::new()))
    });
    let methods = [method];
    let plan = StagePlan { threads: &[1, 2, 3], repeats: 1, ..plan(&[], &methods) };
    rows(&pairs("rod,cube:1", 8), &plan);
    let order = THREADS.lock().unwrap();
    assert_eq!(order.len(), 24);
    for rounds in order.chunks_exact(6) {
        let (round, next) = rounds.split_at(3);
        assert!([1, 2, 3].iter().all(|threads| round.contains(threads)), "{order:?}");
        assert!(round.iter().rev().eq(next), "the next round has the reverse order: {order:?}");
    }
}

/// A volume whose fit panics.
fn unfit() -> &'static VolumeKind {
    let mut kind = *volume::find("obb").unwrap();
    (kind.id, kind.fit) = ("unfit", |_: &[Shape], _: bool| panic!("planted panic"));
    Box::leak(Box::new(kind))
}

#[test]
fn panic_of_a_fit_is_an_error_of_its_volume_alone() {
    let (volumes, sat) = ([unfit(), volume::find("obb").unwrap()], [narrow::find("sat").unwrap()]);
    for row in rows(&crowd(), &plan(&volumes, &sat)) {
        let panicked = row.method == "unfit";
        assert_eq!(row.exit(), if panicked { Exit::Running } else { Exit::Ok }, "{row:?}");
        let reason = row.reason_text();
        assert_eq!(reason.contains("of repetition 0: planted panic"), panicked, "{reason}");
    }
}

/// Brute force with a fault from frame 1 on: without the last pair, or a panic.
struct FaultyFinder {
    inner: Box<dyn BroadPhase>,
    frame: usize,
    panics: bool,
}

impl BroadPhase for FaultyFinder {
    fn update(&mut self, frame: &Frame<'_>) {
        self.inner.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.inner.find_pairs(frame, pairs);
        if self.frame > 0 {
            assert!(!self.panics, "planted panic");
            pairs.pop();
        }
        self.frame += 1;
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.inner.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.inner.validate(frame);
    }
}

fn faulty_finder(settings: &Settings, panics: bool) -> Box<dyn BroadPhase> {
    let inner = measure::reference().build(settings);
    Box::new(FaultyFinder { inner, frame: 0, panics })
}

#[test]
fn wrong_candidates_are_an_error_of_every_row() {
    let drops = Algorithm::new("drops", Kind::Other, |settings| faulty_finder(settings, false));
    let panics = Algorithm::new("panics", Kind::Other, |settings| faulty_finder(settings, true));
    let sat = [narrow::find("sat").unwrap()];
    let missing = "frame 1 of repetition 0: the candidates of drops are wrong: ";
    let panic = "panicked in frame 1 of repetition 0: planted panic";
    for (finder, exit, reason) in
        [(&drops, Exit::Disagreement, missing), (&panics, Exit::Running, panic)]
    {
        let rows = rows(&crowd(), &StagePlan { finder, ..plan(&[], &sat) });
        assert_eq!(rows.len(), 3);
        for row in rows {
            assert_eq!((row.exit(), row.ns), (exit, None), "{row:?}");
            assert!(row.reason_text().starts_with(reason), "{row:?}");
        }
    }
}

#[test]
fn kind_of_boxes_with_too_many_pairs_is_skipped_alone() {
    let sat = [narrow::find("sat").unwrap()];
    let kinds = [BoxKind::Sphere, BoxKind::Tight];
    let skipped = |memory_limit: u64| {
        let plan = StagePlan { box_kinds: &kinds, memory_limit, ..plan(&[], &sat) };
        let rows = rows(&crowd(), &plan);
        assert_eq!(rows.len(), 6, "every row is there");
        kinds.map(|kind| {
            let mut of_kind = rows.iter().filter(|row| row.box_kind == kind.id());
            let first = of_kind.next().unwrap();
            assert!(of_kind.all(|row| (row.status, &row.reason) == (first.status, &first.reason)));
            assert_eq!(first.exit(), Exit::Ok);
            (first.status == Status::Skipped).then(|| first.reason_text())
        })
    };
    let limits = (0..60).map(|step| (1e5 * 1.1_f64.powi(step)) as u64);
    let found: Vec<_> = limits.map(skipped).collect();
    let is_refused = |reason: &Option<String>| {
        reason.as_ref().is_some_and(|reason| reason.contains("150 objects need about"))
    };
    assert!(found[0].iter().all(is_refused), "{:?}", found[0]);
    assert_eq!(found.last().unwrap(), &[None, None]);
    let half = found.iter().find_map(|[sphere, tight]| sphere.as_ref().filter(|_| tight.is_none()));
    let half = half.expect("a limit at which the fewer pairs fit alone");
    assert!(half.contains("more than ") && half.contains(" pairs found, each of which"), "{half}");
}

/// A clock that moves only when a method takes its time.
static SLOW_NS: AtomicU64 = AtomicU64::new(0);

struct SlowClock;

impl Clock for SlowClock {
    fn now_ns(&self) -> u64 {
        SLOW_NS.load(SeqCst)
    }
}

#[test]
fn method_over_its_budget_is_skipped_alone() {
    let slow = planted("slow", || {
        struct Slow(Reference);
        impl NarrowPhase for Slow {
            fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
                SLOW_NS.fetch_add(100, SeqCst);
                self.0.examine(a, b).answer
            }
        }
        Box::new(Slow(Reference::new()))
    });
    let methods = [slow, narrow::find("sat").unwrap()];
    // Ten pairs take a microsecond a frame.
    let budget = Some(Duration::from_nanos(2500));
    let plan = StagePlan { budget, ..plan(&[], &methods) };
    let case = pairs("cube,rod:10", 2);
    let rows = measure_stages(&case, &plan, "r", &SlowClock, &mut (), &NEVER).unwrap().rows;
    for row in rows {
        let reason =
            if row.method == "slow" { "over the time budget at repetition 1, frame 0" } else { "" };
        assert_eq!((row.reason_text().as_str(), row.exit()), (reason, Exit::Ok), "{row:?}");
    }
}

#[test]
fn what_all_methods_share_has_a_budget_too() {
    let budget = Some(Duration::from_nanos(45));
    let sat = [narrow::find("sat").unwrap()];
    for case in [crowd(), pairs("cube,rod:10", 2)] {
        let rows = rows(&case, &StagePlan { budget, ..plan(&[], &sat) });
        assert!(!rows.is_empty());
        for row in rows {
            assert_eq!((row.status, row.ns), (Status::Skipped, None), "{row:?}");
            assert!(row.reason_text().contains("over the time budget"), "{row:?}");
        }
    }
}

/// Set by a method, which ends the measurement.
static STOP: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicUsize = AtomicUsize::new(0);

#[test]
fn measurement_stops_between_two_methods() {
    fn stopping() -> Box<dyn NarrowPhase + Send> {
        struct Stopping(Reference);
        impl NarrowPhase for Stopping {
            fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
                STOP.store(true, SeqCst);
                ASKED.fetch_add(1, SeqCst);
                self.0.examine(a, b).answer
            }
        }
        Box::new(Stopping(Reference::new()))
    }
    let methods = [planted("a", stopping), planted("b", stopping)];
    let (case, clock) = (pairs("cube,rod:1", 2), TickingClock::new());
    let ended = measure_stages(&case, &plan(&[], &methods), "r", &clock, &mut (), &STOP);
    assert!(matches!(ended, Err(RunError::Stopped)));
    assert_eq!(ASKED.load(SeqCst), 1, "the other method was asked too");
}

#[test]
fn bodies_without_room_are_a_warning() {
    let sat = [narrow::find("sat").unwrap()];
    let clock = TickingClock::new();
    let measured = measure_stages(&crowd(), &plan(&[], &sat), "r", &clock, &mut (), &NEVER);
    let warnings = measured.unwrap().warnings;
    let [Warning::Placement(text)] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(text.contains("has no room for"), "{text}");
}

#[test]
fn rows_are_read_back_and_a_second_row_is_refused() {
    let rows = rows(&pairs("cube,rod:5", 1), &plan(&[], &[narrow::find("gjk").unwrap()]));
    let folder = tempfile::tempdir().unwrap();
    let write = |rows: &[StageRow], path: &Path| {
        FramesFile::create(path).unwrap().write(rows.iter().cloned()).unwrap();
    };
    let path = folder.path().join(StagesFile::NAME);
    write(&rows, &path);
    assert_eq!(StagesFile::read(folder.path()).unwrap().rows, rows);
    write(&[rows[0].clone(), rows[0].clone()], &path);
    let error = StagesFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("line 3: a second row for narrow gjk on cube,rod:uniform"), "{error}");
    std::fs::write(&path, "run_id,input\r\n").unwrap();
    let error = StagesFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("line 1: expected the columns of stages.csv, but `n`"), "{error}");
}
