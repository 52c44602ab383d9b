//! Claims on planted rows.

use super::claims::check;
use super::figures::COARSE;
use super::measuring::TABLES;
use super::plan::{Experiment, SAMPLINGS, Size};
use super::rows::ExperimentRows;
use crate::study::{Statement, Verdict};
use measure::{Labels, Reason, Stage, StageRow, Status, SummaryRow};

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
fn attempt_must_work_below_half_a_length_and_only_there() {
    let at = |slow: [u64; 3], fast: [u64; 3]| {
        let rows = impact("halving", &[(0.1, slow), (0.5, [400, 0, 1]), (4.0, fast)]);
        verdict_of(rows, Experiment::Moving, "with halving")
    };
    let (verdict, figure) = at([5, 5, 1], [0, 11, 1]);
    assert_eq!(verdict, Verdict::Met);
    assert_eq!(
        figure,
        "missed: 0.5 % at 0.1, 40.0 % at 0.5, 0.0 % at 4; false alarms: 0.5 % at 0.1, 0.0 % at 0.5, 1.1 % at 4"
    );
    assert_eq!(at([11, 0, 1], [0, 11, 1]).0, Verdict::Missed, "it errs at slow speeds");
    assert_eq!(at([0, 0, 1], [0, 10, 1]).0, Verdict::Missed, "it works at high speeds");
}

