//! Claims on planted cells.

use super::*;
use crate::commands::thesis::plan::{SCALAR, TRIANGLES, VECTORISED};
use Verdict::{Met, Missed, NotComparable, NotMeasured};
use report::{Cell, Key};

const CARD: Option<&str> = Some("a card [Vulkan, discrete GPU]");

fn cell(input: &str, algorithm: &str, n: u64, fps: f64) -> Cell {
    let key =
        Key { input: input.into(), n, seed: Some(1), algorithm: algorithm.into(), threads: 1 };
    let ns = 1e9 / fps;
    let interval_ns = Some([0.99 * ns, 1.01 * ns]);
    Cell { median_ns: Some(ns), interval_ns, fps: Some(fps), ..Cell::new(key) }
}

/// The verdicts and figures of the claim that contains `what`, by both sets.
fn both(from: Experiment, cells: &[Cell], adapter: Option<&str>, what: &str) -> [Statement; 2] {
    let rows = ThesisRows::of(from, cells);
    let mut checked = check(&rows, adapter).into_iter();
    checked.find(|[claim, _]| claim.what.contains(what)).unwrap()
}

fn outcome(from: Experiment, cells: &[Cell], what: &str) -> (Verdict, String) {
    let [Statement { verdict, figure, .. }, _] = both(from, cells, CARD, what);
    (verdict, figure)
}

/// Whether the claim holds for planted cells of an algorithm, number of objects and frames per second each.
fn verdict(from: Experiment, cells: &[(&str, u64, f64)], what: &str) -> Verdict {
    let cell = |&(id, n, fps): &(&str, u64, f64)| cell(from.input(), id, n, fps);
    outcome(from, &cells.iter().map(cell).collect::<Vec<_>>(), what).0
}

#[test]
fn factor_holds_within_a_quarter_by_the_own_brute_force() {
    let cell = |id, fps| cell(Random.input(), id, 5000, fps);
    let vectorised = [cell(VECTORISED.brute_force, 100.0), cell(VECTORISED.bsp, 500.0)];
    let scalar = |fps| [cell(SCALAR.brute_force, 10.0), cell(SCALAR.bsp, fps)];
    let of = |scalar: &[Cell]| {
        let cells = [&vectorised[..], scalar].concat();
        both(Random, &cells, CARD, "bsp is 47 times").map(|claim| (claim.verdict, claim.figure))
    };
    let expected = |verdict, figure: &str| (verdict, figure.to_owned());
    assert_eq!(of(&scalar(470.0)), [expected(Missed, "5.00 times"), expected(Met, "47.0 times")]);
    assert_eq!(of(&scalar(580.0))[1], expected(Met, "58.0 times"));
    assert_eq!(of(&scalar(590.0))[1].0, Missed);
    assert_eq!(of(&[])[1], expected(NotMeasured, "not measured"));
}

#[test]
fn jump_is_a_gain_beyond_the_intervals() {
    for (gain, expected) in [(1.2, Met), (1.01, Missed), (0.8, Missed)] {
        let cells = [("bsp", 249, 100.0), ("bsp", 250, 100.0 * gain)];
        assert_eq!(verdict(Random, &cells, "curves jump"), expected, "{gain}");
    }
}

#[test]
fn software_rendering_is_stated_but_not_compared() {
    let cells = [(TRIANGLES[0], 100.0), (TRIANGLES[1], 34.0)];
    let cells = cells.map(|(input, fps)| cell(input, "bsp", 500, fps));
    let on = |adapter| {
        let [claim, _] = both(Triangles, &cells, adapter, "80 triangles per sphere");
        (claim.verdict, claim.figure)
    };
    assert_eq!(on(CARD).0, Met);
    let (verdict, figure) = on(Some("llvmpipe [Vulkan, software]"));
    assert_eq!(verdict, NotComparable);
    assert!(figure.starts_with("66 % of the frames per second"), "{figure}");
    assert_eq!(on(None), (NotMeasured, "nothing was drawn".to_owned()));
}

#[test]
fn drawn_methods_fall_below_20_near_the_claimed_number() {
    for (cells, expected) in [
        (&[(1500, 30.0), (2000, 19.0), (3000, 9.0)][..], Met),
        (&[(1500, 19.0), (2000, 9.0)], Missed),
        (&[(2000, 90.0), (3000, 50.0)], Missed),
        (&[(1000, 9.0), (1500, 9.0)], NotMeasured),
    ] {
        let cells: Vec<_> = cells.iter().map(|&(n, fps)| ("brute-force", n, fps)).collect();
        assert_eq!(verdict(RandomDrawn, &cells, "classic method falls below 20"), expected);
    }
}

#[test]
fn counts_must_rise_with_every_radius() {
    let sizes = |listings: [f64; 3]| {
        let radii = ["0.005", "0.01", "0.02"].into_iter().zip(listings);
        let of = |(radius, listings): (&str, f64)| {
            ["bsp", "kd-tree"].map(|id| {
                let mut cell = cell(&format!("{RADIUS}{radius}"), id, 100, 1.0);
                cell.counts.listings = Some(listings);
                cell
            })
        };
        outcome(SpeedAndSize, &radii.flat_map(of).collect::<Vec<_>>(), "redundancy")
    };
    let (verdict, today) = sizes([110.0, 120.0, 150.0]);
    assert_eq!(verdict, Met);
    assert!(today.ends_with("radius: bsp 1.10 to 1.50, kd-tree 1.10 to 1.50"), "{today}");
    assert_eq!(sizes([110.0, 160.0, 150.0]).0, Missed);
}

#[test]
fn published_page_is_that_of_its_rows() {
    crate::study::assert_published("thesis", crate::commands::thesis::report);
}
