//! Constants of a body, and its state that a step changes.

use super::rotation::{LARGEST_ANGLE, Rotor, extreme_eigenvalues};
use glam::{DMat3, DQuat, DVec3};
use narrowphase::{Pose, Shape};
use std::f64::consts::TAU;

/// Mass of a unit of volume: a ball of radius 1 has mass 1, as spheres have.
const DENSITY: f64 = 3.0 / (2.0 * TAU);

/// A body as a step moves it. Lengths in units, times in seconds, a ball of radius 1 has mass 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Position of the centre of mass.
    pub position: DVec3,
    /// A unit quaternion, from the body's frame to the world's.
    pub rotation: DQuat,
    /// Velocity of the centre of mass, in units/s.
    pub velocity: DVec3,
    /// About the centre of mass, in the world's frame.
    pub angular_momentum: DVec3,
}

/// Upper bound of the acceleration of a point by rotation, in units of its distance from the centre times the squared angular
/// velocity. By Euler's equations the angular acceleration is at most 1 / sqrt(3) of it.
const MAX_ACCELERATION: f64 = 1.6;

impl BodyState {
    /// Position and orientation.
    pub fn pose(&self) -> Pose {
        Pose { position: self.position, rotation: self.rotation }
    }

    /// At rest, and not rotated.
    pub(super) fn resting(position: DVec3) -> Self {
        let (velocity, angular_momentum) = (DVec3::ZERO, DVec3::ZERO);
        Self { position, rotation: DQuat::IDENTITY, velocity, angular_momentum }
    }

    /// Moved there, with the same velocity and angular momentum.
    pub(super) fn at(&self, Pose { position, rotation }: Pose) -> Self {
        Self { position, rotation, ..*self }
    }
}

/// Constants of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    /// Index of its shape.
    pub(super) shape: usize,
    /// Factor of the shape's lengths.
    pub(super) scale: f64,
    /// Radius of a sphere about the centre of mass that encloses the body.
    pub(super) radius: f64,
    /// Mass of a unit of volume, in units of that of spheres without a value.
    density: f64,
    /// 0 for a static and for a kinematic body.
    pub(super) inverse_mass: f64,
    /// In the body's frame; 0 for a static body, and singular for a flat one.
    pub(super) inverse_inertia: DMat3,
    /// The least and the greatest eigenvalue of the inverse inertia.
    inverse_moments: [f64; 2],
    /// The greatest angular speed, in rad/s: [`LARGEST_TURN`](crate::scene::LARGEST_TURN) in a step.
    pub(super) fastest: f64,
    /// Factors of velocities and forces: 0 along y in a flat world.
    pub(super) linear: DVec3,
    /// Factors of angular momenta and torques: 0 along x and z in a flat world.
    pub(super) angular: DVec3,
    /// From 0, plastic, to 1, elastic.
    pub(super) restitution: f64,
    /// Whether it is a ball about its centre of mass.
    pub(super) is_ball: bool,
    pub(super) is_bullet: bool,
    pub(super) is_kinematic: bool,
}

impl Solid {
    pub(super) fn new(index: usize, shape: &Shape, scale: f64, density: f64) -> Self {
        let mass = shape.mass();
        let unit = DENSITY * density;
        let inverse_inertia = mass.inverse_inertia * (1.0 / (unit * fifth_power(scale)));
        Self {
            shape: index,
            scale,
            radius: scale * shape.bounding_radius(),
            density,
            inverse_mass: 1.0 / (unit * mass.volume * scale * scale * scale),
            inverse_inertia,
            inverse_moments: extreme_eigenvalues(inverse_inertia),
            fastest: f64::INFINITY,
            linear: DVec3::ONE,
            angular: DVec3::ONE,
            restitution: 1.0,
            is_ball: is_ball(shape),
            is_bullet: false,
            is_kinematic: false,
        }
    }

    /// The body of infinite mass that keeps its velocity and its angular velocity, which stands for its momentum.
    pub(super) fn kinematic(self) -> Self {
        let (inverse_mass, inverse_inertia, inverse_moments) = (0.0, DMat3::IDENTITY, [1.0; 2]);
        Self { inverse_mass, inverse_inertia, inverse_moments, is_kinematic: true, ..self }
    }

