//! The test at the end of the step only.

use super::{Impact, ImpactCounters, Motion, TimeOfImpact};
use crate::{Answer, Body, PairCache, Reference};

/// `discrete`: whether the bodies touch at the start or at the end of the step. What happens between is missed.
#[derive(Clone, Debug, Default)]
pub struct Discrete {
    reference: Reference,
    counters: ImpactCounters,
}

impl TimeOfImpact for Discrete {
    fn find(
        &mut self,
        a: (&Body, &Motion),
        b: (&Body, &Motion),
        limit: f64,
        _cache: &mut PairCache,
    ) -> Impact {
        let Self { reference, counters } = self;
        counters.tests += 1;
        let is_valid = limit > 0.0 && limit.is_finite() && a.1.is_finite() && b.1.is_finite();
        if !is_valid {
            counters.failures += 1;
            return Impact::Failed;
        }
        for time in [0.0, limit] {
            let (one, other) = (a.1.body_after(a.0, time), b.1.body_after(b.0, time));
            counters.part_tests += (one.shape.parts().len() * other.shape.parts().len()) as u64;
            counters.steps += 1;
            match reference.examine(&one, &other).answer {
                Answer::Separated { .. } => {}
                Answer::Touching { .. } if time == 0.0 => return Impact::Overlapping,
                Answer::Touching { .. } => {
                    let parts = reference.parts().iter();
                    let deepest = parts.min_by(|one, other| one.gap.total_cmp(&other.gap));
                    let axis = deepest.map_or(glam::DVec3::X, |part| part.axis);
                    return Impact::At { first: time, last: time, axis };
                }
                Answer::Failed => {
                    counters.failures += 1;
                    return Impact::Failed;
                }
            }
        }
        Impact::Never
    }

    fn counters(&self) -> ImpactCounters {
        self.counters
    }
}
