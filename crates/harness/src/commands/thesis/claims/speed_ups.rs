//! Claims on the speed of the methods: which is the fastest, where, and by how much.

use super::check::{ClaimCheck, ClaimOutcome, join, times, whole};
use crate::commands::thesis::experiments::Experiment;
use crate::commands::thesis::inputs;
use measure::numbers::significant;

/// Tolerance of a factor that the thesis states, either way.
const FACTOR_TOLERANCE: f64 = 1.25;
/// Numbers of objects where the trees of the thesis become one level deeper.
const DEPTH_STEPS: [u64; 5] = [250, 500, 1000, 2000, 4000];

impl ClaimCheck<'_> {
    pub(super) fn speed_up_is(&self, from: Experiment, id: &str, claimed: f64) -> ClaimOutcome {
        const N: u64 = 5000;
        match self.speed_up(from, id, N) {
            Some(factor) => {
                let range = claimed / FACTOR_TOLERANCE..=claimed * FACTOR_TOLERANCE;
                ClaimOutcome::of(range.contains(&factor), times(factor))
            }
            None => self.not_measured_at(N),
        }
    }

    pub(super) fn brute_force_is_slowest(&self, from: Experiment) -> ClaimOutcome {
        let brute_force = self.methods.brute_force;
        let what = format!("{brute_force} is the slowest");
        self.at_all_numbers(
            from,
            |_| true,
            &what,
            |fps| {
                let own = fps(brute_force)?;
                let others = self.methods.without_brute_force().into_iter();
                let others = others.filter_map(|id| Some((id, fps(id)?)));
                let (id, slowest) = others.min_by(|a, b| a.1.total_cmp(&b.1))?;
                Some((own < slowest, format!("{id} takes {} as long", times(own / slowest))))
            },
        )
    }

    pub(super) fn matrix_is_fastest(&self, from: Experiment) -> ClaimOutcome {
        let matrix = self.methods.sap_matrix;
        let is_small = |n: u64| n <= 500;
        self.at_all_numbers(from, is_small, &format!("{matrix} is the fastest"), |fps| {
            let own = fps(matrix)?;
            let others = self.methods.ids().into_iter().filter(|id| *id != matrix);
            let others = others.filter_map(|id| Some((id, fps(id)?)));
            let (id, fastest) = others.max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((own > fastest, format!("{id} is {} as fast", times(fastest / own))))
        })
    }

    pub(super) fn kd_tree_is_faster_on_fer(&self) -> ClaimOutcome {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let what = format!("{kd_tree} is faster than {bsp}");
        self.at_all_numbers(
            Experiment::Fer,
            |n| n >= 250,
            &what,
            |fps| {
                let (own, other) = (fps(kd_tree)?, fps(bsp)?);
                Some((own > other, format!("{bsp} is {} as fast", times(other / own))))
            },
        )
    }

    pub(super) fn matrix_falls_below_bsp(&self) -> ClaimOutcome {
        let from = Experiment::Fer;
        let above = |n: u64| {
            let fps = |id| self.rows.fps(from, inputs::FER, id, n);
            Some((n, fps(self.methods.sap_matrix)? > fps(self.methods.bsp)?))
        };
        let numbers = self.rows.numbers(from);
        let checked: Vec<(u64, bool)> = numbers.into_iter().filter_map(above).collect();
        let below = checked.iter().find(|(_, above)| !above).map(|(n, _)| *n);
        let large: Vec<_> = checked.iter().filter(|(n, _)| *n >= 1000).collect();
        if large.is_empty() || checked.len() == large.len() {
            return ClaimOutcome::not_measured();
        }
        // The thesis measured at 500, 1000 and more: it falls below somewhere from 500 to 1000.
        let holds =
            below.is_some_and(|n| n > 500 && n <= 1000) && large.iter().all(|(_, above)| !above);
        let text = match below {
            Some(n) if n == checked[0].0 => format!("below from the first, n = {n}"),
            Some(n) => format!("first below at n = {n}"),
            None => "never below".to_owned(),
        };
        ClaimOutcome::of(holds, text)
    }

    /// The first number of objects with less than 20 frames per second is within a factor of the claimed one.
    pub(super) fn falls_below_20(&self, id: &str, claimed: u64) -> ClaimOutcome {
        const MIN_FPS: f64 = 20.0;
        let from = Experiment::RandomDrawn;
        let fps = |n| Some((n, self.rows.fps(from, inputs::DRAWN, id, n)?));
        let all: Vec<(u64, f64)> = self.rows.numbers(from).into_iter().filter_map(fps).collect();
        let Some(last) = all.last().filter(|(n, _)| *n >= claimed) else {
            return self.not_measured_at(claimed);
        };
        match all.iter().find(|(_, fps)| *fps < MIN_FPS) {
            Some((n, fps)) => {
                let factor = *n as f64 / claimed as f64;
                let holds = (1.0 / FACTOR_TOLERANCE..=FACTOR_TOLERANCE).contains(&factor);
                ClaimOutcome::of(
                    holds,
                    format!("{} frames per second at n = {n}", significant(*fps)),
                )
            }
            None => {
                let text =
                    format!("never: {} frames per second at n = {}", significant(last.1), last.0);
                ClaimOutcome::of(false, text)
            }
        }
    }

    /// Its speed-up at the most objects is less than at 500.
    pub(super) fn matrix_approaches_brute_force(&self, from: Experiment) -> ClaimOutcome {
        const BEGIN: u64 = 500;
        let speed_up = |n: u64| {
            let input = if from == Experiment::Fer { inputs::FER } else { inputs::RANDOM };
            let fps = |id| self.rows.fps(from, input, id, n);
            Some((n, fps(self.methods.sap_matrix)? / fps(self.methods.brute_force)?))
        };
        let numbers = self.rows.numbers(from).into_iter().filter(|n| *n >= BEGIN);
        let all: Vec<(u64, f64)> = numbers.filter_map(speed_up).collect();
        let [first, .., last] = &all[..] else { return self.not_measured_at(BEGIN) };
        let text = |(n, factor): &(u64, f64)| format!("{} at n = {n}", times(*factor));
        ClaimOutcome::of(last.1 < first.1, format!("as fast: {}, {}", text(first), text(last)))
    }

    pub(super) fn kd_tree_is_shallow_on_fer(&self) -> ClaimOutcome {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let what = format!("{kd_tree} is at most a quarter faster than {bsp}");
        self.at_all_numbers(
            Experiment::Fer,
            |n| n < 250,
            &what,
            |fps| {
                let ratio = fps(kd_tree)? / fps(bsp)?;
                Some((ratio <= FACTOR_TOLERANCE, format!("it is {} as fast", times(ratio))))
            },
        )
    }

    pub(super) fn brute_force_spends_most(&self) -> ClaimOutcome {
        let brute_force = self.methods.brute_force;
        let cell = |id, n| self.rows.cell(Experiment::RandomDrawn, inputs::DRAWN, id, n);
        let share = |id, n| cell(id, n)?.collision_share;
        let at = |n: u64| {
            let others = self.methods.without_brute_force().into_iter();
            let most = others.filter_map(|id| share(id, n)).reduce(f64::max)?;
            Some((n, share(brute_force, n)?, most))
        };
        let numbers = self.rows.numbers(Experiment::RandomDrawn);
        let all: Vec<(u64, f64, f64)> = numbers.into_iter().filter_map(at).collect();
        let Some((n, own, most)) = all.last() else { return ClaimOutcome::not_measured() };
        let held = all.iter().filter(|(_, own, most)| own > most).count();
        let [own, most] = [own, most].map(|share| whole(100.0 * share));
        let text = format!(
            "at {held} of {} numbers of objects; {own} % against at most {most} % at n = {n}",
            all.len()
        );
        ClaimOutcome::of(held == all.len(), text)
    }

    pub(super) fn trees_are_alike(&self) -> ClaimOutcome {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let ratio = |n: u64| {
            let fps = |id| self.rows.fps(Experiment::Random, inputs::RANDOM, id, n);
            Some(fps(kd_tree)? / fps(bsp)?)
        };
        let numbers = self.rows.numbers(Experiment::Random);
        let ratios: Vec<f64> = numbers.into_iter().filter_map(ratio).collect();
        let Some(mean) = geometric_mean(&ratios) else { return ClaimOutcome::not_measured() };
        let mean_text = significant(mean);
        let text = format!(
            "{kd_tree} makes {mean_text} of the frames per second of {bsp} (geometric mean over n)"
        );
        ClaimOutcome::of((1.0 / FACTOR_TOLERANCE..1.0).contains(&mean), text)
    }

    pub(super) fn curves_jump(&self) -> ClaimOutcome {
        let mut texts = Vec::new();
        let mut jumps = Vec::new();
        for id in [self.methods.bsp, self.methods.kd_tree] {
            let jump = |step: u64| {
                let at = |n| self.rows.cell(Experiment::Random, inputs::RANDOM, id, n);
                let (before, after) = (at(step - 1)?, at(step)?);
                // Faster by more than chance: the intervals are apart.
                let is_faster = after.interval_ns?[1] < before.interval_ns?[0];
                // Of these times, not of frames per second, which include the response.
                let percent = 100.0 * (before.median_ns? / after.median_ns? - 1.0);
                Some((is_faster, format!("{:+.0} % at {step}", percent.round() + 0.0)))
            };
            let (faster, changes): (Vec<bool>, Vec<String>) =
                DEPTH_STEPS.into_iter().filter_map(jump).unzip();
            if !faster.is_empty() {
                texts.push(format!("{id}: {}", join(changes)));
            }
            jumps.extend(faster);
        }
        if jumps.is_empty() {
            return ClaimOutcome::not_measured();
        }
        let faster = jumps.iter().filter(|is_faster| **is_faster).count();
        let (of, texts) = (jumps.len(), texts.join("; "));
        ClaimOutcome::of(faster == of, format!("faster at {faster} of {of} steps; {texts}"))
    }
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}
