//! Answers of a method, compared with those of the reference.

use broadphase::Pair;
use narrowphase::impact::{Impact, KnownImpact};
use narrowphase::{Answer, Verdict};
use std::fmt;

/// An answer about two bodies, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// They do not touch; of bodies in motion, not within the step.
    Apart,
    /// They touch.
    Touching,
    /// They first touch after these seconds, 0 if at the start of the step.
    At(f64),
    /// No answer.
    Nothing,
}

impl From<Answer> for Said {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Separated { .. } => Self::Apart,
            Answer::Touching { .. } => Self::Touching,
            Answer::Failed => Self::Nothing,
        }
    }
}

impl From<Impact> for Said {
    fn from(impact: Impact) -> Self {
        match impact {
            Impact::Never => Self::Apart,
            Impact::Overlapping => Self::At(0.0),
            Impact::At { first, .. } => Self::At(first),
            Impact::Failed => Self::Nothing,
        }
    }
}

impl Said {
    fn touches(self) -> bool {
        matches!(self, Self::Touching | Self::At(_))
    }

    fn time(self) -> Option<f64> {
        if let Self::At(time) = self { Some(time) } else { None }
    }
}

/// An answer of the reference.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub(super) said: Said,
    /// Whether either answer is right: the gap is in the band, or the bodies graze.
    allows_either: bool,
    /// The gap of bodies at one time.
    pub(super) gap: Option<f64>,
}

impl From<Verdict> for Known {
    fn from(Verdict { answer, gap, is_in_band }: Verdict) -> Self {
        Self { said: answer.into(), allows_either: is_in_band, gap: Some(gap) }
    }
}

impl From<KnownImpact> for Known {
    fn from(KnownImpact { impact, is_grazing }: KnownImpact) -> Self {
        Self { said: impact.into(), allows_either: is_grazing, gap: None }
    }
}

/// An answer that is not right, and what the reference knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswer {
    /// The pair.
    pub pair: Pair,
    /// What the method answered.
    pub found: Said,
    /// What the reference answers.
    pub known: Said,
    /// The gap of bodies at one time.
    pub gap: Option<f64>,
}

/// Both answers: "it separates them; they overlap by 2.5000e-1".
impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            Said::Nothing => f.write_str("it gives no answer")?,
            Said::Apart if self.gap.is_some() => f.write_str("it separates them")?,
            Said::Apart => f.write_str("it finds no contact")?,
            Said::Touching => f.write_str("it says that they touch")?,
            Said::At(0.0) => f.write_str("it says that they touch at the start")?,
            Said::At(first) => write!(f, "it says that they touch after {first:.4e} s")?,
        }
        match (self.gap, self.known) {
            (Some(gap), _) if gap > 0.0 => write!(f, "; they are {gap:.4e} apart"),
            (Some(gap), _) if gap <= 0.0 => write!(f, "; they overlap by {:.4e}", -gap),
            (Some(_), _) => f.write_str("; their poses are not finite"),
            (None, Said::Apart) => f.write_str("; they do not touch in the step"),
            (None, Said::At(0.0)) => f.write_str("; they touch at its start"),
            (None, Said::At(first)) => write!(f, "; they touch after {first:.4e} s"),
            (None, Said::Touching | Said::Nothing) => f.write_str("; the reference gives none"),
        }
    }
}

/// Sizes of errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Their number.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The largest of them.
    pub largest: f64,
}

impl Errors {
    /// One error.
    pub(super) fn of(error: f64) -> Self {
        Self { count: 1, sum: error, largest: error }
    }

    /// The mean; `None` without errors.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            largest: self.largest.max(other.largest),
        }
    }
}

/// Answers of a method about the pairs of a frame, compared with the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pairs that it tested.
    pub tests: u64,
    /// Pairs that it let pass, or called touching.
    pub passed: u64,
    /// Pairs that it let pass, and that do not touch. Pairs of which either answer is right are not counted.
    pub false_passed: u64,
    /// Touching pairs that it rejected, apart from those of which either answer is right, and those that it gave up.
    pub missed: u64,
    /// The first of them.
    pub first_missed: Option<WrongAnswer>,
    /// Pairs of which either answer is right: the gap is in the band, or the bodies graze.
    pub band: u64,
    /// Pairs that the method gave up.
    pub failures: u64,
    /// Differences of its times from the right ones, in seconds, of contacts that both find within the step: all but
    /// grazing ones.
    pub errors: Errors,
    /// The first answer that the method must not give: of an exact one a miss, a false alarm, or a time at which the bodies
    /// are apart or overlap; of any method none at all. A pair without an answer of the reference is never wrong.
    pub wrong: Option<WrongAnswer>,
}

impl Tally {
    /// The sum of two; the wrong answer is the first one's, if it has one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            passed: self.passed + other.passed,
            false_passed: self.false_passed + other.false_passed,
            missed: self.missed + other.missed,
            first_missed: self.first_missed.or(other.first_missed),
            band: self.band + other.band,
            failures: self.failures + other.failures,
            errors: self.errors.plus(&other.errors),
            wrong: self.wrong.or(other.wrong),
        }
    }

    /// The tally of one answer. `is_wrong_time` is asked about both times of a contact.
    pub(super) fn of(
        pair: Pair,
        found: Said,
        Known { said: right, allows_either, gap }: Known,
        must_be_right: bool,
        is_wrong_time: impl FnOnce(f64, f64) -> bool,
    ) -> Self {
        let is_sharp = !allows_either && right != Said::Nothing;
        let failed = found == Said::Nothing;
        let is_false = is_sharp && found.touches() && !right.touches();
        let is_miss = is_sharp && found == Said::Apart && right.touches();
        let times = found.time().zip(right.time()).filter(|_| is_sharp);
        let errors = times.map(|(time, right)| Errors::of((time - right).abs()));
        let is_wrong_time = || times.is_some_and(|(time, right)| is_wrong_time(time, right));
        // A grazing pair may be given up: the search for its first contact need not end.
        let may_fail = !is_sharp && (gap.is_none() || right == Said::Nothing);
        let is_wrong = failed && !may_fail
            || must_be_right && (is_miss || is_false || !failed && is_wrong_time());
        let answer = WrongAnswer { pair, found, known: right, gap };
        Self {
            tests: 1,
            passed: u64::from(found.touches()),
            false_passed: u64::from(is_false),
            missed: u64::from(is_miss),
            first_missed: is_miss.then_some(answer),
            band: u64::from(allows_either),
            failures: u64::from(failed),
            errors: errors.unwrap_or_default(),
            wrong: is_wrong.then_some(answer),
        }
    }
}

impl FromIterator<Tally> for Tally {
    fn from_iter<I: IntoIterator<Item = Self>>(each: I) -> Self {
        each.into_iter().fold(Self::default(), |sum, one| sum.plus(&one))
    }
}
