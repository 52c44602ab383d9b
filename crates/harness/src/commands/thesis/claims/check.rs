//! The check of the claims, and the rules that several claims share.

use crate::commands::thesis::experiments::Experiment;
use crate::commands::thesis::inputs;
use crate::commands::thesis::methods::Methods;
use crate::commands::thesis::rows::ThesisRows;
use crate::study::Verdict;
use measure::numbers::significant;

/// Checks claims by one set of methods.
pub(super) struct ClaimCheck<'a> {
    pub(super) rows: &'a ThesisRows,
    pub(super) methods: &'a Methods,
    /// The adapter that rendered, if any did.
    pub(super) adapter: Option<&'a str>,
}

/// A verdict and its figures.
pub(super) struct ClaimOutcome {
    pub(super) verdict: Verdict,
    pub(super) figure: String,
}

impl ClaimOutcome {
    /// Whether the claim holds, by these figures.
    pub(super) fn of(holds: bool, figure: String) -> Self {
        Self { verdict: if holds { Verdict::Met } else { Verdict::Missed }, figure }
    }

    pub(super) fn not_measured() -> Self {
        Self { verdict: Verdict::NotMeasured, figure: "not measured".to_owned() }
    }
}

impl ClaimCheck<'_> {
    /// Applies a rule at each number of objects that counts. The claim holds if it does at all of them;
    /// else the last number at which it does not is stated.
    pub(super) fn at_all_numbers(
        &self,
        from: Experiment,
        counts: impl Fn(u64) -> bool,
        what: &str,
        rule: impl Fn(&dyn Fn(&str) -> Option<f64>) -> Option<(bool, String)>,
    ) -> ClaimOutcome {
        let cells = self.rows.cells(from);
        let at = |n: u64| {
            let fps = |id: &str| cells.iter().find(|c| c.n == n && c.algorithm == id)?.fps;
            Some((n, rule(&fps)?))
        };
        let numbers = self.rows.numbers(from).into_iter().filter(|n| counts(*n));
        let checked: Vec<(u64, (bool, String))> = numbers.filter_map(at).collect();
        let (all, held) = (checked.len(), checked.iter().filter(|(_, (holds, _))| *holds).count());
        match checked.iter().rfind(|(_, (holds, _))| !holds) {
            _ if checked.is_empty() => ClaimOutcome::not_measured(),
            None => ClaimOutcome::of(true, format!("{what} at all {all} numbers of objects")),
            Some((n, (_, text))) => {
                let text =
                    format!("{what} at {held} of {all} numbers of objects; at n = {n} {text}");
                ClaimOutcome::of(false, text)
            }
        }
    }

    /// Frames per second over those of brute force, on the random scene.
    pub(super) fn speed_up(&self, from: Experiment, id: &str, n: u64) -> Option<f64> {
        let input = match from {
            Experiment::RandomDrawn => inputs::DRAWN,
            _ => inputs::RANDOM,
        };
        let fps = |id| self.rows.fps(from, input, id, n);
        Some(fps(id)? / fps(self.methods.brute_force)?)
    }

    /// The outcome where a number of objects is missing.
    pub(super) fn not_measured_at(&self, n: u64) -> ClaimOutcome {
        match self.rows.has_any(&self.methods.ids()) {
            true => ClaimOutcome {
                figure: format!("n = {n} was not measured"),
                ..ClaimOutcome::not_measured()
            },
            false => ClaimOutcome::not_measured(),
        }
    }
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
