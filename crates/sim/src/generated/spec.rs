//! Which boxes are generated: kind, number, seed, moving share.

use super::kind::GeneratedKind;
use super::terdiman;
use crate::scene::DEFAULT_SEED;
use broadphase::Aabb;
use glam::Vec3;
use std::str::FromStr;

/// The space that all kinds but `terdiman` fill: the cube of side 2 about the origin.
const CUBE: Aabb = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);

/// Which boxes are generated.
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

/// A text that names no generated boxes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: expected {expected}")]
pub struct GeneratedSpecError {
    text: String,
    expected: String,
}

impl FromStr for GeneratedSpec {
    type Err = GeneratedSpecError;

    /// Reads `NAME:N`, with [`DEFAULT_SEED`] and the [usual](GeneratedKind::usual_moving) moving share.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |expected: String| GeneratedSpecError { text: text.to_owned(), expected };
        let Some((name, number)) = text.split_once(':') else {
            return Err(error("NAME:N, for example gas:1000".to_owned()));
        };
        let names = GeneratedKind::ALL.map(GeneratedKind::name).join(", ");
        let kind = GeneratedKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| error(format!("one of {names} before the colon")))?;
        let objects = number.parse().ok().filter(|&n| n > 0).ok_or_else(|| {
            error(format!("a number of objects after the colon, 1 to {}", u32::MAX))
        })?;
        let (seed, moving) = (DEFAULT_SEED, kind.usual_moving());
        Ok(Self { kind, objects, seed, moving })
    }
}

impl GeneratedSpec {
    /// The name in tables: the kind's, and the moving share unless it is the usual one.
    pub fn name(&self) -> String {
        let kind = self.kind.name();
        match self.moves() {
            true if self.moving != self.kind.usual_moving() => {
                format!("{kind} --moving {}", self.moving)
            }
            _ => kind.to_owned(),
        }
    }

    /// The seed that the boxes come from.
    pub fn used_seed(&self) -> u64 {
        match self.kind {
            GeneratedKind::Terdiman => u64::from(terdiman::PUBLISHED_SEED),
            _ => self.seed,
        }
    }

    /// Whether anything of the kind can move.
    pub fn moves(&self) -> bool {
        self.kind != GeneratedKind::Terdiman
    }

    /// The space that fixed trees divide.
    pub fn bounds(&self) -> Aabb {
        if self.kind == GeneratedKind::Terdiman { terdiman::BOUNDS } else { CUBE }
    }
}
