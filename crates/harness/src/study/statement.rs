//! Statements about figures, and whether they hold: the goals of `speed` and `atlas`, the claims of the thesis and of bodies.

use measure::Ratio;
use measure::numbers::significant;
use std::fmt::{self, Display, Formatter};

/// A bound for a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// Whether a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// There are no figures.
    NotMeasured,
    /// The statement is about other machines.
    NotComparable,
    /// The whole interval is within the bound.
    Met,
    /// The interval contains the bound.
    Undecided,
    /// The whole interval violates the bound.
    Missed,
}

/// The kind of a statement, which has its own words for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Goal,
    Claim,
}

/// A statement with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Statement {
    pub(crate) what: String,
    pub(crate) verdict: Verdict,
    /// The measured figure, or why there is none.
    pub(crate) figure: String,
    /// The bound of a goal; the experiment and the figure behind a claim.
    pub(crate) basis: String,
}

/// A claim of a source, with the rule that checks it. Verdicts are computed, never written.
pub(crate) struct Claim<R> {
    what: &'static str,
    /// The experiment, with the source or the figure behind the claim.
    pub(crate) basis: &'static str,
    pub(crate) rule: R,
}

/// A verdict with its figure, or why there is none.
pub(crate) type Outcome = (Verdict, String);

/// The outcome of a rule as a result, so that a missing row ends it.
pub(crate) type Checked = Result<Outcome, Outcome>;

/// The claim that something holds.
pub(crate) const fn claim(what: &'static str) -> Claim<()> {
    Claim { what, basis: "", rule: () }
}

impl Claim<()> {
    /// Adds the basis and the rule.
    pub(crate) const fn by<R>(self, basis: &'static str, rule: R) -> Claim<R> {
        Claim { what: self.what, basis, rule }
    }
}

impl<R> Claim<R> {
    /// The checked claim.
    pub(crate) fn statement(&self, (verdict, figure): Outcome) -> Statement {
        let (what, basis) = (self.what.to_owned(), self.basis.to_owned());
        Statement { what, verdict, figure, basis }
    }
}

/// Whether a claim holds, by these figures.
pub(crate) fn holds(holds: bool, figure: impl Into<String>) -> Outcome {
    (if holds { Verdict::Met } else { Verdict::Missed }, figure.into())
}

/// Why a claim was not checked.
pub(crate) fn not_measured(why: impl Into<String>) -> Outcome {
    (Verdict::NotMeasured, why.into())
}

impl Statement {
    /// A goal, checked by a figure.
    pub(crate) fn goal(what: String, figure: Ratio, bound: Bound) -> Self {
        let verdict = bound.verdict(figure);
        Self { what, verdict, figure: with_interval(figure), basis: bound.to_string() }
    }

    /// A goal for a figure without an interval.
    pub(crate) fn exact(what: String, figure: f64, bound: Bound) -> Self {
        Self::goal(what, Ratio { ratio: figure, low: figure, high: figure }, bound)
    }
}

impl Verdict {
    const ALL: [Self; 5] =
        [Self::Met, Self::Missed, Self::Undecided, Self::NotComparable, Self::NotMeasured];

    /// The words of a verdict, singular and plural.
    fn words(self, kind: Kind) -> [&'static str; 2] {
        match (self, kind) {
            (Verdict::Met, Kind::Claim) => ["holds", "hold"],
            (Verdict::Missed, Kind::Claim) => ["does not hold", "do not hold"],
            (Verdict::NotComparable, Kind::Claim) => ["cannot be compared"; 2],
            (Verdict::Met, Kind::Goal) => ["met"; 2],
            (Verdict::Missed, Kind::Goal) => ["missed"; 2],
            (Verdict::NotComparable, Kind::Goal) => ["not comparable"; 2],
            (Verdict::Undecided, _) => ["undecided"; 2],
            (Verdict::NotMeasured, _) => ["not measured"; 2],
        }
    }

    /// The verdict in words, for Markdown: a missed statement stands out.
    pub(crate) fn word(self, kind: Kind) -> String {
        let [word, _] = self.words(kind);
        if self == Verdict::Missed { format!("**{word}**") } else { word.to_owned() }
    }

    /// The number of statements with each verdict: `5 goals: 2 met, 3 missed`.
    pub(crate) fn count(kind: Kind, verdicts: impl Iterator<Item = Verdict>) -> String {
        let verdicts: Vec<Verdict> = verdicts.collect();
        let part = |verdict: Self| {
            let count = verdicts.iter().filter(|other| **other == verdict).count();
            let [one, several] = verdict.words(kind);
            let is_shown = count > 0 || matches!(verdict, Verdict::Met | Verdict::Missed);
            is_shown.then(|| format!("{count} {}", if count == 1 { one } else { several }))
        };
        let parts: Vec<String> = Self::ALL.into_iter().filter_map(part).collect();
        let noun = if kind == Kind::Goal { "goal" } else { "claim" };
        let plural = if verdicts.len() == 1 { "" } else { "s" };
        format!("{} {noun}{plural}: {}", verdicts.len(), parts.join(", "))
    }
}

impl Bound {
    /// The verdict on a figure.
    pub(crate) fn verdict(self, figure: Ratio) -> Verdict {
        let keeps = |value: f64| match self {
            Bound::AtLeast(bound) => value >= bound,
            Bound::AtMost(bound) => value <= bound,
        };
        match (keeps(figure.low), keeps(figure.high)) {
            (true, true) => Verdict::Met,
            (false, false) => Verdict::Missed,
            _ => Verdict::Undecided,
        }
    }

    /// The figure with the worst verdict; of several, the lowest for `AtLeast`, the highest
    /// for `AtMost`.
    pub(crate) fn worst<T>(
        self,
        figures: impl IntoIterator<Item = T>,
        ratio: impl Fn(&T) -> Ratio,
    ) -> Option<T> {
        figures.into_iter().max_by(|a, b| {
            let (a, b) = (ratio(a), ratio(b));
            let order = self.verdict(a).cmp(&self.verdict(b));
            order.then(match self {
                Bound::AtLeast(_) => b.ratio.total_cmp(&a.ratio),
                Bound::AtMost(_) => a.ratio.total_cmp(&b.ratio),
            })
        })
    }

    pub(crate) fn value(self) -> f64 {
        match self {
            Bound::AtLeast(bound) | Bound::AtMost(bound) => bound,
        }
    }
}

/// The bound in words: `at least 9`.
impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Bound::AtLeast(bound) => write!(f, "at least {bound}"),
            Bound::AtMost(bound) => write!(f, "at most {bound}"),
        }
    }
}

/// A ratio with its interval.
pub(crate) fn with_interval(ratio: Ratio) -> String {
    let [text, low, high] = [ratio.ratio, ratio.low, ratio.high].map(significant);
    if ratio.low == ratio.high { text } else { format!("{text} ({low} to {high})") }
}
