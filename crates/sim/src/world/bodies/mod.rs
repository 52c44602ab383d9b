//! Objects of other shapes than spheres, which rotate.
//!
//! A world without such objects has none of this, unless it is flat. In a world with some, every object is a body:
//! spheres have a shape that no scene names. Bodies move in `f64`; the world's positions and velocities are rounded copies.

mod collisions;
mod continuous;
mod driving;
mod fixtures;
mod flight;
mod impulse;
mod meeting;
mod mover;
mod path;
#[cfg(test)]
mod path_tests;
mod rotation;
mod rules;
mod solid;
mod start;
mod supports;
mod touch;

pub use collisions::BodyContact;
pub(super) use driving::{DriveInput, Driver};
pub use driving::{Refusal, RefusedBy};
pub use mover::MAX_WORK;
pub(super) use path::StepRecord;
pub use path::{BYTES_PER_PATH, StepImpact};
pub use solid::BodyState;

use super::forces::BodyForces;
use super::placement::Objects;
use crate::scene::{
    Catalogue, CatalogueError, Continuous, NamedShape, Obstacle, PlacedBody, Scene,
};
use broadphase::benchmark::mix;
use broadphase::{Aabb, Layer};
use continuous::Encounters;
use fixtures::Fixtures;
use flight::Near;
use glam::{DVec3, Vec3};
use narrowphase::{Body, Bounds, BoxKind, Shape};
use rayon::prelude::*;
use solid::Solid;
use std::sync::Arc;

/// Bodies from which several threads move them: some tenth of a millisecond of work.
const PARALLEL_FROM: usize = 256;

/// Name of the shape of spheres. No scene can give it to a shape of its own.
const BALL: &str = "(sphere)";

/// The bodies of a world, index = object.
#[derive(Clone, Debug)]
pub struct Bodies {
    /// The scene's shapes, and the ball of radius 1 behind them.
    catalogue: Arc<Catalogue>,
    solids: Vec<Solid>,
    states: Vec<BodyState>,
    fixtures: Fixtures,
    body_forces: BodyForces,
    continuous: Continuous,
    box_kind: BoxKind,
    contacts: Vec<BodyContact>,
    record: StepRecord,
    /// Scratch.
    encounters: Encounters,
    /// Pieces that each body met. Scratch.
    nears: Vec<Near>,
}

/// The shapes of a scene with bodies, and behind them that of spheres; `None` for a scene whose objects are elastic spheres of
/// one density that move in space and collide at the ends of steps.
pub(super) fn shapes_of(scene: &Scene) -> Result<Option<Catalogue>, CatalogueError> {
    let is_plain = scene.restitution.is_empty() && scene.density.is_empty();
    let is_discrete = scene.continuous == Continuous::Off;
    if !scene.has_bodies() && !scene.flat && is_plain && is_discrete {
        return Ok(None);
    }
    let mut catalogue = Catalogue::new(scene)?;
    match Shape::sphere(1.0) {
        Ok(shape) => catalogue.push(BALL, shape),
        Err(error) => unreachable!("a ball of radius 1: {error}"),
    }
    Ok(Some(catalogue))
}

/// Bounding radii of the bodies placed by hand.
pub(super) fn placed_radii(catalogue: &Catalogue, scene: &Scene) -> Vec<f32> {
    let radius = |body: &PlacedBody| {
        let shape = &catalogue.shapes()[catalogue.index_of(&body.shape)].shape;
        (shape.bounding_radius() * f64::from(body.scale)) as f32
    };
    scene.placed_bodies.iter().map(radius).collect()
}

impl Bodies {
    pub(super) fn new(scene: &Scene, catalogue: Catalogue, placed: &Objects) -> Self {
        let (solids, states) = start::start(scene, &catalogue, placed);
        let first_placed = placed.positions.len() - scene.placed_bodies.len();
        let fixtures =
            Fixtures::new(&scene.obstacles, &catalogue, &solids, &states, &placed.layers);
        Self {
            catalogue: Arc::new(catalogue),
            solids,
            states,
            fixtures,
            body_forces: BodyForces::new(scene, first_placed),
            continuous: scene.continuous,
            box_kind: BoxKind::default(),
            contacts: Vec::new(),
            record: StepRecord::default(),
            encounters: Encounters::default(),
            nears: Vec::new(),
        }
    }

    /// The shapes, shared by all moments of the world: the same allocation has the same shapes.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// The shapes by their names: those of the scene in its order, and `(sphere)`, of radius 1, that of the spheres.
    pub fn shapes(&self) -> &[NamedShape] {
        self.catalogue.shapes()
    }

