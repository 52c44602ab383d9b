//! Where a body is.

use glam::{DQuat, DVec3};

/// A position and an orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Of the body's centre of mass.
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
