//! Claims on what the methods count: pairs that are tested, redundancy, overlaps on axes.

use super::check::{ClaimCheck, ClaimOutcome, join, times};
use crate::commands::thesis::experiments::Experiment;
use crate::commands::thesis::inputs;
use crate::commands::thesis::methods::{SEMI_ADJUSTING, VECTORISED};
use measure::numbers::significant;
use report::Cell;

/// Number of objects of the claims on many objects.
const MANY: u64 = 5000;

impl ClaimCheck<'_> {
    fn random(&self, id: &str) -> Option<&Cell> {
        self.rows.cell(Experiment::Random, inputs::RANDOM, id, MANY)
    }

    pub(super) fn semi_adjusting_beats_matrix(&self) -> ClaimOutcome {
        let fps = |id| self.random(id)?.fps;
        if self.methods.sap_matrix != VECTORISED.sap_matrix {
            let figure = format!("{SEMI_ADJUSTING} has no scalar entry");
            return ClaimOutcome { figure, ..ClaimOutcome::not_measured() };
        }
        match fps(SEMI_ADJUSTING).zip(fps(self.methods.sap_matrix)) {
            Some((own, other)) => {
                let text = format!("{SEMI_ADJUSTING} is {} as fast", times(own / other));
                ClaimOutcome::of(own > other, text)
            }
            None => self.not_measured_at(MANY),
        }
    }

    pub(super) fn matrix_tests_least_and_costs_most(&self) -> ClaimOutcome {
        let matrix = self.methods.sap_matrix;
        let figures = |id| {
            let cell = self.random(id)?;
            Some((id, cell.counts.tests?, cell.median_ns?))
        };
        let all: Vec<(&str, f64, f64)> =
            self.methods.without_brute_force().into_iter().filter_map(figures).collect();
        let Some(&(_, tests, ns)) = all.iter().find(|(id, ..)| *id == matrix) else {
            return self.not_measured_at(MANY);
        };
        let others = || all.iter().filter(|(id, ..)| *id != matrix);
        let holds = others().count() > 0 && others().all(|other| tests < other.1 && ns > other.2);
        let text = |(id, tests, ns): &(&str, f64, f64)| {
            format!("{id} {} tests in {} ms", significant(*tests), significant(ns / 1e6))
        };
        ClaimOutcome::of(holds, join(all.iter().map(text)))
    }

    pub(super) fn size_raises_redundancy(&self) -> ClaimOutcome {
        let redundancy = |cell: &Cell| Some(cell.counts.listings? / cell.n as f64);
        let trees = [self.methods.bsp, self.methods.kd_tree];
        self.rises_with_size(&trees, "leaves of an object", redundancy)
    }

    pub(super) fn size_raises_axis_overlaps(&self) -> ClaimOutcome {
        let matrix = [self.methods.sap_matrix];
        self.rises_with_size(&matrix, "overlaps on the axes", |cell| cell.counts.axis_overlaps)
    }

    /// Whether a count rises from each radius to the next, for each of these methods.
    fn rises_with_size(
        &self,
        ids: &[&str],
        what: &str,
        count: impl Fn(&Cell) -> Option<f64>,
    ) -> ClaimOutcome {
        let cells = self.rows.cells(Experiment::SpeedAndSize);
        let radius = |cell: &Cell| cell.input.strip_prefix(inputs::RADIUS)?.parse::<f64>().ok();
        let (mut all, mut texts) = (true, Vec::new());
        for id in ids {
            let of_id = cells.iter().filter(|cell| cell.algorithm == *id);
            let mut counts: Vec<(f64, f64)> =
                of_id.filter_map(|cell| Some((radius(cell)?, count(cell)?))).collect();
            counts.sort_by(|a, b| a.0.total_cmp(&b.0));
            let [first, .., last] = &counts[..] else { return ClaimOutcome::not_measured() };
            all &= counts.is_sorted_by(|a, b| a.1 < b.1);
            texts.push(format!("{id} {} to {}", significant(first.1), significant(last.1)));
        }
        ClaimOutcome::of(all, format!("{what}, smallest to largest radius: {}", join(texts)))
    }
}
