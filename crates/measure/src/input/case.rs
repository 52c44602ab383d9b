//! One input with one number of objects.

use super::files::{WatchedFile, hash};
use super::random_pairs::RandomPairs;
use super::{CaseError, InputError};
use crate::rows::Labels;
use broadphase::{Aabb, Layer};
use narrowphase::BoxKind;
use sim::atlas::{Cell, Placement};
use sim::scene::Continuous;
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
    /// The kind of boxes of bodies.
    pub(crate) box_kind: BoxKind,
    pub(crate) content: CaseContent,
}

#[derive(Clone, Debug)]
pub(crate) enum CaseContent {
    Scene(Box<Scene>),
    Trace(WatchedFile),
    Generated(GeneratedSpec),
    Cell(Box<Cell>),
    /// They have no boxes: only the stages after the broad phase are measured on them.
    Pairs(Box<RandomPairs>),
    /// Worlds of generated boxes: the first, and others with the following seeds.
    Worlds {
        first: Box<Case>,
        worlds: u32,
    },
}

/// Most boxes of many worlds together.
const MAX_BOXES: usize = 1 << 26;

impl Case {
    fn new(
        input: String,
        n: usize,
        seed: Option<u64>,
        [warmup, frames]: [u32; 2],
        content: CaseContent,
    ) -> Self {
        Self { input, n, seed, warmup, frames, box_kind: BoxKind::Tight, content }
    }

    /// The first frames of a scene.
    pub fn of_scene(input: impl Into<String>, scene: Scene, warmup: u32, frames: u32) -> Self {
        let (n, seed) = (scene.total_objects(), Some(scene.seed));
        Self::new(input.into(), n, seed, [warmup, frames], CaseContent::Scene(Box::new(scene)))
    }

    /// The first frames of the trace at `path`, which has `n` objects.
    pub fn of_trace(
        input: impl Into<String>,
        path: PathBuf,
        n: usize,
        warmup: u32,
        frames: u32,
    ) -> Self {
        Self::of_watched(input.into(), WatchedFile::new(path), n, [warmup, frames])
    }

    pub(super) fn of_watched(input: String, file: WatchedFile, n: usize, frames: [u32; 2]) -> Self {
        Self::new(input, n, None, frames, CaseContent::Trace(file))
    }

    /// The first frames of generated boxes.
    pub fn of_generated(spec: GeneratedSpec, warmup: u32, frames: u32) -> Self {
        let (n, seed) = (spec.objects as usize, Some(spec.used_seed()));
        Self::new(spec.name(), n, seed, [warmup, frames], CaseContent::Generated(spec))
    }

    /// All frames of a cell of the atlas. Every frame counts, so that each algorithm pays for its first
    /// build.
    pub fn of_cell(cell: Cell) -> Self {
        let (n, frames) = (cell.objects.max(1) as usize, [0, cell.frames()]);
        Self::new(cell.name(), n, Some(cell.seed), frames, CaseContent::Cell(Box::new(cell)))
    }

    /// Frames of random pairs, which have no boxes.
    pub fn of_pairs(pairs: RandomPairs, warmup: u32, frames: u32) -> Self {
        let (input, n, seed) = (pairs.name(), pairs.count(), Some(pairs.seed()));
        Self::new(input, n, seed, [warmup, frames], CaseContent::Pairs(Box::new(pairs)))
    }

    /// Many worlds of generated boxes as one input, world K drawn from the seed of `first` + K.
    ///
    /// # Errors
    ///
    /// Where they have too many boxes, or boxes that are not generated.
    pub fn of_worlds(first: Self, worlds: u32) -> Result<Self, CaseError> {
        let worlds = worlds.max(1);
        let input = format!("{} --worlds {worlds}", first.input);
        if !matches!(first.content, CaseContent::Generated(_) | CaseContent::Cell(_)) {
            let why = "cannot be many worlds: only generated boxes can";
            return Err(CaseError(format!("{} {why}", first.input)));
        }
        let n = first.n.saturating_mul(worlds as usize);
        if n > MAX_BOXES {
            return Err(CaseError(format!("{input}: expected at most {MAX_BOXES} boxes")));
        }
        let (seed, frames) = (first.seed, [first.warmup, first.frames]);
        let content = CaseContent::Worlds { first: Box::new(first), worlds };
        Ok(Self::new(input, n, seed, frames, content))
    }

    /// Its first frames, all of which count.
    pub(crate) fn first_frames(&self, frames: u32) -> Self {
        Self { warmup: 0, frames, ..self.clone() }
    }

    /// Number of worlds: 1 unless it is a case of many.
    pub(crate) fn worlds(&self) -> u32 {
        match self.content {
            CaseContent::Worlds { worlds, .. } => worlds,
            _ => 1,
        }
    }

