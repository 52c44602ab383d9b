//! Cross products of edges, for polyhedra: only those that can be an axis of the greatest gap.

use glam::DVec3;

use super::faces::{Faces, Side};
use super::search::{BestAxis, NEARLY_PARALLEL, perpendicular_to_both};
use crate::pair::PartPair;
use crate::shape::Core;

/// On the sphere of directions an edge is the arc between the normals of its two faces. The cross
/// product of two edges is a normal of the difference of both bodies if their arcs cross, one of
/// them negated. The other products have no greater gap than some normal (Gregorius, "The
/// separating axis test", GDC 2013).
#[derive(Clone, Debug, Default)]
pub(super) struct Arcs {
    a: Vec<Arc>,
    b: Vec<Arc>,
}

/// An edge, and the arc of axes between those of its faces.
#[derive(Clone, Copy, Debug)]
struct Arc {
    /// A vertex of the edge.
    vertex: DVec3,
    /// From this vertex to the other one.
    along: DVec3,
    /// The squared length of `along`.
    squared: f64,
    /// The axes of the faces left and right of it, seen from outside.
    axes: [DVec3; 2],
}

/// Arcs cross where two numbers have different signs, relative to the lengths of the edges. Those
/// that only nearly do are taken as well: their products are projected on in full.
const SLACK: f64 = 1e-9;

impl Arcs {
    /// Considers the products of edges of two polyhedra, until a gap is above `enough`.
    pub(super) fn search(
        &mut self,
        pair: &PartPair,
        faces: &Faces,
        climbs: bool,
        enough: f64,
        best: &mut BestAxis,
    ) {
        let (core_a, core_b) = (pair.a.core(), pair.b.core());
        let scaled = |i: usize| core_a.vertices()[i] * pair.frame.scale_a;
        collect(core_a, scaled, &faces.a, 1.0, best.gap, &mut self.a);
        let moved = |i: usize| pair.frame.point_b(core_b.vertices()[i]);
        collect(core_b, moved, &faces.b, -1.0, best.gap, &mut self.b);
        let mut near = [0; 2];
        let mut gap =
            |axis| if climbs { pair.climbed_gap(axis, &mut near) } else { pair.gap(axis) };
        for edge in &self.a {
            for across in &self.b {
                if !cross(edge, across) {
                    continue;
                }
                // The gap if both edges are furthest along the axis, never less than the gap: times
                // a length.
                let product = edge.along.cross(across.along);
                let outward = edge.axes[0] + edge.axes[1];
                let product = if product.dot(outward) < 0.0 { -product } else { product };
                let squared = product.length_squared();
                let reach = product.dot(across.vertex - edge.vertex);
                let is_precise = squared > NEARLY_PARALLEL * edge.squared * across.squared;
                // Without the root: `reach` over the length of the product is at most the best gap.
                if is_precise && reach * reach.abs() <= best.gap * best.gap.abs() * squared {
                    continue;
                }
                let Some(axis) = perpendicular_to_both(edge.along, across.along) else { continue };
                let axis = if axis.dot(outward) < 0.0 { -axis } else { axis };
                best.consider(gap(axis), axis);
                if best.gap > enough {
                    return;
                }
            }
        }
    }
}

/// Whether two arcs cross, or nearly do.
fn cross(edge: &Arc, across: &Arc) -> bool {
    let left = across.axes[0].dot(edge.along);
    let right = across.axes[1].dot(edge.along);
    if left * right > SLACK * edge.squared {
        return false;
    }
    let other_left = edge.axes[0].dot(across.along);
    let other_right = edge.axes[1].dot(across.along);
    other_left * other_right <= SLACK * across.squared
        && left * other_right >= -SLACK * (edge.squared + across.squared)
}

/// The edges of a core that can have a greater gap than `gap`.
///
/// An axis of an edge is a sum of those of its faces, with weights of at least 1 together. If a
/// vertex of the other body is no further than a gap of at most 0 in front of both faces, then
/// neither is it along any sum. `point` gives the place of a vertex. `sign` is -1 for the second body, whose axes point inward.
fn collect(
    core: &Core,
    point: impl Fn(usize) -> DVec3,
    sides: &[Side],
    sign: f64,
    gap: f64,
    arcs: &mut Vec<Arc>,
) {
    arcs.clear();
    for (&[from, to], faces) in core.edges().iter().zip(core.edge_faces()) {
        let [left, right] = faces.map(|face| sides[usize::from(face)]);
        let vertex = point(usize::from(from));
        let front = |side: &Side, at: DVec3| side.axis.dot(at - vertex) * sign;
        // One branch: two would be mispredicted twice as often.
        let is_behind = (front(&right, left.vertex) <= gap) | (front(&left, right.vertex) <= gap);
        if gap <= 0.0 && is_behind {
            continue;
        }
        let along = point(usize::from(to)) - vertex;
        let axes = [left.axis, right.axis];
        arcs.push(Arc { vertex, along, squared: along.length_squared(), axes });
    }
}
