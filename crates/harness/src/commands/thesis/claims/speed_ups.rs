//! Claims on the speed of the methods: which is the fastest, where, and by how much.

use super::check::{Checked, ClaimCheck, join, not_measured, times, whole};
use crate::commands::thesis::experiments::Experiment;
use measure::numbers::significant;

/// Tolerance of a factor that the thesis states, either way.
pub(super) const FACTOR_TOLERANCE: f64 = 1.25;
/// Numbers of objects where the trees of the thesis become one level deeper.
const DEPTH_STEPS: [u64; 5] = [250, 500, 1000, 2000, 4000];

impl ClaimCheck<'_> {
    pub(super) fn speed_up_is(&self, from: Experiment, id: &str, claimed: f64) -> Checked {
        const N: u64 = 5000;
        let factor = self.speed_up(from, id, N).ok_or_else(|| self.not_measured_at(N))?;
        let range = claimed / FACTOR_TOLERANCE..=claimed * FACTOR_TOLERANCE;
        Ok((range.contains(&factor), times(factor)))
    }

    pub(super) fn brute_force_is_slowest(&self, from: Experiment) -> Checked {
        let brute_force = self.methods.brute_force;
        self.at_all_numbers(from, .., &format!("{brute_force} is the slowest"), |n| {
            let own = self.fps(from, brute_force, n)?;
            let others = self.others(from, brute_force, n);
            let (id, slowest) = others.min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((own < slowest, format!("{id} takes {} as long", times(own / slowest))))
        })
    }

    pub(super) fn matrix_is_fastest(&self, from: Experiment) -> Checked {
        let matrix = self.methods.sap_matrix;
        self.at_all_numbers(from, ..=500, &format!("{matrix} is the fastest"), |n| {
            let own = self.fps(from, matrix, n)?;
            let (id, fastest) = self.others(from, matrix, n).max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((own > fastest, format!("{id} is {} as fast", times(fastest / own))))
        })
    }

    pub(super) fn kd_tree_is_faster_on_fer(&self) -> Checked {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let what = format!("{kd_tree} is faster than {bsp}");
        self.at_all_numbers(Experiment::Fer, 250.., &what, |n| {
            let ratio = self.over(Experiment::Fer, bsp, kd_tree, n)?;
            Some((ratio < 1.0, format!("{bsp} is {} as fast", times(ratio))))
        })
    }

    pub(super) fn kd_tree_is_shallow_on_fer(&self) -> Checked {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let what = format!("{kd_tree} is at most a quarter faster than {bsp}");
        self.at_all_numbers(Experiment::Fer, ..250, &what, |n| {
            let ratio = self.over(Experiment::Fer, kd_tree, bsp, n)?;
            Some((ratio <= FACTOR_TOLERANCE, format!("it is {} as fast", times(ratio))))
        })
    }

    pub(super) fn matrix_falls_below_bsp(&self) -> Checked {
        let from = Experiment::Fer;
        let (matrix, bsp) = (self.methods.sap_matrix, self.methods.bsp);
        let checked =
            self.over_n(from, |n| Some(self.fps(from, matrix, n)? > self.fps(from, bsp, n)?));
        let below = checked.iter().find(|(_, above)| !above).map(|(n, _)| *n);
        let large: Vec<_> = checked.iter().filter(|(n, _)| *n >= 1000).collect();
        if large.is_empty() || checked.len() == large.len() {
            return Err(not_measured());
        }
        // The thesis measured at 500, 1000 and more: it falls below somewhere from 500 to 1000.
        let holds =
            below.is_some_and(|n| n > 500 && n <= 1000) && large.iter().all(|(_, above)| !above);
        let text = match below {
            Some(n) if n == checked[0].0 => format!("below from the first, n = {n}"),
            Some(n) => format!("first below at n = {n}"),
            None => "never below".to_owned(),
        };
        Ok((holds, text))
    }

    /// The first number of objects with less than 20 frames per second is within a factor of the claimed one.
    pub(super) fn falls_below_20(&self, id: &str, claimed: u64) -> Checked {
        const MIN_FPS: f64 = 20.0;
        let from = Experiment::RandomDrawn;
        let all = self.over_n(from, |n| self.fps(from, id, n));
        let last = all.last().filter(|(n, _)| *n >= claimed);
        let (most, least_fps) = last.ok_or_else(|| self.not_measured_at(claimed))?;
        let text = |fps: f64, n: u64| format!("{} frames per second at n = {n}", significant(fps));
        let Some((n, fps)) = all.iter().find(|(_, fps)| *fps < MIN_FPS) else {
            return Ok((false, format!("never: {}", text(*least_fps, *most))));
        };
        let factor = *n as f64 / claimed as f64;
        let holds = (1.0 / FACTOR_TOLERANCE..=FACTOR_TOLERANCE).contains(&factor);
        Ok((holds, text(*fps, *n)))
    }

    /// Its speed-up at the most objects is less than at 500.
    pub(super) fn matrix_approaches_brute_force(&self, from: Experiment) -> Checked {
        const BEGIN: u64 = 500;
        let speed_up = |n| self.speed_up(from, self.methods.sap_matrix, n);
        let all = self.over_n(from, |n| speed_up(n).filter(|_| n >= BEGIN));
        let [first, .., last] = &all[..] else { return Err(self.not_measured_at(BEGIN)) };
        let text = |(n, factor): &(u64, f64)| format!("{} at n = {n}", times(*factor));
        Ok((last.1 < first.1, format!("as fast: {}, {}", text(first), text(last))))
    }

    pub(super) fn brute_force_spends_most(&self) -> Checked {
        let from = Experiment::RandomDrawn;
        let share = |id, n| self.cell(from, id, n)?.collision_share;
        let all = self.over_n(from, |n| {
            let others = self.methods.without_brute_force().into_iter();
            let most = others.filter_map(|id| share(id, n)).reduce(f64::max)?;
            Some((share(self.methods.brute_force, n)?, most))
        });
        let (n, (own, most)) = all.last().ok_or_else(not_measured)?;
        let held = all.iter().filter(|(_, (own, most))| own > most).count();
        let [own, most] = [own, most].map(|share| whole(100.0 * share));
        let text = format!(
            "at {held} of {} numbers of objects; {own} % against at most {most} % at n = {n}",
            all.len()
        );
        Ok((held == all.len(), text))
    }

    pub(super) fn trees_are_alike(&self) -> Checked {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let from = Experiment::Random;
        let logs = self.over_n(from, |n| Some(self.over(from, kd_tree, bsp, n)?.ln()));
        if logs.is_empty() {
            return Err(not_measured());
        }
        let sum: f64 = logs.iter().map(|(_, log)| log).sum();
        let mean = (sum / logs.len() as f64).exp();
        let text = format!(
            "{kd_tree} makes {} of the frames per second of {bsp} (geometric mean over n)",
            significant(mean)
        );
        Ok(((1.0 / FACTOR_TOLERANCE..1.0).contains(&mean), text))
    }

    pub(super) fn curves_jump(&self) -> Checked {
        let mut texts = Vec::new();
        let mut jumps = Vec::new();
        for id in [self.methods.bsp, self.methods.kd_tree] {
            let jump = |step: u64| {
                let at = |n| self.cell(Experiment::Random, id, n);
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
            return Err(not_measured());
        }
        let faster = jumps.iter().filter(|is_faster| **is_faster).count();
        let (of, texts) = (jumps.len(), texts.join("; "));
        Ok((faster == of, format!("faster at {faster} of {of} steps; {texts}")))
    }
}
