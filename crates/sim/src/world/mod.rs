//! A scene in motion.

mod bodies;
mod bounce;
mod box_grid;
mod contact;
mod edit;
mod elements;
mod events;
mod forces;
mod homes;
mod motion;
mod placement;
mod pull;
mod response;
mod state;
mod waiting;

pub use bodies::{
    BYTES_PER_PATH, Bodies, BodyContact, BodyState, MAX_WORK, Refusal, RefusedBy, StepImpact,
};
pub use edit::{Edit, EditError};
pub use forces::Hold;
pub use pull::Pull;
pub use response::Response;
pub use state::WorldState;
pub use waiting::Waiting;

use crate::placing::{Placing, PlacingEnded, unwatched};
use crate::scene::{DriveKeys, Scene};
use bodies::{DriveInput, Driver};
use broadphase::benchmark::mix;
use broadphase::{Aabb, Layer, Pair};
use edit::Undo;
use elements::Elements;
use forces::Forces;
use glam::{DVec3, Vec3};
use motion::Surroundings;
use narrowphase::BoxKind;
use placement::Objects;
use rayon::prelude::*;
use response::layer_of;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

/// Spheres from which several threads move them. Below that, one thread is done before a second one
/// wakes.
const PARALLEL_FROM: usize = 2048;

/// A sphere as it is moved: position, velocity, home, radius.
type Moving<'a> = (((&'a mut Vec3, &'a mut Vec3), &'a mut u32), &'a f32);

/// Objects in motion: spheres, or bodies of any shapes.
///
/// A frame is [`step`](Self::step), [`boxes`](Self::boxes), the search for pairs among them, and
/// [`respond`](Self::respond). Every sphere moves on its own, and collisions are resolved in the order of the
/// pairs. So the motion depends only on the scene, the keys held and the [edits](Self::edit).
#[derive(Clone, Debug)]
pub struct World {
    elements: Elements,
    objects: Objects,
    /// The homes at the start.
    origins: Vec<u32>,
    /// `None` where all objects are spheres. Otherwise positions and velocities are copies.
    bodies: Option<Bodies>,
    steps: u64,
    /// Spheres, or driven bodies, that waited in the last step.
    counted: u32,
    hold: Hold,
    /// Keys that drive bodies.
    drive: DriveKeys,
    driver: Driver,
    /// Edits that can be undone, the last one last.
    undo: VecDeque<Undo>,
    /// All edits so far, undone ones too.
    edits: u64,
}

impl World {
    /// Places the scene's objects: the generated ones in the order of their sources, then the
    /// balls, then the bodies placed by hand.
    ///
    /// Spheres do not start inside each other or inside an obstacle where there is room; where
    /// there is none, [`placement_warning`](Self::placement_warning) says so.
    ///
    /// # Panics
    ///
    /// If the scene's shapes cannot be built, or a body names one that does not exist. A scene that was read has
    /// none of this.
    pub fn new(scene: &Scene) -> Self {
        unwatched(|placing| Self::place(scene, placing))
    }

