//! Forces on all objects: gravity, and the line while its key is held.

use crate::scene::Scene;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Gravity;

    #[test]
    fn the_line_attracts_and_repels_sideways_and_gravity_pulls_down() {
        let scene = Scene { gravity: Gravity::Weak, line: [1.0, 0.0], ..Scene::default() };
        let at = DVec3::new(0.0, 0.0, 7.0);
        let attract = Forces::new(&scene, Hold::Attract).acceleration(at);
        assert_eq!(attract, DVec3::new(LINE_PULL, 0.0, -0.5));
        let repel = Forces::new(&scene, Hold::Repel).acceleration(at);
        assert_eq!(repel, DVec3::new(-LINE_PULL, 0.0, -0.5));
        let none = Forces::new(&scene, Hold::None).acceleration(at);
        assert_eq!(none, DVec3::new(0.0, 0.0, -0.5));
    }

    #[test]
    fn gravity_of_any_direction_is_added_to_the_line() {
        let gravity = Gravity::Vector(glam::Vec3::new(1.0, -2.0, 0.5));
        let scene = Scene { gravity, line: [1.0, 0.0], ..Scene::default() };
        let repel = Forces::new(&scene, Hold::Repel).acceleration(DVec3::ZERO);
        assert_eq!(repel, DVec3::new(1.0 - LINE_PULL, -2.0, 0.5));
    }

    #[test]
    fn gravity_along_z_leaves_the_sign_of_zeros() {
        let scene = Scene { line: [-1.0, -0.0], ..Scene::default() };
        let none = Forces::new(&scene, Hold::None).acceleration(DVec3::ZERO);
        assert_eq!(none.to_array().map(f64::to_bits), [-0.0f64; 3].map(f64::to_bits));
    }

    #[test]
    fn a_sphere_on_the_line_feels_nothing() {
        let forces = Forces::new(&Scene::default(), Hold::Attract);
        assert_eq!(forces.acceleration(DVec3::Z), DVec3::ZERO);
    }
}
