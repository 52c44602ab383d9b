//! The velocities and homes that each motion starts with.

use super::body::{Body, bounds_of_centers, widened};
use super::cell::Cell;
use super::kinds::{Motion, Placement};
use super::places::{axes, shell_radius};
use super::random::{Noise, draw_index, draw_log_uniform};
use super::sheet::FREEDOM;
use super::steps::Steps;
use crate::random::draw_vec3;
use broadphase::Aabb;
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
