//! Boxes that are named by a word and a number, and how they move.

use super::body::{Body, widened};
use super::boxes::TIME_STEP;
use super::kinds::GeneratedKind;
use super::terdiman;
use crate::random::draw_vec3;
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
        if self.moves() { self.seed } else { u64::from(terdiman::PUBLISHED_SEED) }
    }

    /// Whether anything of the kind can move.
    pub fn moves(&self) -> bool {
        self.kind != GeneratedKind::Terdiman
    }

    /// The space that fixed trees divide.
    pub fn bounds(&self) -> Aabb {
        if self.moves() { CUBE } else { terdiman::BOUNDS }
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
pub(super) fn draw_velocity(rng: &mut ChaCha8Rng) -> Vec3 {
    draw_vec3(rng) * SPEED
}
