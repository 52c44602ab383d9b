//! The stages after the broad phase, one after the other or side by side: what is clocked, what is checked, and what a
//! wrong answer becomes. Times of impact: their counts and errors.

use crate::common::{DROPS, FAULTY_FRAME, PANICS, SetClock, TickingClock, measure, row};
use broadphase::registry::Algorithm;
use measure::{
    Case, Clock, Exit, FrameRow, FramesFile, Instruments, MeasuredCase, Method, Outcome,
    PairMotion, Plan, RandomPairs, RunError, Stage, StageRow, Stages, StagesFile, Status, Warning,
    Watch, finder, measure_case, measure_case_watched,
};
use narrowphase::impact::{
    Exactness, Impact, ImpactMethod, ImpactReference, Motion, TIMES_OF_IMPACT, TimeOfImpact,
};
use narrowphase::narrow::{self, NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{self, VOLUMES};
use narrowphase::{Answer, Body, BoxKind, NarrowPhase, PairCache, Reference, Shape, Verdict};
use sim::SceneDocument;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// Large cubes and tetrahedra that find no room without overlap: a warm-up frame and some that count.
fn crowd(frames: u32) -> Case {
    let text = b"i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n#!speed 3\n\
        #!shape die box 1 1 1\n#!shape four tetrahedron 1\n#!bodies source 1 die 50 four 50\n";
    let scene = SceneDocument::parse("bodies", text).unwrap().scene().clone();
    Case::of_scene("crowd", scene, 1, frames)
}

fn pairs(spec: &str, frames: u32) -> Case {
    Case::of_pairs(RandomPairs::new(spec.parse().unwrap(), None, 7).unwrap(), 0, frames)
}

fn measured(case: &Case, plan: &Plan<'_>, clock: &dyn Clock) -> MeasuredCase {
    measure_case(case, plan, Instruments::new(clock, None)).unwrap()
}

/// Methods side by side in two repetitions.
fn plan(methods: &[Method]) -> Plan<'_> {
    static FINDER: LazyLock<[&Algorithm; 1]> = LazyLock::new(|| [finder()]);
    Plan { stages: Some(Stages::Each(methods)), ..crate::common::plan(&*FINDER, 2) }
}

/// The rows of a plan. Neighbouring readings of the clock are 10 ns apart.
fn rows_of(case: &Case, plan: &Plan<'_>) -> Vec<StageRow> {
    measured(case, plan, &TickingClock::new()).stage_rows("r", case, plan)
}

/// The rows of methods in two repetitions.
fn rows(case: &Case, methods: &[Method]) -> Vec<StageRow> {
    rows_of(case, &plan(methods))
}

fn find<'a>(rows: &'a [StageRow], stage: Stage, method: &str) -> &'a StageRow {
    rows.iter().find(|row| (row.stage, row.method.as_str()) == (stage, method)).unwrap()
}

fn sat() -> Method {
    Method::Narrow(narrow::find("sat").unwrap())
}

/// A narrow phase that answers from the verdict of the reference.
struct Planted(Reference, fn(Verdict) -> Answer);

impl NarrowPhase for Planted {
    fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
        self.1(self.0.examine(a, b))
    }
}

fn answers(answer: fn(Verdict) -> Answer) -> Box<dyn NarrowPhase + Send> {
    Box::new(Planted(Reference::new(), answer))
}

