//! Two convex parts, seen from the frame of the first body.

use glam::{DMat3, DVec3};

use crate::{Body, Part, Pose};

/// Where the second body of a pair is, in the frame of the first one, in the lengths of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Factor of the first shape's lengths.
    pub(crate) scale_a: f64,
    /// Factor of the second shape's lengths.
    pub(crate) scale_b: f64,
    /// The second body, as seen from the first.
    pub(crate) relative: Pose,
    /// Its rotation: from the second body's axes to the first one's.
    pub(crate) rotation: DMat3,
    /// `rotation` times `scale_b`: from coordinates of the second shape.
    pub(crate) matrix: DMat3,
    /// The second body's origin.
    pub(crate) translation: DVec3,
    /// Both bounding radii and the distance of the centres: what tolerances and the band refer to.
    pub(crate) size: f64,
}

impl Frame {
    pub(crate) fn new(a: &Body, b: &Body) -> Self {
        let relative = b.pose.relative_to(&a.pose);
        let rotation = DMat3::from_quat(relative.rotation);
        Self {
            scale_a: a.scale,
            scale_b: b.scale,
            relative,
            rotation,
            matrix: rotation * b.scale,
            translation: relative.position,
            size: a.bounding_radius() + b.bounding_radius() + relative.position.length(),
        }
    }

    /// The pair of part `i` of the first and part `j` of the second body.
    pub(crate) fn parts<'a>(&'a self, a: &'a Part, b: &'a Part) -> PartPair<'a> {
        let radius = a.radius() * self.scale_a + b.radius() * self.scale_b;
        PartPair { frame: self, a, b, radius }
    }

    /// A vertex of the second shape.
    pub(crate) fn point_b(&self, local: DVec3) -> DVec3 {
        self.matrix * local + self.translation
    }
}

/// Two convex parts. An axis points from the first to the second; a *gap* along a unit axis is that of the
/// projections of the cores, negative where they overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartPair<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) a: &'a Part,
    pub(crate) b: &'a Part,
    /// The sum of both rounding radii: the parts touch where the gap of the cores is at most this.
    pub(crate) radius: f64,
}

impl PartPair<'_> {
    /// The greatest projection of the first core.
    pub(crate) fn highest_a(&self, axis: DVec3) -> f64 {
        self.frame.scale_a * highest(self.a.core().vertices(), axis).1
    }

    /// The least projection of the second core.
    pub(crate) fn lowest_b(&self, axis: DVec3) -> f64 {
        let local = self.frame.matrix.transpose() * -axis;
        self.frame.translation.dot(axis) - highest(self.b.core().vertices(), local).1
    }

    /// The gap along `axis`, a unit vector.
    pub(crate) fn gap(&self, axis: DVec3) -> f64 {
        self.lowest_b(axis) - self.highest_a(axis)
    }

    /// The gap along `axis` or its opposite, whichever is greater, with that axis.
    pub(crate) fn greater_gap(&self, axis: DVec3) -> (f64, DVec3) {
        let (forth, back) = (self.gap(axis), self.gap(-axis));
        if forth >= back { (forth, axis) } else { (back, -axis) }
    }

    /// Whether both cores are polyhedra, so that cores with a common point overlap, or touch at their surfaces.
    pub(crate) fn have_volume(&self) -> bool {
        self.a.core().faces().len() > 2 && self.b.core().faces().len() > 2
    }

    /// Where a search may begin: a unit vector from the middle of one core to that of the other.
    pub(crate) fn direction_of_centres(&self) -> DVec3 {
        let from = self.a.center() * self.frame.scale_a;
        let to = self.frame.point_b(self.b.center());
        (to - from).try_normalize().unwrap_or(DVec3::X)
    }

    /// A point inside both parts, from the nearest points of cores that are at most `radius` apart.
    pub(crate) fn between(&self, first: DVec3, second: DVec3) -> DVec3 {
        let share = self.a.radius() * self.frame.scale_a / self.radius.max(f64::MIN_POSITIVE);
        first.lerp(second, share)
    }

    /// The vertices of the first core that is furthest along `axis`, and of the second that is furthest against
    /// it.
    pub(crate) fn support(&self, axis: DVec3) -> (DVec3, DVec3) {
        let a = self.a.core().vertices();
        let b = self.b.core().vertices();
        let i = highest(a, axis).0;
        let j = highest(b, self.frame.matrix.transpose() * -axis).0;
        (a[i] * self.frame.scale_a, self.frame.point_b(b[j]))
    }
}

/// The index of the vertex with the greatest projection, and the projection.
pub(crate) fn highest(vertices: &[DVec3], axis: DVec3) -> (usize, f64) {
    let mut best = (0, f64::MIN);
    for (i, vertex) in vertices.iter().enumerate() {
        let along = vertex.dot(axis);
        if along > best.1 {
            best = (i, along);
        }
    }
    best
}
