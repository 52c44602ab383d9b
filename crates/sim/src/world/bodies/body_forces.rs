//! Forces on placed bodies (000, algorithm 6.5).

use crate::scene::{BodyForce, Scene};
use glam::DVec3;

/// The forces of a scene, by object.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyForces {
    /// In the order of the objects.
    forces: Vec<(usize, BodyForce)>,
}

impl BodyForces {
    /// `first` is the object of the first placed body.
    pub(super) fn new(scene: &Scene, first: usize) -> Self {
        let of_body = |force: &BodyForce| {
            let body = (force.body as usize).checked_sub(1)?;
            (body < scene.placed_bodies.len()).then_some((first + body, *force))
        };
        let mut forces: Vec<_> = scene.body_forces.iter().filter_map(of_body).collect();
        forces.sort_by_key(|(object, _)| *object);
        Self { forces }
    }

    /// The mean force on an object in the `dt` seconds from `start` on; `None` without one. A force that ends in between
    /// counts by its part.
    pub(super) fn force(&self, object: usize, start: f64, dt: f64) -> Option<DVec3> {
        if self.forces.is_empty() {
            return None;
        }
        let first = self.forces.partition_point(|(other, _)| *other < object);
        let own = self.forces[first..].iter().take_while(|(other, _)| *other == object);
        let share = |seconds: f32| ((f64::from(seconds) - start) / dt).clamp(0.0, 1.0);
        let mean = own.map(|(_, force)| force.force.as_dvec3() * share(force.seconds));
        Some(mean.sum::<DVec3>()).filter(|force| *force != DVec3::ZERO && force.is_finite())
    }
}
