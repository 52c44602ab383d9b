//! Motion at constant velocities.

use crate::body::{Body, Pose};
use glam::{DQuat, DVec3};

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity of the centre of mass, in units/s.
    pub velocity: DVec3,
    /// Angular velocity about the centre of mass, in rad/s, in the world's axes.
    pub spin: DVec3,
}

impl Motion {
    /// At rest.
    pub const NONE: Self = Self { velocity: DVec3::ZERO, spin: DVec3::ZERO };

    /// Where a body is after `time` seconds.
    #[must_use]
    pub fn pose_after(&self, pose: &Pose, time: f64) -> Pose {
        let position = pose.position + self.velocity * time;
        let speed = self.spin.length();
        if speed == 0.0 {
            return Pose { position, rotation: pose.rotation };
        }
        // Sine and cosine of the platform differ in the last digit.
        let (sin, cos) = libm::sincos(0.5 * speed * time);
        let axis = self.spin * (sin / speed);
        let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, cos);
        Pose { position, rotation: (turn * pose.rotation).normalize() }
    }

    /// A body after `time` seconds.
    #[must_use]
    pub fn body_after<'a>(&self, body: &Body<'a>, time: f64) -> Body<'a> {
        Body { pose: self.pose_after(&body.pose, time), ..*body }
    }

    /// The largest speed of a point of a body, as a bound.
    #[must_use]
    pub fn speed_bound(&self, body: &Body) -> f64 {
        self.velocity.length() + self.spin.length() * body.bounding_radius()
    }

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.velocity.is_finite() && self.spin.is_finite()
    }
}
