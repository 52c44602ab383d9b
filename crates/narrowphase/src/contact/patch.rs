//! The two features that meet, projected on the plane perpendicular to the axis.

use std::cmp::Ordering;

use glam::{DVec2, DVec3};

use super::feature::Feature;
use crate::pair::{Frame, PartPair, ROUNDING};
use crate::shape::{Core, Part};

/// A vertex belongs to the furthest feature if it is at most this fraction of the part's size behind the
/// furthest one. Edges at a smaller angle are parallel, and points that are nearer seen along y are one. Chosen far above
/// rounding and far below a pixel.
pub(super) const FLATNESS: f64 = 1e-7;

/// A part with the feature that meets the other one.
pub(super) struct Side<'a> {
    core: &'a Core,
    pub(super) feature: Feature,
    radius: f64,
    /// Its body is the second one of this frame.
    frame: Frame,
    /// How far points of the feature may be behind the furthest one.
    flatness: f64,
}

impl<'a> Side<'a> {
    /// With the feature that is furthest along a unit vector.
    fn new(part: &'a Part, frame: Frame, axis: DVec3, slack: f64) -> Self {
        let (core, scale) = (part.core(), frame.scale_b);
        // Each part's own size is used: next to a large floor, the features of a small body would merge.
        let flatness = FLATNESS * part.extent() * scale + slack;
        let local = frame.rotation.transpose() * axis;
        let feature = Feature::furthest(core, local, flatness / scale);
        Self { core, feature, radius: part.radius() * scale, frame, flatness }
    }

    /// Indices of the vertices of the feature.
    pub(super) fn vertices(&self) -> &[u8] {
        self.feature.vertices(self.core)
    }

    fn point(&self, i: u8) -> DVec3 {
        self.frame.point_b(self.core.vertices()[usize::from(i)])
    }
}

/// A feature of each part, and the plane in which they are clipped.
pub(super) struct Patch<'a> {
    pub(super) sides: [Side<'a>; 2],
    axis: DVec3,
    /// Perpendicular unit vectors of the plane; their cross product is the axis.
    basis: [DVec3; 2],
    /// Lengths below this are rounding.
    pub(super) slack: f64,
}

impl<'a> Patch<'a> {
    /// `axis` is a unit vector in the frame of the first body.
    pub(super) fn new(pair: &PartPair<'a>, axis: DVec3) -> Self {
        let frame = *pair.frame;
        let slack = ROUNDING * frame.size();
        let a = Side::new(pair.a, frame.of_first(), axis, slack);
        let b = Side::new(pair.b, frame, -axis, slack);
        let first = axis.any_orthonormal_vector();
        Self { sides: [a, b], axis, basis: [first, axis.cross(first)], slack }
    }

    /// The features of both parts.
    pub(super) fn features(&self) -> [Feature; 2] {
        self.sides.each_ref().map(|side| side.feature)
    }

    /// How far points of the features may be behind the furthest ones, at least `slack`.
    pub(super) fn flatness(&self) -> f64 {
        self.sides[0].flatness + self.sides[1].flatness
    }

    /// A vertex of a part, in the plane.
    pub(super) fn vertex(&self, side: usize, i: u8) -> DVec2 {
        self.projected(self.sides[side].point(i))
    }

    /// The point in the middle between both surfaces at a point of the plane, in the frame of the
    /// first body, and how far they overlap there.
    pub(super) fn lifted(&self, at: DVec2) -> (DVec3, f64) {
        let in_plane = self.basis[0] * at.x + self.basis[1] * at.y;
        let [core_a, core_b] = self.sides.each_ref().map(|side| match side.feature {
            Feature::Face(face) => {
                let face = &side.core.faces()[usize::from(face)];
                let normal = side.frame.rotation * face.normal;
                let base = normal.dot(side.frame.translation);
                let offset = face.offset * side.frame.scale_b + base;
                (offset - normal.dot(in_plane)) / normal.dot(self.axis)
            }
            Feature::Edge(ends) => self.on_edge(at, ends.map(|i| side.point(i))),
            Feature::Vertex(i) => side.point(i).dot(self.axis),
        });
        let surface_a = core_a + self.sides[0].radius;
        let surface_b = core_b - self.sides[1].radius;
        let middle = in_plane + self.axis * ((surface_a + surface_b) / 2.0);
        (middle, surface_a - surface_b)
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
        self.sides[0].radius.total_cmp(&self.sides[1].radius)
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
}