    /// The random pairs, if it is a case of them.
    pub(crate) fn pairs(&self) -> Option<&RandomPairs> {
        match &self.content {
            CaseContent::Pairs(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The same case with boxes of another kind around bodies.
    #[must_use]
    pub fn with_box_kind(self, box_kind: BoxKind) -> Self {
        Self { box_kind, ..self }
    }

    /// Id of the kind of boxes; empty for random pairs.
    pub fn box_kind_id(&self) -> &'static str {
        if self.pairs().is_some() { "" } else { self.box_kind.id() }
    }

    /// Whether bodies collide within steps, so that they have times of impact.
    pub fn has_impacts(&self) -> bool {
        let is_moving = |pairs: &RandomPairs| pairs.motion().is_some();
        self.pairs().map_or(!self.continuous().is_empty(), is_moving)
    }

    /// The trace that it plays, if it is one.
    pub fn trace(&self) -> Option<&Path> {
        match &self.content {
            CaseContent::Trace(file) => Some(file.path()),
            _ => None,
        }
    }

    /// The scene that it plays, if it is one.
    pub fn scene(&self) -> Option<&Scene> {
        match &self.content {
            CaseContent::Scene(scene) => Some(scene),
            _ => None,
        }
    }

    /// Whether the objects collide, so that the motion depends on the pairs: only in a scene.
    pub fn has_response(&self) -> bool {
        matches!(self.content, CaseContent::Scene(_))
    }

    /// Whether some objects have layers, which a trace cannot hold.
    pub fn has_layers(&self) -> bool {
        match &self.content {
            CaseContent::Scene(scene) => scene.layers.iter().any(|rule| rule.layer != Layer::ALL),
            CaseContent::Generated(spec) => spec.kind == GeneratedKind::Statics,
            CaseContent::Cell(cell) => cell.placement == Placement::Terrain,
            CaseContent::Worlds { first, .. } => first.has_layers(),
            CaseContent::Trace(_) | CaseContent::Pairs(_) => false,
        }
    }

    /// Whether the objects are bodies, which have shapes and rotate.
    pub fn has_bodies(&self) -> bool {
        self.pairs().is_some() || self.scene().is_some_and(|scene| scene.has_bodies() || scene.flat)
    }

    /// Which moving objects collide continuously, as the scene has it; empty for none, and without a scene.
    pub fn continuous(&self) -> &'static str {
        match self.scene().map(|scene| scene.continuous) {
            None | Some(Continuous::Off) => "",
            Some(continuous) => continuous.word(),
        }
    }

    /// A scene that is played with this rule of continuous collisions instead of its own; other inputs have none.
    #[must_use]
    pub fn with_continuous(mut self, continuous: Continuous) -> Self {
        if let CaseContent::Scene(scene) = &mut self.content {
            scene.continuous = continuous;
        }
        self
    }

    /// A hash of the input's content, by which a resumed run recognises it. A trace is read as a whole: where it lies and
    /// when it was written has no effect.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read.
    pub fn content_hash(&self) -> Result<u64, InputError> {
        match &self.content {
            CaseContent::Trace(file) => file.content_hash(&self.input),
            other => Ok(hash(format!("{other:?}").as_bytes())),
        }
    }

    /// The seed of the order in which the case is measured, from that of the run.
    pub(crate) fn order_seed(&self, of_run: u64) -> u64 {
        hash(format!("{} {}", self.input, self.n).as_bytes()) ^ of_run
    }

    /// The labels that identify the cell of an algorithm on `threads` threads within a run.
    pub fn labels(&self, run_id: &str, algorithm: &str, threads: u32) -> Labels {
        let [run_id, input, algorithm] = [run_id, &self.input, algorithm].map(str::to_owned);
        Labels { run_id, input, n: self.n as u64, seed: self.seed, algorithm, threads }
    }

    /// Warm-up frames and those that count.
    pub fn total_frames(&self) -> u32 {
        self.warmup + self.frames
    }

    /// The space that fixed trees divide; empty for a trace, where it follows from the first frame.
    pub fn space(&self) -> Aabb {
        match &self.content {
            CaseContent::Scene(scene) => scene.bounds(),
            CaseContent::Generated(spec) => spec.bounds(),
            CaseContent::Cell(cell) => cell.start().space(),
            CaseContent::Trace(_) | CaseContent::Pairs(_) | CaseContent::Worlds { .. } => {
                Aabb::EMPTY
            }
        }
    }

    /// Refuses a trace whose file has changed since the case was made.
    ///
    /// # Errors
    ///
    /// If it has changed, or cannot be read.
    pub fn check_unchanged(&self) -> Result<(), InputError> {
        match &self.content {
            CaseContent::Trace(file) => file.check(&self.input),
            _ => Ok(()),
        }
    }
}
