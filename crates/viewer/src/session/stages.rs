//! The stages after the search of bodies, each clocked, and their answers checked.

use super::impacts::Impacts;
use super::methods::Methods;
use super::stage_fault::{Stage, StageFault, Wrong};
use super::stage_figures::{StageFigures, StageTimes};
use broadphase::Pair;
use measure::Clock;
use narrowphase::volume::Outline;
use narrowphase::{Body, Part};
use sim::Bodies;
use sim::scene::Catalogue;
use sim::stages::{
    BodyList, CheckedAnswers, ContactFault, ContactStage, PairPoint, Pipeline, StoppedBy,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most pairs of a step whose contact sets are checked. The oracle takes a tenth of a millisecond for two hulls of
/// sixteen points.
const MAX_CONTACTS_CHECKED: usize = 8;

/// Most work of these checks in a step, in projections of a vertex: some 8 ms. A check cannot be stopped, so that pairs
/// which take more, as two hulls of more than seventy points, are not checked.
const MAX_CHECKING: usize = 16_000_000;

/// Checks the contact sets of the last pairs, for these of them, until the flag is set.
type ContactCheck = fn(&ContactStage, &Bodies, &[Pair], &AtomicBool) -> Result<(), ContactFault>;

/// The candidates of a step, to be tested.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'a> {
    pub(super) bodies: &'a Bodies,
    /// Sorted.
    pub(super) pairs: &'a [Pair],
    /// Epoch and step.
    pub(super) at: (u64, u64),
    /// Seconds of the step.
    pub(super) time_step: f64,
    /// They moved in the step, in a continuous world.
    pub(super) have_impacts: bool,
}

/// The stages of a session.
pub struct Stages {
    methods: Methods,
    /// Tests replace it.
    check_contacts: ContactCheck,
    /// `None` before the first candidates of a world, and after a change of methods.
    running: Option<Running>,
}

/// The methods fitted to the shapes of a world, and what they keep between steps.
struct Running {
    catalogue: Arc<Catalogue>,
    pipeline: Pipeline,
    impacts: Impacts,
    /// Epoch and step of the last candidates, and whether its contacts followed from the step before.
    at: (u64, u64),
    follows: bool,
    /// Epoch and step that the memory of contacts is of; `None` where no step filled it, or a stop cut it short.
    remembered: Option<(u64, u64)>,
    /// What became of the last candidates, which the pipeline keeps; `None` where the stages were stopped.
    outcome: Option<(StageFigures, Option<StageFault>)>,
}

impl Default for Stages {
    fn default() -> Self {
        let check_contacts: ContactCheck = |contacts, bodies, pairs, stop| {
            contacts.check(bodies, pairs, || !stop.load(Ordering::Relaxed)).map(|_| ())
        };
        Self { methods: Methods::default(), check_contacts, running: None }
    }
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
    pub(super) fn fault(&self) -> Option<StageFault> {
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
    /// the reference, and the contact sets of some pairs are checked. Returns whether all was done before `stop` was
    /// set: otherwise nothing is known of them.
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
        running.run(candidates, (clock, stop), self.check_contacts);
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
            pipeline.points().map(|found| (found, follows.then_some(found.point.is_kept)))
        })
    }

    /// What to draw of a body's volume, and how many times as large as the body it is. `None` where no candidates were
    /// tested in this world yet. The second is `None` where the volume is all of space.
    pub fn volume_of(&self, bodies: &Bodies, object: usize) -> Option<(Outline, Option<f64>)> {
        let running = self.running.as_ref()?;
        if !Arc::ptr_eq(&running.catalogue, bodies.catalogue()) {
            return None;
        }
        let volume = running.pipeline.volume();
        Some((volume.outline(bodies, object), volume.ratio(bodies, object)))
    }
}

impl Running {
    fn new(methods: Methods, bodies: &Bodies, at: (u64, u64)) -> Self {
        Self {
            catalogue: bodies.catalogue().clone(),
            pipeline: Pipeline::new(methods.volume, methods.narrow, bodies),
            impacts: Impacts::new(methods.impact),
            at,
            follows: false,
            remembered: None,
            outcome: None,
        }
    }

