//! One step of one sphere: forces, then its path with every bounce.

use super::bounce::{bounce, damping};
use super::contact::{Contact, Sweep};
use super::elements::Elements;
use super::forces::{Forces, Hold};
use super::homes::FREE;
use crate::scene::Source;
use broadphase::Aabb;
use glam::Vec3;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Most bounces of a sphere in one step; then it waits until the next step. It is wedged between
/// walls nearer to each other than its diameter, or crosses its container more often than this in a
/// step.
pub(super) const MAX_BOUNCES: usize = 16;

/// Everything that acts on a sphere in a step, other spheres aside.
pub(super) struct Surroundings<'a> {
    pub(super) forces: Forces,
    pub(super) elements: &'a Elements,
    /// The source that holds every sphere, if there is one.
    pub(super) strict: Option<&'a Source>,
    pub(super) dt: f32,
    /// Seconds of the world when the step begins.
    pub(super) start: f64,
    /// Spheres and driven bodies that waited so far.
    pub(super) waiting: AtomicU32,
    /// Ends the step when it is set.
    pub(super) stop: &'a AtomicBool,
}

impl<'a> Surroundings<'a> {
    /// Surroundings of a step that begins at `start`.
    pub(super) fn new(
        elements: &'a Elements,
        hold: Hold,
        start: f64,
        stop: &'a AtomicBool,
    ) -> Self {
        let scene = elements.scene();
        Self {
            forces: Forces::new(scene, hold),
            elements,
            strict: scene.sources.first().filter(|_| scene.strict),
            dt: scene.dt,
            start,
            waiting: AtomicU32::new(0),
            stop,
        }
    }

    /// Whether the step is no longer wanted.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Moves a sphere by one step.
    pub(super) fn advance(
        &self,
        position: &mut Vec3,
        velocity: &mut Vec3,
        home: &mut u32,
        radius: f32,
    ) {
        let source = self.elements.source(*home);
        let dt = f64::from(self.dt);
        let center = position.as_dvec3();
        let acceleration = self.forces.acceleration(center);
        let mut sweep = Sweep {
            position: center,
            velocity: velocity.as_dvec3() + acceleration * dt,
            radius: f64::from(radius),
            duration: dt,
        };
        let (mut bounces, mut gained) = (0, 0.0);
        loop {
            let Some(contact) = self.first_contact(&sweep, source) else {
                sweep.position = sweep.at(sweep.duration);
                break;
            };
            sweep.position = sweep.at(contact.time);
            sweep.duration -= contact.time;
            let ahead = acceleration.dot(contact.normal) * (0.5 * dt - sweep.duration);
            let bounce = bounce(sweep.velocity.dot(contact.normal), ahead, 1.0);
            sweep.velocity += contact.normal * bounce.change;
            gained += bounce.gain;
            bounces += 1;
            if bounces == MAX_BOUNCES {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                // No force acts on a sphere that waits: in a gap it would grow ever faster.
                sweep.velocity -= acceleration * sweep.duration;
                break;
            }
        }
        if gained > 0.0 {
            let own = 0.5 * sweep.velocity.length_squared();
            let shared = sweep.velocity.dot(acceleration) * (0.5 * dt);
            sweep.velocity *= damping(own, shared, gained);
        }
        *position = sweep.position.as_vec3();
        *velocity = sweep.velocity.as_vec3();
        if source.is_some_and(|source| !source.floor && position.z < source.corner.z) {
            // The sphere fell out of the open bottom.
            *home = FREE;
        }
    }

    fn first_contact(&self, sweep: &Sweep, source: Option<&Source>) -> Option<Contact> {
        let mut first = None;
        for container in source.into_iter().chain(self.strict) {
            let contact = sweep.container(&container.bounds(), container.floor);
            first = Sweep::earlier(first, contact);
        }
        let (start, end) = (sweep.position.as_vec3(), sweep.at(sweep.duration).as_vec3());
        // A little more than the radius: the ends were rounded.
        let reach = sweep.radius as f32 * 1.001;
        let path = Aabb::new(start.min(end) - reach, start.max(end) + reach);
        self.elements.for_each_obstacle_near(&path, |obstacle| {
            let contact = sweep.rectangle(&obstacle.bounds(), obstacle.normal.index());
            first = Sweep::earlier(first, contact);
        });
        first
    }
}
