//! An object that a user pulls to a place.

use super::{Bodies, World};
use glam::Vec3;

/// A place that an object is pulled to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// The object.
    pub object: u32,
    /// Where its centre is to be.
    pub to: Vec3,
}

impl World {
    /// Gives an object the velocity that takes it to a place within the next step, and stops its rotation. The way in a
    /// step is at most its radius: an object that is pulled pushes others, and passes none of its size. Walls hold it
    /// as ever. Returns whether it [can be pulled](Self::can_be_pulled).
    pub fn pull(&mut self, pull: Pull) -> bool {
        let object = pull.object as usize;
        if !self.can_be_pulled(object) || !pull.to.is_finite() {
            return false;
        }
        let way =
            (pull.to - self.objects.positions[object]).clamp_length_max(self.objects.radii[object]);
        let velocity = way / self.scene().dt;
        self.objects.velocities[object] = velocity;
        if let Some(bodies) = &mut self.bodies {
            bodies.drive(object, velocity.as_dvec3());
        }
        true
    }

    /// Whether there is such an object, and it is neither static nor kinematic.
    pub fn can_be_pulled(&self, object: usize) -> bool {
        let is_static = self.objects.layers.get(object).is_some_and(|layer| layer.is_static);
        let is_kinematic = |bodies: &Bodies| bodies.is_kinematic(object);
        object < self.len() && !is_static && !self.bodies.as_ref().is_some_and(is_kinematic)
    }
}