    /// The body of a mass that cannot rotate; that of infinite mass if the inverse is 0.
    pub(super) fn stiff(self, inverse_mass: f64) -> Self {
        let (inverse_inertia, angular) = (DMat3::ZERO, DVec3::ZERO);
        Self { inverse_mass, inverse_inertia, inverse_moments: [0.0; 2], angular, ..self }
    }

    /// Whether the body never moves.
    pub(super) fn is_fixed(&self) -> bool {
        self.inverse_mass == 0.0 && !self.is_kinematic
    }

    /// The body that stays in its x-z plane, and keeps its orientation but for rotations about y.
    pub(super) fn flat(self, shape: &Shape, rotation: DQuat) -> Self {
        // The moment about the world's y does not change by rotations about it.
        let axis = rotation.conjugate() * DVec3::Y;
        let moment = axis.dot(self.inertia(shape) * axis);
        let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let inverse_inertia = outer * (1.0 / moment);
        let inverse_moments = [0.0, 1.0 / moment];
        let (linear, angular) = (DVec3::new(1.0, 0.0, 1.0), DVec3::Y);
        Self { inverse_inertia, inverse_moments, linear, angular, ..self }
    }

    /// In the body's frame. Not by inverting the inverse, which overflows for tiny bodies.
    fn inertia(&self, shape: &Shape) -> DMat3 {
        shape.mass().inertia * (DENSITY * self.density * fifth_power(self.scale))
    }

    /// Angular momentum at an angular velocity of the world. 0 for a static body, the velocity itself for a kinematic one.
    pub(super) fn angular_momentum(
        &self,
        shape: &Shape,
        rotation: DQuat,
        velocity: DVec3,
    ) -> DVec3 {
        if self.is_kinematic {
            return velocity * self.angular;
        }
        if self.inverse_mass == 0.0 {
            return DVec3::ZERO;
        }
        let local = rotation.conjugate() * (velocity * self.angular);
        rotation * (self.inertia(shape) * local) * self.angular
    }

    /// Angular velocity that an angular momentum gives, both of the world.
    pub(super) fn angular_velocity(&self, rotation: DQuat, momentum: DVec3) -> DVec3 {
        rotation * (self.inverse_inertia * (rotation.conjugate() * momentum))
    }

    /// The state after some time without a contact, in which the body rotates by less than
    /// [`LARGEST_ANGLE`].
    pub(super) fn moved(&self, state: &BodyState, time: f64) -> BodyState {
        BodyState {
            position: state.position + state.velocity * time,
            rotation: self.rotor(state).rotated(state.rotation, time),
            ..*state
        }
    }

    /// How the body rotates: at most as fast as is allowed, whatever its momentum, which it keeps.
    pub(super) fn rotor(&self, state: &BodyState) -> Rotor {
        let Self { inverse_inertia, inverse_moments, fastest, .. } = *self;
        let mut rotor =
            Rotor { momentum: state.angular_momentum, inverse_inertia, inverse_moments };
        // Few bodies are near the bound.
        if rotor.momentum.length() * inverse_moments[1] > fastest {
            let speed = rotor.speed_bound(state.rotation);
            let slowed = rotor.momentum * (fastest / speed).min(1.0);
            rotor.momentum = if slowed.is_finite() { slowed } else { DVec3::ZERO };
        }
        rotor
    }

    /// Sub-steps of equal length that a time takes.
    pub(super) fn substeps(&self, state: &BodyState, time: f64) -> u32 {
        let angle = self.rotor(state).speed_bound(state.rotation) * time;
        (angle / LARGEST_ANGLE).ceil().max(1.0) as u32
    }

    /// Upper bound of the speed of the body's points.
    pub(super) fn speed_bound(&self, state: &BodyState) -> f64 {
        state.velocity.length() + self.rotor(state).speed_bound(state.rotation) * self.radius
    }

    /// Upper bound of the acceleration of the body's points by rotation, for an upper bound of its angular velocity.
    pub(super) fn curvature(&self, spin: f64) -> f64 {
        MAX_ACCELERATION * spin * spin * self.radius
    }

