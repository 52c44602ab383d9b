//! Claims on planted cells.

use super::*;
use crate::commands::thesis::experiments::RADIUS;
use crate::commands::thesis::methods::{SCALAR, VECTORISED};
use report::{Cell, Key};

fn cell(input: &str, algorithm: &str, n: u64, fps: f64) -> Cell {
    let key =
        Key { input: input.into(), n, seed: Some(1), algorithm: algorithm.into(), threads: 1 };
    let ns = 1e9 / fps;
    let interval_ns = Some([0.99 * ns, 1.01 * ns]);
    Cell { median_ns: Some(ns), interval_ns, fps: Some(fps), ..Cell::new(key) }
}

fn checked(experiments: Vec<(Experiment, Vec<Cell>)>, what: &str) -> [Statement; 2] {
    let rows = ThesisRows::of(experiments);
    let checked = check(&rows, Some("a card [Vulkan, discrete GPU]"));
    checked.into_iter().find(|[claim, _]| claim.what.contains(what)).unwrap()
}

fn verdict(experiments: Vec<(Experiment, Vec<Cell>)>, what: &str) -> (Verdict, String) {
    let [Statement { verdict, figure, .. }, _] = checked(experiments, what);
    (verdict, figure)
}

#[test]
fn each_set_is_judged_by_its_own_brute_force() {
    let cell = |id, fps| cell(Experiment::Random.input(), id, 5000, fps);
    let random = |scalar: &[Cell]| {
        let vectorised = [cell(VECTORISED.brute_force, 100.0), cell(VECTORISED.bsp, 500.0)];
        vec![(Experiment::Random, [&vectorised[..], scalar].concat())]
    };
    let scalar = [cell(SCALAR.brute_force, 10.0), cell(SCALAR.bsp, 470.0)];
    let [vectorised, scalar] = checked(random(&scalar), "bsp is 47 times");
    assert_eq!((vectorised.verdict, scalar.verdict), (Verdict::Missed, Verdict::Met));
    assert_eq!((vectorised.figure.as_str(), scalar.figure.as_str()), ("5.00 times", "47.0 times"));
    let [_, scalar] = checked(random(&[]), "bsp is 47 times");
    assert_eq!((scalar.verdict, scalar.figure.as_str()), (Verdict::NotMeasured, "not measured"));
}

#[test]
fn factor_holds_within_a_quarter_of_it() {
    let random = |fps: f64| {
        let cell = |id, fps| cell(Experiment::Random.input(), id, 5000, fps);
        vec![(Experiment::Random, vec![cell("brute-force", 10.0), cell("bsp", fps)])]
    };
    assert_eq!(verdict(random(470.0), "bsp is 47 times").0, Verdict::Met);
    assert_eq!(verdict(random(580.0), "bsp is 47 times").0, Verdict::Met);
    let (verdict_, today) = verdict(random(51.2), "bsp is 47 times");
    assert_eq!((verdict_, today.as_str()), (Verdict::Missed, "5.12 times"));
    assert_eq!(verdict(vec![], "bsp is 47 times").0, Verdict::NotMeasured);
}

#[test]
fn matrix_must_be_the_fastest_at_every_number_up_to_500() {
    let fer = |at_500: f64| {
        let cell = |id, n, fps| cell(Experiment::Fer.input(), id, n, fps);
        let cells = vec![
            cell("sap-matrix", 50, 9.0),
            cell("bsp", 50, 8.0),
            cell("sap-matrix", 500, at_500),
            cell("bsp", 500, 8.0),
            cell("sap-matrix", 1000, 1.0),
            cell("bsp", 1000, 8.0),
        ];
        vec![(Experiment::Fer, cells)]
    };
    let checked = |at_500| {
        let checked = check(&ThesisRows::of(fer(at_500)), None);
        checked.into_iter().map(|[c, _]| c).find(|c| c.basis == "E3, figure 8.13").unwrap()
    };
    assert_eq!(checked(9.0).verdict, Verdict::Met);
    assert_eq!(checked(4.0).verdict, Verdict::Missed);
    assert!(
        checked(4.0).figure.contains("1 of 2 numbers of objects; at n = 500 bsp is 2.00 times")
    );
    assert_eq!(verdict(fer(9.0), "falls below it at 1000").0, Verdict::Met);
    assert_eq!(verdict(fer(4.0), "falls below it at 1000").0, Verdict::Missed);
}

#[test]
fn jump_is_a_gain_beyond_the_intervals() {
    let random = |gain: f64| {
        let cell = |n, fps| cell(Experiment::Random.input(), "bsp", n, fps);
        vec![(Experiment::Random, vec![cell(249, 100.0), cell(250, 100.0 * gain)])]
    };
    assert_eq!(verdict(random(1.2), "curves jump").0, Verdict::Met);
    assert_eq!(verdict(random(1.01), "curves jump").0, Verdict::Missed);
    assert_eq!(verdict(random(0.8), "curves jump").0, Verdict::Missed);
}

