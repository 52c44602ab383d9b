//! Two convex parts, seen from the frame of the first body.

use glam::{DMat3, DVec3};

use crate::body::Body;
use crate::shape::{Core, Part};

/// A pair counts as touching and as separated if its gap is at most this fraction of its size.
pub const BAND: f64 = 1e-9;

/// Rounding of what is computed of a pair, as a fraction of its size: far above that of a few operations, and far below
/// [`BAND`].
pub(crate) const ROUNDING: f64 = 1e-12;

/// Both bounding radii and the distance of the centres: the length that [`BAND`] and tolerances refer to.
#[must_use]
pub fn size_of_pair(a: &Body, b: &Body) -> f64 {
    a.bounding_radius() + b.bounding_radius() + a.pose.position.distance(b.pose.position)
}

/// How far a point of the world that was found exactly may be beside it: coordinates far from the origin are coarse, and
/// small bodies there are not much larger.
#[must_use]
pub fn rounding_of(point: DVec3) -> f64 {
    4.0 * f64::EPSILON * point.abs().max_element()
}

/// Where the second body of a pair is, in the frame of the first one, in the lengths of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Factor of the first shape's lengths.
    pub(crate) scale_a: f64,
    /// Factor of the second shape's lengths.
    pub(crate) scale_b: f64,
    /// From the second body's axes to the first one's.
    pub(crate) rotation: DMat3,
    /// `rotation` times `scale_b`: from coordinates of the second shape.
    pub(crate) matrix: DMat3,
    /// The second body's origin.
    pub(crate) translation: DVec3,
    /// The sum of both bounding radii.
    radii: f64,
}

impl Frame {
    pub(crate) fn new(a: &Body, b: &Body) -> Self {
        // Rotations are unit quaternions: their product is one, to rounding.
        let back = a.pose.rotation.conjugate();
        let rotation = DMat3::from_quat(back * b.pose.rotation);
        Self {
            scale_a: a.scale,
            scale_b: b.scale,
            rotation,
            matrix: rotation * b.scale,
            translation: back * (b.pose.position - a.pose.position),
            radii: a.bounding_radius() + b.bounding_radius(),
        }
    }

    /// Both bounding radii and the distance of the centres: what tolerances and the band refer to.
    pub(crate) fn size(&self) -> f64 {
        self.radii + self.translation.length()
    }

    /// The pair of part `i` of the first and part `j` of the second body.
    pub(crate) fn parts<'a>(&'a self, a: &'a Part, b: &'a Part) -> PartPair<'a> {
        let radius = a.radius() * self.scale_a + b.radius() * self.scale_b;
        PartPair { frame: self, a, b, radius }
    }

    /// All pairs of parts, by the first body's part, then by the second's.
    pub(crate) fn pairs<'a>(
        &'a self,
        a: &Body<'a>,
        b: &Body<'a>,
    ) -> impl Iterator<Item = PartPair<'a>> {
        let others = b.shape.parts();
        let with_others = move |one| others.iter().map(move |other| self.parts(one, other));
        a.shape.parts().iter().flat_map(with_others)
    }

    /// The first body as both bodies.
    pub(crate) fn of_first(&self) -> Self {
        let matrix = DMat3::IDENTITY * self.scale_a;
        let (rotation, translation) = (DMat3::IDENTITY, DVec3::ZERO);
        Self { scale_b: self.scale_a, rotation, matrix, translation, ..*self }
    }

    /// This frame after the second body has moved by `by`, a vector of the first body's frame.
    pub(crate) fn moved(&self, by: DVec3) -> Self {
        Self { translation: self.translation + by, ..*self }
    }

    /// At most the gap of two parts, rounding included: that of spheres that enclose them.
    pub(crate) fn least_gap(&self, a: &Part, b: &Part) -> f64 {
        let distance = self.point_b(b.center()).distance(a.center() * self.scale_a);
        distance - a.extent() * self.scale_a - b.extent() * self.scale_b - ROUNDING * self.size()
    }

    /// A vertex of the second shape.
    pub(crate) fn point_b(&self, local: DVec3) -> DVec3 {
        self.matrix * local + self.translation
    }
}

