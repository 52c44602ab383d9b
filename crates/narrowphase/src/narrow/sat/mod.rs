//! Separating axes: face normals and cross products of edges.
//!
//! Two convex bodies are apart if their projections on some axis are disjoint, and finitely many axes are enough. These are
//! the face normals of both and the cross products of their edges. Rounded parts have one more, that of the nearest vertex
//! and edge. The first axis with a gap ends a test.

mod arcs;
mod best_axis;
mod cuboids;
mod faces;
mod features;
mod naive;
mod search;

use glam::DVec3;

use super::PartAnswer;
use crate::pair::PartPair;

use best_axis::BestAxis;
pub(crate) use best_axis::NEARLY_PARALLEL;
pub(crate) use cuboids::Cuboids;
pub(crate) use faces::lowest_above;
pub(crate) use search::AxisSearch;

/// `sat` and `sat+climbing`: the axes in their order.
pub(super) fn sat(
    search: &mut AxisSearch,
    pair: &PartPair,
    axis: &mut DVec3,
    steps: &mut u64,
) -> PartAnswer {
    answer(pair, &search.separating_axis(pair), axis, steps)
}

/// `sat+cached`: the axis that separated the pair last before all others.
pub(super) fn sat_cached(
    search: &mut AxisSearch,
    pair: &PartPair,
    axis: &mut DVec3,
    steps: &mut u64,
) -> PartAnswer {
    if *axis != DVec3::ZERO {
        *steps += 1;
        if pair.gap(*axis) > pair.radius {
            return PartAnswer::Separated(Some(*axis));
        }
    }
    sat(search, pair, axis, steps)
}

/// `sat+naive`: the projections of all vertices of both bodies on every axis (000 algorithms 2.6, 2.7, 2.10).
pub(super) fn sat_naive(
    search: &mut AxisSearch,
    pair: &PartPair,
    axis: &mut DVec3,
    steps: &mut u64,
) -> PartAnswer {
    answer(pair, &naive::separating_axis(search, pair), axis, steps)
}

fn answer(pair: &PartPair, best: &BestAxis, axis: &mut DVec3, steps: &mut u64) -> PartAnswer {
    *steps += best.tested;
    if best.gap <= pair.radius {
        return PartAnswer::Touching(None);
    }
    *axis = best.axis;
    PartAnswer::Separated(Some(best.axis))
}
