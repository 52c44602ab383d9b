//! What the thesis claims, and what today's figures say to it. Verdicts are computed, never written.

mod arithmetic;
mod court;
mod drawing;
mod methods;
mod varied;

use super::evidence::Evidence;
use super::experiments::Experiment;
use super::names;
use arithmetic::arithmetic;
use court::{Court, Ruling};

/// What has become of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    DoesNotHold,
    CannotBeCompared,
}

impl Verdict {
    /// The word in tables.
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::CannotBeCompared => "cannot be compared",
        }
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    /// What the thesis says.
    pub(super) said: &'static str,
    /// The experiment and the figures of the thesis.
    pub(super) rests_on: &'static str,
    pub(super) verdict: Verdict,
    /// Today's figures, or why there are none.
    pub(super) today: String,
}

/// Judges every claim. `adapter` is what drew, if anything did.
pub(super) fn judge(evidence: &Evidence, adapter: Option<&str>) -> Vec<Judged> {
    let court = Court { evidence, adapter };
    CLAIMS
        .iter()
        .map(|claim| {
            let Ruling { verdict, today } = (claim.rule)(&court);
            Judged { said: claim.said, rests_on: claim.rests_on, verdict, today }
        })
        .collect()
}

struct Claim {
    said: &'static str,
    rests_on: &'static str,
    rule: fn(&Court<'_>) -> Ruling,
}

const CLAIMS: &[Claim] = &[
    Claim {
        said: "10,000 objects have 5 million pairs; after an ideal split about 50 times fewer",
        rests_on: "3.2, arithmetic",
        rule: |_| arithmetic(),
    },
    Claim {
        said: "bsp is 47 times as fast as the classic method: random, not drawn, 5000 objects",
        rests_on: "E2, figure 8.11",
        rule: |court| court.speed_up("bsp", 47.0),
    },
    Claim {
        said: "kd-tree is 40 times as fast: random, not drawn, 5000 objects",
        rests_on: "E2, figure 8.11",
        rule: |court| court.speed_up("kd-tree", 40.0),
    },
    Claim {
        said: "sap-matrix is 3.33 times as fast: random, not drawn, 5000 objects",
        rests_on: "E2, figure 8.11",
        rule: |court| court.speed_up("sap-matrix", 3.33),
    },
    Claim {
        said: "Speed-ups are greater where nothing is drawn",
        rests_on: "E1 and E2, figure 8.11",
        rule: |court| court.undrawn_speed_ups_are_greater(),
    },
    Claim {
        said: "The classic method is always the slowest: random, drawn",
        rests_on: "E1, figures 8.4 to 8.7",
        rule: |court| court.drawn(|c| c.classic_is_slowest(Experiment::RandomDrawn)),
    },
    Claim {
        said: "The classic method is always the slowest: random, not drawn",
        rests_on: "E2, figure 8.9",
        rule: |court| court.classic_is_slowest(Experiment::Random),
    },
    Claim {
        said: "The classic method is always the slowest: FER, not drawn",
        rests_on: "E3, figures 8.12 to 8.15",
        rule: |court| court.classic_is_slowest(Experiment::Fer),
    },
    Claim {
        said: "sap-matrix is the fastest up to 500 objects: random, drawn",
        rests_on: "E1, figures 8.5 and 8.6",
        rule: |court| court.drawn(|c| c.matrix_is_fastest(Experiment::RandomDrawn)),
    },
    Claim {
        said: "sap-matrix is the fastest up to 500 objects: random, not drawn",
        rests_on: "E2, figure 8.9",
        rule: |court| court.matrix_is_fastest(Experiment::Random),
    },
    Claim {
        said: "sap-matrix is the fastest up to 500 objects: FER, not drawn",
        rests_on: "E3, figure 8.13",
        rule: |court| court.matrix_is_fastest(Experiment::Fer),
    },
    Claim {
        said: "Random: kd-tree is about as fast as bsp, and slightly slower",
        rests_on: "E2, figures 8.9 and 8.10",
        rule: |court| court.trees_are_alike(),
    },
    Claim {
        said: "The trees' curves jump where their depth steps: 250, 500, 1000, 2000, 4000 objects",
        rests_on: "E2, figures 8.9 and 8.10",
        rule: |court| court.curves_jump(),
    },
    Claim {
        said: "FER: kd-tree beats bsp from 250 objects on",
        rests_on: "E3, figures 8.13 to 8.15",
        rule: |court| court.adjusting_pays_on_fer(),
    },
    Claim {
        said: "FER: sap-matrix is above bsp at first, and falls below it at 1000 objects",
        rests_on: "E3, figure 8.14",
        rule: |court| court.matrix_falls_below_bsp(),
    },
    Claim {
        said: "80 triangles a sphere instead of 20 cost about 66 % of the frames per second",
        rests_on: "E5, figure 8.21",
        rule: |court| {
            court.drawn(|c| c.fps_cost(Experiment::Triangles, [names::COARSE, names::FINE], 66.0))
        },
    },
    Claim {
        said: "80 triangles instead of 20 raise the share of drawing by about 25 %",
        rests_on: "E5, figure 8.22",
        rule: |court| {
            court.drawn(|c| c.share_rise(Experiment::Triangles, [names::COARSE, names::FINE], 25.0))
        },
    },
    Claim {
        said: "Shading costs about 40 % of the frames per second",
        rests_on: "E6, figure 8.23",
        rule: |court| {
            court.drawn(|c| c.fps_cost(Experiment::Shading, [names::PLAIN, names::SHADED], 40.0))
        },
    },
    Claim {
        said: "Shading raises the share of drawing by about 14 %",
        rests_on: "E6, figure 8.24",
        rule: |court| {
            court.drawn(|c| c.share_rise(Experiment::Shading, [names::PLAIN, names::SHADED], 14.0))
        },
    },
    Claim {
        said: "The speed of the objects makes no difference",
        rests_on: "E7",
        rule: |court| court.speed_makes_no_difference(),
    },
    Claim {
        said: "Bigger objects slow every method",
        rests_on: "E7",
        rule: |court| court.size_slows_all(),
    },
];

#[cfg(test)]
mod tests {
    use super::super::experiments::ALGORITHMS;
    use super::*;
    use crate::figures::{Cell, Key};

