//! Boxes that are named by a word and a number: where they start, and how they move.

use super::body::{Body, DEVIATION, root, widened};
use super::boxes::TIME_STEP;
use super::kinds::GeneratedKind;
use crate::placing::{Placing, PlacingEnded};
use crate::random::{draw_normal, draw_vec3};
use crate::scene::DEFAULT_SEED;
use broadphase::Aabb;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::str::FromStr;

/// The space that all kinds but `terdiman` fill: the cube of side 2 about the origin.
const CUBE: Aabb = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);

/// Largest velocity along an axis, units/s.
const SPEED: f32 = 0.5;
/// The chance of a moving box of `brownian` to get a new velocity in a frame.
const TURNING: f32 = 0.1;
/// How far a box of `jitter` wobbles about its place along each axis, as a share of its side.
const WOBBLE: f32 = 0.02;

/// How many others a box overlaps on average, in the kinds of equal boxes.
const OVERLAPS: f32 = 0.5;

/// The same for the boxes of `statics`, pairs of two static ones counted too.
const STATICS_OVERLAPS: f32 = 10.0;

/// Approximate number of objects of a cluster.
const CLUSTER_OBJECTS: u32 = 500;
/// Standard deviation of a cluster along each axis.
const CLUSTER_SPREAD: f32 = 0.08;

/// Seed of the generator of `terdiman`. Fixed, since the published numbers belong to it.
const TERDIMAN_SEED: u32 = 42;
/// The space of all centres and half sides of `terdiman`.
const TERDIMAN_BOUNDS: Aabb = Aabb::new(Vec3::splat(-2048.0 - 127.0), Vec3::splat(2047.0 + 127.0));

/// Boxes of a named kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneratedSpec {
    /// Their kind.
    pub kind: GeneratedKind,
    /// Number of boxes, at least 1.
    pub objects: u32,
    /// Seed of everything random; `terdiman` has a fixed one.
    pub seed: u64,
    /// The share of the objects that moves, 0 to 1. It has no effect on `terdiman`. Objects of `statics` that
    /// do not move are static.
    pub moving: f32,
}

/// A text that names no generated boxes and no cell of the atlas.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: expected {expected}")]
pub struct BoxesNameError {
    text: String,
    expected: String,
}

impl BoxesNameError {
    pub(super) fn new(text: &str, expected: &str) -> Self {
        Self { text: text.to_owned(), expected: expected.to_owned() }
    }
}

impl FromStr for GeneratedSpec {
    type Err = BoxesNameError;

    /// Reads `NAME:N`, with [`DEFAULT_SEED`] and the [usual](GeneratedKind::usual_moving) moving share.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |expected: &str| BoxesNameError::new(text, expected);
        let Some((name, number)) = text.split_once(':') else {
            return Err(error("NAME:N, for example gas:1000, or atlas:SEED:NUMBER"));
        };
        let Some(&kind) = GeneratedKind::ALL.iter().find(|kind| kind.name() == name) else {
            let names: Vec<&str> = GeneratedKind::ALL.iter().map(|kind| kind.name()).collect();
            return Err(error(&format!(
                "one of {} before the colon, or atlas:SEED:NUMBER",
                names.join(", ")
            )));
        };
        let objects = number.parse().ok().filter(|&n| n > 0).ok_or_else(|| {
            error(&format!("a number of objects after the colon, 1 to {}", u32::MAX))
        })?;
        Ok(Self { kind, objects, seed: DEFAULT_SEED, moving: kind.usual_moving() })
    }
}

impl GeneratedKind {
    /// The share of the objects that moves by default.
    pub fn usual_moving(self) -> f32 {
        if self == Self::Statics { 0.1 } else { 1.0 }
    }
}

impl GeneratedSpec {
    /// The name in tables: the kind's, and the moving share unless it is the usual one.
    pub fn name(&self) -> String {
        let kind = self.kind.name();
        if self.moves() && self.moving != self.kind.usual_moving() {
            format!("{kind} --moving {}", self.moving)
        } else {
            kind.to_owned()
        }
    }

    /// The seed that the boxes come from.
    pub fn used_seed(&self) -> u64 {
        if self.moves() { self.seed } else { u64::from(TERDIMAN_SEED) }
    }

    /// Whether anything of the kind can move.
    pub fn moves(&self) -> bool {
        self.kind != GeneratedKind::Terdiman
    }

    /// The space that fixed trees divide.
    pub fn bounds(&self) -> Aabb {
        if self.moves() { CUBE } else { TERDIMAN_BOUNDS }
    }
}

/// The motion of a named kind.
#[derive(Clone, Debug)]
pub(super) struct NamedMotion {
    pub(super) kind: GeneratedKind,
    pub(super) rng: ChaCha8Rng,
}

impl NamedMotion {
    /// Moves the listed bodies on by a frame.
    pub(super) fn step(&mut self, bodies: &mut [Body], listed: &[u32]) {
        let Self { kind, rng } = self;
        for &i in listed {
            let body = &mut bodies[i as usize];
            let walls = widened(CUBE, -body.half);
            if *kind == GeneratedKind::Jitter {
                let away = draw_vec3(rng) * body.half * (2.0 * WOBBLE);
                body.center = (body.home + away).clamp(walls.min, walls.max);
                continue;
            }
            if *kind == GeneratedKind::Brownian && rng.random::<f32>() < TURNING {
                body.velocity = draw_velocity(rng) * TIME_STEP;
            }
            body.fly(walls);
        }
    }
}