fn kind(id: &'static str, build: fn() -> Box<dyn NarrowPhase + Send>) -> &'static NarrowPhaseKind {
    let mut kind = *narrow::find("sat").unwrap();
    (kind.id, kind.build) = (id, build);
    Box::leak(Box::new(kind))
}

fn planted(id: &'static str, build: fn() -> Box<dyn NarrowPhase + Send>) -> Method {
    Method::Narrow(kind(id, build))
}

#[test]
fn stages_are_clocked_apart_from_all_else() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plain = crate::common::plan(&algorithms, 2);
    let (volume, narrow) = (volume::find("dop26").unwrap(), narrow::find("sat").unwrap());
    let chain = Plan { stages: Some(Stages::Chain { volume, narrow }), ..plain };
    let (without, measured) = (measure(&crowd(2), &plain), measure(&crowd(2), &chain));
    for (cell, plain) in measured.cells.iter().zip(&without.cells) {
        assert_eq!((&cell.outcome, cell.samples.len()), (&Outcome::Ok, 6));
        for (sample, plain) in cell.samples.iter().zip(&plain.samples) {
            let &FrameRow { volume_passed, contact_points, hits, .. } = sample;
            assert!(volume_passed <= Some(sample.pairs) && volume_passed >= hits, "{sample:?}");
            assert!(contact_points >= hits, "{sample:?}");
            let [volume_ns, narrow_ns, contact_ns] = [Some(10); 3];
            let with = FrameRow { volume_ns, narrow_ns, contact_ns, ..plain.clone() };
            assert_eq!(*sample, FrameRow { volume_passed, contact_points, ..with });
        }
    }
    let row = measured.cells[0].summary("r", &crowd(2), &chain);
    assert_eq!([row.volume_ns, row.narrow_ns, row.contact_ns], [Some(10); 3]);
    assert!(row.volume_passed < row.pairs && row.volume_passed >= row.hits, "{row:?}");
    assert!(row.contact_points >= row.hits && row.hits > Some(1.0), "{row:?}");
}

#[test]
fn wrong_answer_is_an_error_that_names_the_pair() {
    fn faulty() -> Box<dyn NarrowPhase + Send> {
        answers(|verdict| match verdict.gap < -0.01 {
            true => Answer::Separated { axis: None },
            false => verdict.answer,
        })
    }
    /// Right in the first repetition.
    fn moody() -> Box<dyn NarrowPhase + Send> {
        static BUILT: AtomicU32 = AtomicU32::new(0);
        let is_first = BUILT.fetch_add(1, SeqCst) == 0;
        if is_first { answers(|verdict| verdict.answer) } else { faulty() }
    }
    let [obb, inside] = ["obb", "sphere-inside"].map(|id| volume::find(id).unwrap());
    let sat = narrow::find("sat").unwrap();
    // An inscribed sphere that claims to contain its body.
    let mut liar = *inside;
    (liar.id, liar.exact) = ("liar", true);
    let liar = &*Box::leak(Box::new(liar));
    let algorithms = [row("bsp")];
    for (method, repeat, volume, narrow) in [
        ("faulty", 0, obb, kind("faulty", faulty)),
        ("moody", 1, obb, kind("moody", moody)),
        ("liar", 0, liar, sat),
        ("", 0, inside, sat),
    ] {
        let stages = Some(Stages::Chain { volume, narrow });
        let plan = Plan { stages, ..crate::common::plan(&algorithms, 2) };
        let cell = measure(&crowd(2), &plan).cells.remove(0);
        let row = cell.summary("r", &crowd(2), &plan);
        let reason = cell.outcome.to_string();
        if method.is_empty() {
            assert_eq!((row.exit(), &*reason), (Exit::Ok, "ok"));
            continue;
        }
        let said = format!("frame 0 of repetition {repeat}: `{method}` is wrong about bodies ");
        let overlap = "): it separates them; they overlap by ";
        assert!(reason.starts_with(&said) && reason.contains(overlap), "{reason}");
        assert_eq!((row.exit(), row.volume_ns), (Exit::Disagreement, None));
    }
}

