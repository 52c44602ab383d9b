//! The stages after the search of bodies, each clocked, and their answers checked.

use super::figures::{ImpactFigures, StageFigures};
use super::methods::Methods;
use super::motion::Motion;
use broadphase::Pair;
use measure::Clock;
use narrowphase::volume::Outline;
use sim::Bodies;
use sim::scene::Catalogue;
use sim::stages::{CheckedAnswers, ContactStage, FramePairs, PairPoint, Pipeline, WrongAnswer};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first wrong answer about a pair of bodies, of a method that must not give any.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFault {
    /// The step, counted from 1.
    pub step: u64,
    /// The method that answered, with its id: "the narrow phase GJK (gjk)".
    pub method: String,
    /// The answer, and what the reference knows.
    pub wrong: WrongAnswer,
}

impl StageFault {
    /// The bodies.
    pub fn pair(&self) -> Pair {
        self.wrong.pair
    }
}

/// The fault in plain words, with the pair and both answers.
impl fmt::Display for StageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, method, wrong } = self;
        let Pair { a, b } = wrong.pair;
        write!(f, "step {step}: {method} is wrong about the bodies {a} and {b}: {wrong}")
    }
}

/// The candidates of a step, to be tested.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'a> {
    bodies: &'a Bodies,
    /// Sorted.
    pairs: &'a [Pair],
    /// Epoch and step.
    at: (u64, u64),
    /// The first contacts of the step; `None` unless they moved in it, in a continuous world.
    impact: Option<ImpactFigures>,
}

impl<'a> Candidates<'a> {
    /// The candidates of the step that a motion shows.
    pub(super) fn of(motion: &Motion, bodies: &'a Bodies, pairs: &'a [Pair]) -> Self {
        let at = (motion.epoch(), motion.steps());
        let have_moved = motion.is_continuous() && motion.steps() >= motion.first_step();
        let impact = have_moved.then(|| ImpactFigures {
            responded: bodies.impacts().len() as u64,
            waiting: bodies.waiting_objects().len() as u64,
        });
        Self { bodies, pairs, at, impact }
    }
}

/// The stages of a session, and what became of the last candidates.
#[derive(Default)]
pub struct Stages {
    methods: Methods,
    /// The methods fitted to the shapes of a world, and what they keep between steps. `None` before its first candidates.
    fitted: Option<(Arc<Catalogue>, Pipeline)>,
    /// Epoch and step of the last candidates, and whether its contacts followed from the step before.
    at: (u64, u64),
    follows: bool,
    /// Epoch and step that the memory of contacts is of; `None` where no step filled it, or a stop cut it short.
    remembered: Option<(u64, u64)>,
    /// Figures and fault of the last candidates, which the pipeline keeps; `None` where the stages were stopped.
    outcome: Option<(StageFigures, Option<Arc<StageFault>>)>,
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

    /// Forgets the last candidates: there are no bodies, or others.
    pub(super) fn forget(&mut self) {
        self.set_methods(self.methods);
    }

    /// Figures of the candidates of the present step; `None` before any, if they were not tested, and without bodies.
    pub(super) fn figures(&self) -> Option<StageFigures> {
        self.outcome.as_ref().map(|(figures, _)| *figures)
    }

    /// The first wrong answer about the last candidates.
    pub(super) fn fault(&self) -> Option<Arc<StageFault>> {
        self.outcome.as_ref()?.1.clone()
    }

    /// Whether the contact points of a step are known, so that those of the next one are kept from them.
    pub(super) fn remembers(&self, at: (u64, u64)) -> bool {
        self.remembered == Some(at)
    }

    /// Lets the contacts of the next step follow from none: the last candidates were not those of a step.
    pub(super) fn forget_contacts(&mut self) {
        self.remembered = None;
    }

    /// Forgets what became of the last candidates: those of the present step are wrong, and are not tested.
    pub(super) fn skip(&mut self) {
        self.outcome = None;
    }

