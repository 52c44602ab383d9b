//! Separating axes: face normals and cross products of edges.
//!
//! Two convex bodies are apart if their projections on some axis are disjoint, and finitely many axes are enough. These are
//! the face normals of both and the cross products of their edges. Rounded parts have one more, that of the nearest vertex
//! and edge. The first axis with a gap ends a test.

mod arcs;
mod cuboids;
mod faces;
mod search;

use glam::DVec3;

use crate::answer::Answer;
use crate::pair::PartPair;

pub(crate) use cuboids::Cuboids;
pub(crate) use faces::lowest_above;
use search::BestAxis;
pub(crate) use search::{AxisSearch, NEARLY_PARALLEL, perpendicular_to_both};

/// `sat` and `sat+climbing`: the axes in their order.
pub(super) fn sat(
    search: &mut AxisSearch,
    pair: &PartPair,
    axis: &mut DVec3,
    steps: &mut u64,
) -> Answer {
    answer(pair, &search.separating_axis(pair), axis, steps)
}

/// `sat+cached`: the axis that separated the pair last before all others.
pub(super) fn sat_cached(
    search: &mut AxisSearch,
    pair: &PartPair,
    axis: &mut DVec3,
    steps: &mut u64,
) -> Answer {
    if *axis != DVec3::ZERO {
        *steps += 1;
        if pair.gap(*axis) > pair.radius {
            return Answer::Separated { axis: Some(*axis) };
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
) -> Answer {
    answer(pair, &naive_axis(search, pair), axis, steps)
}

fn answer(pair: &PartPair, best: &BestAxis, axis: &mut DVec3, steps: &mut u64) -> Answer {
    *steps += best.tested;
    if best.gap <= pair.radius {
        return Answer::Touching { point: None };
    }
    *axis = best.axis;
    Answer::Separated { axis: Some(best.axis) }
}

/// 000 algorithms 2.6, 2.7 and 2.10: all normals of the first body, all of the second (the source's
/// loops leave out the last one), and the cross products of all edges. Directions that occur twice
/// are projected on once.
fn naive_axis(search: &mut AxisSearch, pair: &PartPair) -> BestAxis {
    let (a, b) = (pair.a.core(), pair.b.core());
    let turned = |axis: &DVec3| pair.frame.rotation * *axis;
    let normals = a.normals().iter().copied().chain(b.normals().iter().map(turned));
    let products = a.directions().iter().flat_map(|along| {
        let across = b.directions().iter().map(turned);
        across.filter_map(|across| perpendicular_to_both(*along, across))
    });
    let mut best = BestAxis::above(f64::NEG_INFINITY);
    for axis in normals.chain(products) {
        let (gap, axis) = pair.greater_gap(axis);
        best.consider(gap, axis);
        if gap > pair.radius {
            break;
        }
    }
    search.with_rounding(pair, pair.radius, best)
}
