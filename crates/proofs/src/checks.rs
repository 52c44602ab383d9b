//! Answers, their proofs, and contact sets against the reference and the oracle.

use crate::oracle;
use narrowphase::contact::Contacts;
use narrowphase::{Answer, BAND, Body, PartVerdict, Verdict, rounding_of, size_of_pair};

/// The fault of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerFault {
    /// Not as the reference answers.
    Wrong,
    /// As the reference answers, with an axis that does not separate, or a point that is not in both bodies. Of the
    /// reference itself, without one, too.
    Unproved,
    /// The method did not terminate.
    Failed,
}

/// Compares an answer with the reference's verdict on the same bodies, and checks its proof by the [`oracle`]. Where the
/// gap is at most `band` of the size, either answer is right: [`BAND`], or what a peer achieves.
#[must_use]
pub fn answer_fault(
    answer: Answer,
    band: f64,
    verdict: &Verdict,
    a: &Body<'_>,
    b: &Body<'_>,
) -> Option<AnswerFault> {
    let is_in_band = verdict.gap.abs() <= band * size_of_pair(a, b);
    let (is_right, is_proved) = match answer {
        Answer::Failed => return Some(AnswerFault::Failed),
        _ if is_in_band => return None,
        Answer::Separated { axis } => {
            (verdict.gap > 0.0, axis.is_none_or(|axis| oracle::axis_separates(a, b, axis)))
        }
        Answer::Touching { point } => {
            (verdict.gap <= 0.0, point.is_none_or(|point| oracle::is_common_point(a, b, point)))
        }
    };
    match (is_right, is_proved) {
        (false, _) => Some(AnswerFault::Wrong),
        (true, false) => Some(AnswerFault::Unproved),
        (true, true) => None,
    }
}

/// Checks the reference by the proofs of its own answer: a common point, or an axis of each pair of parts. `parts` is what
/// [`Reference::parts`](narrowphase::Reference::parts) has after both bodies were examined.
#[must_use]
pub fn reference_fault(
    verdict: &Verdict,
    parts: &[PartVerdict],
    a: &Body<'_>,
    b: &Body<'_>,
) -> Option<AnswerFault> {
    let is_proved = match verdict.answer {
        Answer::Failed => return Some(AnswerFault::Failed),
        Answer::Touching { point } => {
            point.is_some_and(|point| oracle::is_common_point(a, b, point))
        }
        Answer::Separated { .. } => {
            let others = b.shape.parts().len();
            let of_pair = |(at, part): (usize, &PartVerdict)| {
                let PartVerdict { part_a, part_b, axis, .. } = *part;
                (part_a, part_b) == (at / others, at % others)
                    && oracle::axis_separates_parts(a, part_a, b, part_b, axis)
            };
            parts.len() == a.shape.parts().len() * others && parts.iter().enumerate().all(of_pair)
        }
    };
    (!is_proved && !verdict.is_in_band).then_some(AnswerFault::Unproved)
}

/// How far the ends of a contact point may be outside of the bodies, relative to the size of the pair: points of a
/// feature may be behind the furthest one.
const BEHIND: f64 = 3e-7;

/// Checks the contact sets of touching bodies by the [`oracle`]: each depth along its normal, the deepest one against
/// the gap of the bodies, and that each point is between both surfaces. Returns what is wrong.
///
/// It allocates, and takes a tenth of a millisecond and more.
#[must_use]
pub fn contact_fault(contacts: &Contacts, a: &Body<'_>, b: &Body<'_>) -> Option<String> {
    first_contact_fault(contacts, a, b, [size_of_pair(a, b), 0.0])
}

/// [`contact_fault`] of bodies at the time of their first contact, which are apart or overlap by rounding. `size` is that of
/// the pair as the step begins, to which the search for the contact refers; `moved` is how far the bodies' places are rounded,
/// a length.
#[must_use]
pub fn first_contact_fault(
    contacts: &Contacts,
    a: &Body<'_>,
    b: &Body<'_>,
    [size, moved]: [f64; 2],
) -> Option<String> {
    let rounding = BAND * size + moved;
    let gap = oracle::signed_gap(a, b);
    let deepest = contacts.sets().iter().map(|set| set.depth).fold(0.0, f64::max);
    if (deepest + gap.min(0.0)).abs() > rounding {
        return Some(format!(
            "the deepest contact set is {deepest:.3e} deep, the gap is {gap:.3e}"
        ));
    }
    for set in contacts.sets() {
        let along = oracle::gap_along(a, set.part_a, b, set.part_b, set.normal);
        if (along + set.depth).abs() > rounding {
            let depth = set.depth;
            return Some(format!("a set is {depth:.3e} deep, its normal has the gap {along:.3e}"));
        }
        for point in contacts.points_of(set) {
            let (at, half) = (point.position, set.normal * (point.depth / 2.0));
            let outside =
                oracle::distance_outside(a, at + half).max(oracle::distance_outside(b, at - half));
            if outside > BEHIND * size + moved + rounding_of(at) {
                return Some(format!(
                    "the surfaces about contact point {at} are {outside:.3e} outside of a body"
                ));
            }
        }
    }
    None
}
