//! The stages take no more memory than they are given.

use measure::{
    Case, Method, Outcome, PairMotion, Plan, RandomPairs, StageRow, Stages, Status, finder,
};
use narrowphase::{narrow, volume};
use peak_alloc::PeakAlloc;
use sim::scene::{Continuous, Radius};
use sim::{Scene, SceneDocument};
use std::path::Path;

/// Bytes of code and stacks that do not grow with the case.
const FIXED: f64 = 3e6;

/// How many times the memory that it takes a case is given at most: all methods count as if they held as much of a pair
/// as the one that holds most.
const MARGIN: f64 = 16.0;

/// Whether all is measured within so many bytes.
type Measured<'a> = &'a dyn Fn(f64) -> bool;

/// All methods side by side.
fn check(name: &str, case: &Case, threads: &[u32]) {
    let mut methods = Method::all();
    methods.extend([Method::RelativeSweep, Method::ExactContacts, Method::ApproximateContacts]);
    let (finder, stages) = ([finder()], Some(Stages::Each(&methods)));
    check_limits(name, &|limit| {
        let memory_limit = limit as u64;
        let plan = Plan { threads, memory_limit, stages, ..crate::common::plan(&finder, 1) };
        let rows = crate::common::measure(case, &plan).stage_rows("r", case, &plan);
        assert!(rows.iter().all(|row| row.status != Status::Error), "{name}: {rows:?}");
        let is_serial = |row: &StageRow| row.method == "relative-sweep" && row.threads > 1;
        rows.iter().all(|row| row.status == Status::Ok || is_serial(row))
    });
}

/// One chain of methods, as `run` measures it.
fn check_chain(case: &Case) {
    let (volume, narrow) = (volume::find("obb").unwrap(), narrow::find("gjk+cached").unwrap());
    let algorithms = [crate::common::row("brute-force")];
    let plan = crate::common::plan(&algorithms, 1);
    let plan = Plan { stages: Some(Stages::Chain { volume, narrow }), ..plan };
    check_limits("chain", &|limit| {
        let plan = Plan { memory_limit: limit as u64, ..plan };
        crate::common::measure(case, &plan).cells[0].outcome == Outcome::Ok
    });
}

/// What is measured takes no more than its limit, is refused under what it takes, and measured under so many times that.
fn check_limits(name: &str, is_measured: Measured<'_>) {
    let taken_within = |limit: f64| {
        let before = PeakAlloc.current_usage();
        PeakAlloc.reset_peak_usage();
        let is_measured = is_measured(limit);
        (is_measured, (PeakAlloc.peak_usage() - before) as f64)
    };
    let (is_measured, taken) = taken_within(1e12);
    assert!(is_measured && taken > 2.0 * FIXED, "{name}: too small to judge, {taken} bytes");
    for limit in [0.5 * taken, 0.8 * taken, taken - FIXED] {
        let (is_measured, taken) = taken_within(limit);
        assert!(!is_measured, "{name} is measured within {limit} bytes");
        assert!(taken <= limit + FIXED, "{name}: {taken} bytes are more than the limit of {limit}");
    }
    let most = MARGIN * taken;
    assert!(taken_within(most).0, "{name} is refused {most} bytes, and takes {taken}");
}

fn scene(name: &str, objects: u32, radius: f32, continuous: Continuous) -> Case {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let scene = SceneDocument::read(&path).unwrap().scene().clone();
    let radius = Radius::Equal(radius);
    // Paths are searched from the first step on, which follows the first frame.
    let frames = if continuous == Continuous::Off { 1 } else { 2 };
    let scene = Scene { objects, radius, continuous, ..scene };
    Case::of_scene(name, scene, 0, frames)
}

#[test]
fn stages_take_no_more_memory_than_they_are_given() {
    let _alone = crate::ALONE.lock();
    let pairs = |spec: &str| RandomPairs::new(spec.parse().unwrap(), None, 7).unwrap();
    check("pairs", &Case::of_pairs(pairs("cube,rod:4000"), 0, 1), &[1, 2]);
    let motion = PairMotion { speed: 0.5, spin: 0.0, against_resting: false };
    let moving = pairs("cube,capsule:3000").moving(motion);
    check("pairs in motion", &Case::of_pairs(moving, 0, 1), &[1]);
    check("pairs that touch", &Case::of_pairs(pairs("cube,capsule:3000:deep"), 0, 1), &[1]);
    // Few pairs of many bodies, and many pairs of few.
    check("zoo", &scene("zoo.scene", 4000, 0.01, Continuous::Off), &[1, 2]);
    check("paths", &scene("zoo.scene", 6000, 0.005, Continuous::All), &[1]);
    check("compounds", &scene("jacks.scene", 130, 0.4, Continuous::Off), &[1]);
    check_chain(&scene("zoo.scene", 1000, 0.3, Continuous::Off));
}