    pub(super) fn mass(&self) -> f64 {
        1.0 / self.inverse_mass
    }

    /// Kinetic energy, of translation and rotation; 0 for a static and for a kinematic body.
    pub(super) fn kinetic_energy(&self, state: &BodyState) -> f64 {
        if self.inverse_mass == 0.0 {
            return 0.0;
        }
        let spin = self.angular_velocity(state.rotation, state.angular_momentum);
        0.5 * (self.mass() * state.velocity.length_squared() + state.angular_momentum.dot(spin))
    }
}

/// Whether a shape is a ball about its centre of mass.
pub(super) fn is_ball(shape: &Shape) -> bool {
    matches!(shape.parts(), [part] if part.core().vertices().len() == 1)
}

/// As products: the last digit of `powi` depends on the platform.
fn fifth_power(x: f64) -> f64 {
    let square = x * x;
    square * square * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mass_spin_and_energy_are_those_of_the_textbooks() {
        let (ball, cube) = (Shape::sphere(1.0).unwrap(), Shape::cuboid(DVec3::ONE).unwrap());
        let (velocity, spin) = (DVec3::X, DVec3::new(1.0, -2.0, 3.0));
        // Mass, and moment of inertia about any axis per mass: 2/5 of the squared radius, 1/6 of the squared side.
        for (shape, scale, density, mass, moment) in [
            (&ball, 0.5, 1.0, 0.125, 0.4 * 0.25),
            (&ball, 0.5, 3.0, 0.375, 0.4 * 0.25),
            (&cube, 2.0, 1.0, 8.0 * DENSITY, 4.0 / 6.0),
        ] {
            let solid = Solid::new(0, shape, scale, density);
            let rotation = DQuat::from_rotation_x(0.3);
            let angular_momentum = solid.angular_momentum(shape, rotation, spin);
            let state = BodyState {
                velocity,
                angular_momentum,
                rotation,
                ..BodyState::resting(DVec3::ZERO)
            };
            assert!((solid.mass() / mass - 1.0).abs() < 1e-14, "{}", solid.mass());
            let expected = 0.5 * mass * (1.0 + moment * spin.length_squared());
            assert!((solid.kinetic_energy(&state) / expected - 1.0).abs() < 1e-14);
            for without_energy in [solid.stiff(0.0), solid.kinematic()] {
                assert_eq!(without_energy.kinetic_energy(&state), 0.0);
            }
        }
    }

    #[test]
    fn spin_is_kept_and_that_of_a_flat_body_is_about_y_only() {
        let shape = Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap();
        let solid = Solid::new(0, &shape, 0.5, 1.0);
        let rotation = DQuat::from_xyzw(0.2, 0.4, -0.1, 0.8).normalize();
        let spin = DVec3::new(1.0, -2.0, 3.0);
        for (solid, expected) in [
            (solid, spin),
            (solid.kinematic(), spin),
            (solid.flat(&shape, rotation), spin * DVec3::Y),
        ] {
            let momentum = solid.angular_momentum(&shape, rotation, spin);
            let found = solid.angular_velocity(rotation, momentum);
            assert!((found - expected).length() < 1e-13, "{found}, not {expected}");
        }
    }

    #[test]
    fn rotation_too_fast_to_follow_keeps_its_momentum() {
        let cube = Shape::cuboid(DVec3::ONE).unwrap();
        let solid = Solid { fastest: 2.0, ..Solid::new(0, &cube, 0.5, 1.0) };
        for (spin, turned) in [(0.5, 0.05), (2.5, 0.2), (1e9, 0.2), (1e300, 0.0)] {
            let angular_momentum = solid.angular_momentum(&cube, DQuat::IDENTITY, DVec3::Y * spin);
            let resting = BodyState::resting(DVec3::ZERO);
            let state = BodyState { velocity: DVec3::X, angular_momentum, ..resting };
            let after = solid.moved(&state, 0.1);
            assert_eq!((after.velocity, after.angular_momentum), (DVec3::X, angular_momentum));
            let angle = after.rotation.angle_between(DQuat::IDENTITY);
            assert!((angle - turned).abs() < 1e-3, "{spin}: {angle}, not {turned}");
        }
    }
}
