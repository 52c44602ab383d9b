//! The stages after the search of bodies, each clocked, and every answer of theirs checked.

use super::methods::Methods;
use super::stage_fault::{Stage, StageFault};
use broadphase::Pair;
use measure::Clock;
use narrowphase::Answer;
use narrowphase::volume::Outline;
use sim::Bodies;
use sim::scene::Catalogue;
use sim::stages::{
    Audit, BodyList, ContactCount, ContactStage, NarrowStage, PairPoint, StoppedBy, Tally,
    VolumeStage,
};
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the stages did with the candidates of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageFigures {
    /// Nanoseconds of each stage.
    pub times: StageTimes,
    /// The bounding volume's answers to all candidates.
    pub volume: Tally,
    /// The narrow phase's answers to those that passed.
    pub narrow: Tally,
    /// The contact sets of those that it called touching. If the stages were stopped while they found contact sets,
    /// and then repeated, no point counts as kept.
    pub contacts: ContactCount,
}

/// Nanoseconds of the stages of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Placing the volumes and testing them.
    pub volume_ns: u64,
    /// Testing the pairs that passed.
    pub narrow_ns: u64,
    /// Finding contact sets.
    pub contact_ns: u64,
    /// Checking all answers. The three stages do not contain it.
    pub checks_ns: u64,
}

impl StageTimes {
    /// Bounding volume, narrow phase, contact sets, checks.
    pub fn in_order(self) -> [u64; 4] {
        [self.volume_ns, self.narrow_ns, self.contact_ns, self.checks_ns]
    }
}

impl AddAssign for StageTimes {
    fn add_assign(&mut self, other: Self) {
        self.volume_ns += other.volume_ns;
        self.narrow_ns += other.narrow_ns;
        self.contact_ns += other.contact_ns;
        self.checks_ns += other.checks_ns;
    }
}

/// The stages of a session.
#[derive(Default)]
pub struct Stages {
    methods: Methods,
    /// `None` before the first candidates of a world, and after a change of methods.
    running: Option<Running>,
}

/// The methods fitted to the shapes of a world, and what they keep between steps.
struct Running {
    catalogue: Arc<Catalogue>,
    volume: VolumeStage,
    narrow: NarrowStage,
    contacts: ContactStage,
    /// Epoch and step of the last candidates, and whether `contacts` followed from the step before.
    at: (u64, u64),
    follows: bool,
    /// Epoch and step that the memory of `contacts` is of; `None` where no step filled it, or a stop cut it short.
    remembered: Option<(u64, u64)>,
    /// What became of the last candidates, which the audit keeps; `None` where the stages were stopped.
    outcome: Option<(StageFigures, Option<StageFault>)>,
    passed: Vec<Pair>,
    touching: Vec<Pair>,
    audit: Audit,
}

impl Stages {
    /// The methods.
    pub fn methods(&self) -> Methods {
        self.methods
    }

    /// Uses other methods for the next candidates.
    pub(super) fn set_methods(&mut self, methods: Methods) {
        *self = Self { methods, ..Self::default() };
    }

    /// What was done with the last candidates; `None` before any, and without bodies.
    pub(super) fn figures(&self) -> Option<StageFigures> {
        self.running.as_ref()?.outcome.map(|(figures, _)| figures)
    }

    /// The first wrong answer about the last candidates.
    pub(super) fn fault(&self) -> Option<StageFault> {
        self.running.as_ref()?.outcome?.1
    }

    /// Forgets the last candidates: there are no bodies.
    pub(super) fn forget(&mut self) {
        self.running = None;
    }

