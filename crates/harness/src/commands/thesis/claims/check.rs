//! The check of the claims, and the rules that several claims share.

use crate::commands::thesis::experiments::Experiment;
use crate::commands::thesis::methods::Methods;
use crate::commands::thesis::rows::ThesisRows;
use measure::numbers::significant;
use report::Cell;
use std::ops::RangeBounds;

/// Whether a claim holds, with its figures; or why it was not measured.
pub(super) type Checked = Result<(bool, String), String>;

/// Checks claims by one set of methods.
pub(super) struct ClaimCheck<'a> {
    pub(super) rows: &'a ThesisRows,
    pub(super) methods: &'a Methods,
}

impl ClaimCheck<'_> {
    /// The cell of an algorithm at a number of objects, on the input of an experiment that has one.
    pub(super) fn cell(&self, from: Experiment, id: &str, n: u64) -> Option<&Cell> {
        self.rows.cell(from, from.input(), id, n)
    }

    pub(super) fn fps(&self, from: Experiment, id: &str, n: u64) -> Option<f64> {
        self.cell(from, id, n)?.fps
    }

    /// Frames per second over those of another algorithm.
    pub(super) fn over(&self, from: Experiment, id: &str, base: &str, n: u64) -> Option<f64> {
        Some(self.fps(from, id, n)? / self.fps(from, base, n)?)
    }

    /// Frames per second over those of brute force.
    pub(super) fn speed_up(&self, from: Experiment, id: &str, n: u64) -> Option<f64> {
        self.over(from, id, self.methods.brute_force, n)
    }

    /// Frames per second of all methods but one.
    pub(super) fn others(
        &self,
        from: Experiment,
        but: &str,
        n: u64,
    ) -> impl Iterator<Item = (&'static str, f64)> {
        let ids = self.methods.ids().into_iter().filter(move |id| *id != but);
        ids.filter_map(move |id| Some((id, self.fps(from, id, n)?)))
    }

    /// A figure at each number of objects that has it, ascending.
    pub(super) fn over_n<T>(
        &self,
        from: Experiment,
        figure: impl Fn(u64) -> Option<T>,
    ) -> Vec<(u64, T)> {
        let numbers = self.rows.numbers(from).into_iter();
        numbers.filter_map(|n| Some((n, figure(n)?))).collect()
    }

    /// A figure of an algorithm over the number behind a prefix of the input's name, ascending: a speed, a radius.
    pub(super) fn over_inputs(
        &self,
        prefix: &str,
        id: &str,
        figure: impl Fn(&Cell) -> Option<f64>,
    ) -> Vec<(f64, f64)> {
        let cells = self.rows.cells(Experiment::SpeedAndSize).iter();
        let point = |c: &Cell| Some((c.input.strip_prefix(prefix)?.parse().ok()?, figure(c)?));
        let mut points: Vec<(f64, f64)> =
            cells.filter(|cell| cell.algorithm == id).filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// Applies a rule at each of these numbers of objects. The claim holds if it does at all of them;
    /// else the last number at which it does not is stated.
    pub(super) fn at_all_numbers(
        &self,
        from: Experiment,
        numbers: impl RangeBounds<u64>,
        what: &str,
        rule: impl Fn(u64) -> Option<(bool, String)>,
    ) -> Checked {
        let checked = self.over_n(from, |n| rule(n).filter(|_| numbers.contains(&n)));
        let (all, held) = (checked.len(), checked.iter().filter(|(_, (holds, _))| *holds).count());
        match checked.iter().rfind(|(_, (holds, _))| !holds) {
            _ if checked.is_empty() => Err(not_measured()),
            None => Ok((true, format!("{what} at all {all} numbers of objects"))),
            Some((n, (_, text))) => Ok((
                false,
                format!("{what} at {held} of {all} numbers of objects; at n = {n} {text}"),
            )),
        }
    }

    /// The reason where a number of objects is missing.
    pub(super) fn not_measured_at(&self, n: u64) -> String {
        match self.rows.has_any(&self.methods.ids()) {
            true => format!("n = {n} was not measured"),
            false => not_measured(),
        }
    }
}

/// The reason where there are no rows.
pub(super) fn not_measured() -> String {
    "not measured".to_owned()
}

/// Parts with commas between them.
pub(super) fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

/// A factor: `2.50 times`.
pub(super) fn times(factor: f64) -> String {
    format!("{} times", significant(factor))
}

/// Rounded, and never "-0".
pub(super) fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}
