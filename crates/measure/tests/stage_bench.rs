//! All stages side by side: their rows, their order, their faults.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod common;

use common::{NEVER, TickingClock};
use measure::{
    Case, Exit, FramesFile, RandomPairs, Stage, StageCase, StagePlan, StageRow, StagesFile, Status,
    measure_stages,
};
use narrowphase::narrow::{self, NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{self, VOLUMES, VolumeKind};
use narrowphase::{Answer, Body, BoxKind, NarrowCounters, NarrowPhase, PairCache, Reference};
use sim::SceneDocument;
use std::path::Path;
use std::sync::Mutex;
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
        volumes,
        narrow_phases,
        box_kinds: &[BoxKind::Tight],
        threads: &[1],
        repeats: 2,
        order_seed: 1,
        budget: None,
        memory_limit: u64::MAX,
        folder: None,
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

    fn counters(&self) -> NarrowCounters {
        NarrowCounters::default()
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

            fn counters(&self) -> NarrowCounters {
                NarrowCounters::default()
            }
        }
        Box::new(Blind)
    });
    let panics = planted("panics", || panic!("planted panic"));
    let methods = [blind, panics, narrow::find("sat").unwrap()];
    for (case, shapes) in [(crowd(), "four"), (pairs("tetrahedron,rod:40", 1), "rod")] {
        let folder = tempfile::tempdir().unwrap();
        let plan = StagePlan { folder: Some(folder.path()), ..plan(&[], &methods) };
        let rows = rows(&case, &plan);
        let row = find(&rows, Stage::Narrow, "blind");
        assert_eq!((row.status, row.exit(), row.ns), (Status::Error, Exit::Disagreement, None));
        assert_eq!((row.tests, row.passed, row.work, row.test_ns), (None, None, None, None));
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let reason = row.reason.as_ref().unwrap().to_string();
        assert!(reason.contains("`blind` separates bodies"), "{reason}");
        assert!(reason.contains(&file.path().display().to_string()), "{reason}");
        let document = SceneDocument::read(&file.path()).unwrap();
        let names: Vec<&str> =
            document.scene().placed_bodies.iter().map(|body| body.shape.as_str()).collect();
        assert!(names.len() == 2 && reason.contains(names[0]), "{names:?}");
        assert!(document.scene().shapes.iter().any(|rule| rule.name == shapes));
        assert_eq!(find(&rows, Stage::Narrow, "panics").exit(), Exit::Running);
        assert_eq!(find(&rows, Stage::Narrow, "sat").status, Status::Ok);
    }
}

#[test]
fn method_over_its_budget_is_skipped() {
    let methods = [narrow::find("sat").unwrap()];
    let volumes = [volume::find("sphere").unwrap()];
    let ns = |ns| Some(Duration::from_nanos(ns));
    let plan = StagePlan { budget: ns(45), ..plan(&volumes, &methods) };
    let rows = rows(&crowd(), &plan);
    // Six frames of 10 ns; a volume is placed and tested.
    for (stage, method, place) in [
        (Stage::Narrow, "sat", "repetition 1, frame 1"),
        (Stage::Volume, "sphere", "repetition 0, frame 2"),
    ] {
        let row = find(&rows, stage, method);
        assert_eq!((row.status, row.tests, row.exit()), (Status::Skipped, None, Exit::Ok));
        let reason = row.reason.as_ref().unwrap().to_string();
        assert_eq!(reason, format!("over the time budget at {place}"));
    }
}

#[test]
fn rows_are_read_back_and_a_second_row_is_refused() {
    let rows = rows(&pairs("cube,rod:5", 1), &plan(&[], &[narrow::find("gjk").unwrap()]));
    let folder = tempfile::tempdir().unwrap();
    let write = |rows: &[StageRow], path: &Path| {
        FramesFile::create(path).unwrap().write_table(rows.iter().cloned()).unwrap();
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
