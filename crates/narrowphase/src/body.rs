//! A shape somewhere in the world.

use glam::{DQuat, DVec3};

use crate::shape::Shape;

/// A position and an orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the body's centre of mass.
    pub position: DVec3,
    /// A unit quaternion, from the body's frame to the world's.
    pub rotation: DQuat,
}

impl Pose {
    /// At the origin, not rotated.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// A point of the body's frame, in the world's.
    #[must_use]
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }
}

/// A shape, scaled and placed.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The shape that is placed.
    pub shape: &'a Shape,
    /// Factor of all the shape's lengths, above 0.
    pub scale: f64,
    /// Where it is.
    pub pose: Pose,
}

impl<'a> Body<'a> {
    /// A shape in its own size.
    #[must_use]
    pub fn new(shape: &'a Shape, pose: Pose) -> Self {
        Self { shape, scale: 1.0, pose }
    }

    /// Radius of the smallest sphere about the centre of mass that encloses the body.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        self.scale * self.shape.bounding_radius()
    }
}
