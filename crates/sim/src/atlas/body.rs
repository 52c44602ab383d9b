//! A moving body, and the walls that it stays within.

use broadphase::Aabb;
use glam::Vec3;

/// A box by its centre, half sides, velocity and home.
///
/// A vertex of a sheet is a body without half sides, relative to its place in the sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) center: Vec3,
    pub(super) half: Vec3,
    /// Displacement per frame, or other state of the motion.
    pub(super) velocity: Vec3,
    /// The place that it jitters about, orbits, lands on, or started at.
    pub(super) home: Vec3,
}

impl Body {
    /// A body at rest.
    pub(super) fn at_rest(center: Vec3, half: Vec3) -> Self {
        Self { center, half, velocity: Vec3::ZERO, home: center }
    }

    pub(super) fn aabb(&self) -> Aabb {
        Aabb::new(self.center - self.half, self.center + self.half)
    }

    /// Advances the centre by the velocity; a wall reflects both.
    pub(super) fn fly(&mut self, walls: Aabb) {
        let ahead = self.center + self.velocity;
        let (above, below) = (ahead.cmpgt(walls.max), ahead.cmplt(walls.min));
        let inside = Vec3::select(above, walls.max * 2.0 - ahead, ahead);
        let inside = Vec3::select(below, walls.min * 2.0 - ahead, inside);
        self.center = inside.clamp(walls.min, walls.max);
        self.velocity = Vec3::select(above | below, -self.velocity, self.velocity);
    }
}

/// The bounds of centres; the origin if there are none.
pub(super) fn bounds_of_centers<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> Aabb {
    let space =
        bodies.into_iter().fold(Aabb::EMPTY, |all, b| all.union(&Aabb::new(b.center, b.center)));
    if space.is_empty() { Aabb::new(Vec3::ZERO, Vec3::ZERO) } else { space }
}

/// Walls moved outwards by this distance on each axis.
pub(super) fn widened(walls: Aabb, by: Vec3) -> Aabb {
    Aabb::new(walls.min - by, walls.max + by)
}
