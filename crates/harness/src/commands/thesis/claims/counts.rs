//! Claims on what the methods count: pairs that are tested, redundancy, overlaps on axes.

use super::check::{Checked, ClaimCheck, join, not_measured, times};
use crate::commands::thesis::experiments::{Experiment, RADIUS};
use crate::commands::thesis::methods::{SEMI_ADJUSTING, VECTORISED};
use measure::numbers::significant;
use report::Cell;

/// Number of objects of the claims on many objects.
const MANY: u64 = 5000;

impl ClaimCheck<'_> {
    pub(super) fn semi_adjusting_beats_matrix(&self) -> Checked {
        if self.methods.sap_matrix != VECTORISED.sap_matrix {
            return Err(format!("{SEMI_ADJUSTING} has no scalar entry"));
        }
        let factor = self.over(Experiment::Random, SEMI_ADJUSTING, self.methods.sap_matrix, MANY);
        let factor = factor.ok_or_else(|| self.not_measured_at(MANY))?;
        Ok((factor > 1.0, format!("{SEMI_ADJUSTING} is {} as fast", times(factor))))
    }

    pub(super) fn matrix_tests_least_and_costs_most(&self) -> Checked {
        let matrix = self.methods.sap_matrix;
        let figures = |id| {
            let cell = self.cell(Experiment::Random, id, MANY)?;
            Some((id, cell.counts.tests?, cell.median_ns?))
        };
        let all: Vec<(&str, f64, f64)> =
            self.methods.without_brute_force().into_iter().filter_map(figures).collect();
        let own = all.iter().find(|(id, ..)| *id == matrix);
        let &(_, tests, ns) = own.ok_or_else(|| self.not_measured_at(MANY))?;
        let others = || all.iter().filter(|(id, ..)| *id != matrix);
        let holds = others().count() > 0 && others().all(|other| tests < other.1 && ns > other.2);
        let text = |(id, tests, ns): &(&str, f64, f64)| {
            format!("{id} {} tests in {} ms", significant(*tests), significant(ns / 1e6))
        };
        Ok((holds, join(all.iter().map(text))))
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
            let [first, .., last] = &counts[..] else { return Err(not_measured()) };
            all &= counts.is_sorted_by(|a, b| a.1 < b.1);
            texts.push(format!("{id} {} to {}", significant(first.1), significant(last.1)));
        }
        Ok((all, format!("{what}, smallest to largest radius: {}", join(texts))))
    }
}

/// The number of pairs in section 3.2 of the thesis: its calculation, repeated.
pub(super) fn pair_count() -> Checked {
    let pairs = |n: u64| n * (n - 1) / 2;
    let (objects, leaves) = (10_000u64, 1 << 9);
    let all = pairs(objects);
    let split = leaves * pairs(objects.div_ceil(leaves));
    let fewer = all as f64 / split as f64;
    let holds = all == 5_000_000 && (fewer - 50.0).abs() < 12.5;
    let text =
        format!("{all} pairs; {split} in {leaves} leaves of equal load, {fewer:.0} times fewer");
    Ok((holds, text))
}
