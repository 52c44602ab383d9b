//! The stages after the search of bodies, each clocked, and their answers checked.

use super::methods::Methods;
use super::stage_fault::StageFault;
use super::stage_figures::StageFigures;
use broadphase::Pair;
use measure::Clock;
use narrowphase::volume::Outline;
use sim::Bodies;
use sim::scene::Catalogue;
use sim::stages::{CheckedAnswers, ContactStage, FramePairs, PairPoint, Pipeline};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The candidates of a step, to be tested.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'a> {
    pub(super) bodies: &'a Bodies,
    /// Sorted.
    pub(super) pairs: &'a [Pair],
    /// Epoch and step.
    pub(super) at: (u64, u64),
    /// They moved in the step, in a continuous world.
    pub(super) have_impacts: bool,
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
    pipeline: Pipeline,
    /// Epoch and step of the last candidates, and whether its contacts followed from the step before.
    at: (u64, u64),
    follows: bool,
    /// Epoch and step that the memory of contacts is of; `None` where no step filled it, or a stop cut it short.
    remembered: Option<(u64, u64)>,
    /// What became of the last candidates, which the pipeline keeps; `None` where the stages were stopped.
    outcome: Option<(StageFigures, Option<Arc<StageFault>>)>,
}

impl Stages {
    /// The methods.
    pub fn methods(&self) -> Methods {
        self.methods
    }

    /// Uses other methods for the next candidates.
    pub(super) fn set_methods(&mut self, methods: Methods) {
        (self.methods, self.running) = (methods, None);
    }

    /// Figures of the candidates of the present step; `None` before any, if they were not tested, and without bodies.
    pub(super) fn figures(&self) -> Option<StageFigures> {
        self.running.as_ref()?.outcome.as_ref().map(|(figures, _)| *figures)
    }

    /// The first wrong answer about the last candidates.
    pub(super) fn fault(&self) -> Option<Arc<StageFault>> {
        self.running.as_ref()?.outcome.as_ref()?.1.clone()
    }

    /// Whether the contact points of a step are known, so that those of the next one are kept from them.
    pub(super) fn remembers(&self, at: (u64, u64)) -> bool {
        self.running.as_ref().is_some_and(|running| running.remembered == Some(at))
    }

    /// Lets the contacts of the next step follow from none: the last candidates were not those of a step.
    pub(super) fn forget_contacts(&mut self) {
        if let Some(running) = &mut self.running {
            running.remembered = None;
        }
    }

    /// Forgets what became of the last candidates: those of the present step are wrong, and are not tested.
    pub(super) fn skip(&mut self) {
        if let Some(running) = &mut self.running {
            running.outcome = None;
        }
    }

    /// Forgets the last candidates: there are no bodies.
    pub(super) fn forget(&mut self) {
        self.running = None;
    }

    /// Tests the sorted candidates of an epoch and a step, and finds where they touch. Every answer is compared with
    /// the reference. Returns whether all was done before `stop` was set: otherwise nothing is known of them.
    pub(super) fn run(
        &mut self,
        candidates: Candidates<'_>,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> bool {
        let Candidates { bodies, at, .. } = candidates;
        let fits = |running: &Running| Arc::ptr_eq(&running.catalogue, bodies.catalogue());
        let running = self.running.take().filter(fits);
        let mut running = running.unwrap_or_else(|| Running::new(self.methods, bodies, at));
        running.run(candidates, clock, stop);
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
        self.running.iter().filter(is_tested).flat_map(|Running { pipeline, follows, .. }| {
            pipeline.contacts.points().map(|found| (found, follows.then_some(found.point.is_kept)))
        })
    }

    /// What to draw of a body's volume, and how many times as large as the body it is. `None` where no candidates were
    /// tested in this world yet. The second is `None` where the volume is all of space.
    pub fn volume_of(&self, bodies: &Bodies, object: usize) -> Option<(Outline, Option<f64>)> {
        let running = self.running.as_ref()?;
        if !Arc::ptr_eq(&running.catalogue, bodies.catalogue()) {
            return None;
        }
        Some(running.pipeline.volume.outline(bodies, object))
    }
}

impl Running {
    fn new(methods: Methods, bodies: &Bodies, at: (u64, u64)) -> Self {
        Self {
            catalogue: bodies.catalogue().clone(),
            pipeline: Pipeline::new(methods.volume, methods.narrow, bodies),
            at,
            follows: false,
            remembered: None,
            outcome: None,
        }
    }

    fn run(&mut self, candidates: Candidates<'_>, clock: &dyn Clock, stop: &AtomicBool) {
        let Candidates { bodies, pairs, at: (epoch, step), .. } = candidates;
        let last = self.outcome.take();
        if self.at == (epoch, step) && last.is_some() && self.pipeline.audit.candidates() == pairs {
            // Another algorithm has found the same pairs.
            self.outcome = last;
            return;
        }
        self.follows = self.remembered == Some((epoch, step.wrapping_sub(1)));
        if !self.follows {
            // Points are kept from one step to the next alone.
            self.pipeline.contacts = ContactStage::default();
            self.remembered = None;
        }
        self.at = (epoch, step);
        let goes_on = &|| !stop.load(Ordering::Relaxed);
        let of = FramePairs { bodies, pairs, goes_on };
        let now_ns = || clock.now_ns();
        let tested = self.pipeline.test(&of, now_ns);
        let began = clock.now_ns();
        let checked = self.pipeline.check(&of);
        let checks_ns = clock.now_ns() - began;
        let Some(answers) = checked.filter(|_| goes_on()) else {
            // The repeated run still follows from the step before.
            return;
        };
        self.remembered = None;
        let Some((contacts, contact_ns)) = self.pipeline.find_contacts(&of, now_ns) else {
            return;
        };
        self.remembered = Some(self.at);
        let fault = self.wrong_answer(&answers, step).map(Arc::new);
        let CheckedAnswers { volume, narrow, .. } = answers;
        let times = [tested.volume_ns, tested.narrow_ns, contact_ns, checks_ns];
        let impact = candidates.impacts();
        self.outcome = Some((StageFigures { times, volume, narrow, contacts, impact }, fault));
    }

    /// The first wrong answer.
    fn wrong_answer(&self, answers: &CheckedAnswers, step: u64) -> Option<StageFault> {
        let (volume, narrow) = (self.pipeline.volume.kind(), self.pipeline.narrow.method());
        let wrong = [
            ("the reference".to_owned(), answers.unanswered),
            (format!("the bounding volume {} ({})", volume.name, volume.id), answers.volume.wrong),
            (format!("the narrow phase {} ({})", narrow.name, narrow.id), answers.narrow.wrong),
        ];
        wrong
            .into_iter()
            .find_map(|(method, wrong)| Some(StageFault { step, method, wrong: wrong? }))
    }
}
