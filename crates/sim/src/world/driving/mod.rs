//! Bodies that a user drives: the keys, and the rules by which they move bodies.
//!
//! A rule chooses the velocity of a driven body before each step. The body then moves like a kinematic one: at its
//! velocity, and what it meets is pushed.

mod planes;
mod refuse;
mod slide;

use super::bodies::Bodies;
use super::motion::Surroundings;
use super::{World, WorldState};
use crate::scene::{DriveKeys, Driving, MoveRule, Scene};
use broadphase::Layer;
use glam::DVec3;
use planes::Planes;
use refuse::Refuser;

pub use refuse::{Refusal, RefusedBy};

/// The driven bodies of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct Driver {
    /// The objects, rising.
    objects: Vec<u32>,
    /// The speed of each along z from falling and jumping, or that of the ground it stands on.
    falls: Vec<f64>,
    /// The indices of `objects` in the order in which they choose their velocities.
    order: Vec<usize>,
    /// The bodies that were kept from moving in the last step, each with what it met.
    refusals: Vec<Refusal>,
    refuser: Refuser,
    planes: Planes,
}

/// The surroundings, rule and keys that move driven bodies in a step.
#[derive(Clone, Copy)]
pub(super) struct DriveInput<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) homes: &'a [u32],
    pub(super) layers: &'a [Layer],
    pub(super) driving: Driving,
    pub(super) keys: DriveKeys,
}

impl Driver {
    /// The driver of a scene with this number of objects.
    pub(super) fn new(scene: &Scene, count: usize) -> Self {
        let first = count - scene.placed_bodies.len();
        let bodies = (first as u32..).zip(&scene.placed_bodies);
        let driven = bodies.filter(|(_, body)| body.is_driven);
        let (objects, falls) =
            driven.map(|(object, body)| (object, f64::from(body.velocity.z))).unzip();
        Self { objects, falls, ..Self::default() }
    }

    /// Gives each driven body its velocity in the next step. A body that is further along the wanted way, or as far and lower,
    /// chooses first. The others follow it; until they have chosen, they count as resting.
    pub(super) fn drive(&mut self, bodies: &mut Bodies, step: &DriveInput<'_>) {
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
            let velocity = match step.driving.rule {
                MoveRule::Refuse(_) => match refuser.refusal(bodies, object, wanted, step) {
                    Some(refusal) => {
                        refusals.push(refusal);
                        DVec3::ZERO
                    }
                    None => wanted,
                },
                MoveRule::Slide => slide::slide(planes, bodies, object, wanted, step),
                MoveRule::Walk => slide::walk(planes, bodies, object, wanted, fall, step),
            };
            bodies.drive(object, velocity);
        }
        refusals.sort_unstable_by_key(|refusal| refusal.object);
    }

    /// Forgets the last step.
    pub(super) fn forget(&mut self) {
        self.refusals.clear();
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

    pub(super) fn store_drive(&self, state: &mut WorldState) {
        state.drive = self.drive;
        state.falls.clone_from(&self.driver.falls);
    }

    pub(super) fn restore_drive(&mut self, state: &WorldState) {
        self.drive = state.drive;
        self.driver.falls.clone_from(&state.falls);
        self.driver.forget();
    }
}
