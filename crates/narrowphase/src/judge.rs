//! A method's answer against the reference's.

use crate::{Answer, Body, Verdict, oracle};

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// As the reference answers, with a witness that holds, if it has one.
    Right,
    /// The gap is within the band, where either answer is right.
    InBand,
    /// Not as the reference answers.
    Wrong,
    /// As the reference answers, with an axis that does not separate, or a point that is not in
    /// both bodies.
    WrongWitness,
    /// The method did not terminate.
    Failed,
}

impl Judgement {
    /// Whether no error is to be reported.
    #[must_use]
    pub fn is_accepted(self) -> bool {
        matches!(self, Self::Right | Self::InBand)
    }
}

/// Compares an answer with the reference's verdict on the same bodies, and checks its witness by
/// the [`oracle`].
///
/// `band` is the method's: [`oracle::BAND`], or what a peer achieves. It allocates, and takes
/// longer than a test: call it outside of a timed region.
#[must_use]
pub fn judge(answer: Answer, band: f64, verdict: &Verdict, a: &Body, b: &Body) -> Judgement {
    let size = oracle::size_of_pair(a, b);
    let is_in_band = verdict.gap.abs() <= band * size;
    let holds = match answer {
        Answer::Failed => return Judgement::Failed,
        Answer::Separated { axis } => {
            if verdict.gap <= 0.0 && !is_in_band {
                return Judgement::Wrong;
            }
            axis.is_none_or(|axis| oracle::axis_separates(a, b, axis))
        }
        Answer::Touching { point } => {
            if verdict.gap > 0.0 && !is_in_band {
                return Judgement::Wrong;
            }
            let slack = oracle::WITNESS * size;
            point.is_none_or(|point| oracle::point_is_inside_both(a, b, point, slack))
        }
    };
    if is_in_band {
        Judgement::InBand
    } else if holds {
        Judgement::Right
    } else {
        Judgement::WrongWitness
    }
}
