//! How the objects of a cell move: the velocities and homes that each motion starts with, and a frame of each.

use super::body::{Body, bounds_of_centers, widened};
use super::cell::Cell;
use super::kinds::{Motion, Placement};
use super::places::{axes, shell_radius};
use super::random::{Noise, draw_index, draw_log_uniform, happens, index_of, vec3_of};
use super::triangles::FREEDOM;
use crate::random::draw_vec3;
use broadphase::Aabb;
use broadphase::benchmark::mix;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::f32::consts::TAU;

/// Frames of a full oscillation of shear and expansion, shortest and longest.
const OSCILLATION: [f64; 2] = [60.0, 240.0];
/// Shortest oscillation where the space is narrow, in frames.
const SHORTEST_OSCILLATION: f32 = 6.0;
/// Most groups and orbits along the longest axis of the space.
const GROUPS: usize = 8;
/// Smallest side of the space of a group, in usual sides.
const SMALLEST_GROUP: f32 = 4.0;
/// Largest angle of an orbit in a frame, in radians.
const LARGEST_ANGLE: f32 = 0.5;
/// Share of the speed with which objects of a drifting group move within it.
const SWARMING: f32 = 0.05;
/// Share of the speed at which objects move between teleports.
const SLOW: f32 = 0.1;
/// Largest height of a fall, in displacements per frame at the usual speed.
const FALL_FRAMES: f32 = 40.0;
/// Largest height of the fall of a vertex of a sheet, in usual sides.
const VERTEX_FALL: f32 = 1.5;
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

/// Gives the listed bodies their velocities and homes, and draws how they move between walls.
pub(super) fn start(
    cell: &Cell,
    bodies: &mut [Body],
    listed: &[u32],
    rng: &mut ChaCha8Rng,
) -> Steps {
    let (speed, axes) = (cell.speed, axes(cell.placement));
    let [on_line, on_sheet, on_shell] =
        [Placement::Line, Placement::Cloth, Placement::Shell].map(|one| cell.placement == one);
    let radius = on_shell.then(|| shell_radius(cell.overlaps, bodies));
    let walls = match radius {
        Some(radius) => Aabb::around_sphere(Vec3::ZERO, radius),
        None => bounds_of_centers(listed.iter().map(|&i| &bodies[i as usize])),
    };
    let groups = Groups::new(walls, rng);
    let highest_fall = if on_sheet { VERTEX_FALL } else { f32::MAX };
    let mut steps = Steps {
        motion: match cell.motion {
            // Without a second axis, neighbouring groups slide against each other.
            Motion::Orbits if on_line => Motion::Shear,
            motion => motion,
        },
        speed,
        axes,
        walls,
        radius,
        frequency: 0.0,
        period: 5 + draw_index(56, rng) as u32,
        goes_first: rng.random(),
        fall: (FALL_FRAMES * speed).min(highest_fall),
        noise: Noise::new(rng),
    };
    let middle = walls.center();
    let half = half_extent(walls).max(f32::MIN_POSITIVE);
    // A sphere rotates about its axis; a vertex circles about its place.
    let one_orbit = on_sheet || on_shell;
    let reach = match steps.motion {
        Motion::Shear => steps.oscillate(half, Vec3::X, rng),
        Motion::Expansion => steps.oscillate(half / 2.0, 2.0 * axes, rng),
        // From a corner of a group's space to its middle.
        Motion::Orbits if !one_orbit => Vec3::new(1.0, 1.0, 0.0) * (0.75 * groups.side),
        Motion::Jitter => axes * speed,
        _ => Vec3::ZERO,
    };
    steps.walls = widened(walls, reach);
    let down = steps.down();
    for &i in listed {
        let body = &mut bodies[i as usize];
        let center = body.center;
        let random = |rng: &mut ChaCha8Rng| draw_vec3(rng) * speed * axes;
        body.velocity = match steps.motion {
            Motion::Flight | Motion::Pushes | Motion::StopAndGo => random(rng),
            Motion::DriftingGroups => {
                groups.direction(center) * speed * axes + random(rng) * SWARMING
            }
            Motion::Teleports if rng.random() => random(rng) * SLOW,
            Motion::Shear if on_line => groups.direction(center) * speed * axes,
            Motion::Shear => Vec3::X * (speed * (center.y - middle.y) / half),
            Motion::Expansion => (center - middle) * (speed / half) * axes,
            Motion::Orbits => {
                body.home = if one_orbit { Vec3::ZERO } else { groups.middle(center) };
                let arm = (center - body.home).truncate();
                let radius = radius.unwrap_or(arm.length()).max(0.5);
                let angle = (speed / radius).min(LARGEST_ANGLE);
                let sense = groups.direction(center).x.signum();
                Vec3::new(libm::cosf(angle), libm::sinf(angle) * sense, 0.0)
            }
            Motion::Fall => {
                body.center[down] += rng.random::<f32>() * steps.fall;
                Vec3::ZERO
            }
            Motion::Jitter | Motion::RandomWalk | Motion::Teleports => Vec3::ZERO,
        };
    }
    if on_sheet {
        steps.walls = Aabb::new(-FREEDOM, FREEDOM);
    } else if steps.motion == Motion::Fall {
        steps.walls.max[down] += steps.fall;
    }
    steps
}

impl Steps {
    /// Oscillates at a drawn frequency, with `amplitude` at most at the highest speed. Returns how far
    /// bodies get whose amplitudes are `shares` of that of the highest speed.
    fn oscillate(&mut self, amplitude: f32, shares: Vec3, rng: &mut ChaCha8Rng) -> Vec3 {
        let drawn = draw_log_uniform(OSCILLATION[0], OSCILLATION[1], rng) as f32;
        let period = drawn.min(TAU * amplitude / self.speed.max(f32::MIN_POSITIVE));
        self.frequency = TAU / period.max(SHORTEST_OSCILLATION);
        shares * (self.speed / self.frequency)
    }

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

/// Half the largest distance of two opposite walls.
fn half_extent(walls: Aabb) -> f32 {
    (walls.size() * 0.5).max_element()
}

/// The space divided into cubes; the objects of a cube are a group.
#[derive(Clone, Copy, Debug)]
struct Groups {
    low: Vec3,
    side: f32,
    noise: Noise,
}

impl Groups {
    fn new(walls: Aabb, rng: &mut ChaCha8Rng) -> Self {
        let along = 2 + draw_index(GROUPS - 1, rng);
        let side = (2.0 * half_extent(walls) / along as f32).max(SMALLEST_GROUP);
        Self { low: walls.min, side, noise: Noise::new(rng) }
    }

    fn index(&self, point: Vec3) -> Vec3 {
        ((point - self.low) / self.side).floor()
    }

    /// The middle of the cube of a point.
    fn middle(&self, point: Vec3) -> Vec3 {
        self.low + (self.index(point) + 0.5) * self.side
    }

    /// A point of the cube of side 2 about the origin, the same for all points of a group.
    fn direction(&self, point: Vec3) -> Vec3 {
        let index = self.index(point);
        self.noise.vec3(index.x as u32, (index.y as u32) << 8 | index.z as u32)
    }
}