    /// Tests the sorted candidates of an epoch and a step, and finds where they touch. Every answer is compared with
    /// the reference. Returns whether all was done before `stop` was set: otherwise nothing is known of them.
    pub(super) fn run(
        &mut self,
        candidates: Candidates<'_>,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> bool {
        let bodies = candidates.bodies;
        let fits = |(of, _): &(Arc<Catalogue>, Pipeline)| Arc::ptr_eq(of, bodies.catalogue());
        let (catalogue, mut pipeline) = self.fitted.take().filter(fits).unwrap_or_else(|| {
            self.forget();
            let Methods { volume, narrow } = self.methods;
            (bodies.catalogue().clone(), Pipeline::new(volume, narrow, bodies))
        });
        self.test(&mut pipeline, candidates, clock, stop);
        self.fitted = Some((catalogue, pipeline));
        self.outcome.is_some()
    }

    fn test(
        &mut self,
        pipeline: &mut Pipeline,
        candidates: Candidates<'_>,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) {
        let Candidates { bodies, pairs, at: (epoch, step), impact } = candidates;
        let last = self.outcome.take();
        if self.at == (epoch, step) && last.is_some() && pipeline.audit.candidates() == pairs {
            // Another algorithm has found the same pairs.
            self.outcome = last;
            return;
        }
        self.follows = self.remembered == Some((epoch, step.wrapping_sub(1)));
        if !self.follows {
            // Points are kept from one step to the next alone.
            pipeline.contacts = ContactStage::default();
            self.remembered = None;
        }
        self.at = (epoch, step);
        let goes_on = &|| !stop.load(Ordering::Relaxed);
        let of = FramePairs { bodies, pairs, goes_on };
        let now_ns = || clock.now_ns();
        let tested = pipeline.test(&of, now_ns);
        let began = clock.now_ns();
        let checked = pipeline.check(&of);
        let checks_ns = clock.now_ns() - began;
        let Some(answers) = checked.filter(|_| goes_on()) else {
            // The repeated run still follows from the step before.
            return;
        };
        self.remembered = None;
        let Some((contacts, contact_ns)) = pipeline.find_contacts(&of, now_ns) else {
            return;
        };
        self.remembered = Some(self.at);
        let fault = wrong_answer(pipeline, &answers, step).map(Arc::new);
        let CheckedAnswers { volume, narrow, .. } = answers;
        let times = [tested.volume_ns, tested.narrow_ns, contact_ns, checks_ns];
        self.outcome = Some((StageFigures { times, volume, narrow, contacts, impact }, fault));
    }

    /// Where bodies touch in an epoch and a step, as the narrow phase answers, and whether each point is kept from the
    /// step before; `None` where that step was not tested. There are none before the candidates are tested.
    pub fn contact_points(
        &self,
        at: (u64, u64),
    ) -> impl Iterator<Item = (&PairPoint, Option<bool>)> {
        let (is_tested, follows) = (self.at == at && self.outcome.is_some(), self.follows);
        let tested = self.fitted.iter().filter(move |_| is_tested);
        tested.flat_map(move |(_, pipeline)| {
            let points = pipeline.contacts.points();
            points.map(move |found| (found, follows.then_some(found.point.is_kept)))
        })
    }

    /// The outline of a body's volume, and how many times as large as the body it is. `None` where no candidates were
    /// tested in this world yet. The second is `None` where the volume is all of space.
    pub fn volume_of(&self, bodies: &Bodies, object: usize) -> Option<(Outline, Option<f64>)> {
        let (catalogue, pipeline) = self.fitted.as_ref()?;
        let fits = Arc::ptr_eq(catalogue, bodies.catalogue());
        fits.then(|| pipeline.volume.outline(bodies, object))
    }
}

/// The first wrong answer.
fn wrong_answer(pipeline: &Pipeline, answers: &CheckedAnswers, step: u64) -> Option<StageFault> {
    let (volume, narrow) = (pipeline.volume.kind(), pipeline.narrow.method());
    let wrong = [
        ("the reference".to_owned(), answers.unanswered),
        (format!("the bounding volume {} ({})", volume.name, volume.id), answers.volume.wrong),
        (format!("the narrow phase {} ({})", narrow.name, narrow.id), answers.narrow.wrong),
    ];
    wrong.into_iter().find_map(|(method, wrong)| Some(StageFault { step, method, wrong: wrong? }))
}
