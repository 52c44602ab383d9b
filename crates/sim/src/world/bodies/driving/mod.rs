//! Bodies that a user drives: the keys, and the rules by which they move bodies.
//!
//! A rule chooses the velocity of a driven body before each step. The body then moves like a kinematic one: at its
//! velocity, and what it meets is pushed.

mod planes;
mod refuse;
mod slide;

use super::super::World;
use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::Bodies;
use super::fixtures::{Plane, walls_near};
use crate::scene::{DriveKeys, Driving, MoveRule, Scene};
use broadphase::Layer;
use glam::DVec3;
use narrowphase::Body;
use planes::Planes;
use refuse::Refuser;

pub use refuse::{Refusal, RefusedBy};

/// The driven bodies of a world.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Driver {
    /// The objects, rising.
    objects: Vec<u32>,
    /// The speed of each along z from falling and jumping, or that of the ground it stands on.
    pub(in super::super) falls: Vec<f64>,
    /// The indices of `objects` in the order in which they choose their velocities.
    order: Vec<usize>,
    /// The bodies that were kept from moving in the last step, each with what it met.
    pub(in super::super) refusals: Vec<Refusal>,
    refuser: Refuser,
    planes: Planes,
}

/// A driven body that is about to choose its velocity.
#[derive(Clone, Copy)]
struct Driven<'a> {
    bodies: &'a Bodies,
    object: usize,
    step: &'a DriveInput<'a>,
}

impl<'a> Driven<'a> {
    fn body(&self) -> Body<'a> {
        self.bodies.body(self.object)
    }

    fn layer(&self) -> Layer {
        layer_of(self.step.layers, self.object)
    }

    /// Seconds of the step.
    fn dt(&self) -> f64 {
        f64::from(self.step.surroundings.dt)
    }

    /// Factors of velocities: 0 along y in a flat world.
    fn directions(&self) -> DVec3 {
        self.bodies.solids[self.object].linear
    }

    /// The walls of its containers that are at most `reach` from its centre. In a flat world, it moves along those across y.
    fn walls(&self, reach: f64) -> impl Iterator<Item = Plane> + use<'a> {
        let DriveInput { surroundings, homes, .. } = *self.step;
        walls_near(surroundings, homes[self.object], self.body().pose.position, reach)
    }

    /// Lists the obstacles and static bodies that are at most `reach` from its centre.
    fn list_fixed(&self, reach: f64, near: &mut Vec<usize>) {
        let (center, around) = (self.body().pose.position, DVec3::splat(reach));
        near.clear();
        self.bodies.fixtures.near([center - around, center + around], self.layer(), near);
    }
}

/// The surroundings, rule and keys that move driven bodies in a step.
#[derive(Clone, Copy)]
pub(in super::super) struct DriveInput<'a> {
    pub(in super::super) surroundings: &'a Surroundings<'a>,
    pub(in super::super) homes: &'a [u32],
    pub(in super::super) layers: &'a [Layer],
    pub(in super::super) driving: Driving,
    pub(in super::super) keys: DriveKeys,
}

impl Driver {
    /// The driver of a scene with this number of objects.
    pub(in super::super) fn new(scene: &Scene, count: usize) -> Self {
        let first = count - scene.placed_bodies.len();
        let bodies = (first as u32..).zip(&scene.placed_bodies);
        let driven = bodies.filter(|(_, body)| body.is_driven);
        let (objects, falls) =
            driven.map(|(object, body)| (object, f64::from(body.velocity.z))).unzip();
        Self { objects, falls, ..Self::default() }
    }

    /// Gives each driven body its velocity in the next step. A body that is further along the wanted way, or as far and lower,
    /// chooses first. The others follow it; until they have chosen, they count as resting.
    pub(in super::super) fn drive(&mut self, bodies: &mut Bodies, step: &DriveInput<'_>) {
        let Self { objects, falls, order, refusals, refuser, planes } = self;
        refusals.clear();
        let wanted = wanted(bodies, step);
        let place = |index: usize| bodies.states()[objects[index] as usize].position;
        order.clear();
        order.extend(0..objects.len());
        order.sort_unstable_by(|a, b| {
            let [one, other] = [*a, *b].map(place);
            let by_way = other.dot(wanted).total_cmp(&one.dot(wanted));
            by_way.then(one.z.total_cmp(&other.z)).then(a.cmp(b))
        });
        objects.iter().for_each(|object| bodies.drive(*object as usize, DVec3::ZERO));
        for index in &*order {
            // Nothing of a stopped step is kept.
            if step.surroundings.is_stopped() {
                return;
            }
            let (object, fall) = (objects[*index] as usize, &mut falls[*index]);
            let driven = Driven { bodies, object, step };
            let velocity = match step.driving.rule {
                MoveRule::Refuse(_) => match refuser.refusal(driven, wanted) {
                    Some(refusal) => {
                        refusals.push(refusal);
                        DVec3::ZERO
                    }
                    None => wanted,
                },
                MoveRule::Slide => planes.slide(driven, wanted),
                MoveRule::Walk => planes.walk(driven, wanted, fall),
            };
            bodies.drive(object, velocity);
        }
        refusals.sort_unstable_by_key(|refusal| refusal.object);
    }
}

/// The velocity that the keys ask for.
fn wanted(bodies: &Bodies, step: &DriveInput<'_>) -> DVec3 {
    let DriveKeys { left, right, up, down, .. } = step.keys;
    let sign = |plus: bool, minus: bool| f64::from(i8::from(plus) - i8::from(minus));
    let (along_x, other) = (sign(right, left), sign(up, down));
    let is_walk = step.driving.rule == MoveRule::Walk;
    let direction = match (bodies.is_flat(), is_walk) {
        (false, _) => DVec3::new(along_x, other, 0.0),
        (true, false) => DVec3::new(along_x, 0.0, other),
        (true, true) => DVec3::new(along_x, 0.0, 0.0),
    };
    direction.normalize_or_zero() * f64::from(step.driving.speed)
}

impl World {
    /// Holds keys that drive bodies, from the next step on until they are changed. While none is held, the scene's own keys
    /// are.
    pub fn set_drive(&mut self, keys: DriveKeys) {
        self.drive = keys;
    }

    /// The keys that [`set_drive`](Self::set_drive) holds.
    pub fn drive(&self) -> DriveKeys {
        self.drive
    }

    /// The keys that drive bodies in the next step: those held, or those of the scene at the middle of the step.
    pub fn next_drive(&self) -> DriveKeys {
        if !self.drive.is_none() {
            return self.drive;
        }
        let scene = self.scene();
        DriveKeys::in_step(self.steps + 1, &scene.drive, scene.dt)
    }

    /// The driven bodies: their objects, rising.
    pub fn driven(&self) -> &[u32] {
        &self.driver.objects
    }

    /// The driven bodies that the rule [`Refuse`](MoveRule::Refuse) kept from moving in the last step, in the order of the
    /// objects. Empty after a state was [restored](Self::restore).
    pub fn refusals(&self) -> &[Refusal] {
        &self.driver.refusals
    }
}