#[test]
fn rows_of_all_methods_fit_each_other() {
    let case = crowd(2);
    let methods: Vec<Method> = Method::all();
    let plan = plan(&methods);
    let measured = measured(&case, &plan, &TickingClock::new());
    let warnings = Warning::joined(&measured.warnings);
    assert!(warnings.contains("has no room for"), "{warnings}");
    let rows = measured.stage_rows("r", &case, &plan);
    assert_eq!(rows.len(), 1 + 2 * VOLUMES.len() + NARROW_PHASES.len() + 1, "no impacts");
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
        assert_eq!(row.right_contacts(), Some(touching), "{}", kind.id);
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
    let methods = [sat(), Method::Contacts];
    let plan = Plan { threads: &[1, 2], ..plan(&methods) };
    let [tight, rotated, sphere] = BoxKind::ALL.map(|kind| {
        let rows = rows_of(&crowd(2).with_box_kind(kind), &plan);
        assert!(rows.len() == 2 * 3 && rows.iter().all(|row| row.box_kind == kind.id()));
        let (one, two) = rows.split_at(3);
        for (row, other) in one.iter().zip(two) {
            assert_eq!((row.threads, other.threads), (1, 2));
            assert_eq!((row.tests, row.passed, row.work), (other.tests, other.passed, other.work));
        }
        [&one[0], &one[1]].map(|row| row.passed.unwrap())
    });
    assert!(tight[0] < rotated[0].min(sphere[0]), "{tight:?} {rotated:?} {sphere:?}");
    assert!(tight[1] == rotated[1] && tight[1] == sphere[1], "the same bodies touch");
}

#[test]
fn wrong_method_is_an_error_and_the_others_go_on() {
    let mut unfit = *volume::find("obb").unwrap();
    (unfit.id, unfit.fit) = ("unfit", |_: &[Shape], _: bool| panic!("planted panic"));
    let methods = [
        planted("blind", || answers(|_| Answer::Separated { axis: None })),
        planted("panics", || panic!("planted panic")),
        Method::Volume(Box::leak(Box::new(unfit))),
        sat(),
    ];
    for (case, shapes) in [(crowd(2), "four"), (pairs("tetrahedron,rod:40", 1), "rod")] {
        let rows = rows(&case, &methods);
        let row = find(&rows, Stage::Narrow, "blind");
        assert_eq!((row.status, row.exit(), row.ns), (Status::Error, Exit::Disagreement, None));
        assert_eq!((row.tests, row.passed, row.work, row.test_ns), (None, None, None, None));
        let reason = row.reason_text();
        for part in ["`blind` is wrong about bodies", "it separates them", shapes] {
            assert!(reason.contains(part), "{reason}");
        }
        for (stage, id) in
            [(Stage::Narrow, "panics"), (Stage::Place, "unfit"), (Stage::Volume, "unfit")]
        {
            let row = find(&rows, stage, id);
            assert_eq!(row.exit(), Exit::Running);
            assert!(row.reason_text().ends_with("of repetition 0: planted panic"), "{row:?}");
        }
        assert_eq!(find(&rows, Stage::Narrow, "sat").status, Status::Ok);
    }
}

#[test]
fn wrong_candidates_are_an_error_of_every_row() {
    let frame = format!("frame {FAULTY_FRAME} of repetition 0: ");
    let wrong = format!("{frame}its pairs differ from brute-force");
    let panic = format!("panicked in {frame}planted panic");
    for (finder, exit, reason) in
        [(&DROPS, Exit::Disagreement, wrong), (&PANICS, Exit::Running, panic)]
    {
        let plan = Plan { algorithms: &[finder], ..plan(&[Method::Contacts]) };
        let rows = rows_of(&crowd(4), &plan);
        assert_eq!(rows.len(), 2);
        for row in rows {
            assert_eq!((row.exit(), row.ns), (exit, None), "{row:?}");
            assert!(row.reason_text().starts_with(&reason), "{row:?}");
        }
    }
}

#[test]
fn budgets_of_a_method_and_of_what_all_share_are_kept() {
    /// It stands still unless a method takes its time.
    static CLOCK: SetClock = SetClock::new();
    let slow = planted("slow", || {
        answers(|verdict| {
            CLOCK.now_ns.fetch_add(100, SeqCst);
            verdict.answer
        })
    });
    let methods = [slow, sat()];
    // Ten pairs take a microsecond a frame.
    let plan = Plan { budget: Some(Duration::from_nanos(2500)), ..plan(&methods) };
    let case = pairs("cube,rod:10", 2);
    for row in measured(&case, &plan, &CLOCK).stage_rows("r", &case, &plan) {
        let reason =
            if row.method == "slow" { "over the time budget at repetition 1, frame 0" } else { "" };
        assert_eq!((row.reason_text().as_str(), row.exit()), (reason, Exit::Ok), "{row:?}");
    }
    let budget = Some(Duration::from_nanos(45));
    for row in rows_of(&crowd(2), &Plan { budget, ..plan }) {
        assert_eq!((row.status, row.ns), (Status::Skipped, None), "{row:?}");
        assert!(row.reason_text().contains("over the time budget"), "{row:?}");
    }
}

