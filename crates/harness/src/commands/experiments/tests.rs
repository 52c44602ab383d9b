//! Claims on planted rows.

use super::claims::check;
use super::figures::COARSE;
use super::plan::{Experiment, SAMPLINGS};
use super::rows::ExperimentRows;
use crate::study::{Statement, Verdict};
use measure::{Stage, StageRow, Status};

/// A row without figures but the counts: tests, passed, false, missed, work.
fn row(stage: Stage, method: &str, counts: [u64; 5]) -> StageRow {
    let [tests, passed, false_passed, missed, work] = counts.map(Some);
    StageRow {
        run_id: "r".into(),
        input: "box,box:uniform".into(),
        n: 1,
        threads: 1,
        stage,
        method: method.into(),
        tests,
        passed,
        false_passed,
        missed,
        band: Some(0),
        work,
        failures: Some(0),
        ns: Some(1),
        frames: 1,
        repeats: 1,
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
    let Statement { verdict, figure, .. } =
        claim(&ExperimentRows::of(vec![(from, rows)], vec![]), what);
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

/// The counts of volumes: passed, false, missed of 200 tests.
fn volumes(of: &[(&str, [u64; 3])]) -> Vec<StageRow> {
    let row = |&(id, [passed, wrong, missed]): &(&str, [u64; 3])| {
        row(Stage::Volume, id, [200, passed, wrong, missed, 0])
    };
    of.iter().map(row).collect()
}

#[test]
fn each_rule_judges_by_its_counts() {
    use Experiment::{Moving, Parts, Radii, Resting, Vertices, Volumes};
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
    let alarms = |n| impact("swept-boxes", &[(0.1, [0, n, 1]), (4.0, [0, n, 1])]);
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
    let tightness = |sphere| {
        let of = [("sphere", sphere), ("dop14", 60), ("obb", 50), ("hull", 40)];
        let mut rows = volumes(&of.map(|(id, passed)| (id, [passed, 0, 0])));
        rows.iter_mut().for_each(|row| row.box_kind = "sphere".into());
        let boxes = row(Stage::Boxes, "tight", [9, 70, 0, 0, 0]);
        rows.push(StageRow { box_kind: "tight".into(), ..boxes });
        rows
    };
    let parts = |one: [u64; 2], two: [u64; 2]| {
        let of = |id, [missed, wrong]: [u64; 2]| (id, [50, wrong, missed]);
        let mut rows = volumes(&[of(COARSE[0], one), of(COARSE[1], two)]);
        let input = "four@characters.scene,platform@characters.scene";
        rows.iter_mut().for_each(|row| row.input = input.into());
        rows
    };
    let radii = |inside: [u64; 2], mean: [u64; 2], sphere: [u64; 2]| {
        let of = |id, [missed, wrong]: [u64; 2]| (id, [50, wrong, missed]);
        volumes(&[of("sphere-inside", inside), of("sphere-between", mean), of("sphere", sphere)])
    };
    let (right, worse) = (radii([20, 0], [5, 5], [0, 20]), radii([0, 0], [5, 30], [1, 20]));
    for (from, what, met, missed) in [
        (
            Moving,
            "Moving SAT finds the first",
            exact(0, 1e-10),
            vec![exact(0, 1e-8), exact(1, 1e-12)],
        ),
        (Moving, "Swept volumes raise false alarms", alarms(9), vec![alarms(0)]),
        (Resting, "Swept volumes raise none", alarms(0), vec![alarms(9)]),
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
        (Volumes, "Tightness", tightness(80), vec![tightness(65)]),
        (
            Parts,
            "fewer false contacts",
            parts([0, 40], [1, 10]),
            vec![parts([0, 40], [31, 10]), parts([0, 10], [0, 10])],
        ),
        (Radii, "inscribed radius", right.clone(), vec![worse.clone()]),
        (Radii, "circumscribed radius", right.clone(), vec![worse.clone()]),
        (Radii, "mean of both", right, vec![worse]),
    ] {
        assert_eq!(verdict_of(met, from, what).0, Verdict::Met, "{what}");
        for (at, rows) in missed.into_iter().enumerate() {
            assert_eq!(verdict_of(rows, from, what).0, Verdict::Missed, "{what}, {at}");
        }
    }
}
