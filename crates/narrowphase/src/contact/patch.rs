//! The two features that meet, projected on the plane perpendicular to the axis.

use std::cmp::Ordering;

use glam::{DVec2, DVec3};

use super::feature::{ContactKind, Feature};
use crate::pair::PartPair;
use crate::shape::Core;

/// A vertex belongs to the furthest feature if it is at most this fraction of the part's size behind the
/// furthest one. Edges at a smaller angle are parallel, and points that are nearer seen along y are one. Chosen far above
/// rounding and far below a pixel.
pub(super) const FLATNESS: f64 = 1e-7;

/// A feature of each part, and the plane in which they are clipped.
pub(super) struct Patch<'a> {
    pair: PartPair<'a>,
    pub(super) a: Feature,
    pub(super) b: Feature,
    axis: DVec3,
    /// Perpendicular unit vectors of the plane; their cross product is the axis.
    basis: [DVec3; 2],
    /// Lengths below this are rounding.
    pub(super) slack: f64,
    /// How far points of the features may be behind the furthest ones, at least `slack`.
    pub(super) flatness: f64,
}

impl<'a> Patch<'a> {
    /// `axis` is a unit vector in the frame of the first body.
    pub(super) fn new(pair: &PartPair<'a>, axis: DVec3) -> Self {
        let frame = pair.frame;
        let slack = 1e-12 * frame.size();
        // Each part's own size is used: next to a large floor, the features of a small body would merge.
        let [flat_a, flat_b] = [(pair.a, frame.scale_a), (pair.b, frame.scale_b)]
            .map(|(part, scale)| FLATNESS * part.reach_from(part.center()) * scale + slack);
        let a = Feature::furthest(pair.a.core(), axis, flat_a / frame.scale_a);
        let local = frame.rotation.transpose() * -axis;
        let b = Feature::furthest(pair.b.core(), local, flat_b / frame.scale_b);
        let first = axis.any_orthonormal_vector();
        let basis = [first, axis.cross(first)];
        Self { pair: *pair, a, b, axis, basis, slack, flatness: flat_a + flat_b }
    }

    pub(super) fn kind(&self) -> ContactKind {
        ContactKind::of(self.a, self.b)
    }

    pub(super) fn core_a(&self) -> &'a Core {
        self.pair.a.core()
    }

    pub(super) fn core_b(&self) -> &'a Core {
        self.pair.b.core()
    }

    /// A vertex of the first part, in the plane.
    pub(super) fn vertex_a(&self, i: u8) -> DVec2 {
        self.projected(self.point_a(i))
    }

    /// A vertex of the second part, in the plane.
    pub(super) fn vertex_b(&self, i: u8) -> DVec2 {
        self.projected(self.point_b(i))
    }

    /// The point in the middle between both surfaces at a point of the plane, in the frame of the
    /// first body, and how far they overlap there.
    pub(super) fn lifted(&self, at: DVec2) -> (DVec3, f64) {
        let frame = self.pair.frame;
        let in_plane = self.basis[0] * at.x + self.basis[1] * at.y;
        let core_a = match self.a {
            Feature::Face(face) => {
                let face = &self.core_a().faces()[usize::from(face)];
                self.on_plane(in_plane, face.normal, face.offset * frame.scale_a)
            }
            Feature::Edge(ends) => self.on_edge(at, ends.map(|i| self.point_a(i))),
            Feature::Vertex(i) => self.point_a(i).dot(self.axis),
        };
        let core_b = match self.b {
            Feature::Face(face) => {
                let face = &self.core_b().faces()[usize::from(face)];
                let normal = frame.rotation * face.normal;
                let offset = face.offset * frame.scale_b + normal.dot(frame.translation);
                self.on_plane(in_plane, normal, offset)
            }
            Feature::Edge(ends) => self.on_edge(at, ends.map(|i| self.point_b(i))),
            Feature::Vertex(i) => self.point_b(i).dot(self.axis),
        };
        let surface_a = core_a + self.pair.a.radius() * frame.scale_a;
        let surface_b = core_b - self.pair.b.radius() * frame.scale_b;
        let middle = in_plane + self.axis * ((surface_a + surface_b) / 2.0);
        (middle, surface_a - surface_b)
    }

    /// The height of a face above a point of the plane.
    fn on_plane(&self, in_plane: DVec3, normal: DVec3, offset: f64) -> f64 {
        (offset - normal.dot(in_plane)) / normal.dot(self.axis)
    }

    /// The height of an edge above the plane at a point.
    fn on_edge(&self, at: DVec2, [from, to]: [DVec3; 2]) -> f64 {
        let start = self.projected(from);
        let along = self.projected(to) - start;
        let squared = along.length_squared();
        // An edge along the axis, shorter than the flatness, is a point here.
        let share = if squared > 0.0 { (at - start).dot(along) / squared } else { 0.0 };
        from.lerp(to, share.clamp(0.0, 1.0)).dot(self.axis)
    }

    fn projected(&self, point: DVec3) -> DVec2 {
        DVec2::new(self.basis[0].dot(point), self.basis[1].dot(point))
    }

    /// How the radius of the first part compares with that of the second.
    pub(super) fn radii(&self) -> Ordering {
        let PartPair { frame, a, b, .. } = self.pair;
        (a.radius() * frame.scale_a).total_cmp(&(b.radius() * frame.scale_b))
    }

    /// The point on the feature of the part with the smaller radius: the surface of the other one is flatter, and
    /// a point aside of its feature is still near. The middle where the radii are equal.
    pub(super) fn between(&self, on_a: DVec2, on_b: DVec2) -> DVec2 {
        match self.radii() {
            Ordering::Less => on_a,
            Ordering::Greater => on_b,
            Ordering::Equal => (on_a + on_b) / 2.0,
        }
    }

    fn point_a(&self, i: u8) -> DVec3 {
        self.core_a().vertices()[usize::from(i)] * self.pair.frame.scale_a
    }

    fn point_b(&self, i: u8) -> DVec3 {
        self.pair.frame.point_b(self.core_b().vertices()[usize::from(i)])
    }
}