/// A velocity uniform in the cube of ± [`SPEED`], in units/s.
fn draw_velocity(rng: &mut ChaCha8Rng) -> Vec3 {
    draw_vec3(rng) * SPEED
}

/// Bodies at their start, with the velocities that they have if they move, in units/s.
pub(super) type Placed = Result<Vec<Body>, PlacingEnded>;

/// `n` boxes of a kind.
pub(super) fn bodies(
    kind: GeneratedKind,
    n: u32,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Placed {
    let (flat, upright) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 1.0));
    let mut equal = |overlaps, axes, thick| equal(n, overlaps, axes, thick, rng, placing);
    match kind {
        GeneratedKind::Cluster => clusters(n, rng, placing),
        GeneratedKind::Stadium => stadium(n, rng, placing),
        GeneratedKind::Terdiman => terdiman(n, placing),
        GeneratedKind::Plane => equal(OVERLAPS, flat, flat),
        GeneratedKind::Line => equal(OVERLAPS, Vec3::X, Vec3::X),
        GeneratedKind::SameX => equal(OVERLAPS, upright, Vec3::ONE),
        GeneratedKind::Statics => equal(STATICS_OVERLAPS, Vec3::ONE, Vec3::ONE),
        GeneratedKind::Gas | GeneratedKind::Brownian | GeneratedKind::Jitter => {
            equal(OVERLAPS, Vec3::ONE, Vec3::ONE)
        }
    }
}

/// Equal boxes uniform in the cube, each of which overlaps `overlaps` others on average. `axes` is 1 on the
/// axes along which they are spread and move, `thick` on those on which they have a thickness; else 0.
fn equal(
    n: u32,
    overlaps: f32,
    axes: Vec3,
    thick: Vec3,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Placed {
    let half = equal_half(n, overlaps, axes.element_sum() as u32);
    let place = |_| Body::at_rest(draw_vec3(rng) * (1.0 - half) * axes, thick * half);
    let mut bodies = place_each(n, placing, place)?;
    for body in &mut bodies {
        placing.reached(n as usize)?;
        body.velocity = draw_velocity(rng) * axes;
    }
    Ok(bodies)
}

/// Places `n` bodies one after the other.
fn place_each(n: u32, placing: &mut Placing<'_>, mut place: impl FnMut(u32) -> Body) -> Placed {
    let place = |id| {
        placing.reached(id as usize)?;
        Ok(place(id))
    };
    (0..n).map(place).collect()
}

/// The half side with which each of `n` equal boxes overlaps `overlaps` others on average.
///
/// For two centres uniform in an interval of length L = 2 - 2h, let u = 2h / L. They lie within 2h of each
/// other with the chance 2u - u². Over all axes that chance is to be overlaps / (n - 1).
fn equal_half(n: u32, overlaps: f32, axes: u32) -> f32 {
    let chance = (overlaps / n.saturating_sub(1).max(1) as f32).min(1.0);
    let u = 1.0 - (1.0 - root(chance.into(), axes) as f32).sqrt();
    u / (1.0 + u)
}

fn clusters(n: u32, rng: &mut ChaCha8Rng, placing: &mut Placing<'_>) -> Placed {
    let count = n.div_ceil(CLUSTER_OBJECTS);
    let centers: Vec<Vec3> = (0..count).map(|_| draw_vec3(rng) * 0.7).collect();
    let drifts: Vec<Vec3> = (0..count).map(|_| draw_velocity(rng)).collect();
    let per_cluster = (n / count).max(1) as f32;
    // Two points of a Gaussian lie within 2h of each other along an axis with the chance
    // 2h / (spread √π), for a small h: two overlaps for a box of the middle size.
    let middle = CLUSTER_SPREAD * 0.886 * libm::cbrtf(2.0 / per_cluster).min(1.0);
    place_each(n, placing, |id| {
        let cluster = (id % count) as usize;
        let half = (middle * libm::expf(DEVIATION * draw_normal(rng))).min(0.5);
        let offset = Vec3::from(std::array::from_fn(|_| draw_normal(rng))) * CLUSTER_SPREAD;
        let limit = Vec3::splat(1.0 - half);
        let center = (centers[cluster] + offset).clamp(-limit, limit);
        // The cluster moves on as a whole; its boxes swarm slowly in it.
        let velocity = drifts[cluster] + draw_velocity(rng) * 0.05;
        Body { velocity, ..Body::at_rest(center, Vec3::splat(half)) }
    })
}

fn stadium(n: u32, rng: &mut ChaCha8Rng, placing: &mut Placing<'_>) -> Placed {
    let large = (n / 10).min(10);
    let tiny = equal_half(n, OVERLAPS, 3) / 2.0;
    place_each(n, placing, |id| {
        let (half, speed) = match id {
            0 => (1.0, 0.0),
            _ if id <= large => (0.2, 0.0),
            _ => (tiny, 1.0),
        };
        let body = Body::at_rest(draw_vec3(rng) * (1.0 - half), Vec3::splat(half));
        Body { velocity: draw_velocity(rng) * speed, ..body }
    })
}

/// The public golden case of P. Terdiman's box pruning, of which the numbers of pairs are published.
fn terdiman(n: u32, placing: &mut Placing<'_>) -> Placed {
    let mut state = TERDIMAN_SEED;
    // Integers below 2^24 are exact.
    let mut draw = |mask: u32| {
        Vec3::from(std::array::from_fn(|_| {
            // The generator of the C library that it was written with.
            state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
            ((state >> 16) & 0x7fff & mask) as f32
        }))
    };
    place_each(n, placing, |_| Body::at_rest(draw(4095) - 2048.0, draw(127)))
}