#[test]
fn software_rendering_is_stated_but_not_compared() {
    let cells = vec![cell(TRIANGLES[0], "bsp", 500, 100.0), cell(TRIANGLES[1], "bsp", 500, 34.0)];
    let rows = ThesisRows::of(vec![(Experiment::Triangles, cells)]);
    let on = |adapter| {
        let mut checked = check(&rows, adapter).into_iter().map(|[claim, _]| claim);
        checked.find(|claim| claim.what.starts_with("80 triangles per sphere")).unwrap()
    };
    assert_eq!(on(Some("a card [Vulkan, discrete GPU]")).verdict, Verdict::Met);
    let software = on(Some("llvmpipe [Vulkan, software]"));
    assert_eq!(software.verdict, Verdict::NotComparable);
    assert!(software.figure.starts_with("66 % of the frames per second"), "{}", software.figure);
    assert_eq!(on(None).figure, "nothing was drawn");
}

#[test]
fn speed_and_size_are_judged_for_every_method() {
    let cells = |slow: f64| {
        let mut cells = Vec::new();
        for id in VECTORISED.ids() {
            cells.push(cell("random, speed 0.1", id, 500, 100.0));
            cells.push(cell("random, speed 2", id, 500, 95.0));
            cells.push(cell("random, radius 0.01", id, 500, 100.0));
            cells.push(cell("random, radius 0.04", id, 500, 60.0));
        }
        cells.push(cell("random, speed 1", "sap-matrix", 500, slow));
        vec![(Experiment::SpeedAndSize, cells)]
    };
    assert_eq!(verdict(cells(96.0), "speed of the objects").0, Verdict::Met);
    assert_eq!(verdict(cells(50.0), "speed of the objects").0, Verdict::Missed);
    assert_eq!(verdict(cells(96.0), "Bigger objects").0, Verdict::Met);
}

#[test]
fn wrong_pair_count_of_the_thesis_is_found() {
    let (verdict, today) = verdict(vec![], "5 million pairs");
    assert_eq!(verdict, Verdict::Missed);
    assert_eq!(today, "49995000 pairs; 97280 in 512 leaves of equal load, 514 times fewer");
}

#[test]
fn drawn_methods_fall_below_20_near_the_claimed_number() {
    let drawn = |numbers: &[(u64, f64)]| {
        let cell =
            |&(n, fps): &(u64, f64)| cell(Experiment::RandomDrawn.input(), "brute-force", n, fps);
        let cells = numbers.iter().map(cell).collect();
        verdict(vec![(Experiment::RandomDrawn, cells)], "classic method falls below 20")
    };
    let (verdict, today) = drawn(&[(1500, 30.0), (2000, 19.0), (3000, 9.0)]);
    assert_eq!((verdict, today.as_str()), (Verdict::Met, "19.0 frames per second at n = 2000"));
    assert_eq!(drawn(&[(1500, 19.0), (2000, 9.0)]).0, Verdict::Missed);
    assert_eq!(drawn(&[(2000, 90.0), (3000, 50.0)]).0, Verdict::Missed, "never");
    assert_eq!(drawn(&[(1000, 9.0), (1500, 9.0)]).0, Verdict::NotMeasured);
}

#[test]
fn matrix_approaches_the_classic_method_from_500_on() {
    let fer = |at_5000: f64| {
        let numbers = [(100, 90.0), (500, 8.0), (1000, 9.0), (5000, at_5000)];
        let both = |(n, fps)| {
            [
                cell(Experiment::Fer.input(), "sap-matrix", n, fps),
                cell(Experiment::Fer.input(), "brute-force", n, 2.0),
            ]
        };
        verdict(
            vec![(Experiment::Fer, numbers.into_iter().flat_map(both).collect())],
            "FER: from 500",
        )
    };
    assert_eq!(
        fer(7.0),
        (Verdict::Met, "as fast: 4.00 times at n = 500, 3.50 times at n = 5000".into())
    );
    assert_eq!(fer(8.5).0, Verdict::Missed);
}

#[test]
fn counts_must_rise_with_every_radius() {
    let sizes = |listings: [f64; 3]| {
        let radii = ["0.005", "0.01", "0.02"].into_iter().zip(listings);
        let of = |(radius, listings): (&str, f64)| {
            ["bsp", "kd-tree"].map(|id| {
                let mut cell = cell(&format!("{}{radius}", RADIUS), id, 100, 1.0);
                cell.counts.listings = Some(listings);
                cell
            })
        };
        verdict(vec![(Experiment::SpeedAndSize, radii.flat_map(of).collect())], "redundancy")
    };
    let (verdict, today) = sizes([110.0, 120.0, 150.0]);
    assert_eq!(verdict, Verdict::Met);
    assert!(today.ends_with("radius: bsp 1.10 to 1.50, kd-tree 1.10 to 1.50"), "{today}");
    assert_eq!(sizes([110.0, 160.0, 150.0]).0, Verdict::Missed);
}

#[test]
fn fewest_tests_must_come_at_the_highest_cost() {
    let at = |tests: f64, fps: f64| {
        let of = |id, tests, fps| {
            let mut cell = cell(Experiment::Random.input(), id, 5000, fps);
            cell.counts.tests = Some(tests);
            cell
        };
        let cells =
            vec![of("sap-matrix", tests, fps), of("bsp", 100.0, 50.0), of("kd-tree", 90.0, 60.0)];
        verdict(vec![(Experiment::Random, cells)], "leaves the fewest pairs").0
    };
    assert_eq!(at(80.0, 40.0), Verdict::Met);
    assert_eq!(at(95.0, 40.0), Verdict::Missed);
    assert_eq!(at(80.0, 55.0), Verdict::Missed);
}
