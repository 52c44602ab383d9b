//! Free rotation of a body.
//!
//! The implicit midpoint rule in the body's frame, with the Cayley map for the orientation. It keeps the
//! angular momentum of the world, which is therefore stored and never integrated, and the energy, which is
//! quadratic (Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section VII.5). No trigonometry.

use glam::{DMat3, DQuat, DVec3};

/// Largest angle of a sub-step in radians: Newton's method converges within a few steps below it.
pub(super) const LARGEST_ANGLE: f64 = 0.25;

/// Most steps of Newton's method. Four are enough at the [largest angle](LARGEST_ANGLE).
const NEWTON_STEPS: usize = 8;

/// Rounds of rotations in the search for eigenvalues. Five leave nothing but rounding.
const JACOBI_ROUNDS: usize = 6;

/// How a body resists rotation, and what rotates it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotor {
    /// Angular momentum of the world.
    pub(super) momentum: DVec3,
    /// Inverse inertia in the body's frame; singular where an axis is prescribed.
    pub(super) inverse_inertia: DMat3,
    /// Its least and its greatest eigenvalue.
    pub(super) inverse_moments: [f64; 2],
}

/// The least and the greatest eigenvalue of a symmetric matrix, by rotations that make it diagonal (Jacobi 1846).
pub(super) fn extreme_eigenvalues(matrix: DMat3) -> [f64; 2] {
    let mut m = matrix.to_cols_array_2d();
    // Each round squares what is left beside the diagonal.
    for _ in 0..JACOBI_ROUNDS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let beside = m[p][q];
            if beside == 0.0 {
                continue;
            }
            let half_cotangent = (m[q][q] - m[p][p]) / (2.0 * beside);
            let root = (half_cotangent * half_cotangent + 1.0).sqrt();
            let tangent = half_cotangent.signum() / (half_cotangent.abs() + root);
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let r = 3 - p - q;
            let (left, right) = (m[p][r], m[q][r]);
            m[p][p] -= tangent * beside;
            m[q][q] += tangent * beside;
            (m[p][q], m[q][p]) = (0.0, 0.0);
            let turned = [cosine * left - sine * right, sine * left + cosine * right];
            ([m[p][r], m[q][r]], [m[r][p], m[r][q]]) = (turned, turned);
        }
    }
    let diagonal = DVec3::new(m[0][0], m[1][1], m[2][2]);
    [diagonal.min_element(), diagonal.max_element()]
}

impl Rotor {
    /// The greatest angular speed that free rotation reaches from an orientation, or a little more.
    ///
    /// Momentum L and energy, half of L J L, stay. So the squares of L along the axes of inertia have two given sums,
    /// with weights 1 and J, and the sum with weights J^2 is the squared speed. It is greatest where all of L is along
    /// the axes of the least and the greatest J: on the chord of the parabola.
    pub(super) fn speed_bound(&self, rotation: DQuat) -> f64 {
        let local = rotation.conjugate() * self.momentum;
        let [least, greatest] = self.inverse_moments;
        let twice_energy = local.dot(self.inverse_inertia * local).max(0.0);
        let squared = local.length_squared();
        let chord = (least + greatest) * twice_energy - least * greatest * squared;
        // Rounding of a difference of nearly equal numbers.
        let slack = 1e-12 * greatest * twice_energy;
        (chord + slack).max(least * least * squared).sqrt()
    }

