//! A scene in motion.

use crate::Scene;
use broadphase::{Aabb, Pair};
use glam::Vec3;

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

/// What answering a frame's pairs came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// Pairs whose spheres really touch: the real collisions.
    pub hits: u64,
    /// Hits of spheres that approached, and so were answered.
    pub answered: u64,
}

/// Spheres in motion.
pub struct World {
    scene: Scene,
}

impl World {
    /// Places the scene's spheres.
    pub fn new(scene: &Scene) -> Self {
        Self { scene: scene.clone() }
    }

    /// One line for a person where the spheres found no room without overlap; `None` where all did.
    pub fn placement_warning(&self) -> Option<&str> {
        None
    }

    /// Moves everything by one step of `scene.dt`; `hold` is the key held by the user.
    pub fn step(&mut self, _hold: Hold) {}

    /// Fills `boxes` with the spheres' boxes, index = object.
    pub fn boxes(&self, boxes: &mut Vec<Aabb>) {
        boxes.clear();
    }

    /// Answers the collisions among `pairs`, which must be sorted and complete.
    pub fn respond(&mut self, _pairs: &[Pair]) -> Response {
        Response::default()
    }

    /// Hash over all positions and velocities, bit by bit.
    pub fn hash(&self) -> u64 {
        0
    }

    /// Simulated seconds since the start.
    pub fn time(&self) -> f64 {
        0.0
    }

    /// The scene as it is now: sources that were removed are gone.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Number of spheres.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there are no spheres.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Centres, index = object.
    pub fn positions(&self) -> &[Vec3] {
        &[]
    }

    /// Velocities in units/s, index = object.
    pub fn velocities(&self) -> &[Vec3] {
        &[]
    }

    /// Radii, index = object.
    pub fn radii(&self) -> &[f32] {
        &[]
    }
}
