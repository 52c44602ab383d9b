//! First contacts within a step, compared with the reference.

use super::wrong_pair::{FaultPlace, describe_impact};
use broadphase::Pair;
use narrowphase::impact::{Exactness, Impact};
use sim::stages::{ImpactAudit, ImpactTally, MovingBodies};

/// Answers of the reference about first contacts within the step of a frame.
#[derive(Clone, Copy)]
pub(super) struct StepImpacts<'a> {
    pub(super) seconds: f64,
    /// The answers about the candidates.
    pub(super) audit: &'a ImpactAudit,
}

/// Compares first contacts with the reference. The errors of their times become steps. A wrong answer is an error.
pub(super) fn checked_impacts<B: MovingBodies>(
    (method, exactness): (&str, Exactness),
    found: &[Impact],
    impacts: &StepImpacts<'_>,
    candidates: &[Pair],
    place: &FaultPlace<'_, B>,
) -> Result<ImpactTally, String> {
    let &StepImpacts { seconds, audit } = impacts;
    let tally = audit.tally(exactness, place.bodies, candidates, found);
    let wrong = tally.wrong.and_then(|pair| Some((pair, candidates.binary_search(&pair).ok()?)));
    if let Some((pair, at)) = wrong {
        let answers = (found[at], Some(audit.known()[at].impact));
        return Err(describe_impact(method, pair, answers, seconds, place));
    }
    let (error_sum, largest_error) = (tally.error_sum / seconds, tally.largest_error / seconds);
    Ok(ImpactTally { error_sum, largest_error, ..tally })
}
