//! The face normals of both bodies.

use glam::DVec3;

use super::search::BestAxis;
use crate::pair::PartPair;
use crate::shape::Core;

/// Results of the search over face normals that the search over edges uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Faces {
    /// Sides of the first body's faces.
    pub(super) a: Vec<Side>,
    /// Sides of the second body's faces.
    pub(super) b: Vec<Side>,
}

/// A face, as an axis from the first body to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// A unit vector.
    pub(super) axis: DVec3,
    /// A vertex of the other body that is at most as far in front of the face as the greatest gap
    /// says.
    pub(super) vertex: DVec3,
}

impl Faces {
    /// Considers all normals until a gap is above `enough`; returns whether there was one.
    ///
    /// A body is on one side of its own faces: only the other one is projected (000 algorithm 2.8,
    /// without its slip of testing the second body against itself). A face is left at the first
    /// vertex that is not further in front of it than the greatest gap so far (algorithm 2.9, for
    /// any gap). `climbs`: the other body's vertices are searched from neighbour to neighbour.
    pub(super) fn search(
        &mut self,
        pair: &PartPair,
        climbs: bool,
        enough: f64,
        best: &mut BestAxis,
    ) -> bool {
        let frame = pair.frame;
        let (core_a, core_b) = (pair.a.core(), pair.b.core());
        let mut consider =
            |axis: DVec3, local: DVec3, offset: f64, core: &Core, near: &mut usize| {
                let base = axis.dot(frame.translation) - offset;
                let bound = best.gap - base;
                let lowest = match climbs {
                    true => climb_above(core, local, bound, near),
                    false => lowest_above(core.vertices(), local, bound, near),
                };
                best.tested += 1;
                if let Some(lowest) = lowest {
                    best.raise(base + lowest, axis);
                }
                best.gap > enough
            };
        self.a.clear();
        self.b.clear();
        let mut near = 0;
        for face in core_a.faces() {
            let (axis, offset) = (face.normal, frame.scale_a * face.offset);
            if consider(axis, frame.matrix.transpose() * axis, offset, core_b, &mut near) {
                return true;
            }
            self.a.push(Side { axis, vertex: frame.point_b(core_b.vertices()[near]) });
        }
        near = 0;
        for face in core_b.faces() {
            let (axis, offset) = (-(frame.rotation * face.normal), frame.scale_b * face.offset);
            if consider(axis, axis * -frame.scale_a, offset, core_a, &mut near) {
                return true;
            }
            self.b.push(Side { axis, vertex: core_a.vertices()[near] * frame.scale_a });
        }
        false
    }
}

/// The least projection of vertices, or `None` as soon as one is at most `bound`. `near` is the
/// index of a vertex to begin with, then that of the lowest one, or the one that ended the search.
pub(crate) fn lowest_above(
    vertices: &[DVec3],
    axis: DVec3,
    bound: f64,
    near: &mut usize,
) -> Option<f64> {
    let mut lowest = vertices[*near].dot(axis);
    if lowest <= bound {
        return None;
    }
    for (i, vertex) in vertices.iter().enumerate() {
        let along = vertex.dot(axis);
        if along < lowest {
            lowest = along;
            *near = i;
            if along <= bound {
                return None;
            }
        }
    }
    Some(lowest)
}

/// [`lowest_above`] by hill climbing from `near`, unless that vertex is already at most `bound`.
fn climb_above(core: &Core, axis: DVec3, bound: f64, near: &mut usize) -> Option<f64> {
    let lowest = |near: usize| Some(core.vertices()[near].dot(axis)).filter(|along| *along > bound);
    lowest(*near)?;
    *near = core.support_from(*near, -axis);
    lowest(*near)
}