    fn run(
        &mut self,
        candidates: Candidates<'_>,
        (clock, stop): (&dyn Clock, &AtomicBool),
        check_contacts: ContactCheck,
    ) {
        let Candidates { bodies, pairs, at: (epoch, step), .. } = candidates;
        let last = self.outcome.take();
        if self.at == (epoch, step) && last.is_some() && self.pipeline.audit().candidates() == pairs
        {
            // Another algorithm has found the same pairs.
            self.outcome = last;
            return;
        }
        self.follows = self.remembered == Some((epoch, step.wrapping_sub(1)));
        if !self.follows {
            // Points are kept from one step to the next alone.
            self.pipeline.forget_contacts();
            self.remembered = None;
        }
        self.at = (epoch, step);
        let bodies = &StoppedBy { bodies, stop };
        let now_ns = || clock.now_ns();
        let tested = self.pipeline.test(bodies, pairs, now_ns);
        let began = clock.now_ns();
        let checked = self.pipeline.check(bodies, pairs, || true);
        let checks_ns = clock.now_ns() - began;
        let Some(answers) = checked.filter(|_| !bodies.is_stopped()) else {
            // The repeated run still follows from the step before.
            return;
        };
        self.remembered = None;
        let Some((contacts, contact_ns)) = self.pipeline.find_contacts(bodies, now_ns) else {
            return;
        };
        let Some(impact) = self.impacts.run(&candidates, clock, stop) else { return };
        self.remembered = Some(self.at);
        let found = clock.now_ns();
        // All is found: a stop from now on leaves contact sets unchecked.
        let fault = self.wrong_answer(&answers, step);
        let fault = fault.or_else(|| self.impacts.fault(&candidates));
        let fault = fault.or_else(|| self.check_contacts(bodies, step, check_contacts));
        let CheckedAnswers { volume, narrow, .. } = answers;
        let times = StageTimes {
            volume_ns: tested.volume_ns,
            narrow_ns: tested.narrow_ns,
            contact_ns,
            impact_ns: impact.ns,
            checks_ns: checks_ns + impact.checks_ns + (clock.now_ns() - found),
        };
        let impact = impact.figures;
        self.outcome = Some((StageFigures { times, volume, narrow, contacts, impact }, fault));
    }

    /// The first wrong answer.
    fn wrong_answer(&self, answers: &CheckedAnswers, step: u64) -> Option<StageFault> {
        let (volume, narrow) = (self.pipeline.volume().kind(), self.pipeline.narrow().kind());
        let judged = [
            (Stage::Reference, "", "", answers.reference),
            (Stage::Volume, volume.name, volume.id, answers.volume),
            (Stage::Narrow, narrow.name, narrow.id, answers.narrow),
        ];
        judged.into_iter().find_map(|(stage, name, id, tally)| {
            Some(StageFault { step, stage, name, id, found: Wrong::Answer(tally.wrong?) })
        })
    }

    /// Checks the contact sets of some touching pairs, of others in the next step.
    fn check_contacts(
        &self,
        &StoppedBy { bodies, stop }: &StoppedBy<'_, Bodies>,
        step: u64,
        check_contacts: ContactCheck,
    ) -> Option<StageFault> {
        let mut left = MAX_CHECKING;
        let is_affordable = |pair: &&Pair| {
            let [a, b] = [pair.a, pair.b].map(|object| bodies.body(object as usize));
            let after = left.checked_sub(work_of_check(&a, &b));
            left = after.unwrap_or(left);
            after.is_some()
        };
        let pairs: Vec<Pair> =
            sampled(self.pipeline.touching(), step).filter(is_affordable).copied().collect();
        let wrong = check_contacts(self.pipeline.contacts(), bodies, &pairs, stop).err()?;
        let found = Wrong::Contacts(wrong);
        Some(StageFault { step, stage: Stage::Contacts, name: "", id: "", found })
    }
}

/// At most [`MAX_CONTACTS_CHECKED`] pairs, evenly spread. Consecutive steps take different ones, until all had their turn.
fn sampled(pairs: &[Pair], step: u64) -> impl Iterator<Item = &Pair> {
    let stride = pairs.len().div_ceil(MAX_CONTACTS_CHECKED).max(1);
    let first = step % stride as u64;
    pairs.iter().skip(first as usize).step_by(stride)
}

