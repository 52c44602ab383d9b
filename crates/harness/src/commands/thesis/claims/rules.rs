//! The rules of the claims.

use crate::commands::thesis::experiments::Experiment::{Fer, Random, RandomDrawn, SpeedAndSize};
use crate::commands::thesis::experiments::{Experiment, RADIUS, SPEED};
use crate::commands::thesis::rows::{Methods, SEMI_ADJUSTING, ThesisRows, VECTORISED};
use crate::study::{Checked, Outcome, holds, not_measured};
use measure::numbers::significant;
use report::Cell;
use std::ops::RangeBounds;

/// Tolerance of a factor that the thesis states, either way.
const FACTOR_TOLERANCE: f64 = 1.25;
/// Numbers of objects where the trees of the thesis become one level deeper.
const DEPTH_STEPS: [u64; 5] = [250, 500, 1000, 2000, 4000];
/// Tolerance of a share that the thesis states, percentage points.
const SHARE_TOLERANCE: f64 = 10.0;
/// Times whose ratio is at most this count as equal.
const NO_DIFFERENCE: f64 = 1.10;
/// Number of objects of the claims on many objects.
const MANY: u64 = 5000;

/// Checks claims by one set of methods.
pub(super) struct ClaimCheck<'a> {
    pub(super) rows: &'a ThesisRows,
    pub(super) methods: &'a Methods,
}

/// What several rules share.
impl ClaimCheck<'_> {
    /// The cell of an algorithm at a number of objects, on the input of an experiment that has one.
    fn cell(&self, from: Experiment, id: &str, n: u64) -> Option<&Cell> {
        self.rows.cell(from, from.input(), id, n)
    }

    fn fps(&self, from: Experiment, id: &str, n: u64) -> Option<f64> {
        self.cell(from, id, n)?.fps
    }

    /// Frames per second over those of another algorithm.
    fn over(&self, from: Experiment, id: &str, base: &str, n: u64) -> Option<f64> {
        Some(self.fps(from, id, n)? / self.fps(from, base, n)?)
    }

    /// Frames per second over those of brute force.
    fn speed_up(&self, from: Experiment, id: &str, n: u64) -> Option<f64> {
        self.over(from, id, self.methods.brute_force, n)
    }

    /// Frames per second of all methods but one.
    fn others(
        &self,
        from: Experiment,
        but: &str,
        n: u64,
    ) -> impl Iterator<Item = (&'static str, f64)> {
        let ids = self.methods.ids().into_iter().filter(move |id| *id != but);
        ids.filter_map(move |id| Some((id, self.fps(from, id, n)?)))
    }

    /// A figure at each number of objects that has it, ascending.
    fn over_n<T>(&self, from: Experiment, figure: impl Fn(u64) -> Option<T>) -> Vec<(u64, T)> {
        let numbers = self.rows.numbers(from).into_iter();
        numbers.filter_map(|n| Some((n, figure(n)?))).collect()
    }

    /// A figure of an algorithm over the number behind a prefix of the input's name, ascending: a speed, a radius.
    fn over_inputs(
        &self,
        prefix: &str,
        id: &str,
        figure: impl Fn(&Cell) -> Option<f64>,
    ) -> Vec<(f64, f64)> {
        let cells = self.rows.cells(SpeedAndSize).iter();
        let point = |c: &Cell| Some((c.input.strip_prefix(prefix)?.parse().ok()?, figure(c)?));
        let mut points: Vec<(f64, f64)> =
            cells.filter(|cell| cell.algorithm == id).filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// Applies a rule at each of these numbers of objects. The claim holds if it does at all of them;
    /// else the last number at which it does not is stated.
    fn at_all_numbers(
        &self,
        from: Experiment,
        numbers: impl RangeBounds<u64>,
        what: &str,
        rule: impl Fn(u64) -> Option<(bool, String)>,
    ) -> Checked {
        let checked = self.over_n(from, |n| rule(n).filter(|_| numbers.contains(&n)));
        let (all, held) = (checked.len(), checked.iter().filter(|(_, (holds, _))| *holds).count());
        match checked.iter().rfind(|(_, (holds, _))| !holds) {
            _ if checked.is_empty() => Err(no_rows()),
            None => Ok(holds(true, format!("{what} at all {all} numbers of objects"))),
            Some((n, (_, text))) => Ok(holds(
                false,
                format!("{what} at {held} of {all} numbers of objects; at n = {n} {text}"),
            )),
        }
    }

    /// The outcome where a number of objects is missing.
    fn not_measured_at(&self, n: u64) -> Outcome {
        match self.rows.has_any(&self.methods.ids()) {
            true => not_measured(format!("n = {n} was not measured")),
            false => no_rows(),
        }
    }
}

