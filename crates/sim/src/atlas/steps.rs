//! One frame of each motion.

use super::body::Body;
use super::kinds::Motion;
use super::random::{Noise, happens, index_of, vec3_of};
use broadphase::Aabb;
use broadphase::benchmark::mix;
use glam::Vec3;

/// Share of a velocity that friction leaves in each frame of random pushes.
const KEPT: f32 = 0.95;
/// The size of a push, as a share of the speed: sqrt(1 - KEPT²) keeps the mean speed.
const PUSH: f32 = 0.312;
/// Acceleration of a fall, as a share of the speed.
const GRAVITY: f32 = 0.1;
/// Highest velocity of a fall, in speeds.
const TERMINAL: f32 = 2.0;
/// Chance of a landed object to be dropped again in a frame.
const DROPPED: f64 = 0.01;
/// Chance of an object to jump in a frame of teleports.
const JUMPS: f64 = 0.005;
/// How far from another object a displaced object appears, in usual sides on each axis.
const LANDING: f32 = 3.0;

/// The state of a motion, apart from the bodies.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) motion: Motion,
    /// Usual displacement in a frame.
    pub(super) speed: f32,
    /// 0 on each axis along which nothing moves.
    pub(super) axes: Vec3,
    /// The space in which centres stay.
    pub(super) walls: Aabb,
    /// The radius of the sphere about the origin on which objects stay.
    pub(super) radius: Option<f32>,
    /// Angular frequency of an oscillation, per frame.
    pub(super) frequency: f32,
    /// Frames between stopping and starting.
    pub(super) period: u32,
    /// Whether stop and go begins with motion.
    pub(super) goes_first: bool,
    /// Largest height of a fall.
    pub(super) fall: f32,
    pub(super) noise: Noise,
}

impl Steps {
    /// The axis along which objects fall.
    pub(super) fn down(&self) -> usize {
        if self.axes.z != 0.0 { 2 } else { usize::from(self.axes.y != 0.0) }
    }

    /// Whether nothing moves in this frame because all have stopped.
    pub(super) fn all_rest(&self, frame: u32) -> bool {
        let odd = (frame.saturating_sub(1) / self.period) % 2 == 1;
        self.motion == Motion::StopAndGo && odd == self.goes_first
    }

    /// Moves the listed bodies from the frame before to this one.
    pub(super) fn step(&self, bodies: &mut [Body], listed: &[u32], frame: u32) {
        let scale = self.axes * self.speed;
        let push = self.axes * (self.speed * PUSH);
        // The middle of the frame: the sum of the steps of a period is 0.
        let phase = (frame as f32 - 0.5) * self.frequency;
        let (cos, sin) = (libm::cosf(phase), libm::sinf(phase));
        for &i in listed {
            let random = || self.noise.vec3(frame, i);
            let body = &mut bodies[i as usize];
            match self.motion {
                Motion::Flight | Motion::DriftingGroups | Motion::StopAndGo => self.fly(body),
                Motion::Pushes => {
                    body.velocity = body.velocity * KEPT + random() * push;
                    self.fly(body);
                }
                Motion::RandomWalk => {
                    body.velocity = random() * scale;
                    self.fly(body);
                }
                Motion::Jitter => body.center = self.clamp(body.home + random() * scale),
                Motion::Shear => body.center = self.clamp(body.center + body.velocity * cos),
                Motion::Expansion => body.center = self.clamp(body.center + body.velocity * sin),
                Motion::Orbits => {
                    let (rotation, arm) = (body.velocity, body.center - body.home);
                    body.center.x = body.home.x + (arm.x * rotation.x - arm.y * rotation.y);
                    body.center.y = body.home.y + (arm.x * rotation.y + arm.y * rotation.x);
                    // Only a displaced orbit reaches the walls.
                    body.center = self.clamp(body.center);
                }
                Motion::Fall => self.fall(body, || self.noise.bits(frame, i)),
                Motion::Teleports => {
                    let bits = self.noise.bits(frame, i);
                    let jumps = happens(bits, JUMPS);
                    if jumps {
                        self.displace(bodies, i as usize, listed, bits);
                    }
                    let body = &mut bodies[i as usize];
                    if jumps || body.velocity != Vec3::ZERO {
                        self.fly(body);
                    }
                }
            }
        }
    }

    fn clamp(&self, point: Vec3) -> Vec3 {
        point.clamp(self.walls.min, self.walls.max)
    }

    fn fly(&self, body: &mut Body) {
        let Some(radius) = self.radius else { return body.fly(self.walls) };
        // On a great circle: back to the sphere, and along it as fast as before.
        let velocity = body.velocity;
        let ahead = body.center + velocity;
        let length = ahead.length();
        if length > 0.0 {
            let up = ahead / length;
            let along = velocity - up * velocity.dot(up);
            let squared = along.length_squared();
            if squared > 0.0 {
                body.velocity = along * (velocity.length_squared() / squared).sqrt();
            }
            body.center = up * radius;
        }
    }

    fn fall(&self, body: &mut Body, bits: impl Fn() -> u64) {
        let down = self.down();
        let home = body.home[down];
        let (center, velocity) = (&mut body.center[down], &mut body.velocity[down]);
        if *center > home {
            *velocity = (*velocity + GRAVITY * self.speed).min(TERMINAL * self.speed);
            *center = (*center - *velocity).max(home);
            return;
        }
        let bits = bits();
        if happens(bits, DROPPED) {
            let height = (bits >> 40) as f32 / (1 << 24) as f32 * self.fall;
            (*center, *velocity) = ((home + height).min(self.walls.max[down]), 0.0);
        }
    }

    /// Moves a body next to one of `others`, both drawn from random bits; it takes over that body's
    /// motion.
    pub(super) fn displace(&self, bodies: &mut [Body], body: usize, others: &[u32], bits: u64) {
        let other = bodies[others[index_of(bits, others.len())] as usize];
        let home = self.clamp(other.home + vec3_of(mix(bits)) * LANDING * self.axes);
        let center = self.clamp(other.center + (home - other.home));
        bodies[body] = Body { center, home, half: bodies[body].half, velocity: other.velocity };
    }
}
