//! The claims of the thesis, each judged by both sets of methods. Verdicts are computed, never written.

mod judge;
mod pair_count;
mod rendering;
mod speed_and_size;
mod speed_ups;

use super::experiments::Experiment;
use super::inputs;
use super::methods::SETS;
use super::rows::Rows;
use crate::study::Statement;
use judge::{Judge, Outcome};
use pair_count::pair_count;

/// Judges every claim, by each set of [`SETS`]. `adapter` is what rendered, if anything did.
pub(super) fn judge(rows: &Rows, adapter: Option<&str>) -> Vec<[Statement; 2]> {
    let judged = |claim: &Claim| {
        SETS.map(|methods| {
            let Outcome { verdict, figure } = (claim.rule)(&Judge { rows, methods, adapter });
            let (what, basis) = (claim.what.to_owned(), claim.basis.to_owned());
            Statement { what, verdict, figure, basis }
        })
    };
    CLAIMS.iter().map(judged).collect()
}

struct Claim {
    what: &'static str,
    /// The experiment and the figures of the thesis.
    basis: &'static str,
    rule: fn(&Judge<'_>) -> Outcome,
}

const CLAIMS: &[Claim] = &[
    Claim {
        what: "10,000 objects have 5 million pairs; after an ideal split about 50 times fewer",
        basis: "3.2, arithmetic",
        rule: |_| pair_count(),
    },
    Claim {
        what: "bsp is 47 times as fast as the classic method: random, not drawn, 5000 objects",
        basis: "E2, figure 8.11",
        rule: |judge| judge.speed_up_is(judge.methods.bsp, 47.0),
    },
    Claim {
        what: "kd-tree is 40 times as fast: random, not drawn, 5000 objects",
        basis: "E2, figure 8.11",
        rule: |judge| judge.speed_up_is(judge.methods.kd_tree, 40.0),
    },
    Claim {
        what: "sap-matrix is 3.33 times as fast: random, not drawn, 5000 objects",
        basis: "E2, figure 8.11",
        rule: |judge| judge.speed_up_is(judge.methods.sap_matrix, 3.33),
    },
    Claim {
        what: "Speed-ups are greater where nothing is drawn",
        basis: "E1 and E2, figure 8.11",
        rule: |judge| judge.speed_ups_are_greater_without_rendering(),
    },
    Claim {
        what: "The classic method is always the slowest: random, drawn",
        basis: "E1, figures 8.4 to 8.7",
        rule: |judge| judge.rendered(|judge| judge.brute_force_is_slowest(Experiment::RandomDrawn)),
    },
    Claim {
        what: "The classic method is always the slowest: random, not drawn",
        basis: "E2, figure 8.9",
        rule: |judge| judge.brute_force_is_slowest(Experiment::Random),
    },
    Claim {
        what: "The classic method is always the slowest: FER, not drawn",
        basis: "E3, figures 8.12 to 8.15",
        rule: |judge| judge.brute_force_is_slowest(Experiment::Fer),
    },
    Claim {
        what: "sap-matrix is the fastest up to 500 objects: random, drawn",
        basis: "E1, figures 8.5 and 8.6",
        rule: |judge| judge.rendered(|judge| judge.matrix_is_fastest(Experiment::RandomDrawn)),
    },
    Claim {
        what: "sap-matrix is the fastest up to 500 objects: random, not drawn",
        basis: "E2, figure 8.9",
        rule: |judge| judge.matrix_is_fastest(Experiment::Random),
    },
    Claim {
        what: "sap-matrix is the fastest up to 500 objects: FER, not drawn",
        basis: "E3, figure 8.13",
        rule: |judge| judge.matrix_is_fastest(Experiment::Fer),
    },
    Claim {
        what: "Random: kd-tree is about as fast as bsp, and slightly slower",
        basis: "E2, figures 8.9 and 8.10",
        rule: |judge| judge.trees_are_alike(),
    },
    Claim {
        what: "The trees' curves jump where their depth steps: 250, 500, 1000, 2000, 4000 objects",
        basis: "E2, figures 8.9 and 8.10",
        rule: |judge| judge.curves_jump(),
    },
    Claim {
        what: "FER: kd-tree beats bsp from 250 objects on",
        basis: "E3, figures 8.13 to 8.15",
        rule: |judge| judge.kd_tree_is_faster_on_fer(),
    },
    Claim {
        what: "FER: sap-matrix is above bsp at first, and falls below it at 1000 objects",
        basis: "E3, figure 8.14",
        rule: |judge| judge.matrix_falls_below_bsp(),
    },
    Claim {
        what: "80 triangles per sphere instead of 20 cost about 66 % of the frames per second",
        basis: "E5, figure 8.21",
        rule: |judge| {
            judge.rendered(|judge| {
                judge.fps_cost(Experiment::Triangles, [inputs::COARSE, inputs::FINE], 66.0)
            })
        },
    },
    Claim {
        what: "80 triangles instead of 20 raise the share of drawing by about 25 %",
        basis: "E5, figure 8.22",
        rule: |judge| {
            judge.rendered(|judge| {
                judge.share_rise(Experiment::Triangles, [inputs::COARSE, inputs::FINE], 25.0)
            })
        },
    },
    Claim {
        what: "Shading costs about 40 % of the frames per second",
        basis: "E6, figure 8.23",
        rule: |judge| {
            judge.rendered(|judge| {
                judge.fps_cost(Experiment::Shading, [inputs::PLAIN, inputs::SHADED], 40.0)
            })
        },
    },
    Claim {
        what: "Shading raises the share of drawing by about 14 %",
        basis: "E6, figure 8.24",
        rule: |judge| {
            judge.rendered(|judge| {
                judge.share_rise(Experiment::Shading, [inputs::PLAIN, inputs::SHADED], 14.0)
            })
        },
    },
    Claim {
        what: "The speed of the objects makes no difference",
        basis: "E7",
        rule: |judge| judge.speed_makes_no_difference(),
    },
    Claim {
        what: "Bigger objects slow every method",
        basis: "E7",
        rule: |judge| judge.size_slows_all(),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::thesis::methods::{SCALAR, VECTORISED};
    use crate::figures::{Cell, Key};
    use crate::study::Verdict;

    fn cell(input: &str, algorithm: &str, n: u64, fps: f64) -> Cell {
        let key =
            Key { input: input.into(), n, seed: Some(1), algorithm: algorithm.into(), threads: 1 };
        let ns = 1e9 / fps;
        let interval_ns = Some([0.99 * ns, 1.01 * ns]);
        Cell { median_ns: Some(ns), interval_ns, fps: Some(fps), ..Cell::new(key) }
    }

    fn judged(experiments: Vec<(Experiment, Vec<Cell>)>, what: &str) -> [Statement; 2] {
        let rows = Rows::of(experiments);
        let judged = judge(&rows, Some("a card [Vulkan, discrete GPU]"));
        judged.into_iter().find(|[claim, _]| claim.what.contains(what)).unwrap()
    }

    fn verdict(experiments: Vec<(Experiment, Vec<Cell>)>, what: &str) -> (Verdict, String) {
        let [Statement { verdict, figure, .. }, _] = judged(experiments, what);
        (verdict, figure)
    }

    #[test]
    fn each_set_is_judged_by_its_own_brute_force() {
        let cell = |id, fps| cell(inputs::RANDOM, id, 5000, fps);
        let random = |scalar: &[Cell]| {
            let vectorised = [cell(VECTORISED.brute_force, 100.0), cell(VECTORISED.bsp, 500.0)];
            vec![(Experiment::Random, [&vectorised[..], scalar].concat())]
        };
        let scalar = [cell(SCALAR.brute_force, 10.0), cell(SCALAR.bsp, 470.0)];
        let [vectorised, scalar] = judged(random(&scalar), "bsp is 47 times");
        assert_eq!((vectorised.verdict, scalar.verdict), (Verdict::Missed, Verdict::Met));
        assert_eq!(
            (vectorised.figure.as_str(), scalar.figure.as_str()),
            ("5.00 times", "47.0 times")
        );
        let [_, scalar] = judged(random(&[]), "bsp is 47 times");
        assert_eq!(
            (scalar.verdict, scalar.figure.as_str()),
            (Verdict::NotMeasured, "not measured")
        );
    }

    #[test]
    fn factor_holds_within_a_quarter_of_it() {
        let random = |fps: f64| {
            let cell = |id, fps| cell(inputs::RANDOM, id, 5000, fps);
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
            let cell = |id, n, fps| cell(inputs::FER, id, n, fps);
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
        let judged = |at_500| {
            let judged = judge(&Rows::of(fer(at_500)), None);
            judged.into_iter().map(|[c, _]| c).find(|c| c.basis == "E3, figure 8.13").unwrap()
        };
        assert_eq!(judged(9.0).verdict, Verdict::Met);
        assert_eq!(judged(4.0).verdict, Verdict::Missed);
        assert!(
            judged(4.0).figure.contains("1 of 2 numbers of objects; at n = 500 bsp is 2.00 times")
        );
        assert_eq!(verdict(fer(9.0), "falls below it at 1000").0, Verdict::Met);
        assert_eq!(verdict(fer(4.0), "falls below it at 1000").0, Verdict::Missed);
    }

    #[test]
    fn jump_is_a_gain_beyond_the_intervals() {
        let random = |gain: f64| {
            let cell = |n, fps| cell(inputs::RANDOM, "bsp", n, fps);
            vec![(Experiment::Random, vec![cell(249, 100.0), cell(250, 100.0 * gain)])]
        };
        assert_eq!(verdict(random(1.2), "curves jump").0, Verdict::Met);
        assert_eq!(verdict(random(1.01), "curves jump").0, Verdict::Missed);
        assert_eq!(verdict(random(0.8), "curves jump").0, Verdict::Missed);
    }

    #[test]
    fn software_rendering_is_stated_but_not_compared() {
        let cells =
            vec![cell(inputs::COARSE, "bsp", 500, 100.0), cell(inputs::FINE, "bsp", 500, 34.0)];
        let rows = Rows::of(vec![(Experiment::Triangles, cells)]);
        let on = |adapter| {
            let mut judged = judge(&rows, adapter).into_iter().map(|[claim, _]| claim);
            judged.find(|claim| claim.what.starts_with("80 triangles per sphere")).unwrap()
        };
        assert_eq!(on(Some("a card [Vulkan, discrete GPU]")).verdict, Verdict::Met);
        let software = on(Some("llvmpipe [Vulkan, software]"));
        assert_eq!(software.verdict, Verdict::NotComparable);
        assert!(
            software.figure.starts_with("66 % of the frames per second"),
            "{}",
            software.figure
        );
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
}