/// Which method is the fastest, where, and by how much.
impl ClaimCheck<'_> {
    pub(super) fn speed_up_is(&self, from: Experiment, id: &str, claimed: f64) -> Checked {
        const N: u64 = 5000;
        let factor = self.speed_up(from, id, N).ok_or_else(|| self.not_measured_at(N))?;
        let range = claimed / FACTOR_TOLERANCE..=claimed * FACTOR_TOLERANCE;
        Ok(holds(range.contains(&factor), times(factor)))
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
        self.at_all_numbers(Fer, 250.., &what, |n| {
            let ratio = self.over(Fer, bsp, kd_tree, n)?;
            Some((ratio < 1.0, format!("{bsp} is {} as fast", times(ratio))))
        })
    }

    pub(super) fn kd_tree_is_shallow_on_fer(&self) -> Checked {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let what = format!("{kd_tree} is at most a quarter faster than {bsp}");
        self.at_all_numbers(Fer, ..250, &what, |n| {
            let ratio = self.over(Fer, kd_tree, bsp, n)?;
            Some((ratio <= FACTOR_TOLERANCE, format!("it is {} as fast", times(ratio))))
        })
    }

    pub(super) fn matrix_falls_below_bsp(&self) -> Checked {
        let from = Fer;
        let (matrix, bsp) = (self.methods.sap_matrix, self.methods.bsp);
        let checked =
            self.over_n(from, |n| Some(self.fps(from, matrix, n)? > self.fps(from, bsp, n)?));
        let below = checked.iter().find(|(_, above)| !above).map(|(n, _)| *n);
        let large: Vec<_> = checked.iter().filter(|(n, _)| *n >= 1000).collect();
        if large.is_empty() || checked.len() == large.len() {
            return Err(no_rows());
        }
        // The thesis measured at 500, 1000 and more: it falls below somewhere from 500 to 1000.
        let is_so =
            below.is_some_and(|n| n > 500 && n <= 1000) && large.iter().all(|(_, above)| !above);
        let text = match below {
            Some(n) if n == checked[0].0 => format!("below from the first, n = {n}"),
            Some(n) => format!("first below at n = {n}"),
            None => "never below".to_owned(),
        };
        Ok(holds(is_so, text))
    }

    /// The first number of objects with less than 20 frames per second is within a factor of the claimed one.
    pub(super) fn falls_below_20(&self, id: &str, claimed: u64) -> Checked {
        const MIN_FPS: f64 = 20.0;
        let from = RandomDrawn;
        let all = self.over_n(from, |n| self.fps(from, id, n));
        let last = all.last().filter(|(n, _)| *n >= claimed);
        let (most, least_fps) = last.ok_or_else(|| self.not_measured_at(claimed))?;
        let text = |fps: f64, n: u64| format!("{} frames per second at n = {n}", significant(fps));
        let Some((n, fps)) = all.iter().find(|(_, fps)| *fps < MIN_FPS) else {
            return Ok(holds(false, format!("never: {}", text(*least_fps, *most))));
        };
        let factor = *n as f64 / claimed as f64;
        let is_so = (1.0 / FACTOR_TOLERANCE..=FACTOR_TOLERANCE).contains(&factor);
        Ok(holds(is_so, text(*fps, *n)))
    }

    /// Its speed-up at the most objects is less than at 500.
    pub(super) fn matrix_approaches_brute_force(&self, from: Experiment) -> Checked {
        const BEGIN: u64 = 500;
        let speed_up = |n| self.speed_up(from, self.methods.sap_matrix, n);
        let all = self.over_n(from, |n| speed_up(n).filter(|_| n >= BEGIN));
        let [first, .., last] = &all[..] else { return Err(self.not_measured_at(BEGIN)) };
        let text = |(n, factor): &(u64, f64)| format!("{} at n = {n}", times(*factor));
        Ok(holds(last.1 < first.1, format!("as fast: {}, {}", text(first), text(last))))
    }

    pub(super) fn brute_force_spends_most(&self) -> Checked {
        let from = RandomDrawn;
        let share = |id, n| self.cell(from, id, n)?.collision_share;
        let all = self.over_n(from, |n| {
            let others = self.methods.without_brute_force().into_iter();
            let most = others.filter_map(|id| share(id, n)).reduce(f64::max)?;
            Some((share(self.methods.brute_force, n)?, most))
        });
        let (n, (own, most)) = all.last().ok_or_else(no_rows)?;
        let held = all.iter().filter(|(_, (own, most))| own > most).count();
        let [own, most] = [own, most].map(|share| whole(100.0 * share));
        let text = format!(
            "at {held} of {} numbers of objects; {own} % against at most {most} % at n = {n}",
            all.len()
        );
        Ok(holds(held == all.len(), text))
    }

    pub(super) fn trees_are_alike(&self) -> Checked {
        let (kd_tree, bsp) = (self.methods.kd_tree, self.methods.bsp);
        let from = Random;
        let logs = self.over_n(from, |n| Some(self.over(from, kd_tree, bsp, n)?.ln()));
        if logs.is_empty() {
            return Err(no_rows());
        }
        let sum: f64 = logs.iter().map(|(_, log)| log).sum();
        let mean = (sum / logs.len() as f64).exp();
        let text = format!(
            "{kd_tree} makes {} of the frames per second of {bsp} (geometric mean over n)",
            significant(mean)
        );
        Ok(holds((1.0 / FACTOR_TOLERANCE..1.0).contains(&mean), text))
    }

    pub(super) fn curves_jump(&self) -> Checked {
        let mut texts = Vec::new();
        let mut jumps = Vec::new();
        for id in [self.methods.bsp, self.methods.kd_tree] {
            let jump = |step: u64| {
                let at = |n| self.cell(Random, id, n);
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
            return Err(no_rows());
        }
        let faster = jumps.iter().filter(|is_faster| **is_faster).count();
        let (of, texts) = (jumps.len(), texts.join("; "));
        Ok(holds(faster == of, format!("faster at {faster} of {of} steps; {texts}")))
    }
}