/// Two convex parts. An axis points from the first to the second; a *gap* along a unit axis is that
/// of the projections of the cores, negative where they overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartPair<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) a: &'a Part,
    pub(crate) b: &'a Part,
    /// The sum of both rounding radii: the parts touch where the gap of the cores is at most this.
    pub(crate) radius: f64,
}

impl PartPair<'_> {
    /// The gap along `axis`, a unit vector.
    pub(crate) fn gap(&self, axis: DVec3) -> f64 {
        let local = self.frame.matrix.transpose() * -axis;
        let lowest_b =
            self.frame.translation.dot(axis) - highest(self.b.core().vertices(), local).1;
        lowest_b - self.frame.scale_a * highest(self.a.core().vertices(), axis).1
    }

    /// [`gap`](Self::gap), with both extreme vertices searched from neighbour to neighbour. `near` are the indices of
    /// the last ones.
    pub(crate) fn climbed_gap(&self, axis: DVec3, near: &mut [usize; 2]) -> f64 {
        let (a, b) = (self.a.core(), self.b.core());
        let local = self.frame.matrix.transpose() * axis;
        near[0] = a.support_from(near[0], axis);
        near[1] = b.support_from(near[1], -local);
        let lowest_b = self.frame.translation.dot(axis) + b.vertices()[near[1]].dot(local);
        lowest_b - self.frame.scale_a * a.vertices()[near[0]].dot(axis)
    }

    /// The gap along `axis` or its opposite, whichever is greater, with that axis.
    pub(crate) fn greater_gap(&self, axis: DVec3) -> (f64, DVec3) {
        let frame = self.frame;
        let [lowest_a, highest_a] =
            interval(self.a.core(), axis).map(|along| frame.scale_a * along);
        let base = frame.translation.dot(axis);
        let local = frame.matrix.transpose() * axis;
        let [lowest_b, highest_b] = interval(self.b.core(), local).map(|along| base + along);
        let (forth, back) = (lowest_b - highest_a, lowest_a - highest_b);
        if forth >= back { (forth, axis) } else { (back, -axis) }
    }

    /// Whether both cores are polyhedra, so that cores with a common point overlap, or touch at
    /// their surfaces.
    pub(crate) fn have_volume(&self) -> bool {
        !self.a.core().faces().is_empty() && !self.b.core().faces().is_empty()
    }

    /// Where a search may begin: a unit vector from the centre of mass of one body to that of the
    /// other.
    pub(crate) fn direction_of_centres(&self) -> DVec3 {
        self.frame.translation.try_normalize().unwrap_or(DVec3::X)
    }

    /// A point inside both parts, from the nearest points of cores that are at most `radius` apart.
    pub(crate) fn between(&self, first: DVec3, second: DVec3) -> DVec3 {
        let share = self.a.radius() * self.frame.scale_a / self.radius.max(f64::MIN_POSITIVE);
        first.lerp(second, share)
    }

    /// The vertex of the first core that is furthest along `axis`, and that of the second that is
    /// furthest against it. `near` are the indices of the last ones, from which a search over edges
    /// begins.
    pub(crate) fn support(&self, axis: DVec3, near: &mut [usize; 2]) -> (DVec3, DVec3) {
        let (a, b) = (self.a.core(), self.b.core());
        near[0] = furthest(a, axis, near[0]);
        near[1] = furthest(b, self.frame.matrix.transpose() * -axis, near[1]);
        (a.vertices()[near[0]] * self.frame.scale_a, self.frame.point_b(b.vertices()[near[1]]))
    }
}

/// Cores with more vertices are searched from neighbour to neighbour.
const MAX_COMPARED: usize = 40;

fn furthest(core: &Core, axis: DVec3, near: usize) -> usize {
    if core.vertices().len() > MAX_COMPARED {
        core.support_from(near, axis)
    } else {
        highest(core.vertices(), axis).0
    }
}

/// The least and the greatest projection of the vertices.
fn interval(core: &Core, axis: DVec3) -> [f64; 2] {
    let along = core.vertices().iter().map(|vertex| vertex.dot(axis));
    along.fold([f64::MAX, f64::MIN], |[low, high], along| [low.min(along), high.max(along)])
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
