//! Bodies and candidates, frame by frame: those of a world, or random pairs.

use super::random_pairs::{PlacedPairs, RandomPairs};
use crate::memory::check_pairs_fit;
use crate::{Case, Checksum, Clock, InputError, Labels, RunError, find_sorted};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, check_boxes};
use narrowphase::{BoxKind, Shape};
use sim::stages::BodyList;
use sim::{Bodies, Hold, Placing, Scene, World};
use std::borrow::Borrow;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the stages are measured on.
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

    /// A hash of the content, by which a resumed run recognises it.
    ///
    /// # Errors
    ///
    /// As [`Case::content_hash`].
    pub fn content_hash(&self) -> Result<Checksum, InputError> {
        let of_pairs = |pairs| crate::content::hash(format!("{pairs:?}").as_bytes());
        Ok(Checksum(match self {
            Self::World(case) => case.content_hash()?,
            Self::Pairs { pairs, .. } => of_pairs(pairs),
        }))
    }

    /// The labels of its rows.
    pub fn labels(&self, run_id: &str, threads: u32) -> Labels {
        let algorithm = match self {
            Self::World(_) => finder().id.to_owned(),
            Self::Pairs { .. } => String::new(),
        };
        let (input, n, seed) = (self.input(), self.n() as u64, self.seed());
        Labels { run_id: run_id.to_owned(), input, n, seed, algorithm, threads }
    }
}

/// The algorithm that finds the candidates of a world. They do not depend on it.
fn finder() -> &'static Algorithm {
    broadphase::registry::find("sweep-grid").unwrap_or_else(crate::reference)
}

/// Bodies with their shapes.
pub(super) trait Crowd {
    type Bodies: BodyList;

    /// The bodies of the frame.
    fn bodies(&self) -> &Self::Bodies;

    /// The shapes that volumes are fitted to.
    fn shapes(&self) -> Vec<&Shape>;

    /// A scene with the shapes.
    fn scene(&self) -> &Scene;

    /// The name of a body's shape.
    fn name_of(&self, object: usize) -> &str;
}

/// Bodies in motion, with their candidates.
pub(super) trait Source: Crowd {
    /// Moves to the next frame, the first time to frame 0.
    fn advance(&mut self);

    /// Replaces `pairs` by those of boxes of this kind that overlap, sorted. Returns the nanoseconds of
    /// computing the boxes; `None` where there are none.
    fn candidates(
        &mut self,
        kind: BoxKind,
        clock: &dyn Clock,
        pairs: &mut Vec<Pair>,
    ) -> Result<Option<u64>, InputError>;

    /// Ends the frame. `pairs` are the candidates of a kind of boxes.
    fn respond(&mut self, pairs: &[Pair]);
}

/// A world, driven by its own reference.
pub(super) struct WorldSource<'a> {
    case: &'a Case,
    world: BodyWorld<World>,
    /// A broad phase for each kind of boxes: its structure follows their motion.
    finders: Vec<(BoxKind, Box<dyn BroadPhase>)>,
    boxes: Vec<Aabb>,
    memory: u64,
    next_frame: u32,
}

impl<'a> WorldSource<'a> {
    /// Places the bodies of a scene; `None` if the case has none.
    pub(super) fn start(
        case: &'a Case,
        kinds: &[BoxKind],
        memory: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Self>, RunError> {
        let Some(scene) = case.scene() else { return Ok(None) };
        let mut goes_on = |_| !stop.load(Ordering::Relaxed);
        let Ok(world) = World::place(scene, &mut Placing::new(&mut goes_on)) else {
            return Err(RunError::Stopped);
        };
        let settings = Settings::new(case.n).world(case.space()).memory_limit(memory);
        let mut finders = Vec::new();
        for &kind in kinds {
            finders.push((kind, finder().create(&settings)?));
        }
        let world = BodyWorld::new(world);
        let start = |world| Self { case, world, finders, boxes: Vec::new(), memory, next_frame: 0 };
        Ok(world.map(start))
    }
}

/// The bodies of a world that has some.
pub(super) struct BodyWorld<W>(W);

impl<W: Borrow<World>> BodyWorld<W> {
    /// `None` where all objects are spheres.
    pub(super) fn new(world: W) -> Option<Self> {
        world.borrow().bodies().is_some().then_some(Self(world))
    }
}

impl<W: Borrow<World>> Crowd for BodyWorld<W> {
    type Bodies = Bodies;

    fn bodies(&self) -> &Bodies {
        let bodies = self.0.borrow().bodies();
        bodies.unwrap_or_else(|| unreachable!("the world was checked before"))
    }

    fn shapes(&self) -> Vec<&Shape> {
        self.bodies().shapes().iter().map(|named| &named.shape).collect()
    }

    fn scene(&self) -> &Scene {
        self.0.borrow().scene()
    }

    fn name_of(&self, object: usize) -> &str {
        let bodies = self.bodies();
        &bodies.shapes()[bodies.shape_of(object)].name
    }
}

impl Crowd for WorldSource<'_> {
    type Bodies = Bodies;

    fn bodies(&self) -> &Bodies {
        self.world.bodies()
    }

    fn shapes(&self) -> Vec<&Shape> {
        self.world.shapes()
    }

    fn scene(&self) -> &Scene {
        self.world.scene()
    }

    fn name_of(&self, object: usize) -> &str {
        self.world.name_of(object)
    }
}

impl Source for WorldSource<'_> {
    fn advance(&mut self) {
        self.world.0.step(Hold::None);
        self.next_frame += 1;
    }

    fn candidates(
        &mut self,
        kind: BoxKind,
        clock: &dyn Clock,
        pairs: &mut Vec<Pair>,
    ) -> Result<Option<u64>, InputError> {
        let Self { case, world: BodyWorld(world), finders, boxes, memory, next_frame } = self;
        let (input, frame) = (&case.input, *next_frame - 1);
        world.set_box_kind(kind);
        let begin = clock.now_ns();
        world.boxes(boxes);
        let ns = clock.now_ns() - begin;
        check_boxes(boxes).map_err(|bad_box| InputError::BadBox {
            input: input.clone(),
            frame,
            bad_box,
        })?;
        let shown = Frame::new(boxes).time_step(world.scene().dt).layered(world.layers());
        check_pairs_fit(&shown, 1, *memory).map_err(|error| InputError::TooManyPairs {
            input: input.clone(),
            frame,
            error,
        })?;
        pairs.clear();
        if let Some((_, finder)) = finders.iter_mut().find(|(own, _)| *own == kind) {
            find_sorted(&mut **finder, &shown, pairs);
        }
        Ok(Some(ns))
    }

    fn respond(&mut self, pairs: &[Pair]) {
        self.world.0.respond(pairs);
    }
}

impl Crowd for PlacedPairs<'_> {
    type Bodies = Self;

    fn bodies(&self) -> &Self {
        self
    }

    fn shapes(&self) -> Vec<&Shape> {
        self.shapes().collect()
    }

    fn scene(&self) -> &Scene {
        self.source().scene()
    }

    fn name_of(&self, object: usize) -> &str {
        self.name_of(object)
    }
}

impl Source for PlacedPairs<'_> {
    fn advance(&mut self) {
        self.draw();
    }

    fn candidates(
        &mut self,
        _kind: BoxKind,
        _clock: &dyn Clock,
        pairs: &mut Vec<Pair>,
    ) -> Result<Option<u64>, InputError> {
        pairs.clear();
        pairs.extend(self.pairs());
        Ok(None)
    }

    fn respond(&mut self, _pairs: &[Pair]) {}
}
