//! Forces: gravity and the line, while its key is held, on all objects; others on placed bodies (000, algorithm 6.5).

use crate::scene::{BodyForce, Scene};
use glam::{DVec2, DVec3};

/// Which key of the line is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Neither.
    #[default]
    None,
    /// `p`: the line attracts.
    Attract,
    /// `o`: the line repels.
    Repel,
}

/// Pull of the line, in units/s²: as much as strong gravity, at every distance.
const LINE_PULL: f64 = 4.0;

/// Distance from the line, in units, below which the pull fades to 0: on the line it has no direction.
const LINE_CORE: f64 = 0.05;

/// The forces of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forces {
    gravity: DVec3,
    line: DVec2,
    /// Along the direction to the line; negative repels.
    line_pull: f64,
}

impl Forces {
    pub(super) fn new(scene: &Scene, hold: Hold) -> Self {
        Self {
            gravity: scene.gravity.vector(),
            line: DVec2::from(scene.line.map(f64::from)),
            line_pull: match hold {
                Hold::None => 0.0,
                Hold::Attract => LINE_PULL,
                Hold::Repel => -LINE_PULL,
            },
        }
    }

    /// Acceleration at a place, in units/s².
    pub(super) fn acceleration(&self, position: DVec3) -> DVec3 {
        let to_line = self.line - position.truncate();
        let pull = to_line * (self.line_pull / to_line.length().max(LINE_CORE));
        (pull + self.gravity.truncate()).extend(self.gravity.z)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Gravity;
    use glam::Vec3;

    #[test]
    fn line_pulls_sideways_and_gravity_in_its_direction() {
        let tilted = Gravity::Vector(Vec3::new(1.0, -2.0, 0.5));
        for (gravity, hold, at, expected) in [
            (Gravity::Weak, Hold::Attract, DVec3::Z, [LINE_PULL, 0.0, -0.5]),
            (Gravity::Weak, Hold::Repel, DVec3::Z, [-LINE_PULL, 0.0, -0.5]),
            (Gravity::Weak, Hold::None, DVec3::Z, [0.0, 0.0, -0.5]),
            (Gravity::Vector(Vec3::Z * -4.0), Hold::None, DVec3::Z, [0.0, 0.0, -4.0]),
            (Gravity::Strong, Hold::None, DVec3::Z, [0.0, 0.0, -4.0]),
            (tilted, Hold::Repel, DVec3::ZERO, [1.0 - LINE_PULL, -2.0, 0.5]),
            // On the line.
            (Gravity::Off, Hold::Attract, DVec3::X, [0.0; 3]),
        ] {
            let scene = Scene { gravity, line: [1.0, 0.0], ..Scene::default() };
            let acceleration = Forces::new(&scene, hold).acceleration(at);
            assert_eq!(acceleration.to_array(), expected, "{gravity:?} {hold:?}");
        }
    }

    #[test]
    fn gravity_along_z_leaves_the_sign_of_zeros() {
        let scene = Scene { line: [-1.0, -0.0], ..Scene::default() };
        let none = Forces::new(&scene, Hold::None).acceleration(DVec3::ZERO);
        assert_eq!(none.to_array().map(f64::to_bits), [-0.0f64; 3].map(f64::to_bits));
    }
}