    fn cell(input: &str, algorithm: &str, n: u64, fps: f64) -> Cell {
        let key =
            Key { input: input.into(), n, seed: Some(1), algorithm: algorithm.into(), threads: 1 };
        let ns = 1e9 / fps;
        let interval_ns = Some([0.99 * ns, 1.01 * ns]);
        Cell { median_ns: Some(ns), interval_ns, fps: Some(fps), ..Cell::new(key) }
    }

    fn verdict(experiments: Vec<(Experiment, Vec<Cell>)>, said: &str) -> (Verdict, String) {
        let evidence = Evidence::of(experiments);
        let judged = judge(&evidence, Some("a card [Vulkan, discrete GPU]"));
        let claim = judged.iter().find(|claim| claim.said.contains(said)).unwrap();
        (claim.verdict, claim.today.clone())
    }

    #[test]
    fn a_factor_holds_within_a_quarter_of_it() {
        let random = |fps: f64| {
            let cell = |id, fps| cell(names::RANDOM, id, 5000, fps);
            vec![(Experiment::Random, vec![cell("brute-force", 10.0), cell("bsp", fps)])]
        };
        assert_eq!(verdict(random(470.0), "bsp is 47 times").0, Verdict::Holds);
        assert_eq!(verdict(random(580.0), "bsp is 47 times").0, Verdict::Holds);
        let (verdict_, today) = verdict(random(51.2), "bsp is 47 times");
        assert_eq!((verdict_, today.as_str()), (Verdict::DoesNotHold, "5.12 times"));
        assert_eq!(verdict(vec![], "bsp is 47 times").0, Verdict::CannotBeCompared);
    }

