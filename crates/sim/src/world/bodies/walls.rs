//! Walls of containers as planes, and the points of a body that touch them.

use super::super::motion::Surroundings;
use super::touch::LEVEL;
use broadphase::Aabb;
use glam::DVec3;
use narrowphase::Body;
use narrowphase::impact::bilateral::gap_of;

/// A half-space that a body must stay in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Unit vector into the half-space.
    pub(super) normal: DVec3,
    /// `normal.dot(p)` of the points of the plane.
    offset: f64,
}

impl Plane {
    /// Distance of a body's nearest point, negative behind the plane.
    pub(super) fn gap(&self, body: &Body<'_>) -> f64 {
        let parts = body.shape.parts().iter();
        let gaps = parts.map(|part| gap_of(body, part, self.normal, self.offset));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// The lowest points of a body.
    pub(super) fn lowest_points<'b>(
        &self,
        body: &'b Body<'_>,
    ) -> impl Iterator<Item = DVec3> + Clone + use<'b> {
        let local = body.pose.rotation.conjugate() * self.normal;
        let level = self.gap(body) + LEVEL * body.bounding_radius();
        let base = self.normal.dot(body.pose.position) - self.offset;
        body.shape.parts().iter().flat_map(move |part| {
            let is_low = move |vertex: &&DVec3| {
                body.scale * (local.dot(**vertex) - part.radius()) + base <= level
            };
            let point = move |vertex: &DVec3| {
                body.pose.point((*vertex - local * part.radius()) * body.scale)
            };
            part.core().vertices().iter().filter(is_low).map(point)
        })
    }
}

/// The walls that hold a body of a home, and are at most `reach` from its place: those of its source, and of the source that
/// holds all bodies.
pub(super) fn walls_near<'a>(
    surroundings: &'a Surroundings<'_>,
    home: u32,
    position: DVec3,
    reach: f64,
) -> impl Iterator<Item = Plane> + 'a {
    let own = surroundings.elements.source(home);
    let strict = surroundings.strict;
    let strict = strict.filter(|strict| !own.is_some_and(|own| std::ptr::eq(own, *strict)));
    let planes = own.into_iter().chain(strict).flat_map(|container| {
        let Aabb { min, max } = container.bounds();
        (0..3).flat_map(move |axis| {
            let low = Plane { normal: DVec3::AXES[axis], offset: f64::from(min[axis]) };
            let high = Plane { normal: -DVec3::AXES[axis], offset: -f64::from(max[axis]) };
            let has_low = axis < 2 || container.floor;
            [has_low.then_some(low), Some(high)].into_iter().flatten()
        })
    });
    planes.filter(move |plane| plane.normal.dot(position) - plane.offset <= reach)
}
