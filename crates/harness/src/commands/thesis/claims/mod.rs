//! The claims of the thesis, each checked by both sets of methods. Verdicts are computed, never written.

mod rules;

use super::experiments::Experiment::{Fer, Random, RandomDrawn, Shading, Triangles};
use super::experiments::{Experiment, SHADING, TRIANGLES};
use super::rows::{SETS, ThesisRows, is_software};
use crate::study::{Checked, Claim, Outcome, Statement, Verdict, claim, not_measured};
use rules::{ClaimCheck, pair_count};

type Rule = fn(&ClaimCheck<'_>) -> Checked;

/// Checks every claim, by each set of [`SETS`]. `adapter` is what rendered, if anything did.
pub(super) fn check(rows: &ThesisRows, adapter: Option<&str>) -> Vec<[Statement; 2]> {
    let checked = |claim: &Claim<Rule>| {
        SETS.map(|methods| claim.statement(outcome(claim, &ClaimCheck { rows, methods }, adapter)))
    };
    CLAIMS.iter().map(checked).collect()
}

/// The verdict and its figures. Of claims on rendering, only a graphics card can be compared with that of the thesis.
fn outcome(claim: &Claim<Rule>, check: &ClaimCheck<'_>, adapter: Option<&str>) -> Outcome {
    let is_drawn = Experiment::ALL.iter().any(|e| e.is_drawn() && claim.basis.contains(e.folder()));
    match ((claim.rule)(check), adapter) {
        (_, None) if is_drawn => not_measured("nothing was drawn"),
        (Ok((_, figure)), Some(adapter)) if is_drawn && is_software(adapter) => {
            (Verdict::NotComparable, format!("{figure}; the processor drew, not a graphics card"))
        }
        (Ok(outcome) | Err(outcome), _) => outcome,
    }
}

const CLAIMS: &[Claim<Rule>] = &[
    claim("10,000 objects have 5 million pairs; after an ideal split about 50 times fewer")
        .by("3.2, arithmetic", |_| pair_count()),
    claim("bsp is 47 times as fast as the classic method: random, not drawn, 5000 objects")
        .by("E2, figure 8.11", |c| c.speed_up_is(Random, c.methods.bsp, 47.0)),
    claim("kd-tree is 40 times as fast: random, not drawn, 5000 objects")
        .by("E2, figure 8.11", |c| c.speed_up_is(Random, c.methods.kd_tree, 40.0)),
    claim("sap-matrix is 3.33 times as fast: random, not drawn, 5000 objects")
        .by("E2, figure 8.11", |c| c.speed_up_is(Random, c.methods.sap_matrix, 3.33)),
    claim("sap-matrix is three times as fast: random, drawn, 5000 objects")
        .by("E1, figure 8.7", |c| c.speed_up_is(RandomDrawn, c.methods.sap_matrix, 3.0)),
    claim("The classic method falls below 20 frames per second at 2000 objects: random, drawn")
        .by("E1, figure 8.7", |c| c.falls_below_20(c.methods.brute_force, 2000)),
    claim("sap-matrix falls below 20 frames per second at 3500 objects: random, drawn")
        .by("E1, figure 8.7", |c| c.falls_below_20(c.methods.sap_matrix, 3500)),
    claim("The classic method spends the largest share of its time on collisions")
        .by("E1, figure 8.8", |c| c.brute_force_spends_most()),
    claim("Random: from 500 objects on, sap-matrix approaches the classic method")
        .by("E2, figures 8.9 and 8.10", |c| c.matrix_approaches_brute_force(Random)),
    claim("FER: from 500 objects on, sap-matrix approaches the classic method")
        .by("E3, figures 8.14 and 8.15", |c| c.matrix_approaches_brute_force(Fer)),
    claim(
        "FER: below 250 objects the trees are too shallow for kd-tree to be much faster than bsp",
    )
    .by("8.3, E3", |c| c.kd_tree_is_shallow_on_fer()),
    claim("The semi-adjusting tree beats sap-matrix at many objects: random, not drawn")
        .by("8.7, E2", |c| c.semi_adjusting_beats_matrix()),
    claim("sap-matrix leaves the fewest pairs to test, at the highest cost: random, 5000 objects")
        .by("8.7, E2", |c| c.matrix_tests_least_and_costs_most()),
    claim("Speed-ups are greater where nothing is drawn")
        .by("E1 and E2, figure 8.11", |c| c.speed_ups_are_greater_without_rendering()),
    claim("The classic method is always the slowest: random, drawn")
        .by("E1, figures 8.4 to 8.7", |c| c.brute_force_is_slowest(RandomDrawn)),
    claim("The classic method is always the slowest: random, not drawn")
        .by("E2, figure 8.9", |c| c.brute_force_is_slowest(Random)),
    claim("The classic method is always the slowest: FER, not drawn")
        .by("E3, figures 8.12 to 8.15", |c| c.brute_force_is_slowest(Fer)),
    claim("sap-matrix is the fastest up to 500 objects: random, drawn")
        .by("E1, figures 8.5 and 8.6", |c| c.matrix_is_fastest(RandomDrawn)),
    claim("sap-matrix is the fastest up to 500 objects: random, not drawn")
        .by("E2, figure 8.9", |c| c.matrix_is_fastest(Random)),
    claim("sap-matrix is the fastest up to 500 objects: FER, not drawn")
        .by("E3, figure 8.13", |c| c.matrix_is_fastest(Fer)),
    claim("Random: kd-tree is about as fast as bsp, and slightly slower")
        .by("E2, figures 8.9 and 8.10", |c| c.trees_are_alike()),
    claim("The trees' curves jump where their depth steps: 250, 500, 1000, 2000, 4000 objects")
        .by("E2, figures 8.9 and 8.10", |c| c.curves_jump()),
    claim("FER: kd-tree beats bsp from 250 objects on")
        .by("E3, figures 8.13 to 8.15", |c| c.kd_tree_is_faster_on_fer()),
    claim("FER: sap-matrix is above bsp at first, and falls below it at 1000 objects")
        .by("E3, figure 8.14", |c| c.matrix_falls_below_bsp()),
    claim("80 triangles per sphere instead of 20 cost about 66 % of the frames per second")
        .by("E5, figure 8.21", |c| c.fps_cost(Triangles, TRIANGLES, 66.0)),
    claim("80 triangles instead of 20 raise the share of drawing by about 25 %")
        .by("E5, figure 8.22", |c| c.share_rise(Triangles, TRIANGLES, 25.0)),
    claim("Shading costs about 40 % of the frames per second")
        .by("E6, figure 8.23", |c| c.fps_cost(Shading, SHADING, 40.0)),
    claim("Shading raises the share of drawing by about 14 %")
        .by("E6, figure 8.24", |c| c.share_rise(Shading, SHADING, 14.0)),
    claim("The speed of the objects makes no difference")
        .by("E7", |c| c.speed_makes_no_difference()),
    claim("Bigger objects slow every method").by("E7", |c| c.size_slows_all()),
    claim("Bigger objects raise the redundancy of both trees")
        .by("8, E7", |c| c.size_raises_redundancy()),
    claim("Bigger objects raise the overlaps on the axes of sap-matrix")
        .by("8, E7", |c| c.size_raises_axis_overlaps()),
];

#[cfg(test)]
mod tests;
