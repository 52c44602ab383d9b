//! One input with one number of objects.

use super::content::{hash, trace_hash};
use super::error::InputError;
use super::watched_file::WatchedFile;
use crate::rows::Labels;
use broadphase::{Aabb, Layer};
use sim::atlas::{Cell, Placement};
use sim::{GeneratedKind, GeneratedSpec, Scene};
use std::path::{Path, PathBuf};

/// What is measured: one input with one number of objects.
#[derive(Clone, Debug)]
pub struct Case {
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub n: usize,
    /// The seed of what moves; a trace has none.
    pub seed: Option<u64>,
    /// Frames before those that count.
    pub warmup: u32,
    /// Frames that count.
    pub frames: u32,
    pub(crate) source: Source,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Scene(Box<Scene>),
    Trace(WatchedFile),
    Generated(GeneratedSpec),
    Cell(Box<Cell>),
}

impl Case {
    /// The first frames of a scene.
    pub fn of_scene(input: impl Into<String>, scene: Scene, warmup: u32, frames: u32) -> Self {
        Self {
            input: input.into(),
            n: scene.total_objects(),
            seed: Some(scene.seed),
            warmup,
            frames,
            source: Source::Scene(Box::new(scene)),
        }
    }

    /// The first frames of the trace at `path`, which has `n` objects.
    pub fn of_trace(
        input: impl Into<String>,
        path: PathBuf,
        n: usize,
        warmup: u32,
        frames: u32,
    ) -> Self {
        let source = Source::Trace(WatchedFile::new(path));
        Self { input: input.into(), n, seed: None, warmup, frames, source }
    }

    /// The first frames of generated boxes.
    pub fn of_generated(spec: GeneratedSpec, warmup: u32, frames: u32) -> Self {
        Self {
            input: spec.name(),
            n: spec.objects as usize,
            seed: Some(spec.used_seed()),
            warmup,
            frames,
            source: Source::Generated(spec),
        }
    }

    /// All frames of a cell of the atlas. Every frame counts, so that each algorithm pays for its first
    /// build.
    pub fn of_cell(cell: Cell) -> Self {
        Self {
            input: cell.name(),
            n: cell.objects.max(1) as usize,
            seed: Some(cell.seed),
            warmup: 0,
            frames: cell.frames(),
            source: Source::Cell(Box::new(cell)),
        }
    }

    /// The trace that it plays, if it is one.
    pub fn trace(&self) -> Option<&Path> {
        match &self.source {
            Source::Trace(file) => Some(file.path()),
            Source::Scene(_) | Source::Generated(_) | Source::Cell(_) => None,
        }
    }

    /// The scene that it plays, if it is one.
    pub fn scene(&self) -> Option<&Scene> {
        match &self.source {
            Source::Scene(scene) => Some(scene),
            Source::Trace(_) | Source::Generated(_) | Source::Cell(_) => None,
        }
    }

    /// Whether the objects collide, so that the motion depends on the pairs: only in a scene.
    pub fn has_response(&self) -> bool {
        matches!(self.source, Source::Scene(_))
    }

    /// Whether some objects have layers, which a trace cannot hold.
    pub fn has_layers(&self) -> bool {
        match &self.source {
            Source::Scene(scene) => scene.layers.iter().any(|rule| rule.layer != Layer::ALL),
            Source::Generated(spec) => spec.kind == GeneratedKind::Statics,
            Source::Cell(cell) => cell.placement == Placement::Terrain,
            Source::Trace(_) => false,
        }
    }

    /// Whether the objects are bodies, which have shapes and rotate.
    pub fn has_bodies(&self) -> bool {
        self.scene().is_some_and(|scene| scene.has_bodies() || scene.flat)
    }

    /// A hash of the input's content, by which a resumed run recognises it. Of a large trace it
    /// covers the length, the last change and blocks spread over the file.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read.
    pub fn content_hash(&self) -> Result<u64, InputError> {
        match &self.source {
            Source::Scene(scene) => Ok(hash(format!("{scene:?}").as_bytes())),
            Source::Generated(spec) => Ok(hash(format!("{spec:?}").as_bytes())),
            Source::Cell(cell) => Ok(hash(format!("{cell:?}").as_bytes())),
            Source::Trace(file) => trace_hash(file.path())
                .map_err(|source| InputError::Unreadable { name: self.input.clone(), source }),
        }
    }

    /// The seed of the order in which the case is measured, from that of the run.
    pub(crate) fn order_seed(&self, of_run: u64) -> u64 {
        hash(format!("{} {}", self.input, self.n).as_bytes()) ^ of_run
    }

    /// The labels that identify the cell of an algorithm on `threads` threads within a run.
    pub fn labels(&self, run_id: &str, algorithm: &str, threads: u32) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: self.input.clone(),
            n: self.n as u64,
            seed: self.seed,
            algorithm: algorithm.to_owned(),
            threads,
        }
    }

    /// Warm-up frames and those that count.
    pub fn total_frames(&self) -> u32 {
        self.warmup + self.frames
    }

    /// The space that fixed trees divide; empty for a trace, where it follows from the first frame.
    pub fn space(&self) -> Aabb {
        match &self.source {
            Source::Scene(scene) => scene.bounds(),
            Source::Generated(spec) => spec.bounds(),
            Source::Cell(cell) => cell.start().space(),
            Source::Trace(_) => Aabb::EMPTY,
        }
    }

    /// Estimated number of pairs of the first frame; 0 for a trace, which states none.
    pub fn expected_pairs(&self) -> f64 {
        match &self.source {
            Source::Scene(scene) => scene.expected_pairs(),
            Source::Generated(spec) => spec.expected_pairs(),
            Source::Cell(cell) => cell.expected_pairs(),
            Source::Trace(_) => 0.0,
        }
    }

    /// Refuses a trace whose file has changed since the case was made.
    pub(crate) fn check_unchanged(&self) -> Result<(), InputError> {
        match &self.source {
            Source::Trace(file) => file.check(&self.input),
            Source::Scene(_) | Source::Generated(_) | Source::Cell(_) => Ok(()),
        }
    }
}
