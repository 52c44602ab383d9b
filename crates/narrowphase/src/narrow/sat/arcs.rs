//! Cross products of edges, for polyhedra: only those that can be an axis of the greatest gap.

use glam::DVec3;

use super::search::{BestAxis, perpendicular_to_both};
use crate::pair::PartPair;
use crate::shape::Core;

/// On the sphere of directions an edge is the arc between the normals of its two faces. The cross product of two
/// edges is a normal of the difference of both bodies if their arcs cross, one of them negated. The other
/// products have no greater gap than some normal (Gregorius, "The separating axis test", GDC 2013).
#[derive(Clone, Debug, Default)]
pub(super) struct Arcs {
    a: Vec<Arc>,
    b: Vec<Arc>,
    normals_b: Vec<DVec3>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    /// A vertex of the edge.
    vertex: DVec3,
    along: DVec3,
    length: f64,
    /// The normals left and right of it, seen from outside; negated for the second body.
    normals: [DVec3; 2],
    faces: [u8; 2],
}

/// Arcs cross where two numbers have different signs, relative to the lengths of the edges. Those that only
/// nearly do are taken as well: their products are projected on in full.
const SLACK: f64 = 1e-9;

impl Arcs {
    /// Considers the products of edges of two polyhedra, until a gap is above `enough`.
    pub(super) fn cross_products(&mut self, pair: &PartPair, enough: f64, best: &mut BestAxis) {
        let frame = pair.frame;
        let (a, b) = (pair.a.core(), pair.b.core());
        let scaled = |v: DVec3| v * frame.scale_a;
        collect(a, scaled, |n| n, &mut self.a);
        let moved = |v: DVec3| frame.point_b(v);
        let turned = |n: DVec3| -(frame.rotation * n);
        collect(b, moved, turned, &mut self.b);
        self.normals_b.clear();
        self.normals_b.extend(b.faces().iter().map(|face| turned(face.normal)));
        let mut sides = [0.0; 256];
        for edge in &self.a {
            for (side, normal) in sides.iter_mut().zip(&self.normals_b) {
                *side = normal.dot(edge.along);
            }
            let slack = SLACK * edge.length;
            for across in &self.b {
                let left = sides[usize::from(across.faces[0])];
                let right = sides[usize::from(across.faces[1])];
                if left * right > slack * edge.length {
                    continue;
                }
                let other_left = edge.normals[0].dot(across.along);
                let other_right = edge.normals[1].dot(across.along);
                let other_slack = slack * across.length;
                if other_left * other_right > SLACK * across.length * across.length
                    || left * other_right < -other_slack
                {
                    continue;
                }
                let Some(axis) = perpendicular_to_both(edge.along, across.along) else { continue };
                let outward = edge.normals[0] + edge.normals[1];
                let axis = if axis.dot(outward) < 0.0 { -axis } else { axis };
                // The gap if both edges are furthest along the axis, and never less than the gap.
                if axis.dot(across.vertex - edge.vertex) > best.gap {
                    best.consider(pair.gap(axis), axis);
                    if best.gap > enough {
                        return;
                    }
                }
            }
        }
    }
}

/// The edges of a core with the faces beside them.
fn collect(
    core: &Core,
    point: impl Fn(DVec3) -> DVec3,
    normal: impl Fn(DVec3) -> DVec3,
    arcs: &mut Vec<Arc>,
) {
    arcs.clear();
    arcs.extend(core.edges().iter().zip(core.edge_faces()).map(|(&[from, to], &faces)| {
        let vertex = point(core.vertices()[usize::from(from)]);
        let along = point(core.vertices()[usize::from(to)]) - vertex;
        let normals = faces.map(|face| normal(core.faces()[usize::from(face)].normal));
        Arc { vertex, along, length: along.length(), normals, faces }
    }));
}
