//! First contacts of the candidates of a step, by the chosen method and by all of them.

use super::Session;
use super::motion::Motion;
use super::stage_fault::{Stage, StageFault, Wrong, WrongImpact};
use super::stages::Candidates;
use broadphase::Pair;
use measure::Clock;
use narrowphase::impact::{ImpactMethod, TIMES_OF_IMPACT, find};
use sim::stages::{BodyList, ImpactAudit, ImpactStage, ImpactTally, StoppedBy};
use sim::{Bodies, World};
use std::sync::atomic::AtomicBool;

/// Times that a compared method runs on the same candidates: the fastest run counts.
const RUNS: usize = 3;

/// First contacts within a step of a continuous world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpactFigures {
    /// The answers of the method to all candidates.
    pub tally: ImpactTally,
    /// First contacts that the world responded to.
    pub responded: u64,
    /// Objects that waited at their last free pose.
    pub waiting: u64,
}

/// A run of the method over the candidates of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImpactRun {
    pub(super) ns: u64,
    pub(super) checks_ns: u64,
    /// `None` unless the world is continuous.
    pub(super) figures: Option<ImpactFigures>,
}

/// The chosen method, and what the reference knows of the last candidates.
pub(super) struct Impacts {
    stage: ImpactStage,
    audit: ImpactAudit,
    tally: ImpactTally,
}

impl Impacts {
    pub(super) fn new(method: ImpactMethod) -> Self {
        let (audit, tally) = (ImpactAudit::default(), ImpactTally::default());
        Self { stage: ImpactStage::new(method), audit, tally }
    }

    /// Finds the first contacts of candidates, if they have any; `None` once `stop` is set.
    pub(super) fn run(
        &mut self,
        candidates: &Candidates<'_>,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> Option<ImpactRun> {
        let Candidates { bodies, pairs, time_step, .. } = *candidates;
        let Self { stage, audit, tally } = self;
        *tally = ImpactTally::default();
        if !candidates.have_impacts {
            return Some(ImpactRun::default());
        }
        let moving = &StoppedBy { bodies, stop };
        let start = clock.now_ns();
        stage.find(moving, pairs, time_step);
        let found = clock.now_ns();
        audit.examine(moving, pairs, time_step);
        if moving.is_stopped() {
            return None;
        }
        *tally = audit.tally(stage.method(), bodies, pairs, stage.impacts());
        let figures = ImpactFigures {
            tally: *tally,
            responded: bodies.impacts().len() as u64,
            waiting: bodies.waiting_objects().len() as u64,
        };
        let checks_ns = clock.now_ns() - found;
        Some(ImpactRun { ns: found - start, checks_ns, figures: Some(figures) })
    }

    /// The first wrong answer about the last candidates.
    pub(super) fn fault(&self, candidates: &Candidates<'_>) -> Option<StageFault> {
        let pair = self.tally.wrong?;
        let place = candidates.pairs.binary_search(&pair).ok()?;
        let kind = self.stage.method().kind;
        let (found, known) = (self.stage.impacts()[place], self.audit.known()[place].impact);
        let found = Wrong::Impact(WrongImpact { pair, found, known });
        let step = candidates.at.1;
        Some(StageFault { step, stage: Stage::Impact, name: kind.name, id: kind.id, found })
    }
}

impl Session {
    /// Lets all methods find the first contacts of the present candidates, side by side, for display. Without candidates of a
    /// continuous step nothing is compared. Returns whether that was done before `stop` was set.
    pub fn compare_impacts(&mut self, stop: &AtomicBool) -> bool {
        let bodies = self.motion.world().and_then(World::bodies);
        let bodies = bodies.filter(|_| self.found.is_some());
        let pairs = self.algorithms.pairs();
        let present = bodies.map(|bodies| Candidates::of(&self.motion, bodies, pairs));
        let present = present.filter(|candidates| candidates.have_impacts);
        self.stages.compare(present.as_ref(), self.clock, stop)
    }
}

impl<'a> Candidates<'a> {
    /// The candidates of the step that a motion shows.
    pub(super) fn of(motion: &Motion, bodies: &'a Bodies, pairs: &'a [Pair]) -> Self {
        let (at, time_step) = ((motion.epoch(), motion.steps()), f64::from(motion.time_step()));
        let have_impacts = motion.is_continuous() && motion.steps() >= motion.first_step();
        Self { bodies, pairs, at, time_step, have_impacts }
    }
}

/// A method on the candidates of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedImpact {
    /// The method.
    pub method: ImpactMethod,
    /// Its answers.
    pub tally: ImpactTally,
    /// Nanoseconds for all candidates, with nothing kept from a step before: the fastest of some runs.
    pub ns: u64,
}

/// All methods to find first contacts, side by side on the candidates of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactComparison {
    /// The step.
    pub step: u64,
    /// The number of candidates.
    pub candidates: usize,
    /// The methods, as in their registry. The chosen one has its own parameters.
    pub methods: Vec<ComparedImpact>,
}

impl ImpactComparison {
    /// Lets all methods run; `None` once `stop` is set.
    pub(super) fn of(
        candidates: &Candidates<'_>,
        chosen: ImpactMethod,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let Candidates { bodies, pairs, time_step, .. } = *candidates;
        let moving = &StoppedBy { bodies, stop };
        let mut audit = ImpactAudit::default();
        audit.examine(moving, pairs, time_step);
        let mut methods = Vec::new();
        for kind in TIMES_OF_IMPACT {
            let default = find(kind.id).ok();
            let method = if kind.id == chosen.kind.id { Some(chosen) } else { default };
            let Some(method) = method else { continue };
            let mut ns = u64::MAX;
            let mut tally = ImpactTally::default();
            for _ in 0..RUNS {
                let mut stage = ImpactStage::new(method);
                let start = clock.now_ns();
                stage.find(moving, pairs, time_step);
                ns = ns.min(clock.now_ns() - start);
                if moving.is_stopped() {
                    return None;
                }
                tally = audit.tally(method, bodies, pairs, stage.impacts());
            }
            methods.push(ComparedImpact { method, tally, ns });
        }
        Some(Self { step: candidates.at.1, candidates: pairs.len(), methods })
    }
}
