//! The axis along which two cores have the greatest gap, or the first one with a gap that is great enough.

use glam::DVec3;

use super::arcs::Arcs;
use super::{cuboids, features};
use crate::pair::PartPair;

/// Finds axes. It keeps its scratch between searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct AxisSearch {
    arcs: Arcs,
    vertices: Vec<DVec3>,
}

/// The best axis so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestAxis {
    /// The gap of the cores along `axis`.
    pub(crate) gap: f64,
    /// A unit vector from the first to the second core.
    pub(crate) axis: DVec3,
    /// Axes that were projected on.
    pub(crate) tested: u64,
}

impl BestAxis {
    pub(super) fn none() -> Self {
        Self { gap: f64::NEG_INFINITY, axis: DVec3::X, tested: 0 }
    }

    pub(super) fn consider(&mut self, gap: f64, axis: DVec3) {
        self.tested += 1;
        self.raise(gap, axis);
    }

    pub(super) fn raise(&mut self, gap: f64, axis: DVec3) {
        if gap > self.gap {
            self.gap = gap;
            self.axis = axis;
        }
    }
}

impl AxisSearch {
    /// The axis with the greatest gap of the cores, or the first with a gap above `enough`.
    ///
    /// It is exact: the distance of separated cores, and minus the penetration depth of overlapping ones.
    /// The exception is a search that ends early.
    pub(crate) fn greatest_gap(&mut self, pair: &PartPair, enough: f64) -> BestAxis {
        if let Some(cuboids) = cuboids::Cuboids::of(pair) {
            let best = if enough == 0.0 && pair.radius == 0.0 {
                cuboids.separating_axis()
            } else {
                cuboids.greatest_gap(enough)
            };
            return self.with_rounding(pair, enough, best);
        }
        let mut best = BestAxis::none();
        face_normals(pair, enough, &mut best);
        if best.gap <= enough {
            if pair.have_volume() {
                self.arcs.cross_products(pair, enough, &mut best);
            } else {
                cross_products_of_directions(pair, enough, &mut best);
            }
        }
        self.with_rounding(pair, enough, best)
    }

    /// Adds the axis of the nearest vertex and edge, which only the distance of separated cores needs: of rounded
    /// ones, and of those without volume.
    pub(super) fn with_rounding(
        &mut self,
        pair: &PartPair,
        enough: f64,
        mut best: BestAxis,
    ) -> BestAxis {
        let have_volume = pair.have_volume();
        let is_decided = best.gap > enough || (best.gap <= 0.0 && have_volume);
        if !is_decided && (enough > 0.0 || pair.radius > 0.0) {
            if best.tested == 0 {
                let axis = features::perpendicular(pair);
                best.consider(pair.gap(axis), axis);
            }
            let axis = features::nearest_vertex_and_edge(pair, &mut self.vertices);
            if let Some(axis) = axis.try_normalize() {
                best.consider(pair.gap(axis), axis);
            }
        }
        best
    }
}

/// The faces of both. A body is on one side of its own faces: only the other one is projected
/// (000 algorithm 2.8, without its slip of testing the second body against itself).
fn face_normals(pair: &PartPair, enough: f64, best: &mut BestAxis) {
    let frame = pair.frame;
    for face in pair.a.core().faces() {
        let gap = pair.lowest_b(face.normal) - frame.scale_a * face.offset;
        best.consider(gap, face.normal);
        if gap > enough {
            return;
        }
    }
    for face in pair.b.core().faces() {
        let axis = -(frame.rotation * face.normal);
        let lowest = frame.translation.dot(axis) - frame.scale_b * face.offset;
        let gap = lowest - pair.highest_a(axis);
        best.consider(gap, axis);
        if gap > enough {
            return;
        }
    }
}

/// The cross products of all directions of edges, with full projections: for cores without volume, whose edges
/// have no two faces.
fn cross_products_of_directions(pair: &PartPair, enough: f64, best: &mut BestAxis) {
    for along in pair.a.core().directions() {
        for across in pair.b.core().directions() {
            if let Some(axis) = perpendicular_to_both(*along, pair.frame.rotation * *across) {
                let (gap, axis) = pair.greater_gap(axis);
                best.consider(gap, axis);
                if gap > enough {
                    return;
                }
            }
        }
    }
}

/// The unit vector perpendicular to two vectors, `None` if they are parallel.
///
/// It is precise also where they are nearly parallel: the difference of nearly equal unit vectors is exact.
pub(super) fn perpendicular_to_both(along: DVec3, across: DVec3) -> Option<DVec3> {
    let product = along.cross(across);
    let squared = product.length_squared();
    if squared > 1e-6 * along.length_squared() * across.length_squared() {
        return Some(product / squared.sqrt());
    }
    let (along, across) = (along.normalize(), across.normalize());
    let side = across * along.dot(across).signum() - along;
    along.cross(side).try_normalize()
}
