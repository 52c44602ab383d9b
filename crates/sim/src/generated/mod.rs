//! Generated boxes: inputs that are named by a word and a number.
//!
//! Seeded and exactly repeatable on every machine: ChaCha8, additions, multiplications and square
//! roots, and what else is needed from `libm`.

mod bodies;
mod layout;
mod terdiman;

use bodies::Bodies;
use broadphase::{Aabb, Layer};
use glam::Vec3;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::str::FromStr;

/// Simulated seconds from frame to frame.
pub const TIME_STEP: f32 = 1.0 / 60.0;

/// The stream of random numbers that tells which boxes move.
const MOVERS: u64 = 1;

/// The space that all kinds but `terdiman` fill: the cube of side 2 about the origin.
const CUBE: Aabb = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);

/// What the boxes are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratedKind {
    /// Equal cubes that fly through the cube in straight lines; walls reflect.
    Gas,
    /// Gaussian clusters that drift, of boxes with log-normal sizes: 95 % within a ratio of 10 to 1.
    Cluster,
    /// Equal cubes, of which a tenth gets a new velocity in each frame.
    Brownian,
    /// Equal cubes, each of which is thrown anew about its place in every frame, by at most 2 % of its
    /// side along each axis.
    Jitter,
    /// Flat squares, all in the plane z = 0.
    Plane,
    /// Segments on the x axis.
    Line,
    /// Equal cubes that all have the same x.
    SameX,
    /// One huge box that stands around all others, up to ten large ones that stand, and tiny ones
    /// that move.
    Stadium,
    /// The public golden case: 11,811 pairs of 10,000 boxes, 1,144,045 of 100,000. It stands still,
    /// and has a seed of its own.
    Terdiman,
    /// Equal cubes that overlap about ten others each. A tenth of them flies through the cube; the
    /// others are static, and no two of those make a pair.
    Statics,
}

impl GeneratedKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Gas,
        Self::Cluster,
        Self::Brownian,
        Self::Jitter,
        Self::Plane,
        Self::Line,
        Self::SameX,
        Self::Stadium,
        Self::Terdiman,
        Self::Statics,
    ];

    /// Its name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gas => "gas",
            Self::Cluster => "cluster",
            Self::Brownian => "brownian",
            Self::Jitter => "jitter",
            Self::Plane => "plane",
            Self::Line => "line",
            Self::SameX => "same-x",
            Self::Stadium => "stadium",
            Self::Terdiman => "terdiman",
            Self::Statics => "statics",
        }
    }

    /// Which share of the objects moves unless told otherwise.
    pub fn usual_moving(self) -> f32 {
        if self == Self::Statics { 0.1 } else { 1.0 }
    }
}

/// Which boxes are generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneratedSpec {
    /// What they are like.
    pub kind: GeneratedKind,
    /// How many, at least 1.
    pub objects: u32,
    /// Seed of all that is random; `terdiman` keeps its own.
    pub seed: u64,
    /// Which share of the objects moves at all, 0 to 1. Where nothing moves anyway it has no effect;
    /// of `statics`, what does not move is static.
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

    /// Reads `NAME:N`; the seed is 1739, and all objects move, of `statics` a tenth.
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
        let (seed, moving) = (crate::Scene::default().seed, kind.usual_moving());
        Ok(Self { kind, objects, seed, moving })
    }
}

impl GeneratedSpec {
    /// What stands in tables: the kind's name, and the moving share unless it is the usual one.
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
            GeneratedKind::Terdiman => u64::from(terdiman::SEED),
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

    /// About how many pairs there are at the start.
    pub fn expected_pairs(&self) -> f64 {
        let n = f64::from(self.objects);
        match self.kind {
            GeneratedKind::Terdiman => terdiman::PAIRS_PER_SQUARE * n * n,
            GeneratedKind::Cluster => layout::CLUSTER_OVERLAPS * n,
            GeneratedKind::Stadium => 1.2 * n,
            GeneratedKind::Statics => {
                let still = 1.0 - f64::from(self.moving);
                f64::from(layout::STATICS_OVERLAPS) / 2.0 * n * (1.0 - still * still)
            }
            _ => f64::from(layout::OVERLAPS) / 2.0 * n,
        }
    }
}

/// Generated boxes in motion.
#[derive(Clone, Debug)]
pub struct GeneratedBoxes {
    bodies: Bodies,
    layers: Vec<Layer>,
    rng: ChaCha8Rng,
    begun: bool,
}

impl GeneratedBoxes {
    /// Boxes at their start.
    pub fn new(spec: &GeneratedSpec) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(spec.used_seed());
        let mut bodies = match spec.kind {
            GeneratedKind::Terdiman => terdiman::bodies(spec.objects),
            _ => layout::bodies(spec, &mut rng),
        };
        // Drawn apart, so that the same boxes start whatever share of them moves.
        let mut movers = ChaCha8Rng::seed_from_u64(spec.used_seed());
        movers.set_stream(MOVERS);
        bodies.stop_all_but(spec.moving, &mut movers);
        let layers = match spec.kind {
            GeneratedKind::Statics => bodies.layers(),
            _ => Vec::new(),
        };
        Self { bodies, layers, rng, begun: false }
    }

    /// Layers, index = object, the same in all frames; empty where every box meets every other.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Fills `boxes` with those of the next frame, index = object. The first frame is the start.
    pub fn next_frame(&mut self, boxes: &mut Vec<Aabb>) {
        if self.begun {
            self.bodies.step(TIME_STEP, &mut self.rng);
        }
        self.begun = true;
        self.bodies.boxes(boxes);
    }
}
