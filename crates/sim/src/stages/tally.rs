//! Answers of a method, compared with those of the reference.

use broadphase::Pair;
use narrowphase::Answer;
use narrowphase::impact::Impact;
use std::fmt;

/// An answer of the reference about two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// When they touch; of bodies at one time [`Impact::Overlapping`] or [`Impact::Never`].
    pub impact: Impact,
    /// Whether either answer is right: the gap is in the band, or the bodies graze.
    pub allows_either: bool,
    /// The gap of bodies at one time.
    pub gap: Option<f64>,
}

/// An answer about bodies at one time, as one about a step.
pub(super) fn at_start(answer: Answer) -> Impact {
    match answer {
        Answer::Separated { .. } => Impact::Never,
        Answer::Touching { .. } => Impact::Overlapping,
        Answer::Failed => Impact::Failed,
    }
}

/// When bodies first touch, after the start of the step.
fn time_of(impact: Impact) -> Option<f64> {
    match impact {
        Impact::Overlapping => Some(0.0),
        Impact::At { first, .. } => Some(first),
        Impact::Never | Impact::Failed => None,
    }
}

/// An answer that is not right, and what the reference knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswer {
    /// The pair.
    pub pair: Pair,
    /// The method's answer.
    pub found: Impact,
    /// The reference's answer.
    pub known: Impact,
    /// The gap of bodies at one time.
    pub gap: Option<f64>,
}

/// Both answers: "it separates them; they overlap by 2.5000e-1".
impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.found, self.gap) {
            (Impact::Failed, _) => f.write_str("it gives no answer")?,
            (Impact::Never, Some(_)) => f.write_str("it separates them")?,
            (Impact::Never, None) => f.write_str("it finds no contact")?,
            (Impact::Overlapping, Some(_)) => f.write_str("it says that they touch")?,
            (Impact::Overlapping, None) => f.write_str("it says that they touch at the start")?,
            (Impact::At { first, .. }, _) => {
                write!(f, "it says that they touch after {first:.4e} s")?;
            }
        }
        match (self.known, self.gap) {
            (_, Some(gap)) if gap > 0.0 => write!(f, "; they are {gap:.4e} apart"),
            (_, Some(gap)) if gap <= 0.0 => write!(f, "; they overlap by {:.4e}", -gap),
            (_, Some(_)) => f.write_str("; their poses are not finite"),
            (Impact::Never, None) => f.write_str("; they do not touch in the step"),
            (Impact::Overlapping, None) => f.write_str("; they touch at its start"),
            (Impact::At { first, .. }, None) => write!(f, "; they touch after {first:.4e} s"),
            (Impact::Failed, None) if self.found == Impact::Failed => {
                f.write_str(": its search did not end")
            }
            (Impact::Failed, None) => f.write_str("; the reference gives none"),
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
        found: Impact,
        Known { impact: right, allows_either, gap }: Known,
        must_be_right: bool,
        is_wrong_time: impl FnOnce(f64, f64) -> bool,
    ) -> Self {
        let is_sharp = !allows_either && right != Impact::Failed;
        let failed = found == Impact::Failed;
        let [touches, should_touch] = [found, right].map(|impact| time_of(impact).is_some());
        let is_false = is_sharp && touches && !should_touch;
        let is_miss = is_sharp && found == Impact::Never && should_touch;
        let times = time_of(found).zip(time_of(right)).filter(|_| is_sharp && gap.is_none());
        let errors = times.map(|(time, right)| Errors::of((time - right).abs()));
        let is_wrong_time = || times.is_some_and(|(time, right)| is_wrong_time(time, right));
        // A grazing pair may be given up: the search for its first contact need not end.
        let may_fail = !is_sharp && (gap.is_none() || right == Impact::Failed);
        let is_wrong = failed && !may_fail
            || must_be_right && (is_miss || is_false || !failed && is_wrong_time());
        let answer = WrongAnswer { pair, found, known: right, gap };
        Self {
            tests: 1,
            passed: u64::from(touches),
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