#[test]
fn repetition_that_was_stopped_counts_once() {
    static STOPPED: SetClock = SetClock::new();
    let stopped = planted("stopped", || {
        answers(|verdict| {
            // In the first test of all.
            STOPPED.stopped_ns.store(5, SeqCst);
            verdict.answer
        })
    });
    let methods = [stopped, sat()];
    let plan = plan(&methods);
    let case = pairs("cube,rod:10", 3);
    let rows = measured(&case, &plan, &STOPPED).stage_rows("r", &case, &plan);
    assert!(rows.iter().all(|row| row.tests == Some(2 * 3 * 10)), "{rows:?}");
}

#[test]
fn rows_are_read_back_and_a_second_row_is_refused() {
    let rows = rows(&pairs("cube,rod:5", 1), &[Method::Narrow(narrow::find("gjk").unwrap())]);
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

#[test]
fn methods_take_turns_in_every_frame() {
    static ORDER: Mutex<Vec<char>> = Mutex::new(Vec::new());
    fn note(letter: char, verdict: Verdict) -> Answer {
        ORDER.lock().unwrap().push(letter);
        verdict.answer
    }
    let methods = [
        planted("a", || answers(|verdict| note('a', verdict))),
        planted("b", || answers(|verdict| note('b', verdict))),
        planted("c", || answers(|verdict| note('c', verdict))),
    ];
    rows(&pairs("rod,cube:1", 4), &methods);
    let order = ORDER.lock().unwrap();
    assert_eq!(order.len(), 24);
    for round in order.chunks(3) {
        assert!(['a', 'b', 'c'].iter().all(|letter| round.contains(letter)), "{order:?}");
    }
    assert!(order.chunks(3).any(|round| round != &order[..3]), "always the same: {order:?}");
}

#[test]
fn measurement_stops_between_two_methods() {
    /// Set by the first method that is asked, which ends the measurement.
    static STOP: AtomicBool = AtomicBool::new(false);
    fn stopping() -> Box<dyn NarrowPhase + Send> {
        answers(|verdict| {
            assert!(!STOP.swap(true, SeqCst), "the other method is asked too");
            verdict.answer
        })
    }
    let methods = [planted("a", stopping), planted("b", stopping)];
    let (case, clock) = (pairs("cube,rod:1", 2), TickingClock::new());
    let watch = Watch { observer: &mut (), stop: &STOP, finished: Vec::new() };
    let instruments = Instruments::new(&clock, None);
    let ended = measure_case_watched(&case, &plan(&methods), instruments, watch);
    assert!(matches!(ended, Err(RunError::Stopped)));
}

/// Spoils an answer of the reference within a step of these seconds.
type Spoil = fn(Impact, f64) -> Impact;

struct PlantedImpact(ImpactReference, Spoil, u64);

impl TimeOfImpact for PlantedImpact {
    fn find(&mut self, a: (&Body<'_>, &Motion), b: (&Body<'_>, &Motion), limit: f64) -> Impact {
        self.2 += 3;
        self.1(self.0.examine(a, b, limit).impact, limit)
    }

    fn steps(&self) -> u64 {
        self.2
    }
}

/// A time of impact with another name and search.
macro_rules! impact {
    ($id:literal, $exactness:expr, $spoil:expr) => {{
        let mut kind = TIMES_OF_IMPACT[0];
        (kind.id, kind.exactness, kind.has_substeps) = ($id, $exactness, false);
        kind.build = |_| Box::new(PlantedImpact(ImpactReference::default(), $spoil, 0));
        Method::Impact(ImpactMethod { kind: Box::leak(Box::new(kind)), substeps: 1 })
    }};
}

/// The same contacts, later by `by` steps.
fn shifted(impact: Impact, limit: f64, by: f64) -> Impact {
    match impact {
        Impact::At { first, last, axis } => Impact::At { first: first + by * limit, last, axis },
        other => other,
    }
}

/// A contact at the end of the step where there is none.
fn alarm(impact: Impact, limit: f64) -> Impact {
    match impact {
        Impact::Never => Impact::At { first: limit, last: limit, axis: glam::DVec3::X },
        other => other,
    }
}

fn moving(spec: &str, motion: PairMotion) -> Case {
    let pairs = RandomPairs::new(spec.parse().unwrap(), None, 7).unwrap();
    Case::of_pairs(pairs.moving(motion), 1, 2)
}

fn at_speed(speed: f64) -> PairMotion {
    PairMotion { speed, spin: 0.0, against_resting: false }
}

fn all_rows(case: &Case, methods: &[Method], threads: &[u32]) -> Vec<StageRow> {
    rows_of(case, &Plan { threads, repeats: 1, ..plan(methods) })
}

/// The rows of first contacts, without that of boxes.
fn impact_rows(case: &Case, methods: &[Method]) -> Vec<StageRow> {
    let mut rows = all_rows(case, methods, &[1]);
    rows.retain(|row| row.stage == Stage::Impact);
    rows
}

fn of_scene(text: &str, warmup: u32, frames: u32) -> Case {
    let scene = SceneDocument::parse("s", text.as_bytes()).unwrap().scene().clone();
    Case::of_scene("s", scene, warmup, frames)
}

#[test]
fn misses_false_alarms_and_errors_of_methods_are_counted() {
    let methods = [
        impact!("right", Exactness::ToTolerance, |impact, _| impact),
        impact!("blind", Exactness::Never, |_, _| Impact::Never),
        impact!("alarms", Exactness::Never, alarm),
        impact!("late", Exactness::Never, |at, limit| shifted(at, limit, 0.125)),
        impact!("early", Exactness::Never, |at, limit| shifted(at, limit, -0.125)),
        impact!("half", Exactness::Never, |at, limit| match at {
            Impact::At { first, .. } if first > 0.5 * limit => shifted(at, limit, -0.5),
            other => other,
        }),
    ];
    let rows = impact_rows(&moving("rod,cube:200", at_speed(0.5)), &methods);
    let (tests, touching) = (rows[0].tests.unwrap(), rows[0].passed.unwrap());
    let counts = |row: &StageRow| [row.passed, row.missed, row.false_passed].map(Option::unwrap);
    assert_eq!((rows[0].largest_error, rows[0].work), (Some(0.0), Some(3 * tests)));
    assert!(tests == 400 && touching > 100 && rows[0].band == Some(0));
    assert_eq!(counts(&rows[1]), [0, touching, 0]);
    assert_eq!((rows[1].mean_error, rows[1].largest_error), (None, None), "no time was compared");
    assert_eq!(counts(&rows[2]), [tests, 0, tests - touching]);
    assert!(rows.iter().all(|row| row.right_contacts() == Some(touching)));
    // In steps, without a sign.
    let errors = |row: &StageRow| [row.mean_error, row.largest_error].map(Option::unwrap);
    for row in &rows[3..5] {
        assert!(errors(row).iter().all(|error| (error - 0.125).abs() < 1e-9), "{row:?}");
    }
    let [mean, largest] = errors(&rows[5]);
    assert!((0.15..0.35).contains(&mean) && (largest - 0.5).abs() < 1e-9, "{mean} {largest}");
}

#[test]
fn wrong_impact_is_an_error_that_names_the_pair() {
    let right = impact!("right", Exactness::ToTolerance, |impact, _| impact);
    for (wrong, said) in [
        (
            impact!("blind", Exactness::ToTolerance, |_, _| Impact::Never),
            "finds no contact; they touch",
        ),
        (impact!("alarms", Exactness::ToTolerance, alarm), "s; they do not touch in the step"),
        (
            impact!("late", Exactness::Translation, |at, dt| shifted(at, dt, 0.01)),
            "s; they touch after",
        ),
        (impact!("gives up", Exactness::Never, |_, _| Impact::Failed), "gives no answer; they"),
    ] {
        let case = moving("tetrahedron,rod:60", at_speed(1.0));
        let rows = impact_rows(&case, &[wrong, right]);
        let id = wrong.id();
        assert_eq!((rows[0].status, rows[0].exit()), (Status::Error, Exit::Disagreement), "{id}");
        assert_eq!((rows[0].tests, rows[0].missed, rows[0].mean_error), (None, None, None));
        assert_eq!(rows[1].status, Status::Ok, "the others go on");
        let reason = rows[0].reason_text();
        let names_it = reason.contains(&format!("`{id}` is wrong about bodies"));
        assert!(names_it && reason.contains(said), "{reason}");
    }
    let blind = impact!("blind", Exactness::Translation, |_, _| Impact::Never);
    for (spin, status) in [(0.0, Status::Error), (1.0, Status::Ok)] {
        let case = moving("cube,rod:30", PairMotion { spin, ..at_speed(1.0) });
        assert_eq!(
            impact_rows(&case, &[blind])[0].status,
            status,
            "it may err where bodies rotate"
        );
    }
}

#[test]
fn only_continuous_worlds_and_pairs_in_motion_have_impacts() {
    let text = |rule: &str| {
        format!(
            "i -1 -1 -1  2 2 2  100 t\n#!objects 40\n#!radius 0.2\n#!speed 3\n{rule}\n\
             #!shape die box 1 1 1\n#!bodies source 1 die 100\n"
        )
    };
    let all =
        [Method::Impact(narrowphase::impact::find("discrete").unwrap()), Method::ExactContacts];
    for (rule, continuous) in
        [("", None), ("#!continuous bullets", Some("bullets")), ("#!continuous all", Some("all"))]
    {
        let rows = impact_rows(&of_scene(&text(rule), 1, 2), &all);
        let found: Vec<&str> = rows.iter().map(|row| row.continuous.as_str()).collect();
        assert_eq!(found, continuous.into_iter().collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row.status == Status::Ok && row.box_kind == "tight"));
    }
    let still = RandomPairs::new("cube,rod:5".parse().unwrap(), None, 7).unwrap();
    assert!(all_rows(&Case::of_pairs(still, 0, 1), &all, &[1]).is_empty());
    let row =
        &impact_rows(&moving("cube,rod:5:near", PairMotion { spin: 1.0, ..at_speed(0.5) }), &all)
            [0];
    assert_eq!((row.input.as_str(), row.n), ("cube,rod:near@motion=0.5,spin=1", 5));
    assert_eq!((row.speed, row.spin), (Some(0.5), Some(1.0)));
}

#[test]
fn sweep_and_contact_sets_are_those_of_all_first_contacts() {
    let right = impact!("right", Exactness::ToTolerance, |impact, _| impact);
    let methods =
        [right, Method::RelativeSweep, Method::ExactContacts, Method::ApproximateContacts];
    let rows = all_rows(&moving("box,box:200", at_speed(1.0)), &methods, &[1, 2]);
    let [exact, approximate, right, relative, .., on_two] = &rows[..] else { panic!("{rows:?}") };
    let contacts = right.passed;
    assert!(contacts > Some(50), "{right:?}");
    let counts = [exact.tests, exact.passed, approximate.tests, approximate.passed];
    assert_eq!(counts, [contacts; 4]);
    assert!(exact.work >= contacts && exact.mean_error.is_none() && approximate.work.is_none());
    let errors = [approximate.mean_error, approximate.largest_error].map(Option::unwrap);
    assert!(0.0 < errors[0] && errors[0] < errors[1] && errors[1] < 0.5, "{errors:?}");
    assert_eq!((relative.missed, relative.right_contacts()), (Some(0), contacts));
    assert_eq!(on_two.reason_text(), "runs on one thread only");
}
