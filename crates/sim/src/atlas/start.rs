//! The velocities and homes that each motion starts with.

use super::bodies::{Bodies, Walls};
use super::cell::Cell;
use super::kinds::{Motion, Placement};
use super::places::Places;
use super::random::{Noise, draw_index, draw_log_uniform};
use super::steps::Steps;
use crate::random::draw_vec3;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

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

/// Gives the listed bodies their velocities and homes.
pub(super) fn start(
    cell: &Cell,
    places: &Places,
    bodies: &mut Bodies,
    listed: &[u32],
    rng: &mut ChaCha8Rng,
) -> Steps {
    let (speed, axes) = (cell.speed, places.axes);
    let walls = places.walls().unwrap_or_else(|| bodies.walls(listed));
    let groups = Groups::new(walls, rng);
    let on_line = cell.placement == Placement::Line;
    let mut steps = draw_steps(cell, places, walls, rng);
    let random = |rng: &mut ChaCha8Rng| draw_vec3(rng) * speed * axes;
    let mut set = |velocity: &mut dyn FnMut(Vec3) -> Vec3| {
        for &i in listed {
            bodies.velocities[i as usize] = velocity(bodies.centers[i as usize]);
        }
    };
    match cell.motion {
        Motion::Flight | Motion::Pushes | Motion::StopAndGo => set(&mut |_| random(rng)),
        Motion::DriftingGroups => {
            set(&mut |c| groups.direction(c) * speed * axes + random(rng) * SWARMING);
        }
        Motion::Teleports => {
            set(&mut |_| if rng.random() { random(rng) * SLOW } else { Vec3::ZERO });
        }
        // Without a second axis, neighbouring groups slide against each other.
        Motion::Shear | Motion::Orbits if on_line => {
            set(&mut |c| groups.direction(c) * speed * axes);
            steps.motion = Motion::Shear;
            let half = walls.half_extent();
            steps.oscillate(draw_frequency(speed, half, rng), Vec3::X);
        }
        Motion::Shear => {
            let (middle, half) = (walls.middle(), walls.half_extent());
            let half = half.max(f32::MIN_POSITIVE);
            set(&mut |c| Vec3::X * (speed * (c.y - middle.y) / half));
            steps.oscillate(draw_frequency(speed, half, rng), Vec3::X);
        }
        Motion::Expansion => {
            let (middle, half) = (walls.middle(), walls.half_extent());
            let half = half.max(f32::MIN_POSITIVE);
            set(&mut |c| (c - middle) * (speed / half) * axes);
            steps.oscillate(draw_frequency(speed, half / 2.0, rng), 2.0 * axes);
        }
        Motion::Orbits => {
            // A sphere rotates about its axis; a vertex circles about its place.
            let one = cell.placement == Placement::Cloth || places.radius.is_some();
            start_orbits(bodies, listed, speed, places.radius, &groups, !one);
            // From a corner of a group's space to its middle.
            let beyond = if one { 0.0 } else { 0.75 * groups.side };
            steps.walls = walls.widened(Vec3::new(1.0, 1.0, 0.0) * beyond);
        }
        Motion::Fall => lift(bodies, listed, &mut steps, rng),
        Motion::Jitter => steps.walls = walls.widened(axes * speed),
        Motion::RandomWalk => {}
    }
    steps
}

/// Lifts every body to its own height, from which it falls.
fn lift(bodies: &mut Bodies, listed: &[u32], steps: &mut Steps, rng: &mut ChaCha8Rng) {
    for &i in listed {
        bodies.centers[i as usize][steps.down] += rng.random::<f32>() * steps.fall;
    }
    steps.walls.high[steps.down] += steps.fall;
}

/// The steps of a cell between walls, which its motion may still move.
fn draw_steps(cell: &Cell, places: &Places, walls: Walls, rng: &mut ChaCha8Rng) -> Steps {
    let (speed, axes) = (cell.speed, places.axes);
    let highest_fall = if cell.placement == Placement::Cloth { VERTEX_FALL } else { f32::MAX };
    Steps {
        motion: cell.motion,
        speed,
        axes,
        down: if axes.z != 0.0 { 2 } else { usize::from(axes.y != 0.0) },
        walls,
        radius: places.radius,
        frequency: 0.0,
        period: 5 + draw_index(56, rng) as u32,
        goes_first: rng.random(),
        fall: (FALL_FRAMES * speed).min(highest_fall),
        noise: Noise::new(rng),
    }
}

/// Lets the listed bodies circle: each about the axis of its group, or all about that of the origin.
fn start_orbits(
    bodies: &mut Bodies,
    listed: &[u32],
    speed: f32,
    radius: Option<f32>,
    groups: &Groups,
    own_homes: bool,
) {
    for &i in listed {
        let i = i as usize;
        let center = bodies.centers[i];
        let home = if own_homes { groups.middle(center) } else { Vec3::ZERO };
        let (x, y) = (center.x - home.x, center.y - home.y);
        let radius = radius.unwrap_or((x * x + y * y).sqrt()).max(0.5);
        let angle = (speed / radius).min(LARGEST_ANGLE);
        let sense = groups.direction(center).x.signum();
        let rotation = Vec3::new(libm::cosf(angle), libm::sinf(angle) * sense, 0.0);
        (bodies.homes[i], bodies.velocities[i]) = (home, rotation);
    }
}

/// The angular frequency of an oscillation of this highest speed whose amplitude is `amplitude` at most.
fn draw_frequency(speed: f32, amplitude: f32, rng: &mut ChaCha8Rng) -> f32 {
    let drawn = draw_log_uniform(OSCILLATION[0], OSCILLATION[1], rng) as f32;
    let tau = std::f32::consts::TAU;
    let period = drawn.min(tau * amplitude / speed.max(f32::MIN_POSITIVE));
    tau / period.max(SHORTEST_OSCILLATION)
}

/// The space divided into cubes; the objects of a cube are a group.
#[derive(Clone, Copy, Debug)]
struct Groups {
    low: Vec3,
    side: f32,
    noise: Noise,
}

impl Groups {
    fn new(walls: Walls, rng: &mut ChaCha8Rng) -> Self {
        let along = 2 + draw_index(GROUPS - 1, rng);
        let side = (2.0 * walls.half_extent() / along as f32).max(SMALLEST_GROUP);
        Self { low: walls.low, side, noise: Noise::new(rng) }
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
