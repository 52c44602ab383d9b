//! How far a driven body can move without rotation until it meets something that it cannot push.

use super::DriveInput;
use crate::world::bodies::{Bodies, MAX_WORK, Plane};
use crate::world::response::layer_of;
use glam::DVec3;
use narrowphase::{Body, Reference};

/// A body stops in front of what it meets, at most this far, in units of its bounding radius. Far above rounding, and far
/// below a pixel.
const SKIN: f64 = 1e-6;

/// A smaller share of a speed towards something is rounding.
const APPROACH: f64 = 1e-12;

/// Most times that a body is advanced to one other; then it stays there. Two or three are usual.
const MAX_ADVANCES: usize = 64;

/// The search for what stops a body. It keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Cast {
    reference: Reference,
    walls: Vec<Plane>,
    /// Obstacles and static bodies.
    fixed: Vec<usize>,
    /// Other kinematic and driven bodies.
    kinematic: Vec<usize>,
    /// Comparisons of parts so far.
    work: usize,
}

/// Where a body stops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// Seconds from the start.
    pub(super) time: f64,
    /// Unit vector to the body from what it meets, and the speed of that along it; `None` if the search ended early.
    pub(super) contact: Option<(DVec3, f64)>,
}

/// A body on its way in a step.
#[derive(Clone, Copy)]
pub(super) struct Course<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) object: usize,
    /// How far it has come since the start of the step, and in which time.
    pub(super) way: DVec3,
    pub(super) elapsed: f64,
}

impl<'a> Course<'a> {
    fn body(&self, further: DVec3) -> Body<'a> {
        let mut body = self.bodies.body(self.object);
        body.pose.position += self.way + further;
        body
    }

    pub(super) fn skin(&self) -> f64 {
        SKIN * self.bodies.body(self.object).bounding_radius()
    }
}

impl Cast {
    /// Finds what a body may meet within a distance in the next step.
    pub(super) fn gather(
        &mut self,
        bodies: &Bodies,
        object: usize,
        distance: f64,
        step: &DriveInput<'_>,
    ) {
        let body = bodies.body(object);
        let (layer, dt) = (layer_of(step.layers, object), f64::from(step.surroundings.dt));
        let reach = body.bounding_radius() * (1.0 + 2.0 * SKIN) + distance;
        self.work = 0;
        self.walls.clear();
        self.walls.extend(bodies.walls_around(
            object,
            step.surroundings,
            step.homes[object],
            reach,
        ));
        self.fixed.clear();
        let around = DVec3::splat(reach);
        let region = [body.pose.position - around, body.pose.position + around];
        bodies.fixed_around(region, layer, &mut self.fixed);
        self.kinematic.clear();
        self.kinematic.extend((0..bodies.states().len()).filter(|other| {
            let state = &bodies.states()[*other];
            let reach =
                reach + bodies.body(*other).bounding_radius() + state.velocity.length() * dt;
            *other != object
                && bodies.is_kinematic(*other)
                && layer.meets(layer_of(step.layers, *other))
                && state.position.distance(body.pose.position) <= reach
        }));
    }

    /// Whether the search took all the work that a body may take in a step.
    pub(super) fn is_spent(&self) -> bool {
        self.work >= MAX_WORK as usize
    }

    /// The first stop of a body at a velocity within `limit` seconds, of what was gathered.
    pub(super) fn first_stop(
        &mut self,
        course: &Course<'_>,
        velocity: DVec3,
        limit: f64,
    ) -> Option<Stop> {
        let mut first: Option<Stop> = None;
        let until = |first: &Option<Stop>| first.map_or(limit, |stop| stop.time);
        let (body, skin) = (course.body(DVec3::ZERO), course.skin());
        for wall in &self.walls {
            let approach = -wall.normal.dot(velocity);
            let time = (wall.gap(&body) - 0.5 * skin).max(0.0) / approach;
            if approach > APPROACH * velocity.length() && time < until(&first) {
                first = Some(Stop { time, contact: Some((wall.normal, 0.0)) });
            }
        }
        let fixed = std::mem::take(&mut self.fixed);
        for index in &fixed {
            let (other, _) = course.bodies.fixed(*index);
            let stop = self.stop_at(course, velocity, (other, DVec3::ZERO), until(&first));
            first = stop.or(first);
        }
        self.fixed = fixed;
        let kinematic = std::mem::take(&mut self.kinematic);
        for object in &kinematic {
            let other = course.bodies.body(*object);
            let speed = course.bodies.states()[*object].velocity;
            let stop = self.stop_at(course, velocity, (other, speed), until(&first));
            first = stop.or(first);
        }
        self.kinematic = kinematic;
        first
    }

    /// The stop at a body that moves at its own velocity, before `limit`: conservative advancement, exact for a pair of
    /// convex parts as soon as the right plane separates them.
    fn stop_at(
        &mut self,
        course: &Course<'_>,
        velocity: DVec3,
        (other, speed): (Body<'_>, DVec3),
        limit: f64,
    ) -> Option<Stop> {
        let (skin, relative) = (course.skin(), velocity - speed);
        let directions = course.bodies.directions();
        let mut time = 0.0;
        for _ in 0..MAX_ADVANCES {
            let own = course.body(velocity * time);
            let mut other = other;
            other.pose.position += speed * (course.elapsed + time);
            self.work += own.shape.parts().len() * other.shape.parts().len();
            if self.is_spent() {
                return Some(Stop { time: 0.0, contact: None });
            }
            let reach = relative.length() * (limit - time) + skin;
            let mut next = limit;
            for part in self.reference.near(&other, &own, reach) {
                let approach = -part.axis.dot(relative);
                if approach <= APPROACH * relative.length() {
                    continue;
                }
                if part.gap <= skin {
                    // In a flat world a body cannot give way along y.
                    let normal = (part.axis * directions).normalize_or_zero();
                    return Some(Stop { time, contact: Some((normal, speed.dot(normal))) });
                }
                next = next.min(time + (part.gap - 0.5 * skin) / approach);
            }
            if next >= limit {
                return None;
            }
            time = next;
        }
        Some(Stop { time, contact: None })
    }
}
