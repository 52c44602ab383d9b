//! Face normals and products of edges of two sharp polyhedra.

use super::window::Window;
use crate::narrow::{
    Arc, NEARLY_PARALLEL, Side, collect, cross, lowest_above, perpendicular_to_both,
};
use crate::pair::PartPair;
use crate::shape::Core;
use glam::DVec3;

/// Cores with more vertices are searched from neighbour to neighbour. Measured: with 16 vertices that is up to a tenth
/// slower. It pays little with more, since most projections end at their first vertex.
const MAX_COMPARED: usize = 32;

/// Speeds along a product of edges below this fraction of their squared lengths are rounding.
const SLACK: f64 = 1e-12;

/// The search over the axes of [`Sat`](crate::narrow::Sat), with the scratch that it keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Polyhedra {
    faces_a: Vec<Side>,
    faces_b: Vec<Side>,
    edges_a: Vec<Arc>,
    edges_b: Vec<Arc>,
    /// The second body's vertices at the start.
    vertices_b: Vec<DVec3>,
}

/// Which end of the window is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

impl Polyhedra {
    /// Narrows the window by all axes, until it is closed. Returns whether it is open. `tested` counts axes.
    pub(super) fn search(
        &mut self,
        pair: &PartPair,
        direction: DVec3,
        window: &mut Window,
        tested: &mut u64,
    ) -> bool {
        self.vertices_b.clear();
        self.vertices_b.extend(pair.b.core().vertices().iter().map(|v| pair.frame.point_b(*v)));
        let is_open = self.faces_of_a(pair, direction, window)
            && self.faces_of_b(pair, direction, window)
            && self.edges(pair, direction, End::First, window, tested)
            && self.edges(pair, direction, End::Last, window, tested);
        *tested += (self.faces_a.len() + self.faces_b.len()) as u64;
        is_open
    }

    /// A body is on one side of its own faces: only the other one is projected, and only until a vertex shows that the
    /// face does not narrow the window. Faces that narrow different ends have different near vertices.
    fn faces_of_a(&mut self, pair: &PartPair, direction: DVec3, window: &mut Window) -> bool {
        let (frame, core) = (pair.frame, pair.b.core());
        self.faces_a.clear();
        self.faces_b.clear();
        let mut nears = [0; 2];
        for face in pair.a.core().faces() {
            let axis = face.normal;
            let speed = axis.dot(direction);
            let near = &mut nears[usize::from(speed > 0.0)];
            let base = -frame.scale_a * face.offset;
            let bound = window.least_gap(speed) - base;
            if let Some(lowest) = lowest(core, &self.vertices_b, axis, bound, near)
                && !window.narrow(base + lowest, speed, axis)
            {
                return false;
            }
            self.faces_a.push(Side { axis, vertex: self.vertices_b[*near] });
        }
        true
    }

    fn faces_of_b(&mut self, pair: &PartPair, direction: DVec3, window: &mut Window) -> bool {
        let (frame, core) = (pair.frame, pair.a.core());
        let mut nears = [0; 2];
        for face in pair.b.core().faces() {
            let axis = -(frame.rotation * face.normal);
            let speed = axis.dot(direction);
            let near = &mut nears[usize::from(speed > 0.0)];
            let base = axis.dot(frame.translation) - frame.scale_b * face.offset;
            let local = axis * -frame.scale_a;
            let bound = window.least_gap(speed) - base;
            if let Some(lowest) = lowest(core, core.vertices(), local, bound, near)
                && !window.narrow(base + lowest, speed, axis)
            {
                return false;
            }
            self.faces_b.push(Side { axis, vertex: core.vertices()[*near] * frame.scale_a });
        }
        true
    }

    /// Products of edges can narrow one end of the window only where they separate the bodies at that time. So the edges
    /// are chosen as in the static test, for the bodies at that time.
    fn edges(
        &mut self,
        pair: &PartPair,
        direction: DVec3,
        end: End,
        window: &mut Window,
        tested: &mut u64,
    ) -> bool {
        let (frame, nothing) = (pair.frame, DVec3::ZERO);
        let time = if end == End::First { window.first } else { window.last };
        // Without a relative motion the only time is the start.
        let shift = if direction == nothing { nothing } else { direction * time };
        let Self { faces_a, faces_b, edges_a, edges_b, vertices_b } = self;
        let vertices_a = pair.a.core().vertices();
        let scaled = |i: usize| vertices_a[i] * frame.scale_a;
        let moved = |i: usize| vertices_b[i] + shift;
        collect(pair.a.core(), scaled, (faces_a, |v| v + shift), 1.0, 0.0, edges_a);
        collect(pair.b.core(), moved, (faces_b, |v| v), -1.0, 0.0, edges_b);
        for edge in &*edges_a {
            for across in &*edges_b {
                if !cross(edge, across) {
                    continue;
                }
                let product = edge.along.cross(across.along);
                let outward = edge.axes[0] + edge.axes[1];
                let product = if product.dot(outward) < 0.0 { -product } else { product };
                let is_precise =
                    product.length_squared() > NEARLY_PARALLEL * edge.squared * across.squared;
                let speed = product.dot(direction);
                // A speed that is rounding may have another sign in the other search.
                let slack = SLACK * (edge.squared + across.squared);
                let is_other_end = if end == End::First { speed > slack } else { speed < -slack };
                let reach = product.dot(across.vertex - edge.vertex);
                if is_precise && (is_other_end || reach <= 0.0) {
                    continue;
                }
                let Some(axis) = perpendicular_to_both(edge.along, across.along) else { continue };
                let axis = if axis.dot(outward) < 0.0 { -axis } else { axis };
                *tested += 1;
                if !window.narrow(pair.gap(axis), axis.dot(direction), axis) {
                    return false;
                }
            }
        }
        true
    }
}

/// The least projection of a core's vertices, or `None` as soon as one is at most `bound`. `near` is the index of a vertex
/// to begin with, then that of the last one that was lowest.
fn lowest(
    core: &Core,
    vertices: &[DVec3],
    axis: DVec3,
    bound: f64,
    near: &mut usize,
) -> Option<f64> {
    if vertices.len() <= MAX_COMPARED {
        return lowest_above(vertices, axis, bound, near);
    }
    let mut lowest = vertices[*near].dot(axis);
    loop {
        let from = *near;
        if lowest <= bound {
            return None;
        }
        for &vertex in core.neighbours(from) {
            let along = vertices[usize::from(vertex)].dot(axis);
            if along < lowest {
                (lowest, *near) = (along, usize::from(vertex));
            }
        }
        if *near == from {
            return Some(lowest);
        }
    }
}