    /// The orientation after a sub-step of at most [`LARGEST_ANGLE`].
    pub(super) fn rotated(&self, rotation: DQuat, duration: f64) -> DQuat {
        if self.momentum == DVec3::ZERO {
            // To the last bit, which normalizing may change.
            return rotation;
        }
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

    fn rotor(momentum: DVec3, inverse_inertia: DMat3) -> Rotor {
        let inverse_moments = extreme_eigenvalues(inverse_inertia);
        Rotor { momentum, inverse_inertia, inverse_moments }
    }

    /// The matrix that has moments about turned axes.
    fn turned(moments: DVec3, turn: [f64; 4]) -> DMat3 {
        let axes = DMat3::from_quat(DQuat::from_array(turn).normalize());
        axes * DMat3::from_diagonal(moments) * axes.transpose()
    }

    #[test]
    fn eigenvalues_are_those_of_the_diagonal_turned() {
        let turns = [[0.3, -0.1, 0.2, 0.9], [0.0, 0.0, 0.0, 1.0], [0.5; 4], [0.7, 0.1, -0.7, 1e-9]];
        for moments in
            [[1.0, 2.0, 3.0], [1e-6, 1.0, 1.0], [0.0, 0.0, 5.0], [2.0; 3], [1e8, 1.0, 1e-3]]
        {
            let moments = DVec3::from(moments);
            let expected = [moments.min_element(), moments.max_element()];
            for found in turns.map(|turn| extreme_eigenvalues(turned(moments, turn))) {
                let errors = [0, 1].map(|i| (found[i] - expected[i]).abs());
                assert!(errors[0].max(errors[1]) <= 1e-14 * expected[1], "{moments}: {found:?}");
            }
        }
    }

    #[test]
    fn speed_stays_below_its_bound_and_reaches_it() {
        let mut nearest: f64 = 0.0;
        for moments in [[1.0, 0.5, 0.3], [1.0, 1e-3, 1e-3], [1.0, 1.0, 0.01]] {
            for momentum in [[3.0, -11.0, 5.0], [0.1, 4.0, 0.0], [2.0, 0.1, 0.1]] {
                let rotor = rotor(DVec3::from(momentum), DMat3::from_diagonal(moments.into()));
                let mut rotation = DQuat::IDENTITY;
                let bound = rotor.speed_bound(rotation);
                for _ in 0..3000 {
                    let local = rotation.conjugate() * rotor.momentum;
                    let speed = (rotor.inverse_inertia * local).length();
                    assert!(speed <= bound * (1.0 + 1e-9), "{moments:?}: {speed} above {bound}");
                    nearest = nearest.max(speed / bound);
                    rotation = rotor.rotated(rotation, LARGEST_ANGLE / bound);
                }
            }
        }
        assert!(nearest > 0.999, "{nearest}");
        // The inverse moments of a needle differ by a factor of 5000: the greatest says nothing of a rotation across.
        let needle = rotor(DVec3::Y * 2.0, DMat3::from_diagonal(DVec3::new(1.0, 1.0, 5000.0)));
        assert!((needle.speed_bound(DQuat::IDENTITY) / 2.0 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn free_rotation_keeps_its_energy_over_twenty_thousand_steps() {
        // Three different moments of inertia, and a rotation about none of their axes.
        let moments = DVec3::new(1.0, 1.0 / 2.0, 1.0 / 2.9);
        let rotor = rotor(DVec3::new(3.0, -11.0, 5.0), turned(moments, [0.3, -0.1, 0.2, 0.9]));
        let energy = |rotation: DQuat| {
            let local = rotation.conjugate() * rotor.momentum;
            local.dot(rotor.inverse_inertia * local)
        };
        let (mut rotation, dt) = (DQuat::IDENTITY, 1.0 / 60.0);
        let substeps = (rotor.speed_bound(rotation) * dt / LARGEST_ANGLE).ceil() as u32;
        let (before, mut greatest) = (energy(rotation), 0.0f64);
        for _ in 0..20_000 {
            for _ in 0..substeps {
                rotation = rotor.rotated(rotation, dt / f64::from(substeps));
            }
            greatest = greatest.max((energy(rotation) / before - 1.0).abs());
        }
        assert!(greatest <= 1e-12, "relative drift {greatest:e}");
        assert!((rotation.length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn rotation_about_an_axis_of_symmetry_has_its_angular_speed() {
        let rotor = rotor(DVec3::Z, DMat3::IDENTITY);
        let rotation = (0..1000).fold(DQuat::IDENTITY, |rotation, _| rotor.rotated(rotation, 1e-3));
        // The Cayley map is of second order.
        assert!(rotation.angle_between(DQuat::from_rotation_z(1.0)) < 1e-6, "{rotation}");
    }
}