    /// Tests the sorted candidates of an epoch and a step, and finds where they touch. Then every answer is compared
    /// with the reference. Returns whether all was done before `stop` was set: otherwise nothing is known of them.
    pub(super) fn run(
        &mut self,
        bodies: &Bodies,
        candidates: &[Pair],
        at: (u64, u64),
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> bool {
        let fits = |running: &Running| Arc::ptr_eq(&running.catalogue, bodies.catalogue());
        let running = self.running.take().filter(fits);
        let mut running = running.unwrap_or_else(|| Running::new(self.methods, bodies, at));
        running.run(bodies, candidates, at, clock, stop);
        let is_done = running.outcome.is_some();
        self.running = Some(running);
        is_done
    }

    /// Where bodies touch in an epoch and a step, as the narrow phase answers, and whether each point is kept from the
    /// step before; `None` where that step was not tested. There are none before the candidates are tested.
    pub fn contact_points(
        &self,
        at: (u64, u64),
    ) -> impl Iterator<Item = (&PairPoint, Option<bool>)> {
        let is_tested = move |of: &&Running| of.at == at && of.outcome.is_some();
        self.running.iter().filter(is_tested).flat_map(|Running { contacts, follows, .. }| {
            contacts.points().map(|found| (found, follows.then_some(found.point.is_kept)))
        })
    }

    /// What to draw of a body's volume, and how many times as large as the body it is. `None` where no candidates were
    /// tested in this world yet. The second is `None` where the volume is all of space.
    pub fn volume_of(&self, bodies: &Bodies, object: usize) -> Option<(Outline, Option<f64>)> {
        let running = self.running.as_ref()?;
        if !Arc::ptr_eq(&running.catalogue, bodies.catalogue()) {
            return None;
        }
        let volume = &running.volume;
        Some((volume.outline(bodies, object), volume.ratio(bodies, object)))
    }
}

impl Running {
    fn new(methods: Methods, bodies: &Bodies, at: (u64, u64)) -> Self {
        let shapes = bodies.shapes().iter().map(|named| &named.shape);
        Self {
            catalogue: bodies.catalogue().clone(),
            volume: VolumeStage::new(methods.volume, shapes),
            narrow: NarrowStage::new(methods.narrow),
            contacts: ContactStage::default(),
            at,
            follows: false,
            remembered: None,
            outcome: None,
            passed: Vec::new(),
            touching: Vec::new(),
            audit: Audit::default(),
        }
    }

    fn run(
        &mut self,
        bodies: &Bodies,
        candidates: &[Pair],
        (epoch, step): (u64, u64),
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) {
        let last = self.outcome.take();
        if self.at == (epoch, step) && last.is_some() && self.audit.candidates() == candidates {
            // Another algorithm has found the same pairs.
            self.outcome = last;
            return;
        }
        self.follows = self.remembered == Some((epoch, step.wrapping_sub(1)));
        if !self.follows {
            // Points are kept from one step to the next alone.
            (self.contacts, self.remembered) = (ContactStage::default(), None);
        }
        self.at = (epoch, step);
        let bodies = &StoppedBy { bodies, stop };
        let began = clock.now_ns();
        self.volume.place(bodies);
        self.volume.filter(bodies, candidates, &mut self.passed);
        let filtered = clock.now_ns();
        self.narrow.test(bodies, &self.passed);
        let tested = clock.now_ns();
        let answers = self.passed.iter().zip(self.narrow.answers());
        let touching = answers.filter(|(_, answer)| matches!(answer, Answer::Touching { .. }));
        self.touching.clear();
        self.touching.extend(touching.map(|(pair, _)| *pair));
        let (volume, narrow, fault) = self.check(bodies, candidates, step);
        if bodies.is_stopped() {
            // The repeated run still follows from the step before.
            return;
        }
        let checked = clock.now_ns();
        self.remembered = None;
        let contacts = self.contacts.find(bodies, &self.touching);
        if bodies.is_stopped() {
            return;
        }
        self.remembered = Some(self.at);
        let times = StageTimes {
            volume_ns: filtered - began,
            narrow_ns: tested - filtered,
            contact_ns: clock.now_ns() - checked,
            checks_ns: checked - tested,
        };
        self.outcome = Some((StageFigures { times, volume, narrow, contacts }, fault));
    }

    /// Compares all answers with the reference, and those of the reference with their witnesses.
    fn check(
        &mut self,
        bodies: &impl BodyList,
        candidates: &[Pair],
        step: u64,
    ) -> (Tally, Tally, Option<StageFault>) {
        let Self { volume, narrow, passed, audit, .. } = self;
        audit.examine(bodies, candidates);
        let reference = audit.reference(bodies);
        let by_volume = audit.volume(volume.kind(), passed);
        let by_narrow = audit.narrow(bodies, narrow.kind(), passed, narrow.answers());
        let judged = [
            (Stage::Reference, "", "", reference),
            (Stage::Volume, volume.kind().name, volume.kind().id, by_volume),
            (Stage::Narrow, narrow.kind().name, narrow.kind().id, by_narrow),
        ];
        let fault = judged.into_iter().find_map(|(stage, name, id, tally)| {
            Some(StageFault { step, stage, name, id, found: tally.wrong? })
        });
        (by_volume, by_narrow, fault)
    }
}
