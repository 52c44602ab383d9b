//! The claims of the thesis, each checked by both sets of methods. Verdicts are computed, never written.

mod check;
mod counts;
mod rendering;
mod speed_and_size;
mod speed_ups;

use super::experiments::{Experiment, SHADING, TRIANGLES};
use super::methods::{SETS, is_software};
use super::rows::ThesisRows;
use crate::study::{Statement, Verdict};
use check::{Checked, ClaimCheck};
use counts::pair_count;

/// Checks every claim, by each set of [`SETS`]. `adapter` is what rendered, if anything did.
pub(super) fn check(rows: &ThesisRows, adapter: Option<&str>) -> Vec<[Statement; 2]> {
    let checked = |claim: &Claim| {
        SETS.map(|methods| {
            let (verdict, figure) = claim.outcome(&ClaimCheck { rows, methods }, adapter);
            let (what, basis) = (claim.what.to_owned(), claim.basis.to_owned());
            Statement { what, verdict, figure, basis }
        })
    };
    CLAIMS.iter().map(checked).collect()
}

struct Claim {
    what: &'static str,
    /// The experiment and the figures of the thesis.
    basis: &'static str,
    rule: fn(&ClaimCheck<'_>) -> Checked,
}

impl Claim {
    /// The verdict and its figures. Of claims on rendering, only a graphics card can be compared with that of the thesis.
    fn outcome(&self, check: &ClaimCheck<'_>, adapter: Option<&str>) -> (Verdict, String) {
        let is_drawn =
            Experiment::ALL.iter().any(|e| e.is_drawn() && self.basis.contains(e.folder()));
        match ((self.rule)(check), adapter) {
            (_, None) if is_drawn => (Verdict::NotMeasured, "nothing was drawn".to_owned()),
            (Err(reason), _) => (Verdict::NotMeasured, reason),
            (Ok((_, figure)), Some(adapter)) if is_drawn && is_software(adapter) => {
                let figure = format!("{figure}; the processor drew, not a graphics card");
                (Verdict::NotComparable, figure)
            }
            (Ok((holds, figure)), _) => {
                (if holds { Verdict::Met } else { Verdict::Missed }, figure)
            }
        }
    }
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
        rule: |check| check.speed_up_is(Experiment::Random, check.methods.bsp, 47.0),
    },
    Claim {
        what: "kd-tree is 40 times as fast: random, not drawn, 5000 objects",
        basis: "E2, figure 8.11",
        rule: |check| check.speed_up_is(Experiment::Random, check.methods.kd_tree, 40.0),
    },
    Claim {
        what: "sap-matrix is 3.33 times as fast: random, not drawn, 5000 objects",
        basis: "E2, figure 8.11",
        rule: |check| check.speed_up_is(Experiment::Random, check.methods.sap_matrix, 3.33),
    },
    Claim {
        what: "sap-matrix is three times as fast: random, drawn, 5000 objects",
        basis: "E1, figure 8.7",
        rule: |check| check.speed_up_is(Experiment::RandomDrawn, check.methods.sap_matrix, 3.0),
    },
    Claim {
        what: "The classic method falls below 20 frames per second at 2000 objects: random, drawn",
        basis: "E1, figure 8.7",
        rule: |check| check.falls_below_20(check.methods.brute_force, 2000),
    },
    Claim {
        what: "sap-matrix falls below 20 frames per second at 3500 objects: random, drawn",
        basis: "E1, figure 8.7",
        rule: |check| check.falls_below_20(check.methods.sap_matrix, 3500),
    },
    Claim {
        what: "The classic method spends the largest share of its time on collisions",
        basis: "E1, figure 8.8",
        rule: |check| check.brute_force_spends_most(),
    },
    Claim {
        what: "Random: from 500 objects on, sap-matrix approaches the classic method",
        basis: "E2, figures 8.9 and 8.10",
        rule: |check| check.matrix_approaches_brute_force(Experiment::Random),
    },
    Claim {
        what: "FER: from 500 objects on, sap-matrix approaches the classic method",
        basis: "E3, figures 8.14 and 8.15",
        rule: |check| check.matrix_approaches_brute_force(Experiment::Fer),
    },
    Claim {
        what: "FER: below 250 objects the trees are too shallow for kd-tree to be much faster than bsp",
        basis: "8.3, E3",
        rule: |check| check.kd_tree_is_shallow_on_fer(),
    },
    Claim {
        what: "The semi-adjusting tree beats sap-matrix at many objects: random, not drawn",
        basis: "8.7, E2",
        rule: |check| check.semi_adjusting_beats_matrix(),
    },
    Claim {
        what: "sap-matrix leaves the fewest pairs to test, at the highest cost: random, 5000 objects",
        basis: "8.7, E2",
        rule: |check| check.matrix_tests_least_and_costs_most(),
    },
    Claim {
        what: "Speed-ups are greater where nothing is drawn",
        basis: "E1 and E2, figure 8.11",
        rule: |check| check.speed_ups_are_greater_without_rendering(),
    },
    Claim {
        what: "The classic method is always the slowest: random, drawn",
        basis: "E1, figures 8.4 to 8.7",
        rule: |check| check.brute_force_is_slowest(Experiment::RandomDrawn),
    },
    Claim {
        what: "The classic method is always the slowest: random, not drawn",
        basis: "E2, figure 8.9",
        rule: |check| check.brute_force_is_slowest(Experiment::Random),
    },
    Claim {
        what: "The classic method is always the slowest: FER, not drawn",
        basis: "E3, figures 8.12 to 8.15",
        rule: |check| check.brute_force_is_slowest(Experiment::Fer),
    },
    Claim {
        what: "sap-matrix is the fastest up to 500 objects: random, drawn",
        basis: "E1, figures 8.5 and 8.6",
        rule: |check| check.matrix_is_fastest(Experiment::RandomDrawn),
    },
    Claim {
        what: "sap-matrix is the fastest up to 500 objects: random, not drawn",
        basis: "E2, figure 8.9",
        rule: |check| check.matrix_is_fastest(Experiment::Random),
    },
    Claim {
        what: "sap-matrix is the fastest up to 500 objects: FER, not drawn",
        basis: "E3, figure 8.13",
        rule: |check| check.matrix_is_fastest(Experiment::Fer),
    },
    Claim {
        what: "Random: kd-tree is about as fast as bsp, and slightly slower",
        basis: "E2, figures 8.9 and 8.10",
        rule: |check| check.trees_are_alike(),
    },
    Claim {
        what: "The trees' curves jump where their depth steps: 250, 500, 1000, 2000, 4000 objects",
        basis: "E2, figures 8.9 and 8.10",
        rule: |check| check.curves_jump(),
    },
    Claim {
        what: "FER: kd-tree beats bsp from 250 objects on",
        basis: "E3, figures 8.13 to 8.15",
        rule: |check| check.kd_tree_is_faster_on_fer(),
    },
    Claim {
        what: "FER: sap-matrix is above bsp at first, and falls below it at 1000 objects",
        basis: "E3, figure 8.14",
        rule: |check| check.matrix_falls_below_bsp(),
    },
    Claim {
        what: "80 triangles per sphere instead of 20 cost about 66 % of the frames per second",
        basis: "E5, figure 8.21",
        rule: |check| check.fps_cost(Experiment::Triangles, TRIANGLES, 66.0),
    },
    Claim {
        what: "80 triangles instead of 20 raise the share of drawing by about 25 %",
        basis: "E5, figure 8.22",
        rule: |check| check.share_rise(Experiment::Triangles, TRIANGLES, 25.0),
    },
    Claim {
        what: "Shading costs about 40 % of the frames per second",
        basis: "E6, figure 8.23",
        rule: |check| check.fps_cost(Experiment::Shading, SHADING, 40.0),
    },
    Claim {
        what: "Shading raises the share of drawing by about 14 %",
        basis: "E6, figure 8.24",
        rule: |check| check.share_rise(Experiment::Shading, SHADING, 14.0),
    },
    Claim {
        what: "The speed of the objects makes no difference",
        basis: "E7",
        rule: |check| check.speed_makes_no_difference(),
    },
    Claim {
        what: "Bigger objects slow every method",
        basis: "E7",
        rule: |check| check.size_slows_all(),
    },
    Claim {
        what: "Bigger objects raise the redundancy of both trees",
        basis: "8, E7",
        rule: |check| check.size_raises_redundancy(),
    },
    Claim {
        what: "Bigger objects raise the overlaps on the axes of sap-matrix",
        basis: "8, E7",
        rule: |check| check.size_raises_axis_overlaps(),
    },
];

#[cfg(test)]
mod tests;