    /// Index of an object's shape.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn shape_of(&self, object: usize) -> usize {
        self.solids[object].shape
    }

    /// Whether all bodies stay in their x-z planes and rotate about y only, as in a flat scene.
    pub fn is_flat(&self) -> bool {
        self.solids.first().is_some_and(|solid| solid.linear.y == 0.0)
    }

    /// An object as a body: shape, scale and pose.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn body(&self, object: usize) -> Body<'_> {
        let Solid { shape, scale, .. } = self.solids[object];
        Body { shape: &self.shapes()[shape].shape, scale, pose: self.states[object].pose() }
    }

    /// States of the bodies, index = object.
    pub fn states(&self) -> &[BodyState] {
        &self.states
    }

    /// Mass of an object; infinite for a static and for a kinematic one. A ball of radius 1 has mass 1.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn mass(&self, object: usize) -> f64 {
        self.solids[object].mass()
    }

    /// Angular velocity of an object in the world's frame, in rad/s.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn angular_velocity(&self, object: usize) -> DVec3 {
        let state = &self.states[object];
        self.solids[object].angular_velocity(state.rotation, state.angular_momentum)
    }

    /// Kinetic energy of an object, of translation and rotation; 0 for a static and for a kinematic one.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn kinetic_energy(&self, object: usize) -> f64 {
        self.solids[object].kinetic_energy(&self.states[object])
    }

    /// Momentum of all moving objects.
    pub(super) fn momentum(&self) -> DVec3 {
        let moving = self.solids.iter().zip(&self.states).filter(|(s, _)| s.inverse_mass > 0.0);
        moving.map(|(solid, state)| state.velocity * solid.mass()).sum()
    }

    /// The work of the body that took most of it in the last step, to be compared with [`MAX_WORK`].
    pub fn largest_work(&self) -> u32 {
        self.record.paths.iter().map(|path| path.work).max().unwrap_or(0)
    }

    /// How the boxes for the broad phase are computed.
    pub fn box_kind(&self) -> BoxKind {
        self.box_kind
    }

    /// The contacts of the step that the world responded to last, in the order of the pairs: bodies that touched at its
    /// end, and those that bounced off a static body within it, in a continuous world off a moving one too.
    pub fn contacts(&self) -> &[BodyContact] {
        &self.contacts
    }

    pub(super) fn set_box_kind(&mut self, kind: BoxKind) {
        self.box_kind = kind;
    }

    /// Whether an object moves at its velocity, whatever it meets.
    pub(super) fn is_kinematic(&self, object: usize) -> bool {
        self.solids[object].is_kinematic
    }

    /// Gives an object a velocity, without rotation.
    pub(super) fn drive(&mut self, object: usize, velocity: DVec3) {
        let state = &mut self.states[object];
        state.velocity = velocity * self.solids[object].linear;
        state.angular_momentum = DVec3::ZERO;
    }

    /// Stores what moves, and what is shown of the last step.
    pub(super) fn store(&self, states: &mut Vec<BodyState>, record: &mut StepRecord) {
        states.clone_from(&self.states);
        record.copy_from(&self.record, self.continuous);
    }

    pub(super) fn set_states(&mut self, states: &[BodyState], record: &StepRecord) {
        self.record.copy_from(record, self.continuous);
        self.states.copy_from_slice(states);
        self.contacts.clear();
    }

    /// Whether a body is wholly inside a box. One that touches a wall is, however its place was rounded to `f32`.
    pub(super) fn is_inside(&self, object: usize, bounds: &Aabb) -> bool {
        let (solid, state) = (&self.solids[object], &self.states[object]);
        let size = state.position.abs().max_element() + solid.radius;
        let tolerance = touch::margin(solid, state) + f64::from(f32::EPSILON) * size;
        let Bounds { min, max } = self.body(object).bounds(BoxKind::Tight).grown(-tolerance);
        bounds.min.as_dvec3().cmple(min).all() && max.cmple(bounds.max.as_dvec3()).all()
    }

    /// Replaces the obstacles by those of an edited scene.
    pub(super) fn set_obstacles(&mut self, obstacles: &[Obstacle], layers: &[Layer]) {
        if self.fixtures.obstacles != obstacles {
            let Self { catalogue, solids, states, .. } = self;
            self.fixtures = Fixtures::new(obstacles, catalogue, solids, states, layers);
        }
    }

    /// Fills `boxes` with the boxes of all bodies: in a continuous world, around their paths in the last step.
    pub(super) fn boxes(&self, boxes: &mut Vec<Aabb>) {
        let paths = self.shown_paths();
        let body_box = |object: usize| {
            let body = self.body(object);
            let bounds = match paths.get(object) {
                Some(path) => path.swept_box(&self.solids[object], body.shape, self.box_kind),
                None => body.bounds(self.box_kind),
            };
            let [min, max] = bounds.outward();
            Aabb { min, max }
        };
        boxes.clear();
        if self.states.len() < PARALLEL_FROM {
            boxes.extend((0..self.states.len()).map(body_box));
        } else {
            (0..self.states.len()).into_par_iter().map(body_box).collect_into_vec(boxes);
        }
    }

    /// Rounds velocities and positions for the world.
    pub(super) fn copy_to(&self, positions: &mut [Vec3], velocities: &mut [Vec3]) {
        for ((state, position), velocity) in self.states.iter().zip(positions).zip(velocities) {
            *position = state.position.as_vec3();
            *velocity = state.velocity.as_vec3();
        }
    }

    /// Hash over all that moves, bit by bit.
    pub(super) fn hash(&self) -> u64 {
        let numbers = self.states.iter().flat_map(|state| {
            let BodyState { position, rotation, velocity, angular_momentum } = state;
            let vectors = [position, velocity, angular_momentum];
            let vectors = vectors.into_iter().flat_map(|vector| vector.to_array());
            vectors.chain(rotation.to_array())
        });
        numbers.fold(0, |hash, value| mix(hash ^ value.to_bits()))
    }
}