    /// [`new`](Self::new), followed by an observer that may end it.
    ///
    /// # Errors
    ///
    /// Where the observer ends it.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    pub fn place(scene: &Scene, placing: &mut Placing<'_>) -> Result<Self, PlacingEnded> {
        let elements = Elements::new(scene);
        let shapes = bodies::shapes_of(scene);
        let shapes = shapes.unwrap_or_else(|error| panic!("the scene's shapes: {error}"));
        let radii_of = |shapes| bodies::placed_radii(shapes, scene);
        let body_radii = shapes.as_ref().map_or_else(Vec::new, radii_of);
        let objects = placement::place(scene, &elements, &body_radii, placing)?;
        Ok(Self {
            elements,
            origins: objects.homes.clone(),
            bodies: shapes.map(|shapes| Bodies::new(scene, shapes, &objects)),
            driver: Driver::new(scene, objects.positions.len()),
            objects,
            steps: 0,
            counted: 0,
            hold: Hold::None,
            drive: DriveKeys::NONE,
            undo: VecDeque::new(),
            edits: 0,
        })
    }

    /// A one-line warning if the spheres found no room without overlap.
    pub fn placement_warning(&self) -> Option<&str> {
        self.objects.warning.as_deref()
    }

    /// Moves everything by one step of `scene.dt`. `hold` is the key that the user holds; while it
    /// is [`Hold::None`], the scene's own events hold theirs.
    pub fn step(&mut self, hold: Hold) {
        let _is_whole = self.step_unless(hold, &AtomicBool::new(false));
    }

    /// [`step`](Self::step), which ends soon once `stop` is set. Returns whether the step was finished. If it was not, some
    /// objects have moved: [restore](Self::restore) a state before using the world again.
    #[must_use]
    pub fn step_unless(&mut self, hold: Hold, stop: &AtomicBool) -> bool {
        // This step's time. Its end is exactly the next one's start, so that no event falls between two
        // steps.
        let now = self.time()..(self.steps + 1) as f64 * f64::from(self.scene().dt);
        self.run_events(&now);
        self.hold = if hold == Hold::None { self.scheduled_hold(&now) } else { hold };
        let keys = self.next_drive();
        let surroundings = Surroundings::new(&self.elements, self.hold, now.start, stop);
        let driving = self.scene().driving;
        let Self { objects, bodies, driver, .. } = self;
        let Objects { positions, velocities, homes, radii, layers, .. } = objects;
        if let Some(bodies) = bodies {
            let around = &surroundings;
            let step = DriveInput { surroundings: around, homes, layers, driving, keys };
            driver.drive(bodies, &step);
            bodies.step(&surroundings, homes, layers);
            bodies.copy_to(positions, velocities);
        } else {
            let move_one = |(object, (((position, velocity), home), radius)): (_, Moving<'_>)| {
                if !layer_of(layers, object).is_static && !surroundings.is_stopped() {
                    surroundings.advance(position, velocity, home, *radius);
                }
            };
            if positions.len() < PARALLEL_FROM {
                let spheres = positions.iter_mut().zip(velocities).zip(homes).zip(&*radii);
                spheres.enumerate().for_each(move_one);
            } else {
                let spheres = positions.par_iter_mut().zip(velocities).zip(homes).zip(&*radii);
                spheres.enumerate().with_min_len(512).for_each(move_one);
            }
        }
        self.counted = surroundings.waiting.into_inner();
        let is_whole = !stop.load(Ordering::Relaxed);
        self.steps += u64::from(is_whole);
        is_whole
    }

    /// Objects that did not move to the end of the last step, since they had reached a bound of its work.
    pub fn waiting(&self) -> Waiting {
        let bodies = self.bodies.as_ref().map_or(0, |bodies| bodies.waiting_objects().len());
        Waiting { objects: self.counted + bodies as u32 }
    }

    /// Fills `boxes` with the objects' boxes, index = object. In a continuous world they are around all that the objects have
    /// passed in the last step, and will pass if there are no collisions.
    pub fn boxes(&self, boxes: &mut Vec<Aabb>) {
        if let Some(bodies) = &self.bodies {
            return bodies.boxes(boxes);
        }
        boxes.clear();
        let spheres = self.objects.positions.iter().zip(&self.objects.radii);
        boxes.extend(spheres.map(|(center, radius)| Aabb::around_sphere(*center, *radius)));
    }

    /// Answers the collisions among `pairs`, which must be all pairs of overlapping boxes, sorted:
    /// then the motion is the same whichever algorithm found them.
    ///
    /// Pairs that the [layers](Self::layers) do not allow are ignored. A static sphere has infinite mass.
    pub fn respond(&mut self, pairs: &[Pair]) -> Response {
        self.respond_unless(pairs, &AtomicBool::new(false)).unwrap_or_default()
    }

    /// [`respond`](Self::respond), which ends soon once `stop` is set: `None`. Some objects have new velocities or places then,
    /// so that their step is to be undone.
    pub fn respond_unless(&mut self, pairs: &[Pair], stop: &AtomicBool) -> Option<Response> {
        let Self { elements, objects, bodies, hold, .. } = self;
        let scene = elements.scene();
        if let Some(bodies) = bodies {
            let surroundings = Surroundings::new(elements, *hold, 0.0, stop);
            let response = bodies.respond(pairs, &surroundings, &objects.homes, &objects.layers)?;
            bodies.copy_to(&mut objects.positions, &mut objects.velocities);
            return Some(response);
        }
        let (forces, half_step) = (Forces::new(scene, *hold), 0.5 * f64::from(scene.dt));
        let ahead = |position: Vec3| forces.acceleration(position.as_dvec3()) * half_step;
        response::respond(pairs, objects, ahead, stop)
    }

    /// Hash over all positions and velocities, bit by bit; of bodies, also over what rotates.
    pub fn hash(&self) -> u64 {
        if let Some(bodies) = &self.bodies {
            return bodies.hash();
        }
        let floats = self
            .objects
            .positions
            .iter()
            .chain(&self.objects.velocities)
            .flat_map(|v| v.to_array());
        floats.fold(0, |hash, value| mix(hash ^ u64::from(value.to_bits())))
    }

    /// Kinetic energy of all moving objects, of rotation too; a sphere of radius 1 has mass 1.
    pub fn kinetic_energy(&self) -> f64 {
        if let Some(bodies) = &self.bodies {
            return (0..self.len()).map(|object| bodies.kinetic_energy(object)).sum();
        }
        let spheres = self.objects.velocities.iter().zip(&self.objects.radii);
        spheres.map(|(v, r)| 0.5 * response::mass(*r) * v.as_dvec3().length_squared()).sum()
    }

    /// Momentum of all moving objects; a sphere of radius 1 has mass 1.
    pub fn momentum(&self) -> DVec3 {
        if let Some(bodies) = &self.bodies {
            return bodies.momentum();
        }
        let spheres = self.objects.velocities.iter().zip(&self.objects.radii);
        spheres.map(|(v, r)| response::mass(*r) * v.as_dvec3()).sum()
    }

    /// The bodies; `None` where all objects are spheres.
    pub fn bodies(&self) -> Option<&Bodies> {
        self.bodies.as_ref()
    }

    /// Chooses how the boxes of bodies are computed. The motion does not depend on it.
    pub fn set_box_kind(&mut self, kind: BoxKind) {
        if let Some(bodies) = &mut self.bodies {
            bodies.set_box_kind(kind);
        }
    }

    /// Simulated seconds since the start.
    pub fn time(&self) -> f64 {
        self.steps as f64 * f64::from(self.scene().dt)
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The hold in the last step, by a key or an event.
    pub fn hold(&self) -> Hold {
        self.hold
    }

    /// The scene as it is now: the [recipe](Self::recipe) less the sources that timed events have
    /// removed. The numbers in its events count the recipe's sources.
    pub fn scene(&self) -> &Scene {
        self.elements.scene()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.objects.positions.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.positions.is_empty()
    }

    /// Centres, index = object.
    pub fn positions(&self) -> &[Vec3] {
        &self.objects.positions
    }

    /// Velocities in units/s, index = object.
    pub fn velocities(&self) -> &[Vec3] {
        &self.objects.velocities
    }

    /// Layers, index = object; empty where every object moves and meets every other. They stay the
    /// same in every step and edit.
    pub fn layers(&self) -> &[Layer] {
        &self.objects.layers
    }

    /// Radii, index = object; of bodies, those of their bounding spheres.
    pub fn radii(&self) -> &[f32] {
        &self.objects.radii
    }
}
