//! A case of the stages: a scene with bodies, or random pairs.

use super::pair_motion::PairMotion;
use super::plan::StagePlan;
use super::random_pairs::RandomPairs;
use crate::input::{Case, InputError, hash};
use crate::play::{brute_force_tests, reference};
use crate::rows::{Checksum, Labels};
use broadphase::registry::Algorithm;
use narrowphase::BoxKind;

/// A case of the stages.
#[derive(Clone, Debug)]
pub enum StageCase {
    /// A scene with bodies in motion.
    World(Case),
    /// Random pairs.
    Pairs {
        /// The pairs.
        pairs: Box<RandomPairs>,
        /// Frames before those that count.
        warmup: u32,
        /// Frames that count.
        frames: u32,
    },
}

impl StageCase {
    /// The input as the user named it.
    pub fn input(&self) -> String {
        match self {
            Self::World(case) => case.input.clone(),
            Self::Pairs { pairs, .. } => pairs.name(),
        }
    }

    /// Number of bodies, or of random pairs.
    pub fn n(&self) -> usize {
        match self {
            Self::World(case) => case.n,
            Self::Pairs { pairs, .. } => pairs.count(),
        }
    }

    /// The seed of what moves.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Self::World(case) => case.seed,
            Self::Pairs { pairs, .. } => Some(pairs.seed()),
        }
    }

    /// Frames that warm up, and frames that count.
    pub fn frames(&self) -> [u32; 2] {
        match self {
            Self::World(case) => [case.warmup, case.frames],
            Self::Pairs { warmup, frames, .. } => [*warmup, *frames],
        }
    }

    /// Whether there are bodies: spheres have no stages.
    pub fn has_bodies(&self) -> bool {
        match self {
            Self::World(case) => case.has_bodies(),
            Self::Pairs { .. } => true,
        }
    }

    /// Whether bodies collide within steps, so that they have times of impact.
    pub fn has_impacts(&self) -> bool {
        match self {
            Self::World(case) => !case.continuous().is_empty(),
            Self::Pairs { pairs, .. } => pairs.motion().is_some(),
        }
    }

    /// Which moving objects of a world collide continuously; empty for none.
    pub(super) fn continuous(&self) -> &'static str {
        match self {
            Self::World(case) => case.continuous(),
            Self::Pairs { .. } => "",
        }
    }

    /// How random pairs move.
    pub(super) fn motion(&self) -> Option<PairMotion> {
        match self {
            Self::World(_) => None,
            Self::Pairs { pairs, .. } => pairs.motion(),
        }
    }

    /// Whether the candidates are overlaps of boxes.
    pub(super) fn has_boxes(&self) -> bool {
        matches!(self, Self::World(_))
    }

    /// The kinds of boxes of a plan; of random pairs one that stands for none.
    pub(super) fn box_kinds<'a>(&self, plan: &StagePlan<'a>) -> &'a [BoxKind] {
        if self.has_boxes() { plan.box_kinds } else { &[BoxKind::Tight] }
    }

    /// Tests of brute force on the boxes of all frames.
    pub(super) fn brute_force_tests(&self, kinds: usize) -> u64 {
        match self {
            Self::World(case) => {
                brute_force_tests(case.n, u64::from(case.total_frames()) * kinds as u64)
            }
            Self::Pairs { .. } => 0,
        }
    }

    /// A hash of the content, by which a resumed run recognises it.
    ///
    /// # Errors
    ///
    /// As [`Case::content_hash`].
    pub fn content_hash(&self) -> Result<Checksum, InputError> {
        let of_pairs = |pairs| hash(format!("{pairs:?}").as_bytes());
        Ok(Checksum(match self {
            Self::World(case) => case.content_hash()?,
            Self::Pairs { pairs, .. } => of_pairs(pairs),
        }))
    }

    /// The labels of its rows. `finder` finds the candidates of a world.
    pub fn labels(&self, finder: &Algorithm, run_id: &str, threads: u32) -> Labels {
        let algorithm = match self {
            Self::World(_) => finder.id.to_owned(),
            Self::Pairs { .. } => String::new(),
        };
        let (input, n, seed) = (self.input(), self.n() as u64, self.seed());
        Labels { run_id: run_id.to_owned(), input, n, seed, algorithm, threads }
    }
}

/// The algorithm that finds the candidates of a world where no other is asked for. They do not depend on it.
pub fn finder() -> &'static Algorithm {
    broadphase::registry::find("sweep-grid").unwrap_or_else(reference)
}
