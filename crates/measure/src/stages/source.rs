//! Bodies and candidates, frame by frame: those of a world, or random pairs.

use super::bench::StagePlan;
use super::candidates::Search;
use super::random_pairs::{PlacedPairs, RandomPairs};
use crate::input::{Case, InputError};
use crate::play::{Halt, RunError, brute_force_tests, check_pairs_fit, find_sorted, reference};
use crate::process::{Clock, guarded};
use crate::rows::{Checksum, Labels, Outcome};
use broadphase::benchmark::{Difference, check_pairs};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, check_boxes};
use narrowphase::{BoxKind, Shape};
use sim::stages::BodyList;
use sim::{Bodies, Hold, Placing, Scene, World};
use std::borrow::Borrow;
use std::sync::atomic::AtomicBool;

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

    /// Whether there are bodies: spheres have no stages.
    pub fn has_bodies(&self) -> bool {
        match self {
            Self::World(case) => case.has_bodies(),
            Self::Pairs { .. } => true,
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
        let of_pairs = |pairs| crate::input::hash(format!("{pairs:?}").as_bytes());
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
    /// Moves to the next frame, the first time to frame 0. It ends soon once `stop` is set, and the source must not be used
    /// any more then.
    fn advance(&mut self, stop: &AtomicBool);

    /// Replaces `pairs` by those of boxes of this kind that overlap, sorted. Without enough memory, and with a broad phase
    /// that refuses, panics, or reports a pair that is none, it ends with that outcome.
    fn candidates(
        &mut self,
        kind: BoxKind,
        search: &Search<'_>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Halt<Outcome>>;

    /// Compares the candidates that were found last with those of brute force.
    fn prove(&mut self, pairs: &[Pair], search: &Search<'_>) -> Result<(), Halt<Outcome>>;

    /// Computes the boxes of this kind again. Returns the nanoseconds; `None` where there are no boxes.
    fn time_boxes(&mut self, kind: BoxKind, clock: &dyn Clock) -> Option<u64>;

    /// Ends the frame. `pairs` are the candidates of a kind of boxes.
    fn respond(&mut self, pairs: &[Pair], stop: &AtomicBool);
}

/// A world, driven by its own reference.
pub(super) struct WorldSource<'a> {
    case: &'a Case,
    world: BodyWorld<World>,
    settings: Settings,
    algorithm: &'a Algorithm,
    /// A broad phase for each kind of boxes that was searched: its structure follows their motion.
    finders: Vec<(BoxKind, Box<dyn BroadPhase>)>,
    /// Brute force, once it was needed.
    prover: Option<Box<dyn BroadPhase>>,
    boxes: Vec<Aabb>,
}

impl<'a> WorldSource<'a> {
    /// Places the bodies of a scene; `None` if `goes_on` ends that. It is called again and again with the number of
    /// bodies that have a place.
    pub(super) fn start(
        case: &'a Case,
        plan: &StagePlan<'a>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Self> {
        let world = World::place(case.scene()?, &mut Placing::new(goes_on)).ok()?;
        let settings = Settings::new(case.n).world(case.space()).memory_limit(plan.memory_limit);
        Some(Self {
            case,
            world: BodyWorld::new(world)?,
            settings,
            algorithm: plan.finder,
            finders: Vec::new(),
            prover: None,
            boxes: Vec::new(),
        })
    }

    /// Why bodies are not placed as the scene asks.
    pub(super) fn placement_warning(&self) -> Option<&str> {
        self.world.0.placement_warning()
    }

    /// The boxes that were computed last.
    fn frame(&self) -> Frame<'_> {
        let BodyWorld(world) = &self.world;
        Frame::new(&self.boxes).time_step(world.scene().dt).layered(world.layers())
    }

    /// The end of a kind of boxes whose candidates have a fault.
    fn judged(&self, fault: Option<String>, search: &Search<'_>) -> Result<(), Halt<Outcome>> {
        let wrong = |fault| format!("the candidates of {} are wrong: {fault}", self.algorithm.id);
        match fault {
            Some(fault) => Err(Halt::Ended(search.moment.wrong(&wrong(fault)))),
            None => Ok(()),
        }
    }

    /// The broad phase of a kind of boxes, which is created at first.
    fn take_finder(
        &mut self,
        kind: BoxKind,
        search: &Search<'_>,
    ) -> Result<Box<dyn BroadPhase>, Outcome> {
        if let Some(at) = self.finders.iter().position(|(own, _)| *own == kind) {
            return Ok(self.finders.swap_remove(at).1);
        }
        match guarded(|| self.algorithm.create(&self.settings)) {
            Ok(Ok(finder)) => Ok(finder),
            Ok(Err(refusal)) => Err(Outcome::Skipped(refusal.to_string())),
            Err(message) => Err(search.moment.panicked(message)),
        }
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
    fn advance(&mut self, stop: &AtomicBool) {
        let _is_whole = self.world.0.step_unless(Hold::None, stop);
    }

    fn candidates(
        &mut self,
        kind: BoxKind,
        search: &Search<'_>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Halt<Outcome>> {
        let &Search { moment, memory, each_pair, stop, .. } = search;
        let BodyWorld(world) = &mut self.world;
        world.set_box_kind(kind);
        world.boxes(&mut self.boxes);
        check_boxes(&self.boxes).map_err(|bad_box| InputError::BadBox {
            input: self.case.input.clone(),
            frame: moment.frame,
            bad_box,
        })?;
        if let Err(error) = check_pairs_fit(&self.frame(), each_pair, memory) {
            return Err(Halt::Ended(moment.skipped(&error.to_string())));
        }
        let mut finder = self.take_finder(kind, search).map_err(Halt::Ended)?;
        let shown = self.frame().stopped_by(stop);
        let found = guarded(|| find_sorted(&mut *finder, &shown, pairs));
        found.map_err(|message| Halt::Ended(moment.panicked(message)))?;
        if shown.is_stopped() {
            // Pairs may be missing, which would be no fault of the broad phase.
            return Err(Halt::Failed(RunError::Stopped));
        }
        let fault = check_pairs(&shown, pairs).err();
        self.finders.push((kind, finder));
        self.judged(fault.map(|fault| fault.to_string()), search)
    }

    fn prove(&mut self, pairs: &[Pair], search: &Search<'_>) -> Result<(), Halt<Outcome>> {
        let mut prover = match self.prover.take() {
            Some(prover) => prover,
            None => reference().build(&self.settings),
        };
        let mut expected = Vec::with_capacity(pairs.len());
        let shown = self.frame().stopped_by(search.stop);
        let found = guarded(|| find_sorted(&mut *prover, &shown, &mut expected));
        found.map_err(|message| Halt::Ended(search.moment.panicked(message)))?;
        if shown.is_stopped() {
            return Err(Halt::Failed(RunError::Stopped));
        }
        let difference = Difference::between(&expected, pairs);
        let fault = difference.map(|found| found.first().in_frame(&shown).to_string());
        self.prover = Some(prover);
        self.judged(fault, search)
    }

    fn time_boxes(&mut self, kind: BoxKind, clock: &dyn Clock) -> Option<u64> {
        let BodyWorld(world) = &mut self.world;
        world.set_box_kind(kind);
        let begin = clock.now_ns();
        world.boxes(&mut self.boxes);
        Some(clock.now_ns() - begin)
    }

    fn respond(&mut self, pairs: &[Pair], stop: &AtomicBool) {
        self.world.0.respond_unless(pairs, stop);
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
    fn advance(&mut self, _: &AtomicBool) {
        self.draw();
    }

    fn candidates(
        &mut self,
        _: BoxKind,
        _: &Search<'_>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Halt<Outcome>> {
        pairs.clear();
        pairs.extend(self.pairs());
        Ok(())
    }

    fn prove(&mut self, _: &[Pair], _: &Search<'_>) -> Result<(), Halt<Outcome>> {
        Ok(())
    }

    fn time_boxes(&mut self, _: BoxKind, _: &dyn Clock) -> Option<u64> {
        None
    }

    fn respond(&mut self, _: &[Pair], _: &AtomicBool) {}
}
