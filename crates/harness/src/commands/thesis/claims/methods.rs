//! Claims on the methods: which is faster, where, and how much.

use super::super::experiments::{ALGORITHMS, Experiment};
use super::super::names;
use super::court::{Court, Ruling, figure, join, percent, unmeasured};

/// A factor that the thesis gives holds if today's lies within a quarter of it, either way.
const FACTOR_TOLERANCE: f64 = 1.25;
/// Where the trees of the thesis get one level deeper.
const DEPTH_STEPS: [u64; 5] = [250, 500, 1000, 2000, 4000];

impl Court<'_> {
    pub(super) fn speed_up(&self, id: &str, claimed: f64) -> Ruling {
        const N: u64 = 5000;
        match self.over_classic(Experiment::Random, names::RANDOM, id, N) {
            Some(factor) => {
                let range = claimed / FACTOR_TOLERANCE..=claimed * FACTOR_TOLERANCE;
                Ruling::of(range.contains(&factor), format!("{} times", figure(factor)))
            }
            None => Ruling::none(unmeasured(N)),
        }
    }

    pub(super) fn classic_is_slowest(&self, from: Experiment) -> Ruling {
        let [classic, others @ ..] = ALGORITHMS;
        self.at_all_numbers(
            from,
            |_| true,
            "brute-force is the slowest",
            |fps| {
                let own = fps(classic)?;
                let slowest = others.iter().filter_map(|id| Some((*id, fps(id)?)));
                let (id, slowest) = slowest.min_by(|a, b| a.1.total_cmp(&b.1))?;
                Some((own < slowest, format!("{id} takes {} times as long", figure(own / slowest))))
            },
        )
    }

    pub(super) fn matrix_is_fastest(&self, from: Experiment) -> Ruling {
        let is_small = |n: u64| n <= 500;
        self.at_all_numbers(from, is_small, "sap-matrix is the fastest", |fps| {
            let own = fps("sap-matrix")?;
            let others = ALGORITHMS.iter().filter(|id| **id != "sap-matrix");
            let fastest = others.filter_map(|id| Some((*id, fps(id)?)));
            let (id, fastest) = fastest.max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((own > fastest, format!("{id} is {} times as fast", figure(fastest / own))))
        })
    }

    pub(super) fn adjusting_pays_on_fer(&self) -> Ruling {
        self.at_all_numbers(
            Experiment::Fer,
            |n| n >= 250,
            "kd-tree is faster than bsp",
            |fps| {
                let (kd, bsp) = (fps("kd-tree")?, fps("bsp")?);
                Some((kd > bsp, format!("bsp is {} times as fast", figure(bsp / kd))))
            },
        )
    }

    pub(super) fn matrix_falls_below_bsp(&self) -> Ruling {
        let from = Experiment::Fer;
        let above = |n: u64| {
            let fps = |id| self.evidence.fps(from, names::FER, id, n);
            Some((n, fps("sap-matrix")? > fps("bsp")?))
        };
        let seen: Vec<(u64, bool)> =
            self.evidence.numbers(from).into_iter().filter_map(above).collect();
        let below = seen.iter().find(|(_, above)| !above).map(|(n, _)| *n);
        let large: Vec<_> = seen.iter().filter(|(n, _)| *n >= 1000).collect();
        if large.is_empty() || seen.len() == large.len() {
            return Ruling::none("too few numbers of objects were measured");
        }
        // The thesis measured at 500, 1000 and then on: it falls below somewhere from 500 to 1000.
        let holds =
            below.is_some_and(|n| n > 500 && n <= 1000) && large.iter().all(|(_, above)| !above);
        Ruling::of(
            holds,
            match below {
                Some(n) if n == seen[0].0 => format!("below from the first, n = {n}"),
                Some(n) => format!("first below at n = {n}"),
                None => "never below".to_owned(),
            },
        )
    }

    pub(super) fn trees_are_alike(&self) -> Ruling {
        let ratio = |n: u64| {
            let fps = |id| self.evidence.fps(Experiment::Random, names::RANDOM, id, n);
            Some(fps("kd-tree")? / fps("bsp")?)
        };
        let numbers = self.evidence.numbers(Experiment::Random);
        let ratios: Vec<f64> = numbers.into_iter().filter_map(ratio).collect();
        match geometric_mean(&ratios) {
            Some(mean) => Ruling::of(
                (1.0 / FACTOR_TOLERANCE..1.0).contains(&mean),
                format!(
                    "kd-tree makes {} of bsp's frames per second (geometric mean over n)",
                    figure(mean)
                ),
            ),
            None => Ruling::none("not measured"),
        }
    }

    pub(super) fn curves_jump(&self) -> Ruling {
        let mut told = Vec::new();
        let mut jumps = Vec::new();
        for id in ["bsp", "kd-tree"] {
            let jump = |step: u64| {
                let at = |n| self.evidence.cell(Experiment::Random, names::RANDOM, id, n);
                let (before, after) = (at(step - 1)?, at(step)?);
                // Faster by more than chance: the intervals are apart.
                let faster = after.interval_ns?[1] < before.interval_ns?[0];
                // Of the same times, not of frames per second, in which the response stands too.
                let change = before.median_ns? / after.median_ns? - 1.0;
                Some((faster, format!("{} at {step}", percent(100.0 * change))))
            };
            let found: Vec<_> = DEPTH_STEPS.into_iter().filter_map(jump).collect();
            if !found.is_empty() {
                told.push(format!("{id}: {}", join(found.iter().map(|(_, text)| text.clone()))));
            }
            jumps.extend(found.into_iter().map(|(faster, _)| faster));
        }
        if jumps.is_empty() {
            return Ruling::none("no numbers of objects next to the steps were measured");
        }
        let up = jumps.iter().filter(|faster| **faster).count();
        let of = jumps.len();
        Ruling::of(
            up == of,
            format!("faster beyond the intervals at {up} of {of} steps; {}", told.join("; ")),
        )
    }
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}
