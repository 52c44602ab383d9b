//! A shape somewhere in the world.

use crate::pose::Pose;
use crate::shape::Shape;

/// A shape, scaled and placed.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// What is placed.
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
