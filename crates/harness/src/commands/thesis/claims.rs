//! The claims of the thesis, each checked by both sets of methods. Verdicts are computed, never written.

#[cfg(test)]
mod tests;

use super::experiments::Experiment::{Fer, Random, RandomDrawn, Shading, SpeedAndSize, Triangles};
use super::experiments::{EXPERIMENTS, Experiment, RADIUS, SHADING, SPEED, TRIANGLES};
use super::rows::{Methods, SEMI_ADJUSTING, SETS, ThesisRows, VECTORISED, is_software};
use crate::study::{Checked, Claim, Outcome, Statement, Verdict, claim, holds, not_measured};
use measure::numbers::significant;
use report::Cell;
use std::ops::RangeBounds;

type Rule = fn(&Check<'_>) -> Checked;

/// Checks every claim, by each set of [`SETS`]. `adapter` is what rendered, if anything did.
pub(super) fn check(rows: &ThesisRows, adapter: Option<&str>) -> Vec<[Statement; 2]> {
    let checked = |claim: &Claim<Rule>| {
        SETS.map(|methods| claim.statement(outcome(claim, &Check { rows, methods }, adapter)))
    };
    CLAIMS.iter().map(checked).collect()
}

/// The verdict and its figures. Of claims on rendering, only a graphics card can be compared with that of the thesis.
fn outcome(claim: &Claim<Rule>, check: &Check<'_>, adapter: Option<&str>) -> Outcome {
    let is_drawn = EXPERIMENTS.iter().any(|(_, e, drawn, _)| *drawn && claim.basis.contains(e));
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
struct Check<'a> {
    rows: &'a ThesisRows,
    methods: &'a Methods,
}

/// Inputs that several rules share.
impl Check<'_> {
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

    /// A figure of each method but one, in ascending order.
    fn others<'m>(
        &'m self,
        but: &str,
        figure: impl Fn(&'m str) -> Option<f64>,
    ) -> Vec<(&'m str, f64)> {
        let ids = self.methods.ids().into_iter().filter(|id| *id != but);
        let mut others: Vec<(&str, f64)> = ids.filter_map(|id| Some((id, figure(id)?))).collect();
        others.sort_by(|a, b| a.1.total_cmp(&b.1));
        others
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
        let cells = self.rows.cells(SpeedAndSize).iter().filter(|cell| cell.algorithm == id);
        let point = |c: &Cell| Some((c.input.strip_prefix(prefix)?.parse().ok()?, figure(c)?));
        let mut points: Vec<(f64, f64)> = cells.filter_map(point).collect();
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
        let figure = match checked.iter().rfind(|(_, (holds, _))| !holds) {
            _ if checked.is_empty() => return Err(no_rows()),
            None => format!("{what} at all {all} numbers of objects"),
            Some((n, (_, text))) => {
                format!("{what} at {held} of {all} numbers of objects; at n = {n} {text}")
            }
        };
        Ok(holds(held == all, figure))
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
impl Check<'_> {
    fn speed_up_is(&self, from: Experiment, id: &str, claimed: f64) -> Checked {
        let factor = self.speed_up(from, id, MANY).ok_or_else(|| self.not_measured_at(MANY))?;
        let range = claimed / FACTOR_TOLERANCE..=claimed * FACTOR_TOLERANCE;
        Ok(holds(range.contains(&factor), times(factor)))
    }

    fn brute_force_is_slowest(&self, from: Experiment) -> Checked {
        let brute_force = self.methods.brute_force;
        self.at_all_numbers(from, .., &format!("{brute_force} is the slowest"), |n| {
            let own = self.fps(from, brute_force, n)?;
            let (id, slowest) = *self.others(brute_force, |id| self.fps(from, id, n)).first()?;
            Some((own < slowest, format!("{id} takes {} as long", times(own / slowest))))
        })
    }

    fn matrix_is_fastest(&self, from: Experiment) -> Checked {
        let matrix = self.methods.sap_matrix;
        self.at_all_numbers(from, ..=500, &format!("{matrix} is the fastest"), |n| {
            let own = self.fps(from, matrix, n)?;
            let (id, fastest) = *self.others(matrix, |id| self.fps(from, id, n)).last()?;
            Some((own > fastest, format!("{id} is {} as fast", times(fastest / own))))
        })
    }

    fn kd_tree_is_faster_on_fer(&self) -> Checked {
        let Methods { kd_tree, bsp, .. } = self.methods;
        self.at_all_numbers(Fer, 250.., &format!("{kd_tree} is faster than {bsp}"), |n| {
            let ratio = self.over(Fer, bsp, kd_tree, n)?;
            Some((ratio < 1.0, format!("{bsp} is {} as fast", times(ratio))))
        })
    }

    fn kd_tree_is_shallow_on_fer(&self) -> Checked {
        let Methods { kd_tree, bsp, .. } = self.methods;
        let what = format!("{kd_tree} is at most a quarter faster than {bsp}");
        self.at_all_numbers(Fer, ..250, &what, |n| {
            let ratio = self.over(Fer, kd_tree, bsp, n)?;
            Some((ratio <= FACTOR_TOLERANCE, format!("it is {} as fast", times(ratio))))
        })
    }

    fn matrix_falls_below_bsp(&self) -> Checked {
        let Methods { sap_matrix, bsp, .. } = self.methods;
        let above = self.over_n(Fer, |n| Some(self.over(Fer, sap_matrix, bsp, n)? > 1.0));
        let below = above.iter().find(|(_, above)| !above).map(|(n, _)| *n);
        let large: Vec<_> = above.iter().filter(|(n, _)| *n >= 1000).collect();
        if large.is_empty() || above.len() == large.len() {
            return Err(no_rows());
        }
        // The thesis measured at 500, 1000 and more: it falls below somewhere from 500 to 1000.
        let falls = below.is_some_and(|n| n > 500 && n <= 1000);
        let text = match below {
            Some(n) if n == above[0].0 => format!("below from the first, n = {n}"),
            Some(n) => format!("first below at n = {n}"),
            None => "never below".to_owned(),
        };
        Ok(holds(falls && large.iter().all(|(_, above)| !above), text))
    }

    /// The first number of objects with less than 20 frames per second is within a factor of the claimed one.
    fn falls_below_20(&self, id: &str, claimed: u64) -> Checked {
        let all = self.over_n(RandomDrawn, |n| self.fps(RandomDrawn, id, n));
        let last = all.last().filter(|(n, _)| *n >= claimed);
        let last = last.ok_or_else(|| self.not_measured_at(claimed))?;
        let text =
            |(n, fps): &(u64, f64)| format!("{} frames per second at n = {n}", significant(*fps));
        let Some(below) = all.iter().find(|(_, fps)| *fps < 20.0) else {
            return Ok(holds(false, format!("never: {}", text(last))));
        };
        let factor = below.0 as f64 / claimed as f64;
        let range = 1.0 / FACTOR_TOLERANCE..=FACTOR_TOLERANCE;
        Ok(holds(range.contains(&factor), text(below)))
    }

    /// Its speed-up at the most objects is less than at 500.
    fn matrix_approaches_brute_force(&self, from: Experiment) -> Checked {
        const BEGIN: u64 = 500;
        let speed_up = |n| self.speed_up(from, self.methods.sap_matrix, n);
        let all = self.over_n(from, |n| speed_up(n).filter(|_| n >= BEGIN));
        let [first, .., last] = &all[..] else { return Err(self.not_measured_at(BEGIN)) };
        let text = |(n, factor): &(u64, f64)| format!("{} at n = {n}", times(*factor));
        Ok(holds(last.1 < first.1, format!("as fast: {}, {}", text(first), text(last))))
    }

    fn brute_force_spends_most(&self) -> Checked {
        let brute_force = self.methods.brute_force;
        let all = self.over_n(RandomDrawn, |n| {
            let share = |id: &str| self.cell(RandomDrawn, id, n)?.collision_share;
            Some([share(brute_force)?, self.others(brute_force, share).last()?.1])
        });
        let (n, shares) = all.last().ok_or_else(no_rows)?;
        let held = all.iter().filter(|(_, [own, most])| own > most).count();
        let [own, most] = shares.map(|share| whole(100.0 * share));
        let of = all.len();
        let text = format!(
            "at {held} of {of} numbers of objects; {own} % against at most {most} % at n = {n}"
        );
        Ok(holds(held == of, text))
    }

    fn trees_are_alike(&self) -> Checked {
        let Methods { kd_tree, bsp, .. } = self.methods;
        let logs = self.over_n(Random, |n| Some(self.over(Random, kd_tree, bsp, n)?.ln()));
        let mean = mean(logs.iter().map(|(_, log)| *log)).ok_or_else(no_rows)?.exp();
        let text = format!(
            "{kd_tree} makes {} of the frames per second of {bsp} (geometric mean over n)",
            significant(mean)
        );
        Ok(holds((1.0 / FACTOR_TOLERANCE..1.0).contains(&mean), text))
    }

    fn curves_jump(&self) -> Checked {
        let (mut jumps, mut texts) = (Vec::new(), Vec::new());
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
            texts.extend((!faster.is_empty()).then(|| format!("{id}: {}", changes.join(", "))));
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
impl Check<'_> {
    fn speed_ups_are_greater_without_rendering(&self) -> Checked {
        let numbers = self.rows.numbers(RandomDrawn);
        let n = *numbers.last().ok_or_else(no_rows)?;
        let (mut is_so, mut texts) = (true, Vec::new());
        for id in self.methods.without_brute_force() {
            let of = |from| self.speed_up(from, id, n);
            let Some((drawn, without)) = of(RandomDrawn).zip(of(Random)) else { continue };
            is_so &= without > drawn;
            let [without, drawn] = [without, drawn].map(significant);
            texts.push(format!("{id} {without} against {drawn}"));
        }
        if texts.is_empty() {
            return Err(self.not_measured_at(n));
        }
        Ok(holds(is_so, format!("{} with drawing, n = {n}", texts.join(", "))))
    }

    fn fps_cost(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Checked {
        self.change(from, looks, claimed, "% of the frames per second", |plain, rich| {
            Some(100.0 * (1.0 - rich.fps? / plain.fps?))
        })
    }

    fn share_rise(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Checked {
        self.change(from, looks, claimed, "points of the share", |plain, rich| {
            Some(100.0 * (rich.drawing_share()? - plain.drawing_share()?))
        })
    }

    /// A change in per cent from one look to another: its mean over all numbers of objects.
    fn change(
        &self,
        from: Experiment,
        looks: [&str; 2],
        claimed: f64,
        unit: &str,
        change: impl Fn(&Cell, &Cell) -> Option<f64>,
    ) -> Checked {
        let changes = self.over_n(from, |n| {
            let [plain, rich] = looks.map(|look| self.rows.cell(from, look, self.methods.bsp, n));
            change(plain?, rich?)
        });
        let changes = || changes.iter().map(|(_, change)| *change);
        let mean = mean(changes()).ok_or_else(no_rows)?;
        let is_so = (mean - claimed).abs() <= SHARE_TOLERANCE;
        let ends = [changes().reduce(f64::min), changes().reduce(f64::max), Some(mean)];
        let [least, most, mean] = ends.map(|value| whole(value.unwrap_or_default()));
        Ok(holds(is_so, format!("{mean} {unit} on the mean, {least} to {most} over n")))
    }
}

/// Speed and size of the objects, and what the methods count.
impl Check<'_> {
    fn speed_makes_no_difference(&self) -> Checked {
        self.each_method(SPEED, "slowest speed over fastest, in time", |times| {
            let times = || times.iter().map(|(_, ns)| *ns);
            let ratio = times().fold(0.0, f64::max) / times().fold(f64::INFINITY, f64::min);
            (ratio <= NO_DIFFERENCE, ratio)
        })
    }

    fn size_slows_all(&self) -> Checked {
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
        let (mut all, mut texts) = (true, Vec::new());
        for id in self.methods.ids() {
            let times = self.over_inputs(prefix, id, |cell| cell.median_ns);
            if times.len() > 1 {
                let (holds, ratio) = rule(&times);
                all &= holds;
                texts.push(format!("{id} {}", significant(ratio)));
            }
        }
        if texts.is_empty() {
            return Err(no_rows());
        }
        Ok(holds(all, format!("{what}: {}", texts.join(", "))))
    }

    fn semi_adjusting_beats_matrix(&self) -> Checked {
        if self.methods.sap_matrix != VECTORISED.sap_matrix {
            return Err(not_measured(format!("{SEMI_ADJUSTING} has no scalar entry")));
        }
        let factor = self.over(Random, SEMI_ADJUSTING, self.methods.sap_matrix, MANY);
        let factor = factor.ok_or_else(|| self.not_measured_at(MANY))?;
        Ok(holds(factor > 1.0, format!("{SEMI_ADJUSTING} is {} as fast", times(factor))))
    }

    fn matrix_tests_least_and_costs_most(&self) -> Checked {
        let matrix = self.methods.sap_matrix;
        let figures = |id| {
            let cell = self.cell(Random, id, MANY)?;
            Some((id, cell.counts.tests?, cell.median_ns?))
        };
        let ids = self.methods.without_brute_force().into_iter();
        let all: Vec<(&str, f64, f64)> = ids.filter_map(figures).collect();
        let own = all.iter().find(|(id, ..)| *id == matrix);
        let &(_, tests, ns) = own.ok_or_else(|| self.not_measured_at(MANY))?;
        let others = || all.iter().filter(|(id, ..)| *id != matrix);
        let is_so = others().count() > 0 && others().all(|other| tests < other.1 && ns > other.2);
        let text = |(id, tests, ns): &(&str, f64, f64)| {
            format!("{id} {} tests in {} ms", significant(*tests), significant(ns / 1e6))
        };
        Ok(holds(is_so, all.iter().map(text).collect::<Vec<_>>().join(", ")))
    }

    fn size_raises_redundancy(&self) -> Checked {
        let trees = [self.methods.bsp, self.methods.kd_tree];
        self.rises_with_size(&trees, "leaves of an object", |cell| {
            Some(cell.counts.listings? / cell.n as f64)
        })
    }

    fn size_raises_axis_overlaps(&self) -> Checked {
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
        Ok(holds(all, format!("{what}, smallest to largest radius: {}", texts.join(", "))))
    }
}

/// The number of pairs in section 3.2 of the thesis: its calculation, repeated.
fn pair_count() -> Checked {
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

/// `None` without values.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = values.len() as f64;
    (count > 0.0).then(|| values.sum::<f64>() / count)
}

/// A factor: `2.50 times`.
fn times(factor: f64) -> String {
    format!("{} times", significant(factor))
}

/// Rounded, and never "-0".
fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}
