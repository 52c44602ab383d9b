//! Objects of other shapes than spheres, which rotate.
//!
//! A world without such objects has none of this. In a world with some, every object is a body: spheres have the
//! shape `ball`. Bodies move in `f64`; the world's positions and velocities are rounded copies.

mod collisions;
mod fixtures;
mod flight;
mod impulse;
mod obstruction;
mod rotation;
mod solid;
mod start;
mod touch;
mod walls;

pub use collisions::BodyContact;
pub use solid::BodyState;

use super::motion::Surroundings;
use super::placement::Placed;
use super::response::Response;
use crate::scene::{Catalogue, CatalogueError, NamedShape, Obstacle, Scene};
use broadphase::benchmark::mix;
use broadphase::{Aabb, Layer, Pair};
use fixtures::Fixtures;
use flight::{Flight, Near};
use glam::{DVec3, Vec3};
use narrowphase::{Body, BoxKind, Shape};
use rayon::prelude::*;
use solid::Solid;
use std::sync::Arc;

/// Bodies from which several threads move them.
const PARALLEL_FROM: usize = 256;

/// Name of the shape of spheres.
const BALL: &str = "ball";

/// The bodies of a world, index = object.
#[derive(Clone, Debug)]
pub struct Bodies {
    /// The scene's shapes, and the ball of radius 1 behind them.
    catalogue: Arc<Catalogue>,
    solids: Vec<Solid>,
    states: Vec<BodyState>,
    fixtures: Fixtures,
    box_kind: BoxKind,
    contacts: Vec<BodyContact>,
}

/// The shapes of a scene with bodies, before its objects are placed.
pub(super) struct Shapes {
    catalogue: Catalogue,
    ball: usize,
}

impl Shapes {
    /// `None` for a scene whose objects are spheres that move in space.
    pub(super) fn of(scene: &Scene) -> Result<Option<Self>, CatalogueError> {
        if !scene.has_bodies() && !scene.flat {
            return Ok(None);
        }
        let mut catalogue = Catalogue::new(scene)?;
        let ball = catalogue.shapes().len();
        match Shape::sphere(1.0) {
            Ok(shape) => catalogue.push(BALL, shape),
            Err(error) => unreachable!("a ball of radius 1: {error}"),
        }
        Ok(Some(Self { catalogue, ball }))
    }

    /// Bounding radii of the bodies placed by hand.
    pub(super) fn placed_radii(&self, scene: &Scene) -> Vec<f32> {
        let radius = |body: &crate::scene::PlacedBody| {
            let shape = self.catalogue.find(&body.shape).unwrap_or(self.ball);
            let radius = self.catalogue.shapes()[shape].shape.bounding_radius();
            (radius * f64::from(body.scale)) as f32
        };
        scene.placed_bodies.iter().map(radius).collect()
    }
}

impl Bodies {
    pub(super) fn new(scene: &Scene, shapes: Shapes, placed: &Placed) -> Self {
        let Shapes { catalogue, ball } = shapes;
        let (solids, states) = start::start(scene, &catalogue, ball, placed);
        let fixtures =
            Fixtures::new(&scene.obstacles, &catalogue, &solids, &states, &placed.layers);
        let catalogue = Arc::new(catalogue);
        let (box_kind, contacts) = (BoxKind::default(), Vec::new());
        Self { catalogue, solids, states, fixtures, box_kind, contacts }
    }

    /// The shapes, shared by all moments of the world: the same allocation has the same shapes.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// The shapes by their names: those of the scene in its order, and `ball`, of radius 1, that of the spheres.
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

    /// An object as a body: shape, scale and pose.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn body(&self, object: usize) -> Body<'_> {
        let Solid { shape, scale, .. } = self.solids[object];
        Body { shape: &self.shapes()[shape].shape, scale, pose: self.states[object].pose() }
    }

    /// What moves, index = object.
    pub fn states(&self) -> &[BodyState] {
        &self.states
    }

    /// Mass of an object; infinite for a static one. A ball of radius 1 has mass 1.
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
        self.solids[object].response(state.rotation, state.angular_momentum)
    }

    /// Kinetic energy of an object, of translation and rotation; 0 for a static one.
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

    /// How the boxes for the broad phase are computed.
    pub fn box_kind(&self) -> BoxKind {
        self.box_kind
    }

    /// The touching pairs that the world responded to last, in the order of the pairs.
    pub fn contacts(&self) -> &[BodyContact] {
        &self.contacts
    }

    pub(super) fn set_box_kind(&mut self, kind: BoxKind) {
        self.box_kind = kind;
    }

    pub(super) fn set_states(&mut self, states: &[BodyState]) {
        self.states.clear();
        self.states.extend_from_slice(states);
        self.contacts.clear();
    }

    /// Takes note of other obstacles.
    pub(super) fn set_obstacles(&mut self, obstacles: &[Obstacle], layers: &[Layer]) {
        if self.fixtures.obstacles() != obstacles {
            let Self { catalogue, solids, states, .. } = self;
            self.fixtures = Fixtures::new(obstacles, catalogue, solids, states, layers);
        }
    }

    /// Moves all bodies by one step.
    pub(super) fn step(&mut self, course: &Surroundings<'_>, homes: &mut [u32], layers: &[Layer]) {
        let Self { catalogue, solids, states, fixtures, .. } = self;
        let flight = Flight { surroundings: course, fixtures, catalogue };
        let move_one = |near: &mut Near, (object, ((state, home), solid)): Moving<'_>| {
            let layer = layers.get(object).copied().unwrap_or_default();
            if !layer.is_static {
                flight.advance(solid, layer, state, home, near);
            }
        };
        if states.len() < PARALLEL_FROM {
            let mut near = Near::default();
            let bodies = states.iter_mut().zip(homes).zip(&*solids).enumerate();
            bodies.for_each(|body| move_one(&mut near, body));
        } else {
            let bodies = states.par_iter_mut().zip(homes).zip(&*solids).enumerate();
            bodies.with_min_len(64).for_each_init(Near::default, move_one);
        }
    }

    /// Answers the collisions among sorted pairs.
    pub(super) fn respond(&mut self, pairs: &[Pair], layers: &[Layer]) -> Response {
        let mut contacts = std::mem::take(&mut self.contacts);
        self.find_contacts(pairs, layers, &mut contacts);
        let response = self.resolve(&contacts);
        self.contacts = contacts;
        response
    }

    /// Fills `boxes` with the boxes of all bodies.
    pub(super) fn boxes(&self, boxes: &mut Vec<Aabb>) {
        let body_box = |object: usize| {
            let [min, max] = self.body(object).bounds(self.box_kind).outward();
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

/// A body as it is moved: object, state, home, what never changes.
type Moving<'a> = (usize, ((&'a mut BodyState, &'a mut u32), &'a Solid));
