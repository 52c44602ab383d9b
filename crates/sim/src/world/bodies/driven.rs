//! Driven bodies among the others: what is near them, and the velocity that they are given.
//!
//! A driven body is kinematic: it moves at its velocity whatever it meets. The rules of [`driving`](super::super::driving)
//! choose that velocity before each step.

use super::super::motion::Surroundings;
use super::Bodies;
use super::walls::{Plane, walls_near};
use broadphase::Layer;
use glam::DVec3;
use narrowphase::{Body, Pose};

impl Bodies {
    /// Gives an object a velocity, without rotation.
    pub(in super::super) fn drive(&mut self, object: usize, velocity: DVec3) {
        let state = &mut self.states[object];
        state.velocity = velocity * self.solids[object].linear;
        state.angular_momentum = DVec3::ZERO;
    }

    /// Factors of velocities: 0 along y in a flat world.
    pub(in super::super) fn directions(&self) -> DVec3 {
        self.solids.first().map_or(DVec3::ONE, |solid| solid.linear)
    }

    /// The walls of the containers of a body, as their normals and offsets, that are at most `reach` from its centre of mass.
    /// In a flat world those along y are none.
    pub(in super::super) fn walls_around<'a>(
        &self,
        object: usize,
        surroundings: &'a Surroundings<'_>,
        home: u32,
        reach: f64,
    ) -> impl Iterator<Item = Plane> + 'a {
        let (position, directions) = (self.states[object].position, self.directions());
        let walls = walls_near(surroundings, home, position, reach);
        walls.filter(move |wall| wall.normal * directions != DVec3::ZERO)
    }

    /// Appends the index of every obstacle and static body that an object of a layer may meet within a region.
    pub(in super::super) fn fixed_around(
        &self,
        region: [DVec3; 2],
        layer: Layer,
        near: &mut Vec<usize>,
    ) {
        self.fixtures.near(region, layer, near);
    }

    /// An obstacle or a static body, by an index that [`fixed_around`](Self::fixed_around) gave. The second number is the
    /// object of a static body; `None` for an obstacle, whose index is that in the scene.
    pub(in super::super) fn fixed(&self, index: usize) -> (Body<'_>, Option<u32>) {
        let fixed = self.fixtures.get(index);
        (fixed.body(&self.catalogue), fixed.object())
    }

    /// A ball that is no object.
    pub(in super::super) fn ball(&self, center: DVec3, radius: f64) -> Body<'_> {
        // The shape of spheres is the last one.
        let shape = &self.shapes()[self.shapes().len() - 1].shape;
        Body { shape, scale: radius, pose: Pose { position: center, ..Pose::IDENTITY } }
    }
}