    #[test]
    fn the_matrix_must_be_the_fastest_at_every_number_up_to_500() {
        let fer = |at_500: f64| {
            let cell = |id, n, fps| cell(names::FER, id, n, fps);
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
            let evidence = Evidence::of(fer(at_500));
            let judged = judge(&evidence, None);
            judged.iter().find(|c| c.rests_on == "E3, figure 8.13").unwrap().clone()
        };
        assert_eq!(judged(9.0).verdict, Verdict::Holds);
        assert_eq!(judged(4.0).verdict, Verdict::DoesNotHold);
        assert!(judged(4.0).today.contains("1 of 2 numbers of objects; at n = 500 bsp is 2.00"));
        assert_eq!(verdict(fer(9.0), "falls below it at 1000").0, Verdict::Holds);
        assert_eq!(verdict(fer(4.0), "falls below it at 1000").0, Verdict::DoesNotHold);
    }

    #[test]
    fn a_jump_is_a_gain_beyond_the_intervals() {
        let random = |gain: f64| {
            let cell = |n, fps| cell(names::RANDOM, "bsp", n, fps);
            vec![(Experiment::Random, vec![cell(249, 100.0), cell(250, 100.0 * gain)])]
        };
        assert_eq!(verdict(random(1.2), "curves jump").0, Verdict::Holds);
        assert_eq!(verdict(random(1.01), "curves jump").0, Verdict::DoesNotHold);
        assert_eq!(verdict(random(0.8), "curves jump").0, Verdict::DoesNotHold);
    }

    #[test]
    fn drawing_by_the_processor_is_told_but_not_compared() {
        let cells =
            vec![cell(names::COARSE, "bsp", 500, 100.0), cell(names::FINE, "bsp", 500, 34.0)];
        let evidence = Evidence::of(vec![(Experiment::Triangles, cells)]);
        let on = |adapter| {
            let judged = judge(&evidence, adapter);
            judged.into_iter().find(|c| c.said.starts_with("80 triangles a sphere")).unwrap()
        };
        assert_eq!(on(Some("a card [Vulkan, discrete GPU]")).verdict, Verdict::Holds);
        let software = on(Some("llvmpipe [Vulkan, software]"));
        assert_eq!(software.verdict, Verdict::CannotBeCompared);
        assert!(software.today.starts_with("66 % of the frames per second"), "{}", software.today);
        assert_eq!(on(None).today, "nothing was drawn");
    }

    #[test]
    fn speed_and_size_are_judged_for_every_method() {
        let cells = |slow: f64| {
            let mut cells = Vec::new();
            for id in ALGORITHMS {
                cells.push(cell("random, speed 0.1", id, 500, 100.0));
                cells.push(cell("random, speed 2", id, 500, 95.0));
                cells.push(cell("random, radius 0.01", id, 500, 100.0));
                cells.push(cell("random, radius 0.04", id, 500, 60.0));
            }
            cells.push(cell("random, speed 1", "sap-matrix", 500, slow));
            vec![(Experiment::SpeedAndSize, cells)]
        };
        assert_eq!(verdict(cells(96.0), "speed of the objects").0, Verdict::Holds);
        assert_eq!(verdict(cells(50.0), "speed of the objects").0, Verdict::DoesNotHold);
        assert_eq!(verdict(cells(96.0), "Bigger objects").0, Verdict::Holds);
    }

    #[test]
    fn the_slip_of_the_thesis_is_found() {
        let (verdict, today) = verdict(vec![], "5 million pairs");
        assert_eq!(verdict, Verdict::DoesNotHold);
        assert_eq!(today, "49995000 pairs; 97280 in 512 leaves of equal load, 514 times fewer");
    }
}
