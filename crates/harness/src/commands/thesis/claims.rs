//! The claims of the thesis, each checked by both sets of methods. Verdicts are computed, never written.

#[cfg(test)]
mod tests;

use super::plan::Experiment::{Fer, Random, RandomDrawn, Shading, SpeedAndSize, Triangles};
use super::plan::{EXPERIMENTS, Experiment, RADIUS, SPEED};
use super::plan::{Methods, SEMI_ADJUSTING, SETS, ThesisRows, VECTORISED, is_software};
use crate::study::{Claim, Outcome, Statement, Verdict, claim, holds, not_measured};
use measure::numbers::significant;
use report::Cell;
use std::ops::RangeBounds;

/// A verdict with its figures; `None` without rows.
type Rule = fn(&Check<'_>) -> Option<Outcome>;

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
    let outcome = (claim.rule)(check).unwrap_or_else(|| not_measured("not measured"));
    match (outcome, adapter) {
        (_, None) if is_drawn => not_measured("nothing was drawn"),
        ((Verdict::Met | Verdict::Missed, figure), Some(adapter))
            if is_drawn && is_software(adapter) =>
        {
            (Verdict::NotComparable, format!("{figure}; the processor drew, not a graphics card"))
        }
        (outcome, _) => outcome,
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
        .by("E5, figure 8.21", |c| c.change(Triangles, 66.0, FPS_COST)),
    claim("80 triangles instead of 20 raise the share of drawing by about 25 %")
        .by("E5, figure 8.22", |c| c.change(Triangles, 25.0, SHARE_RISE)),
    claim("Shading costs about 40 % of the frames per second")
        .by("E6, figure 8.23", |c| c.change(Shading, 40.0, FPS_COST)),
    claim("Shading raises the share of drawing by about 14 %")
        .by("E6, figure 8.24", |c| c.change(Shading, 14.0, SHARE_RISE)),
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

/// A change from one look to another: its unit, and its size.
type Change = (&'static str, fn(&Cell, &Cell) -> Option<f64>);
const FPS_COST: Change =
    ("% of the frames per second", |plain, rich| Some(100.0 * (1.0 - rich.fps? / plain.fps?)));
const SHARE_RISE: Change = ("points of the share", |plain, rich| {
    Some(100.0 * (rich.drawing_share()? - plain.drawing_share()?))
});

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
    fn others(&self, but: &str, figure: impl Fn(&str) -> Option<f64>) -> Vec<(&str, f64)> {
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

    /// Applies a rule at each of these numbers of objects. The claim holds if it does at all of them;
    /// else the last number at which it does not is stated.
    fn at_all(
        &self,
        (from, numbers): (Experiment, impl RangeBounds<u64>),
        what: &str,
        rule: impl Fn(u64) -> Option<(bool, String)>,
    ) -> Option<Outcome> {
        let checked = self.over_n(from, |n| rule(n).filter(|_| numbers.contains(&n)));
        let (all, held) = (checked.len(), checked.iter().filter(|(_, (holds, _))| *holds).count());
        let figure = match checked.iter().rfind(|(_, (holds, _))| !holds) {
            _ if checked.is_empty() => return None,
            None => format!("{what} at all {all} numbers of objects"),
            Some((n, (_, text))) => {
                format!("{what} at {held} of {all} numbers of objects; at n = {n} {text}")
            }
        };
        Some(holds(held == all, figure))
    }

    /// Applies a rule to a figure over the number behind a prefix of the input's name, a speed or a radius, ascending. The
    /// claim holds if it does for each of these methods that has the figure.
    fn over_inputs(
        &self,
        prefix: &str,
        ids: &[&str],
        figure: impl Fn(&Cell) -> Option<f64>,
        rule: impl Fn(&[f64]) -> (bool, String),
    ) -> Option<(bool, String)> {
        let figures = |id: &str| {
            let cells = self.rows.cells(SpeedAndSize).iter().filter(|cell| cell.algorithm == id);
            let point = |c: &Cell| Some((c.input.strip_prefix(prefix)?.parse().ok()?, figure(c)?));
            let mut points: Vec<(f64, f64)> = cells.filter_map(point).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points.into_iter().map(|(_, figure)| figure).collect::<Vec<f64>>()
        };
        each(ids, |id| {
            let (holds, text) =
                rule(Some(figures(id)).filter(|points| points.len() > 1)?.as_slice());
            Some((holds, format!("{id} {text}")))
        })
    }

    /// The outcome where a number of objects is missing.
    fn not_measured_at(&self, n: u64) -> Option<Outcome> {
        let is_measured = self.rows.has_any(&self.methods.ids());
        is_measured.then(|| not_measured(format!("n = {n} was not measured")))
    }
}

/// Which method is the fastest, where, and by how much.
impl Check<'_> {
    fn speed_up_is(&self, from: Experiment, id: &str, claimed: f64) -> Option<Outcome> {
        let Some(factor) = self.speed_up(from, id, MANY) else { return self.not_measured_at(MANY) };
        let range = claimed / FACTOR_TOLERANCE..=claimed * FACTOR_TOLERANCE;
        Some(holds(range.contains(&factor), times(factor)))
    }

    fn brute_force_is_slowest(&self, from: Experiment) -> Option<Outcome> {
        let brute_force = self.methods.brute_force;
        self.at_all((from, ..), &format!("{brute_force} is the slowest"), |n| {
            let own = self.fps(from, brute_force, n)?;
            let (id, slowest) = *self.others(brute_force, |id| self.fps(from, id, n)).first()?;
            Some((own < slowest, format!("{id} takes {} as long", times(own / slowest))))
        })
    }

    fn matrix_is_fastest(&self, from: Experiment) -> Option<Outcome> {
        let matrix = self.methods.sap_matrix;
        self.at_all((from, ..=500), &format!("{matrix} is the fastest"), |n| {
            let own = self.fps(from, matrix, n)?;
            let (id, fastest) = *self.others(matrix, |id| self.fps(from, id, n)).last()?;
            Some((own > fastest, format!("{id} is {} as fast", times(fastest / own))))
        })
    }

    fn kd_tree_is_faster_on_fer(&self) -> Option<Outcome> {
        let Methods { kd_tree, bsp, .. } = self.methods;
        self.at_all((Fer, 250..), &format!("{kd_tree} is faster than {bsp}"), |n| {
            let ratio = self.over(Fer, bsp, kd_tree, n)?;
            Some((ratio < 1.0, format!("{bsp} is {} as fast", times(ratio))))
        })
    }

    fn kd_tree_is_shallow_on_fer(&self) -> Option<Outcome> {
        let Methods { kd_tree, bsp, .. } = self.methods;
        self.at_all(
            (Fer, ..250),
            &format!("{kd_tree} is at most a quarter faster than {bsp}"),
            |n| {
                let ratio = self.over(Fer, kd_tree, bsp, n)?;
                Some((ratio <= FACTOR_TOLERANCE, format!("it is {} as fast", times(ratio))))
            },
        )
    }

    fn matrix_falls_below_bsp(&self) -> Option<Outcome> {
        let Methods { sap_matrix, bsp, .. } = self.methods;
        let above = self.over_n(Fer, |n| Some(self.over(Fer, sap_matrix, bsp, n)? > 1.0));
        let below = above.iter().find(|(_, above)| !above).map(|(n, _)| *n);
        let large: Vec<_> = above.iter().filter(|(n, _)| *n >= 1000).collect();
        if large.is_empty() || above.len() == large.len() {
            return None;
        }
        // The thesis measured at 500, 1000 and more: it falls below somewhere from 500 to 1000.
        let falls = below.is_some_and(|n| n > 500 && n <= 1000);
        let text = match below {
            Some(n) if n == above[0].0 => format!("below from the first, n = {n}"),
            Some(n) => format!("first below at n = {n}"),
            None => "never below".to_owned(),
        };
        Some(holds(falls && large.iter().all(|(_, above)| !above), text))
    }

    /// The first number of objects with less than 20 frames per second is within a factor of the claimed one.
    fn falls_below_20(&self, id: &str, claimed: u64) -> Option<Outcome> {
        let all = self.over_n(RandomDrawn, |n| self.fps(RandomDrawn, id, n));
        let Some(last) = all.last().filter(|(n, _)| *n >= claimed) else {
            return self.not_measured_at(claimed);
        };
        let below = all.iter().find(|(_, fps)| *fps < 20.0);
        let (n, fps) = below.unwrap_or(last);
        let factor = *n as f64 / claimed as f64;
        let range = 1.0 / FACTOR_TOLERANCE..=FACTOR_TOLERANCE;
        let never = if below.is_none() { "never: " } else { "" };
        let text = format!("{never}{} frames per second at n = {n}", significant(*fps));
        Some(holds(below.is_some() && range.contains(&factor), text))
    }

    /// Its speed-up at the most objects is less than at 500.
    fn matrix_approaches_brute_force(&self, from: Experiment) -> Option<Outcome> {
        const BEGIN: u64 = 500;
        let speed_up = |n| self.speed_up(from, self.methods.sap_matrix, n);
        let all = self.over_n(from, |n| speed_up(n).filter(|_| n >= BEGIN));
        let [first, .., last] = &all[..] else { return self.not_measured_at(BEGIN) };
        let text = |(n, factor): &(u64, f64)| format!("{} at n = {n}", times(*factor));
        Some(holds(last.1 < first.1, format!("as fast: {}, {}", text(first), text(last))))
    }

    fn brute_force_spends_most(&self) -> Option<Outcome> {
        let brute_force = self.methods.brute_force;
        let all = self.over_n(RandomDrawn, |n| {
            let share = |id: &str| self.cell(RandomDrawn, id, n)?.collision_share;
            Some([share(brute_force)?, self.others(brute_force, share).last()?.1])
        });
        let (n, shares) = all.last()?;
        let (of, held) = (all.len(), all.iter().filter(|(_, [own, most])| own > most).count());
        let [own, most] = shares.map(|share| whole(100.0 * share));
        let text = format!(
            "at {held} of {of} numbers of objects; {own} % against at most {most} % at n = {n}"
        );
        Some(holds(held == of, text))
    }

    fn trees_are_alike(&self) -> Option<Outcome> {
        let Methods { kd_tree, bsp, .. } = self.methods;
        let logs = self.over_n(Random, |n| Some(self.over(Random, kd_tree, bsp, n)?.ln()));
        let mean = mean(&logs)?.exp();
        let text = format!(
            "{kd_tree} makes {} of the frames per second of {bsp} (geometric mean over n)",
            significant(mean)
        );
        Some(holds((1.0 / FACTOR_TOLERANCE..1.0).contains(&mean), text))
    }

    fn curves_jump(&self) -> Option<Outcome> {
        let (mut jumps, mut texts) = (Vec::new(), Vec::new());
        for id in [self.methods.bsp, self.methods.kd_tree] {
            let jump = |step: u64| {
                let (before, after) =
                    (self.cell(Random, id, step - 1)?, self.cell(Random, id, step)?);
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
        let (of, faster) = (jumps.len(), jumps.iter().filter(|is_faster| **is_faster).count());
        let text = format!("faster at {faster} of {of} steps; {}", texts.join("; "));
        (of > 0).then(|| holds(faster == of, text))
    }
}

/// Rendering.
impl Check<'_> {
    fn speed_ups_are_greater_without_rendering(&self) -> Option<Outcome> {
        let n = *self.rows.numbers(RandomDrawn).last()?;
        let is_greater = |id: &str| {
            let [without, drawn] = [Random, RandomDrawn].map(|from| self.speed_up(from, id, n));
            let (without, drawn) = without.zip(drawn)?;
            let text = format!("{id} {} against {}", significant(without), significant(drawn));
            Some((without > drawn, text))
        };
        match each(&self.methods.without_brute_force(), is_greater) {
            None => self.not_measured_at(n),
            Some((is_so, text)) => Some(holds(is_so, format!("{text} with drawing, n = {n}"))),
        }
    }

    /// A change from one look to another: its mean over all numbers of objects.
    fn change(&self, from: Experiment, claimed: f64, (unit, change): Change) -> Option<Outcome> {
        let changes = self.over_n(from, |n| {
            let [plain, rich] =
                from.looks().map(|look| self.rows.cell(from, look, self.methods.bsp, n));
            change(plain?, rich?)
        });
        let (of, mean) = (|| changes.iter().map(|(_, change)| *change), mean(&changes)?);
        let ends = [of().reduce(f64::min), of().reduce(f64::max), Some(mean)];
        let [least, most, shown] = ends.map(|value| whole(value.unwrap_or_default()));
        let text = format!("{shown} {unit} on the mean, {least} to {most} over n");
        Some(holds((mean - claimed).abs() <= SHARE_TOLERANCE, text))
    }
}

/// Speed and size of the objects, and what the methods count.
impl Check<'_> {
    fn speed_makes_no_difference(&self) -> Option<Outcome> {
        let text = "slowest speed over fastest, in time: ";
        self.times_over(SPEED, text, |ns| {
            let ends = [f64::max, f64::min].map(|end| ns.iter().copied().reduce(end));
            let ratio =
                ends[0].zip(ends[1]).map_or(f64::NAN, |(slowest, fastest)| slowest / fastest);
            (ratio <= NO_DIFFERENCE, ratio)
        })
    }

    fn size_slows_all(&self) -> Option<Outcome> {
        self.times_over(RADIUS, "time with the largest radius over the smallest: ", |ns| {
            let ratio = ns[ns.len() - 1] / ns[0];
            (ratio > NO_DIFFERENCE, ratio)
        })
    }

    /// A rule for each method's times.
    fn times_over(
        &self,
        prefix: &str,
        what: &str,
        rule: impl Fn(&[f64]) -> (bool, f64),
    ) -> Option<Outcome> {
        let rule = |ns: &[f64]| {
            let (holds, ratio) = rule(ns);
            (holds, significant(ratio))
        };
        let all = self.over_inputs(prefix, &self.methods.ids(), |cell| cell.median_ns, rule);
        all.map(|(all, text)| holds(all, format!("{what}{text}")))
    }

    fn semi_adjusting_beats_matrix(&self) -> Option<Outcome> {
        if self.methods.sap_matrix != VECTORISED.sap_matrix {
            return Some(not_measured(format!("{SEMI_ADJUSTING} has no scalar entry")));
        }
        match self.over(Random, SEMI_ADJUSTING, self.methods.sap_matrix, MANY) {
            None => self.not_measured_at(MANY),
            Some(factor) => {
                let text = format!("{SEMI_ADJUSTING} is {} as fast", times(factor));
                Some(holds(factor > 1.0, text))
            }
        }
    }

    fn matrix_tests_least_and_costs_most(&self) -> Option<Outcome> {
        let matrix = self.methods.sap_matrix;
        let figures = |id| {
            let cell = self.cell(Random, id, MANY)?;
            Some((id, cell.counts.tests?, cell.median_ns?))
        };
        let ids = self.methods.without_brute_force().into_iter();
        let all: Vec<(&str, f64, f64)> = ids.filter_map(figures).collect();
        let Some(&(_, tests, ns)) = all.iter().find(|(id, ..)| *id == matrix) else {
            return self.not_measured_at(MANY);
        };
        let others = || all.iter().filter(|(id, ..)| *id != matrix);
        let is_so = others().count() > 0 && others().all(|other| tests < other.1 && ns > other.2);
        let text = |(id, tests, ns): &(&str, f64, f64)| {
            format!("{id} {} tests in {} ms", significant(*tests), significant(ns / 1e6))
        };
        Some(holds(is_so, all.iter().map(text).collect::<Vec<_>>().join(", ")))
    }

    fn size_raises_redundancy(&self) -> Option<Outcome> {
        let trees = [self.methods.bsp, self.methods.kd_tree];
        self.rises_with_size(&trees, "leaves of an object", |cell| {
            Some(cell.counts.listings? / cell.n as f64)
        })
    }

    fn size_raises_axis_overlaps(&self) -> Option<Outcome> {
        let matrix = [self.methods.sap_matrix];
        self.rises_with_size(&matrix, "overlaps on the axes", |cell| cell.counts.axis_overlaps)
    }

    /// Whether a count rises from each radius to the next, for each of these methods.
    fn rises_with_size(
        &self,
        ids: &[&str],
        what: &str,
        count: impl Fn(&Cell) -> Option<f64>,
    ) -> Option<Outcome> {
        let (rises, text) = self.over_inputs(RADIUS, ids, count, |counts| {
            let [first, last] = [counts[0], counts[counts.len() - 1]].map(significant);
            (counts.is_sorted_by(|a, b| a < b), format!("{first} to {last}"))
        })?;
        Some(holds(rises, format!("{what}, smallest to largest radius: {text}")))
    }
}

/// Applies a rule to each of these methods that has figures. Returns whether it holds for all, with their texts.
fn each(ids: &[&str], rule: impl Fn(&str) -> Option<(bool, String)>) -> Option<(bool, String)> {
    let (holds, texts): (Vec<bool>, Vec<String>) = ids.iter().filter_map(|id| rule(id)).unzip();
    (!holds.is_empty()).then(|| (holds.iter().all(|holds| *holds), texts.join(", ")))
}

/// The number of pairs in section 3.2 of the thesis: its calculation, repeated.
fn pair_count() -> Option<Outcome> {
    let pairs = |n: u64| n * (n - 1) / 2;
    let (objects, leaves) = (10_000u64, 1 << 9);
    let all = pairs(objects);
    let split = leaves * pairs(objects.div_ceil(leaves));
    let fewer = all as f64 / split as f64;
    let is_so = all == 5_000_000 && (fewer - 50.0).abs() < 12.5;
    let text =
        format!("{all} pairs; {split} in {leaves} leaves of equal load, {fewer:.0} times fewer");
    Some(holds(is_so, text))
}

/// `None` without values.
fn mean(values: &[(u64, f64)]) -> Option<f64> {
    let sum: f64 = values.iter().map(|(_, value)| value).sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

/// A factor: `2.50 times`.
fn times(factor: f64) -> String {
    format!("{} times", significant(factor))
}

/// Rounded, and never "-0".
fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}