/// Projections of vertices that the oracle takes for two bodies: on an axis for each pair of vertices or edges, of each
/// pair of parts.
fn work_of_check(a: &Body<'_>, b: &Body<'_>) -> usize {
    let size = |part: &Part| {
        let core = part.core();
        let vertices = core.vertices().len();
        (vertices, vertices + core.edges().len())
    };
    let each = |one: &Part| {
        let (vertices, features) = size(one);
        let with = |(others, their): (usize, usize)| 2 * features * their * (vertices + others);
        b.shape.parts().iter().map(size).map(with).sum::<usize>()
    };
    a.shape.parts().iter().map(each).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::simulation::{Engine, Snapshot, Watch};
    use measure::MonotonicClock;
    use sim::SceneDocument;

    /// Two pairs of cubes that overlap.
    const SCENE: &[u8] = b"i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!shape cube box 1 1 1\n\
        #!body cube 0 0 0  0 0 0\n#!body cube 0.9 0 0  0 0 0\n\
        #!body cube 0 0 2  0 0 0\n#!body cube 0.8 0 2  0 0 0\n";

    fn session(check_contacts: ContactCheck) -> Session {
        let document = SceneDocument::parse("cubes.scene", SCENE).unwrap();
        let bsp = broadphase::registry::find("bsp").unwrap();
        let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
        let mut session = Session::new("cubes", document.scene(), bsp, clock, None).unwrap();
        session.stages.check_contacts = check_contacts;
        session
    }

    #[test]
    fn a_wrong_contact_set_stops_the_motion() {
        for running in [true, false] {
            let mut session = session(|_, _, pairs, _| {
                let [_, pair] = *pairs else { return Ok(()) };
                Err(ContactFault { pair, text: "a set is askew".to_owned() })
            });
            session.set_methods(Methods::of_ids("none", "sat"));
            let clock = session.clock;
            let mut engine = Engine::new(session, clock, running);
            engine.advance(&AtomicBool::new(false));
            let mut snapshot = Snapshot::of(engine.session(), &Watch::default());
            engine.snapshot(&mut snapshot);
            let fault = snapshot.engine.fault.unwrap();
            let step = u64::from(running);
            assert_eq!(
                fault.to_string(),
                format!(
                    "step {step}: the contact sets are wrong: of the bodies 2 and 3, a set is askew"
                )
            );
            assert!(!snapshot.engine.running, "the motion has stopped");
            assert_eq!(engine.session().recorded(), 0, "a wrong step is no result");
        }
    }

    #[test]
    fn contact_sets_of_some_pairs_are_checked_by_the_oracle() {
        let mut session = session(Stages::default().check_contacts);
        let stepped = session.step(sim::Hold::None, &AtomicBool::new(false)).unwrap();
        assert!(matches!(stepped, crate::session::Stepped::Done), "{stepped:?}");
        // Of seventeen pairs every third one, and in three steps each.
        let pairs: Vec<Pair> = (0..17).map(|a| Pair { a, b: a + 1 }).collect();
        let mut checked: Vec<Pair> = Vec::new();
        for step in 7..10 {
            let some: Vec<Pair> = sampled(&pairs, step).copied().collect();
            assert!(some.len() <= MAX_CONTACTS_CHECKED && some.len() >= 5, "{some:?}");
            checked.extend(some);
        }
        checked.sort_unstable();
        assert_eq!(checked, pairs);
        assert_eq!(sampled(&[], 3).count(), 0);
    }

    #[test]
    fn checks_of_contact_sets_are_limited_by_their_work() {
        use narrowphase::{Pose, Shape};
        let cube = Shape::cuboid(glam::DVec3::ONE).unwrap();
        let work = |a: &Shape, b: &Shape| {
            work_of_check(&Body::new(a, Pose::IDENTITY), &Body::new(b, Pose::IDENTITY))
        };
        // Eight vertices and twelve edges each, 32 projections on an axis.
        assert_eq!(work(&cube, &cube), 20 * 20 * 32);
        let two = Shape::compound(&[(&cube, Pose::IDENTITY), (&cube, Pose::IDENTITY)]).unwrap();
        assert_eq!(work(&two, &two), 4 * work(&cube, &cube));
        let round = Shape::cylinder(1.0, 1.0, 64).unwrap();
        assert!(work(&round, &round) > MAX_CHECKING);
        assert!(8 * work(&cube, &round) < MAX_CHECKING);
    }
}