/// Rendering.
impl ClaimCheck<'_> {
    pub(super) fn speed_ups_are_greater_without_rendering(&self) -> Checked {
        let numbers = self.rows.numbers(RandomDrawn);
        let n = *numbers.last().ok_or_else(no_rows)?;
        let both = |id: &'static str| {
            let drawn = self.speed_up(RandomDrawn, id, n)?;
            Some((id, self.speed_up(Random, id, n)?, drawn))
        };
        let ids = self.methods.without_brute_force().into_iter();
        let speed_ups: Vec<(&str, f64, f64)> = ids.filter_map(both).collect();
        if speed_ups.is_empty() {
            return Err(self.not_measured_at(n));
        }
        let is_so = speed_ups.iter().all(|(_, without, with)| without > with);
        let text = |(id, without, with): &(&str, f64, f64)| {
            format!("{id} {} against {}", significant(*without), significant(*with))
        };
        let text = join(speed_ups.iter().map(text));
        Ok(holds(is_so, format!("{text} with drawing, n = {n}")))
    }

    pub(super) fn fps_cost(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Checked {
        self.change(from, looks, claimed, "% of the frames per second", |plain, rich| {
            Some(100.0 * (1.0 - rich.fps? / plain.fps?))
        })
    }

    pub(super) fn share_rise(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Checked {
        self.change(from, looks, claimed, "points of the share", |plain, rich| {
            Some(100.0 * (rich.drawing_share()? - plain.drawing_share()?))
        })
    }

    /// A change in per cent from one look to another: its mean over all numbers of objects.
    fn change(
        &self,
        from: Experiment,
        [plain, rich]: [&str; 2],
        claimed: f64,
        unit: &str,
        change: impl Fn(&Cell, &Cell) -> Option<f64>,
    ) -> Checked {
        let changes = self.over_n(from, |n| {
            let cell = |input| self.rows.cell(from, input, self.methods.bsp, n);
            change(cell(plain)?, cell(rich)?)
        });
        if changes.is_empty() {
            return Err(no_rows());
        }
        let changes = || changes.iter().map(|(_, change)| *change);
        let mean = changes().sum::<f64>() / changes().count() as f64;
        let ends =
            [changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max)];
        let is_so = (mean - claimed).abs() <= SHARE_TOLERANCE;
        let ([least, most], mean) = (ends.map(whole), whole(mean));
        Ok(holds(is_so, format!("{mean} {unit} on the mean, {least} to {most} over n")))
    }
}

