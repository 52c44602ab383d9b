//! The textbook's form: every axis, with all vertices of both bodies projected on it.

use glam::DVec3;

use super::best_axis::{BestAxis, perpendicular_to_both};
use super::search::AxisSearch;
use crate::pair::PartPair;

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
        let (gap, axis) = pair.greater_gap(axis);
        best.consider(gap, axis);
        if gap > pair.radius {
            break;
        }
    }
    search.with_rounding(pair, pair.radius, best)
}
