//! Free rotation of a body.
//!
//! The implicit midpoint rule in the body's frame, with the Cayley map for the orientation. It keeps the
//! angular momentum of the world, which is therefore stored and never integrated, and the energy, which is
//! quadratic (Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section VII.5). No trigonometry.

use glam::{DMat3, DQuat, DVec3};

/// Largest angle of a sub-step in radians: Newton's method converges within a few steps below it.
const LARGEST_ANGLE: f64 = 0.25;

/// Most sub-steps of a step: up to two and a half revolutions. A body that rotates faster keeps its orientation, and with
/// it its energy: in pictures so far apart, any orientation is as good. It bounds the time of a step.
const MOST_SUBSTEPS: f64 = 64.0;

/// Most steps of Newton's method. Four are enough at the [largest angle](LARGEST_ANGLE).
const NEWTON_STEPS: usize = 8;

/// How a body resists rotation, and what rotates it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotor {
    /// Angular momentum of the world.
    pub(super) momentum: DVec3,
    /// Inverse inertia in the body's frame; singular where an axis is prescribed.
    pub(super) inverse_inertia: DMat3,
}

impl Rotor {
    /// An upper bound of the angular speed, at any orientation.
    pub(super) fn speed_bound(&self) -> f64 {
        let columns = self.inverse_inertia.to_cols_array();
        // The norm of Frobenius is at least the spectral norm.
        let norm = columns.iter().map(|value| value * value).sum::<f64>().sqrt();
        norm * self.momentum.length()
    }

    /// Sub-steps of equal length that a time takes; `None` where the body rotates too fast to be followed.
    pub(super) fn substeps(&self, duration: f64) -> Option<u32> {
        let angle = self.speed_bound() * duration;
        let can_follow = angle <= MOST_SUBSTEPS * LARGEST_ANGLE;
        can_follow.then(|| (angle / LARGEST_ANGLE).ceil().max(1.0) as u32)
    }

    /// The orientation after a sub-step of at most [`LARGEST_ANGLE`].
    pub(super) fn rotated(&self, rotation: DQuat, duration: f64) -> DQuat {
        let half = 0.5 * duration;
        let start = rotation.conjugate() * self.momentum;
        // The mean of the momenta of the body's frame before and after: m - half m x Jm = start.
        let mut middle = start;
        let rounding = 4.0 * f64::EPSILON * start.length();
        for _ in 0..NEWTON_STEPS {
            let spin = self.inverse_inertia * middle;
            let excess = middle - middle.cross(spin) * half - start;
            if excess.length() <= rounding {
                break;
            }
            let slope = DMat3::IDENTITY
                + (cross_matrix(spin) - cross_matrix(middle) * self.inverse_inertia) * half;
            middle -= slope.inverse() * excess;
        }
        let turn = self.inverse_inertia * middle * half;
        (rotation * DQuat::from_xyzw(turn.x, turn.y, turn.z, 1.0).normalize()).normalize()
    }
}

/// The matrix of `v` x.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(rotor: &Rotor, rotation: DQuat) -> f64 {
        let local = rotation.conjugate() * rotor.momentum;
        0.5 * local.dot(rotor.inverse_inertia * local)
    }

    /// A rotor of three different moments of inertia, about none of its axes.
    fn tumbling() -> Rotor {
        let axes = DMat3::from_quat(DQuat::from_xyzw(0.3, -0.1, 0.2, 0.9).normalize());
        let moments = DMat3::from_diagonal(DVec3::new(1.0, 1.0 / 2.0, 1.0 / 2.9));
        let inverse_inertia = axes * moments * axes.transpose();
        Rotor { momentum: DVec3::new(3.0, -11.0, 5.0), inverse_inertia }
    }

    #[test]
    fn free_rotation_keeps_its_energy_over_twenty_thousand_steps() {
        let rotor = tumbling();
        let mut rotation = DQuat::IDENTITY;
        let before = energy(&rotor, rotation);
        let dt = 1.0 / 60.0;
        let substeps = rotor.substeps(dt).unwrap();
        assert!(rotor.speed_bound() * dt / f64::from(substeps) <= LARGEST_ANGLE);
        let mut greatest: f64 = 0.0;
        for _ in 0..20_000 {
            for _ in 0..substeps {
                rotation = rotor.rotated(rotation, dt / f64::from(substeps));
            }
            greatest = greatest.max((energy(&rotor, rotation) / before - 1.0).abs());
        }
        println!("{substeps} sub-steps, greatest relative drift {greatest:e}");
        assert!(greatest <= 1e-12, "relative drift {greatest:e}");
        assert!((rotation.length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn rotation_about_an_axis_of_symmetry_has_its_angular_speed() {
        let rotor = Rotor { momentum: DVec3::Z, inverse_inertia: DMat3::IDENTITY };
        let (mut rotation, steps) = (DQuat::IDENTITY, 1000);
        for _ in 0..steps {
            rotation = rotor.rotated(rotation, 1.0 / f64::from(steps));
        }
        let after_one_second = DQuat::from_rotation_z(1.0);
        // The Cayley map is of second order.
        assert!(rotation.angle_between(after_one_second) < 1e-6, "{rotation}");
    }

    #[test]
    fn momentum_follows_the_orientation_exactly() {
        // The integrated momentum of the body's frame is the stored one of the world.
        let rotor = tumbling();
        let (rotation, duration) = (DQuat::IDENTITY, 0.02);
        let after = rotor.rotated(rotation, duration);
        let [start, end] = [rotation, after].map(|q| q.conjugate() * rotor.momentum);
        let middle = 0.5 * (start + end);
        let slope = middle.cross(rotor.inverse_inertia * middle);
        assert!((end - start - slope * duration).length() < 1e-14 * rotor.momentum.length());
    }

    #[test]
    fn prescribed_axis_is_kept() {
        let about_y = DMat3::from_diagonal(DVec3::Y * 2.0);
        let rotor = Rotor { momentum: DVec3::Y, inverse_inertia: about_y };
        let rotation = rotor.rotated(DQuat::IDENTITY, 0.1);
        assert_eq!((rotation.x, rotation.z), (0.0, 0.0));
        assert!(rotation.y > 0.0);
    }

    #[test]
    fn rotation_too_fast_to_follow_is_recognized() {
        let fast = Rotor { momentum: DVec3::Z * 1e9, inverse_inertia: DMat3::IDENTITY };
        assert_eq!(fast.substeps(1.0), None);
        let still = Rotor { momentum: DVec3::ZERO, ..fast };
        assert_eq!(still.substeps(1.0), Some(1));
        assert_eq!(Rotor { momentum: DVec3::splat(f64::NAN), ..fast }.substeps(1.0), None);
    }
}
