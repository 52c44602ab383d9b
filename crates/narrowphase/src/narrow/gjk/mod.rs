//! Distance by simplices of the difference of two bodies (Gilbert, Johnson, Keerthi).
//!
//! Two convex bodies touch if their difference, all points of one minus all of the other, contains the origin. A simplex of
//! at most four points of the difference moves towards the origin. It ends as soon as the furthest point in the direction of
//! search proves a gap, or the nearest point is within the rounding radii.

mod distance;
mod simplex;

use glam::DVec3;

use crate::answer::Answer;
use crate::pair::PartPair;

pub(crate) use distance::{Distance, Found};

/// `gjk`: starts along the line of the centres.
pub(super) fn gjk(pair: &PartPair, steps: &mut u64) -> Answer {
    answer(pair, &Distance::until_decided(pair, pair.direction_of_centres()), steps)
}

/// `gjk+cached`: starts in the direction in which the last test of the pair ended.
pub(super) fn gjk_cached(pair: &PartPair, axis: &mut DVec3, steps: &mut u64) -> Answer {
    let is_known = *axis != DVec3::ZERO;
    let start = if is_known { *axis } else { pair.direction_of_centres() };
    let distance = Distance::until_decided(pair, start);
    *axis = distance.axis;
    answer(pair, &distance, steps)
}

fn answer(pair: &PartPair, distance: &Distance, steps: &mut u64) -> Answer {
    *steps += u64::from(distance.steps);
    match distance.found {
        Found::Apart if distance.lower > pair.radius => {
            Answer::Separated { axis: Some(distance.axis) }
        }
        Found::Unresolved if !distance.is_within_rounding(pair) => Answer::Failed,
        Found::Apart | Found::Unresolved => {
            let (first, second) = distance.witnesses();
            Answer::Touching { point: Some(pair.between(first, second)) }
        }
        Found::Overlapping => Answer::Touching { point: Some(distance.witnesses().0) },
    }
}
