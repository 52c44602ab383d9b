//! Claims on planted rows.

use super::claims::{ExperimentRows, check};
use super::plan::{Experiment, SAMPLINGS};
use crate::study::{Statement, Verdict};
use measure::{Stage, StageRow, Status};

/// A row without figures but the counts: tests, passed, false, missed, work.
fn row(stage: Stage, method: &str, counts: [u64; 5]) -> StageRow {
    let [tests, passed, false_passed, missed, work] = counts.map(Some);
    StageRow {
        input: "box,box:uniform".into(),
        stage,
        method: method.into(),
        tests,
        passed,
        false_passed,
        missed,
        work,
        test_ns: Some(100.0),
        status: Status::Ok,
        ..StageRow::default()
    }
}

/// A time of impact at some speeds, each with misses, false alarms and steps of 1000 tests.
fn impact(method: &str, at: &[(f64, [u64; 3])]) -> Vec<StageRow> {
    let row = |&(speed, [missed, alarms, work]): &(f64, [u64; 3])| StageRow {
        speed: Some(speed),
        largest_error: Some(1e-12),
        ..row(Stage::Impact, method, [1000, 500, alarms, missed, work])
    };
    at.iter().map(row).collect()
}

fn claim(rows: &ExperimentRows, what: &str) -> Statement {
    check(rows).into_iter().find(|claim| claim.what.contains(what)).unwrap()
}

fn verdict_of(rows: Vec<StageRow>, from: Experiment, what: &str) -> (Verdict, String) {
    let Statement { verdict, figure, .. } = claim(&ExperimentRows::of(from, rows), what);
    (verdict, figure)
}

#[test]
fn missing_wrong_and_skipped_methods_are_named() {
    let other = || impact("discrete", &[(1.0, [0; 3])]);
    let what = "Moving SAT finds the first";
    let (verdict, figure) = verdict_of(other(), Experiment::Moving, what);
    assert_eq!(verdict, Verdict::NotMeasured);
    assert_eq!(figure, "`moving-sat` is missing: this program has no such method");
    let with = |status, reason: &str| {
        let reason = Some(reason.to_owned());
        let rows = impact("moving-sat", &[(1.0, [0; 3])]).into_iter();
        let rows = rows.map(|row| StageRow { status, reason: reason.clone(), ..row });
        verdict_of(rows.chain(other()).collect(), Experiment::Moving, what)
    };
    let (verdict, figure) = with(Status::Error, "by moving-sat");
    assert!(
        verdict == Verdict::Missed && figure.starts_with("`moving-sat` is wrong: "),
        "{figure}"
    );
    assert_eq!(with(Status::Skipped, "too late").0, Verdict::NotMeasured);
    let nothing = claim(&ExperimentRows::default(), what);
    assert_eq!(nothing.figure, "the experiment moving has no rows");
}

#[test]
fn each_rule_judges_by_its_counts() {
    use Experiment::{Moving, Vertices, Volumes};
    let exact = |missed, error| {
        let mut rows = impact("moving-sat", &[(0.1, [0; 3]), (4.0, [missed, 0, 1])]);
        rows[1].largest_error = Some(error);
        rows
    };
    let attempt = |slow: [u64; 3], fast: [u64; 3]| {
        impact("halving", &[(0.1, slow), (0.5, [400, 0, 1]), (4.0, fast)])
    };
    let adaptive = |work| -> Vec<StageRow> {
        let fixed = SAMPLINGS.iter().zip([500, 20, 10, 0]).zip([4000, 16_000, 64_000, 256_000]);
        let fixed = fixed.flat_map(|((id, missed), work)| impact(id, &[(1.0, [missed, 0, work])]));
        fixed.chain(impact("bilateral", &[(1.0, [0, 0, work])])).collect()
    };
    let bisection = |work| impact("bisection", &[(0.25, [0, 0, 10_000]), (4.0, [0, 0, work])]);
    let climbing = |times: [f64; 4]| -> Vec<StageRow> {
        let at = |(points, ns): (u32, f64)| {
            [("sat", 100.0), ("sat+climbing", ns)].map(|(method, ns)| StageRow {
                input: format!("hull-{points}@hulls,hull-{points}@hulls:uniform"),
                test_ns: Some(ns),
                ..row(Stage::Narrow, method, [1; 5])
            })
        };
        [16, 32, 64, 128].into_iter().zip(times).flat_map(at).collect()
    };
    let tightness = |sphere| -> Vec<StageRow> {
        let of = [("sphere", sphere), ("dop14", 60), ("obb", 50), ("hull", 40)];
        let volume = |(id, passed)| (row(Stage::Volume, id, [200, passed, 0, 0, 0]), "sphere");
        let boxes = (row(Stage::Boxes, "tight", [9, 70, 0, 0, 0]), "tight");
        let all = of.map(volume).into_iter().chain([boxes]);
        all.map(|(row, kind)| StageRow { box_kind: kind.into(), ..row }).collect()
    };
    for (from, what, met, missed) in [
        (Volumes, "Tightness", tightness(80), vec![tightness(65)]),
        (
            Moving,
            "Moving SAT finds the first",
            exact(0, 1e-10),
            vec![exact(0, 1e-8), exact(1, 1e-12)],
        ),
        (
            Moving,
            "with halving",
            attempt([5, 5, 1], [0, 11, 1]),
            // It errs at slow speeds, and works at high ones.
            vec![attempt([11, 0, 1], [0, 11, 1]), attempt([0, 0, 1], [0, 10, 1])],
        ),
        (Moving, "Adaptive sampling", adaptive(63_000), vec![adaptive(65_000)]),
        (Moving, "Bisection", bisection(18_000), vec![bisection(18_001)]),
        (
            Vertices,
            "extreme vertices",
            climbing([140.0, 120.0, 90.0, 50.0]),
            vec![
                climbing([90.0; 4]),
                climbing([140.0, 120.0, 110.0, 90.0]),
                climbing([140.0, 90.0, 110.0, 101.0]),
            ],
        ),
    ] {
        assert_eq!(verdict_of(met, from, what).0, Verdict::Met, "{what}");
        for (at, rows) in missed.into_iter().enumerate() {
            assert_eq!(verdict_of(rows, from, what).0, Verdict::Missed, "{what}, {at}");
        }
    }
}

#[test]
fn published_page_is_that_of_its_rows() {
    crate::study::assert_published("bodies", super::report);
}