/// Speed and size of the objects, and what the methods count.
impl ClaimCheck<'_> {
    pub(super) fn speed_makes_no_difference(&self) -> Checked {
        self.each_method(SPEED, "slowest speed over fastest, in time", |times| {
            let slowest = times.iter().map(|(_, ns)| *ns).fold(0.0, f64::max);
            let fastest = times.iter().map(|(_, ns)| *ns).fold(f64::INFINITY, f64::min);
            let ratio = slowest / fastest;
            (ratio <= NO_DIFFERENCE, ratio)
        })
    }

    pub(super) fn size_slows_all(&self) -> Checked {
        self.each_method(RADIUS, "time with the largest radius over the smallest", |times| {
            let ratio = times[times.len() - 1].1 / times[0].1;
            (ratio > NO_DIFFERENCE, ratio)
        })
    }

    /// Applies a rule to each method's times over the number behind a prefix of the input's name.
    /// The claim holds if it does for all methods.
    fn each_method(
        &self,
        prefix: &str,
        what: &str,
        rule: impl Fn(&[(f64, f64)]) -> (bool, f64),
    ) -> Checked {
        let checked = |id: &str| {
            let times = self.over_inputs(prefix, id, |cell| cell.median_ns);
            let (holds, ratio) = (times.len() > 1).then(|| rule(&times))?;
            Some((holds, format!("{id} {}", significant(ratio))))
        };
        let (held, texts): (Vec<bool>, Vec<String>) =
            self.methods.ids().into_iter().filter_map(checked).unzip();
        if held.is_empty() {
            return Err(no_rows());
        }
        Ok(holds(held.iter().all(|holds| *holds), format!("{what}: {}", join(texts))))
    }

    pub(super) fn semi_adjusting_beats_matrix(&self) -> Checked {
        if self.methods.sap_matrix != VECTORISED.sap_matrix {
            return Err(not_measured(format!("{SEMI_ADJUSTING} has no scalar entry")));
        }
        let factor = self.over(Random, SEMI_ADJUSTING, self.methods.sap_matrix, MANY);
        let factor = factor.ok_or_else(|| self.not_measured_at(MANY))?;
        Ok(holds(factor > 1.0, format!("{SEMI_ADJUSTING} is {} as fast", times(factor))))
    }

    pub(super) fn matrix_tests_least_and_costs_most(&self) -> Checked {
        let matrix = self.methods.sap_matrix;
        let figures = |id| {
            let cell = self.cell(Random, id, MANY)?;
            Some((id, cell.counts.tests?, cell.median_ns?))
        };
        let all: Vec<(&str, f64, f64)> =
            self.methods.without_brute_force().into_iter().filter_map(figures).collect();
        let own = all.iter().find(|(id, ..)| *id == matrix);
        let &(_, tests, ns) = own.ok_or_else(|| self.not_measured_at(MANY))?;
        let others = || all.iter().filter(|(id, ..)| *id != matrix);
        let is_so = others().count() > 0 && others().all(|other| tests < other.1 && ns > other.2);
        let text = |(id, tests, ns): &(&str, f64, f64)| {
            format!("{id} {} tests in {} ms", significant(*tests), significant(ns / 1e6))
        };
        Ok(holds(is_so, join(all.iter().map(text))))
    }

    pub(super) fn size_raises_redundancy(&self) -> Checked {
        let redundancy = |cell: &Cell| Some(cell.counts.listings? / cell.n as f64);
        let trees = [self.methods.bsp, self.methods.kd_tree];
        self.rises_with_size(&trees, "leaves of an object", redundancy)
    }

    pub(super) fn size_raises_axis_overlaps(&self) -> Checked {
        let matrix = [self.methods.sap_matrix];
        self.rises_with_size(&matrix, "overlaps on the axes", |cell| cell.counts.axis_overlaps)
    }

    /// Whether a count rises from each radius to the next, for each of these methods.
    fn rises_with_size(
        &self,
        ids: &[&str],
        what: &str,
        count: impl Fn(&Cell) -> Option<f64>,
    ) -> Checked {
        let (mut all, mut texts) = (true, Vec::new());
        for id in ids {
            let counts = self.over_inputs(RADIUS, id, &count);
            let [first, .., last] = &counts[..] else { return Err(no_rows()) };
            all &= counts.is_sorted_by(|a, b| a.1 < b.1);
            texts.push(format!("{id} {} to {}", significant(first.1), significant(last.1)));
        }
        Ok(holds(all, format!("{what}, smallest to largest radius: {}", join(texts))))
    }
}

/// The number of pairs in section 3.2 of the thesis: its calculation, repeated.
pub(super) fn pair_count() -> Checked {
    let pairs = |n: u64| n * (n - 1) / 2;
    let (objects, leaves) = (10_000u64, 1 << 9);
    let all = pairs(objects);
    let split = leaves * pairs(objects.div_ceil(leaves));
    let fewer = all as f64 / split as f64;
    let is_so = all == 5_000_000 && (fewer - 50.0).abs() < 12.5;
    let text =
        format!("{all} pairs; {split} in {leaves} leaves of equal load, {fewer:.0} times fewer");
    Ok(holds(is_so, text))
}

/// The outcome where there are no rows.
fn no_rows() -> Outcome {
    not_measured("not measured")
}

/// Parts with commas between them.
fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

/// A factor: `2.50 times`.
fn times(factor: f64) -> String {
    format!("{} times", significant(factor))
}

/// Rounded, and never "-0".
fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}
