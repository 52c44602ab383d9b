//! One frame of each motion.

use super::bodies::{Bodies, Walls};
use super::kinds::Motion;
use super::random::{Noise, happens, limit_of};
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

/// The state of a motion, apart from the bodies.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) motion: Motion,
    /// Usual displacement in a frame.
    pub(super) speed: f32,
    /// 0 on each axis along which nothing moves.
    pub(super) axes: Vec3,
    /// The axis along which objects fall.
    pub(super) down: usize,
    pub(super) walls: Walls,
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
    /// Oscillates at a frequency; the walls leave room for `reach` amplitudes.
    pub(super) fn oscillate(&mut self, frequency: f32, reach: Vec3) {
        self.frequency = frequency;
        self.walls = self.walls.widened(reach * (self.speed / frequency));
    }

    /// Whether nothing moves in this frame because all have stopped.
    pub(super) fn all_rest(&self, frame: u32) -> bool {
        let odd = (frame.saturating_sub(1) / self.period) % 2 == 1;
        self.motion == Motion::StopAndGo && odd == self.goes_first
    }

    /// Moves the listed bodies from the frame before to this one.
    pub(super) fn step(&self, bodies: &mut Bodies, listed: &[u32], frame: u32) {
        match self.motion {
            Motion::Flight | Motion::DriftingGroups | Motion::StopAndGo => {
                for &i in listed {
                    self.fly(bodies, i as usize);
                }
            }
            Motion::Pushes => {
                let push = self.axes * (self.speed * PUSH);
                for &i in listed {
                    let velocity = &mut bodies.velocities[i as usize];
                    *velocity = *velocity * KEPT + self.noise.vec3(frame, i) * push;
                    self.fly(bodies, i as usize);
                }
            }
            Motion::RandomWalk => {
                let scale = self.axes * self.speed;
                for &i in listed {
                    bodies.velocities[i as usize] = self.noise.vec3(frame, i) * scale;
                    self.fly(bodies, i as usize);
                }
            }
            Motion::Jitter => {
                let scale = self.axes * self.speed;
                for &i in listed {
                    let home = bodies.homes[i as usize];
                    bodies.centers[i as usize] =
                        self.walls.clamp(home + self.noise.vec3(frame, i) * scale);
                }
            }
            Motion::Shear => self.swing(bodies, listed, libm::cosf(self.phase(frame))),
            Motion::Expansion => self.swing(bodies, listed, libm::sinf(self.phase(frame))),
            Motion::Orbits => {
                for &i in listed {
                    let rotation = bodies.velocities[i as usize];
                    let home = bodies.homes[i as usize];
                    let center = &mut bodies.centers[i as usize];
                    let (x, y) = (center.x - home.x, center.y - home.y);
                    center.x = home.x + (x * rotation.x - y * rotation.y);
                    center.y = home.y + (x * rotation.y + y * rotation.x);
                    // Only a displaced orbit reaches the walls.
                    *center = self.walls.clamp(*center);
                }
            }
            Motion::Fall => self.fall(bodies, listed, frame),
            Motion::Teleports => self.teleport(bodies, listed, frame),
        }
    }

    /// The middle of the frame, as an angle: the sum of the steps of a period is 0.
    fn phase(&self, frame: u32) -> f32 {
        (frame as f32 - 0.5) * self.frequency
    }

    fn fly(&self, bodies: &mut Bodies, i: usize) {
        let (center, velocity) = (&mut bodies.centers[i], &mut bodies.velocities[i]);
        let Some(radius) = self.radius else { return self.walls.fly(center, velocity) };
        // On a great circle: back to the sphere, and along it as fast as before.
        let ahead = *center + *velocity;
        let length = ahead.length();
        if length > 0.0 {
            let up = ahead / length;
            let along = *velocity - up * velocity.dot(up);
            let squared = along.length_squared();
            if squared > 0.0 {
                *velocity = along * (velocity.length_squared() / squared).sqrt();
            }
            *center = up * radius;
        }
    }

    fn swing(&self, bodies: &mut Bodies, listed: &[u32], share: f32) {
        for &i in listed {
            let velocity = bodies.velocities[i as usize];
            let center = &mut bodies.centers[i as usize];
            *center = self.walls.clamp(*center + velocity * share);
        }
    }

    fn fall(&self, bodies: &mut Bodies, listed: &[u32], frame: u32) {
        let dropped = limit_of(DROPPED);
        for &i in listed {
            let (down, home) = (self.down, bodies.homes[i as usize]);
            let center = &mut bodies.centers[i as usize][down];
            let velocity = &mut bodies.velocities[i as usize][down];
            if *center > home[down] {
                *velocity = (*velocity + GRAVITY * self.speed).min(TERMINAL * self.speed);
                *center = (*center - *velocity).max(home[down]);
                continue;
            }
            let bits = self.noise.bits(frame, i);
            if happens(bits, dropped) {
                let height = (bits >> 40) as f32 / (1 << 24) as f32 * self.fall;
                (*center, *velocity) = ((home[down] + height).min(self.walls.high[down]), 0.0);
            }
        }
    }

    fn teleport(&self, bodies: &mut Bodies, listed: &[u32], frame: u32) {
        let jumps = limit_of(JUMPS);
        for &i in listed {
            let bits = self.noise.bits(frame, i);
            if happens(bits, jumps) {
                bodies.displace(i as usize, listed, self.axes, self.walls, bits);
            } else if bodies.velocities[i as usize] == Vec3::ZERO {
                continue;
            }
            self.fly(bodies, i as usize);
        }
    }
}
