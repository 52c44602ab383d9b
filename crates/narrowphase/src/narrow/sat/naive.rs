//! The textbook's form: every axis, with all vertices of both bodies projected on it.

use glam::DVec3;

use super::best_axis::{BestAxis, perpendicular_to_both};
use super::search::AxisSearch;
use crate::pair::PartPair;
use crate::shape::Part;

/// 000 algorithms 2.6, 2.7 and 2.10: all normals of the first body, all of the second (the source's
/// loops leave out the last one), and the cross products of all edges. Directions that occur twice
/// are projected on once.
pub(super) fn separating_axis(search: &mut AxisSearch, pair: &PartPair) -> BestAxis {
    let (a, b) = (pair.a.core(), pair.b.core());
    let turned = |axis: &DVec3| pair.frame.rotation * *axis;
    let normals = a.normals().iter().copied().chain(b.normals().iter().map(turned));
    let products = a.directions().iter().flat_map(|along| {
        let across = b.directions().iter().map(turned);
        across.filter_map(|across| perpendicular_to_both(*along, across))
    });
    let mut best = BestAxis::above(f64::NEG_INFINITY);
    for axis in normals.chain(products) {
        let (gap, axis) = full_gap(pair, axis);
        best.consider(gap, axis);
        if gap > pair.radius {
            break;
        }
    }
    search.with_rounding(pair, pair.radius, best)
}

/// The gap of the projections, whichever of them is first, and the axis from the first body to the
/// second.
fn full_gap(pair: &PartPair, axis: DVec3) -> (f64, DVec3) {
    let [lowest_a, highest_a] = interval(pair.a, |v| axis.dot(v * pair.frame.scale_a));
    let [lowest_b, highest_b] = interval(pair.b, |v| axis.dot(pair.frame.point_b(v)));
    let (forth, back) = (lowest_b - highest_a, lowest_a - highest_b);
    if forth >= back { (forth, axis) } else { (back, -axis) }
}

/// `FindInterval` of the source.
fn interval(part: &Part, project: impl Fn(DVec3) -> f64) -> [f64; 2] {
    let mut interval = [f64::MAX, f64::MIN];
    for vertex in part.core().vertices() {
        let along = project(*vertex);
        interval = [interval[0].min(along), interval[1].max(along)];
    }
    interval
}
