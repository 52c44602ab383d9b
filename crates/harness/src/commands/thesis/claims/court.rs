//! What a verdict rests on, and the rules that several claims share.

use super::super::evidence::Evidence;
use super::super::experiments::{ALGORITHMS, Experiment};
use super::Verdict;

/// What verdicts are made from.
pub(super) struct Court<'a> {
    pub(super) evidence: &'a Evidence,
    /// What drew, if anything did.
    pub(super) adapter: Option<&'a str>,
}

/// A verdict and today's figures.
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    pub(super) today: String,
}

impl Ruling {
    /// Whether the claim holds, by these figures.
    pub(super) fn of(holds: bool, today: String) -> Self {
        let verdict = if holds { Verdict::Holds } else { Verdict::DoesNotHold };
        Self { verdict, today }
    }

    /// There is nothing to compare.
    pub(super) fn none(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::CannotBeCompared, today: reason.into() }
    }
}

impl Court<'_> {
    /// Rules at each number of objects that counts. Holds if it does at all of them; what is told is
    /// the last number at which it does not.
    pub(super) fn at_all_numbers(
        &self,
        from: Experiment,
        counts: impl Fn(u64) -> bool,
        what: &str,
        rule: impl Fn(&dyn Fn(&str) -> Option<f64>) -> Option<(bool, String)>,
    ) -> Ruling {
        let mut seen = 0;
        let mut against: Vec<(u64, String)> = Vec::new();
        for n in self.evidence.numbers(from).into_iter().filter(|n| counts(*n)) {
            let cells = self.evidence.cells(from);
            let fps = |id: &str| cells.iter().find(|c| c.n == n && c.algorithm == id)?.fps;
            if let Some((holds, text)) = rule(&fps) {
                seen += 1;
                if !holds {
                    against.push((n, text));
                }
            }
        }
        let held = seen - against.len();
        match against.last() {
            _ if seen == 0 => Ruling::none("not measured"),
            None => Ruling::of(true, format!("{what} at all {seen} numbers of objects")),
            Some((n, text)) => Ruling::of(
                false,
                format!("{what} at {held} of {seen} numbers of objects; at n = {n} {text}"),
            ),
        }
    }

    /// Frames per second over those of the classic method.
    pub(super) fn over_classic(
        &self,
        from: Experiment,
        input: &str,
        id: &str,
        n: u64,
    ) -> Option<f64> {
        let fps = |id| self.evidence.fps(from, input, id, n);
        Some(fps(id)? / fps(ALGORITHMS[0])?)
    }
}

/// What is said where a number of objects is missing.
pub(super) fn unmeasured(n: u64) -> String {
    format!("n = {n} was not measured")
}

/// Parts in a row.
pub(super) fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Three digits.
pub(super) fn figure(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Rounded, and never "-0".
pub(super) fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}

/// A change in per cent, with its sign.
pub(super) fn percent(value: f64) -> String {
    format!("{:+.0} %", value.round() + 0.0)
}
