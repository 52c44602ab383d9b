//! First contacts within a step, compared with the reference.

use super::track::Method;
use super::wrong_pair::describe;
use narrowphase::impact::{Exactness, Impact};
use sim::stages::{Audit, BodyList, Errors, FramePairs, Tally};

/// Answers of the reference about first contacts within the step of a frame.
#[derive(Clone, Copy)]
pub(super) struct StepImpacts<'a> {
    pub(super) seconds: f64,
    /// The answers about the candidates.
    pub(super) audit: &'a Audit,
}

/// Compares first contacts with the reference. The errors of their times become steps. A wrong answer is an error; of the
/// relative sweep, whose boxes contain the bodies, so is a miss.
pub(super) fn checked_impacts(
    method: Method,
    found: &[Impact],
    impacts: &StepImpacts<'_>,
    of: &FramePairs<'_, impl BodyList>,
) -> Result<Tally, String> {
    let &StepImpacts { seconds, audit } = impacts;
    let (exactness, may_miss) = match method {
        Method::Impact(method) => (method.kind.exactness, true),
        _ => (Exactness::Never, false),
    };
    let tally = audit.impacts(exactness, of, found);
    if let Some(wrong) = tally.wrong.or(tally.first_missed.filter(|_| !may_miss)) {
        return Err(describe(&method.name(), &wrong, of.bodies));
    }
    let Errors { count, sum, largest } = tally.errors;
    let errors = Errors { count, sum: sum / seconds, largest: largest / seconds };
    Ok(Tally { errors, ..tally })
}

#[cfg(test)]
mod tests {
    use super::super::crowd_for_tests::Crowded;
    use super::*;
    use narrowphase::impact;

    #[test]
    fn contact_that_the_relative_sweep_misses_is_an_error() {
        let Crowded { world, candidates } = Crowded::new();
        let of = FramePairs::new(world.bodies().unwrap(), &candidates);
        let mut audit = Audit::default();
        audit.examine_impacts(&of, 1.0);
        let impacts = StepImpacts { seconds: 1.0, audit: &audit };
        let blind = vec![Impact::Never; candidates.len()];
        let checked = |method| checked_impacts(method, &blind, &impacts, &of);
        let inexact = Method::Impact(impact::find("swept-boxes").unwrap());
        assert!(checked(inexact).unwrap().missed > 4, "its misses are counted");
        let fault = checked(Method::RelativeSweep).unwrap_err();
        assert!(fault.starts_with("`relative-sweep` is wrong about bodies"), "{fault}");
        assert!(fault.ends_with("it finds no contact; they touch at its start"), "{fault}");
    }
}