#[test]
fn missing_wrong_and_skipped_methods_are_named() {
    let other = || impact("discrete", &[(1.0, [0; 3])]);
    let what = "Moving SAT finds the first";
    let (verdict, figure) = verdict_of(other(), Experiment::Moving, what);
    assert_eq!(verdict, Verdict::NotMeasured);
    assert_eq!(figure, "`moving-sat` is missing: this program has no such method");
    let with = |status, reason: &str| {
        let reason = Some(Reason::from(reason));
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
fn every_id_of_a_rule_is_measured() {
    let size = Size { pairs: 40, bodies: 10, warmup: 0, frames: 1 };
    let rows_of = |from: Experiment| {
        let cases = from.stage_cases(&size).unwrap();
        let mut rows = Vec::new();
        let mut add = |stage, method: &str| {
            for (case, kind) in
                cases.iter().flat_map(|case| ["", "tight", "sphere"].map(|k| (case, k)))
            {
                let (input, box_kind) = (case.input(), kind.to_owned());
                rows.push(StageRow { input, box_kind, ..row(stage, method, [1; 5]) });
            }
        };
        add(Stage::Boxes, "tight");
        for kind in from.volumes() {
            add(Stage::Place, kind.id);
            add(Stage::Volume, kind.id);
        }
        from.narrow_phases().iter().for_each(|kind| add(Stage::Narrow, kind.id));
        from.impacts().iter().for_each(|method| add(Stage::Impact, &method.to_string()));
        (from, rows)
    };
    let stages = Experiment::ALL.into_iter().filter(|from| from.has_stages()).map(rows_of);
    // As a run writes them.
    let areas = TABLES.into_iter().zip([700.0, 400.0]).map(|(id, tests)| {
        let algorithm = crate::registry::offered().resolve(id).unwrap().id.to_owned();
        let (run_id, input) = (String::new(), "lab.scene".to_owned());
        let labels = Labels { run_id, input, n: 53, seed: None, algorithm, threads: 1 };
        let row = SummaryRow::without_figures(&labels, 1, 1, Status::Ok, None);
        SummaryRow { tests: Some(tests), ..row }
    });
    for claim in check(&ExperimentRows::of(stages.collect(), areas.collect())) {
        assert_ne!(claim.verdict, Verdict::NotMeasured, "{}: {}", claim.what, claim.figure);
    }
}

#[test]
fn exact_method_has_no_wrong_answer_and_nine_digits() {
    let at = |missed, error| {
        let mut rows = impact("moving-sat", &[(0.1, [0; 3]), (4.0, [missed, 0, 1])]);
        rows[1].largest_error = Some(error);
        verdict_of(rows, Experiment::Moving, "Moving SAT finds the first")
    };
    assert_eq!(
        at(0, 1e-10),
        (
            Verdict::Met,
            "0 wrong answers in 2000 tests, times right to 10.0 digits of the step".into()
        )
    );
    assert_eq!(at(0, 1e-8).0, Verdict::Missed);
    assert_eq!(at(1, 1e-12).0, Verdict::Missed);
}

#[test]
fn false_alarms_are_claimed_between_movers_only() {
    let movers = "Swept volumes raise false alarms";
    let resting = "Swept volumes raise none";
    for (alarms, [between, against]) in
        [(9, [Verdict::Met, Verdict::Missed]), (0, [Verdict::Missed, Verdict::Met])]
    {
        let rows = || impact("swept-boxes", &[(0.1, [0, alarms, 1]), (4.0, [0, alarms, 1])]);
        assert_eq!(verdict_of(rows(), Experiment::Moving, movers).0, between);
        assert_eq!(verdict_of(rows(), Experiment::Resting, resting).0, against);
    }
}

#[test]
fn adaptive_sampling_is_compared_with_enough_static_tests() {
    let at = |adaptive: u64| {
        let misses = [500, 20, 10, 0];
        let fixed = SAMPLINGS.iter().zip(misses).zip([4000, 16_000, 64_000, 256_000]);
        let fixed = fixed.flat_map(|((id, missed), work)| impact(id, &[(1.0, [missed, 0, work])]));
        let rows = fixed.chain(impact("bilateral", &[(1.0, [0, 0, adaptive])])).collect();
        verdict_of(rows, Experiment::Moving, "Adaptive sampling")
    };
    let (verdict, figure) = at(63_000);
    assert_eq!(verdict, Verdict::Met);
    assert_eq!(figure, "tests of a pair: 63.0 against 64.0 of substeps@k=64 at 1");
    assert_eq!(at(65_000).0, Verdict::Missed);
}

#[test]
fn bisection_grows_by_the_logarithm_of_the_path() {
    let at = |work| {
        let rows = impact("bisection", &[(0.25, [0, 0, 10_000]), (4.0, [0, 0, work])]);
        verdict_of(rows, Experiment::Moving, "Bisection").0
    };
    assert_eq!([18_000, 18_001].map(at), [Verdict::Met, Verdict::Missed]);
}

#[test]
fn climbing_pays_from_the_first_number_on() {
    let at = |times: [f64; 4]| {
        let mut rows = Vec::new();
        for (points, ns) in [16, 32, 64, 128].into_iter().zip(times) {
            for (method, ns) in [("sat", 100.0), ("sat+climbing", ns)] {
                let input = format!("hull-{points}@hulls,hull-{points}@hulls:uniform");
                let row = row(Stage::Narrow, method, [1; 5]);
                rows.push(StageRow { input, test_ns: Some(ns), ..row });
            }
        }
        verdict_of(rows, Experiment::Vertices, "extreme vertices")
    };
    let (verdict, figure) = at([140.0, 120.0, 90.0, 50.0]);
    assert_eq!(verdict, Verdict::Met);
    assert!(figure.ends_with("1.40 at 16, 1.20 at 32, 0.900 at 64, 0.500 at 128"), "{figure}");
    for times in [[90.0; 4], [140.0, 120.0, 110.0, 90.0], [140.0, 90.0, 110.0, 101.0]] {
        assert_eq!(at(times).0, Verdict::Missed, "{times:?}");
    }
}

#[test]
fn volumes_are_ordered_by_what_they_pass() {
    let at = |passed: [u64; 5]| {
        let [sphere, boxes, dop, obb, hull] = passed;
        let of = |id: &str, passed| StageRow {
            box_kind: "sphere".into(),
            ..row(Stage::Volume, id, [900, passed, 0, 0, 0])
        };
        let tight = row(Stage::Boxes, "tight", [9, boxes, 0, 0, 0]);
        let mut rows =
            vec![of("sphere", sphere), of("dop14", dop), of("obb", obb), of("hull", hull)];
        rows.push(StageRow { box_kind: "tight".into(), ..tight });
        verdict_of(rows, Experiment::Volumes, "Tightness")
    };
    let (verdict, figure) = at([800, 700, 600, 500, 400]);
    assert_eq!(verdict, Verdict::Met);
    assert_eq!(
        figure,
        "pairs that pass: sphere 800, tight boxes 700, dop14 600, obb 500, hull 400"
    );
    assert_eq!(at([600, 700, 600, 500, 400]).0, Verdict::Missed);
}

#[test]
fn more_parts_must_err_less_at_the_same_poses() {
    let at = |one: [u64; 2], two: [u64; 2]| {
        let of = |id: &str, [missed, wrong]: [u64; 2]| {
            let row = row(Stage::Volume, id, [200, 50, wrong, missed, 0]);
            StageRow { input: "four@characters.scene,platform@characters.scene".into(), ..row }
        };
        let rows = vec![of(COARSE[0], one), of(COARSE[1], two)];
        verdict_of(rows, Experiment::Parts, "fewer false contacts")
    };
    let (verdict, figure) = at([0, 40], [1, 10]);
    assert_eq!(verdict, Verdict::Met);
    assert_eq!(
        figure,
        "of the tests of four parts, one part invents contacts in 20.0 % and misses 0.0 %, \
         two parts invents contacts in 5.0 % and misses 0.5 %"
    );
    assert_eq!(at([0, 40], [31, 10]).0, Verdict::Missed, "two parts miss as many");
    assert_eq!(at([0, 10], [0, 10]).0, Verdict::Missed);
}

#[test]
fn radii_err_on_their_own_sides() {
    let at = |inside: [u64; 2], mean: [u64; 2], sphere: [u64; 2]| {
        let of = |id: &str, [missed, wrong]: [u64; 2]| {
            row(Stage::Volume, id, [100, 50, wrong, missed, 0])
        };
        vec![of("sphere-inside", inside), of("sphere-between", mean), of("sphere", sphere)]
    };
    let rows = || at([20, 0], [5, 5], [0, 20]);
    for what in ["inscribed radius", "circumscribed radius", "mean of both"] {
        assert_eq!(verdict_of(rows(), Experiment::Radii, what).0, Verdict::Met, "{what}");
    }
    let worse = at([0, 0], [5, 30], [1, 20]);
    for what in ["inscribed radius", "circumscribed radius", "mean of both"] {
        assert_eq!(verdict_of(worse.clone(), Experiment::Radii, what).0, Verdict::Missed, "{what}");
    }
}
