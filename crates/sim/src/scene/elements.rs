//! The elements of which a scene has any number: sources, obstacles, balls, events, layers.

use broadphase::{Aabb, Axis, Layer};
use glam::Vec3;

/// A box in which objects are generated; while it is listed, its walls hold them from inside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Source {
    /// The corner with the lowest coordinates.
    pub corner: Vec3,
    /// Side lengths, none negative.
    pub size: Vec3,
    /// Per cent of all objects that are generated in it; of the last source of a file, the remainder of 100.
    pub percent: f32,
    /// Without a floor, objects fall out of its bottom.
    pub floor: bool,
}

impl Source {
    /// The box itself.
    pub fn bounds(&self) -> Aabb {
        Aabb::new(self.corner, self.corner + self.size)
    }
}

/// A rectangle that objects bounce off, from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// The corner with the lowest coordinates.
    pub corner: Vec3,
    /// Side lengths, none negative; 0 along the normal.
    pub size: Vec3,
    /// The axis that the rectangle is normal to.
    pub normal: Axis,
}

impl Obstacle {
    /// The rectangle as a box without thickness.
    pub fn bounds(&self) -> Aabb {
        Aabb::new(self.corner, self.corner + self.size)
    }
}

impl Default for Obstacle {
    /// A point, normal to z.
    fn default() -> Self {
        Self { corner: Vec3::ZERO, size: Vec3::ZERO, normal: Axis::Z }
    }
}

/// A sphere placed by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Its centre at the start.
    pub center: Vec3,
    /// Its velocity at the start, in units/s.
    pub velocity: Vec3,
    /// Its radius; `None` takes the largest of the scene's.
    pub radius: Option<f32>,
}

/// A timed event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Event {
    /// Simulated seconds from the start.
    pub time: f32,
    /// The action.
    pub action: Action,
}

/// The action of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Removes a source, which sets its objects free. Counted from 1 in the order of the file,
    /// whatever was removed before.
    RemoveSource(u32),
    /// Holds the line's key for some simulated seconds.
    Hold {
        /// Whether the line attracts (`p`); else it repels (`o`).
        attract: bool,
        /// For how long.
        seconds: f32,
    },
}

impl Default for Action {
    fn default() -> Self {
        Self::RemoveSource(1)
    }
}

/// The layer of some objects.
///
/// A static object never moves: nothing accelerates it, and objects bounce off it as off a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerRule {
    /// The objects.
    pub target: LayerTarget,
    /// Their layer.
    pub layer: Layer,
}

/// The objects of a layer rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerTarget {
    /// Those that a source generates, counted from 1 in the order of the file. They keep their layer if
    /// another source holds them later.
    Source(u32),
    /// The balls.
    #[default]
    Balls,
    /// The bodies placed by hand.
    Bodies,
}
