//! Walls of containers as planes, and the points of a body that touch them.

use super::super::motion::Surroundings;
use super::impulse::leaving;
use super::solid::{BodyState, Solid};
use super::touch::{LEVEL, Points};
use broadphase::Aabb;
use glam::DVec3;
use narrowphase::impact::bilateral::gap_of;
use narrowphase::{Body, Part};

/// A half-space that a body must stay in.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Plane {
    /// Unit vector into the half-space.
    pub(in super::super) normal: DVec3,
    /// `normal.dot(p)` of the points of the plane.
    pub(super) offset: f64,
}

impl Plane {
    /// Distance of a body's nearest point, negative behind the plane.
    pub(in super::super) fn gap(&self, body: &Body<'_>) -> f64 {
        let gaps = body.shape.parts().iter().map(|part| self.gap_of(body, part));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// Distance of the nearest point of a part of a body.
    pub(super) fn gap_of(&self, body: &Body<'_>, part: &Part) -> f64 {
        gap_of(body, part, self.normal, self.offset)
    }

    /// The lowest points of a body.
    pub(super) fn lowest_points(&self, body: &Body<'_>, mut visit: impl FnMut(DVec3)) {
        let local = body.pose.rotation.conjugate() * self.normal;
        let level = self.gap(body) + LEVEL * body.bounding_radius();
        let base = self.normal.dot(body.pose.position) - self.offset;
        for part in body.shape.parts() {
            for vertex in part.core().vertices() {
                if body.scale * (local.dot(*vertex) - part.radius()) + base <= level {
                    visit(body.pose.point((*vertex - local * part.radius()) * body.scale));
                }
            }
        }
    }

    /// The point at which a body that touches the plane bounces off it; `None` if it approaches by `quiet` at most.
    pub(super) fn approaching_point(
        &self,
        solid: &Solid,
        state: &BodyState,
        body: &Body<'_>,
        quiet: f64,
    ) -> Option<DVec3> {
        let leaving = leaving(solid, state, self.normal);
        let mut points = Points::new(|point| leaving(point) + quiet);
        self.lowest_points(body, |point| points.add(point));
        points.chosen()
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
    let own = surroundings.source_of(home);
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
