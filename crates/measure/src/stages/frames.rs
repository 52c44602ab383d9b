//! Bodies and candidates, frame by frame.

use super::plan::StagePlan;
use super::repetition_frame::RepetitionFrame;
use crate::input::{Case, InputError};
use crate::play::{Halt, PairBound, RunError, find_sorted, reference};
use crate::process::{Clock, guarded};
use crate::rows::Outcome;
use broadphase::benchmark::{Difference, check_pairs};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, check_boxes};
use narrowphase::BoxKind;
use sim::scene::Continuous;
use sim::stages::BodyList;
use sim::{Bodies, Hold, Placing, Scene, World};
use std::sync::atomic::AtomicBool;

/// A search for the candidates of a frame.
pub(super) struct Search<'a> {
    pub(super) moment: RepetitionFrame,
    /// Whether the frame counts.
    pub(super) counts: bool,
    /// The most candidates of a kind of boxes.
    pub(super) bound: PairBound,
    pub(super) clock: &'a dyn Clock,
    /// Nanoseconds that all methods have shared so far, and may share.
    pub(super) spent_ns: u64,
    pub(super) budget_ns: Option<u64>,
    pub(super) stop: &'a AtomicBool,
    /// Whether first contacts are measured.
    pub(super) has_impacts: bool,
    /// Tests of brute force in all frames.
    pub(super) tests_of_all: u64,
}

/// Bodies in motion, with their candidates.
pub(super) trait FrameSource {
    type Bodies: BodyList;

    /// The bodies of the frame.
    fn bodies(&self) -> &Self::Bodies;

    /// How long a step lasts, if bodies collide within steps.
    fn step_seconds(&self) -> Option<f64>;

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

/// How long a step of a scene lasts, if bodies collide within steps.
pub(super) fn continuous_seconds(scene: &Scene) -> Option<f64> {
    (scene.continuous != Continuous::Off).then(|| f64::from(scene.dt))
}

/// A world, driven by its own reference.
pub(super) struct WorldFrames<'a> {
    case: &'a Case,
    world: World,
    settings: Settings,
    algorithm: &'a Algorithm,
    /// A broad phase for each kind of boxes that was searched: its structure follows their motion.
    finders: Vec<(BoxKind, Box<dyn BroadPhase>)>,
    /// Brute force, once it was needed.
    prover: Option<Box<dyn BroadPhase>>,
    boxes: Vec<Aabb>,
}

impl<'a> WorldFrames<'a> {
    /// Places the bodies of a scene; `None` if `goes_on` ends that. It is called again and again with the number of
    /// bodies that have a place.
    pub(super) fn start(
        case: &'a Case,
        plan: &StagePlan<'a>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Self> {
        let world = World::place(case.scene()?, &mut Placing::new(goes_on)).ok()?;
        world.bodies()?;
        let settings = Settings::new(case.n).world(case.space()).memory_limit(plan.memory_limit);
        Some(Self {
            case,
            world,
            settings,
            algorithm: plan.finder,
            finders: Vec::new(),
            prover: None,
            boxes: Vec::new(),
        })
    }

    /// Why bodies are not placed as the scene asks.
    pub(super) fn placement_warning(&self) -> Option<&str> {
        self.world.placement_warning()
    }

    /// The boxes that were computed last.
    fn frame(&self) -> Frame<'_> {
        let world = &self.world;
        Frame::new(&self.boxes).time_step(world.scene().dt).layered(world.layers())
    }

    /// The end of a kind of boxes whose candidates have a fault.
    fn checked(&self, fault: Option<String>, search: &Search<'_>) -> Result<(), Halt<Outcome>> {
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

impl FrameSource for WorldFrames<'_> {
    type Bodies = Bodies;

    fn bodies(&self) -> &Bodies {
        let bodies = self.world.bodies();
        bodies.unwrap_or_else(|| unreachable!("the world was checked at its start"))
    }

    fn step_seconds(&self) -> Option<f64> {
        continuous_seconds(self.world.scene())
    }

    fn advance(&mut self, stop: &AtomicBool) {
        let _is_whole = self.world.step_unless(Hold::None, stop);
    }

    fn candidates(
        &mut self,
        kind: BoxKind,
        search: &Search<'_>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Halt<Outcome>> {
        let &Search { moment, bound, stop, .. } = search;
        let world = &mut self.world;
        world.set_box_kind(kind);
        world.boxes(&mut self.boxes);
        check_boxes(&self.boxes).map_err(|bad_box| InputError::BadBox {
            input: self.case.input.clone(),
            frame: moment.frame,
            bad_box,
        })?;
        let mut finder = self.take_finder(kind, search).map_err(Halt::Ended)?;
        let shown = self.frame().stopped_by(stop);
        let found =
            guarded(|| bound.search(&shown, |shown| find_sorted(&mut *finder, shown, pairs)));
        found
            .map_err(|message| Halt::Ended(moment.panicked(message)))?
            .map_err(|error| Halt::Ended(moment.skipped(&error.to_string())))?;
        if shown.is_stopped() {
            // Pairs may be missing, which would be no fault of the broad phase.
            return Err(Halt::Failed(RunError::Stopped));
        }
        let fault = check_pairs(&shown, pairs).err();
        self.finders.push((kind, finder));
        self.checked(fault.map(|fault| fault.to_string()), search)
    }

    fn prove(&mut self, pairs: &[Pair], search: &Search<'_>) -> Result<(), Halt<Outcome>> {
        let mut prover = match self.prover.take() {
            Some(prover) => prover,
            None => reference().build(&self.settings),
        };
        let mut expected = Vec::with_capacity(pairs.len());
        let shown = self.frame().stopped_by(search.stop);
        let found = guarded(|| {
            search.bound.search(&shown, |shown| find_sorted(&mut *prover, shown, &mut expected))
        });
        let found = found.map_err(|message| Halt::Ended(search.moment.panicked(message)))?;
        if shown.is_stopped() {
            return Err(Halt::Failed(RunError::Stopped));
        }
        let fault = match found {
            Ok(()) => Difference::between(&expected, pairs)
                .map(|found| found.first().in_frame(&shown).to_string()),
            Err(error) => Some(format!("brute force finds other ones: {error}")),
        };
        self.prover = Some(prover);
        self.checked(fault, search)
    }

    fn time_boxes(&mut self, kind: BoxKind, clock: &dyn Clock) -> Option<u64> {
        let world = &mut self.world;
        world.set_box_kind(kind);
        let begin = clock.now_ns();
        world.boxes(&mut self.boxes);
        Some(clock.now_ns() - begin)
    }

    fn respond(&mut self, pairs: &[Pair], stop: &AtomicBool) {
        self.world.respond_unless(pairs, stop);
    }
}
