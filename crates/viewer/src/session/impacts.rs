//! First contacts of the candidates of a step.

use super::motion::Motion;
use super::stage_fault::{Stage, StageFault};
use super::stages::Candidates;
use broadphase::Pair;
use measure::Clock;
use narrowphase::impact::ImpactMethod;
use sim::Bodies;
use sim::stages::{Audit, FramePairs, ImpactStage, Tally};
use std::sync::atomic::{AtomicBool, Ordering};

/// First contacts within a step of a continuous world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpactFigures {
    /// The answers of the method to all candidates.
    pub tally: Tally,
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
    audit: Audit,
    tally: Tally,
}

impl Impacts {
    pub(super) fn new(method: ImpactMethod) -> Self {
        let (audit, tally) = (Audit::default(), Tally::default());
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
        *tally = Tally::default();
        if !candidates.have_impacts {
            return Some(ImpactRun::default());
        }
        let goes_on = &|| !stop.load(Ordering::Relaxed);
        let of = FramePairs { bodies, pairs, goes_on };
        let start = clock.now_ns();
        stage.find(&of, time_step);
        let found = clock.now_ns();
        if !audit.examine_impacts(&of, time_step) || !goes_on() {
            return None;
        }
        *tally = audit.impacts(stage.method().kind.exactness, &of, stage.answers());
        let figures = ImpactFigures {
            tally: *tally,
            responded: bodies.impacts().len() as u64,
            waiting: bodies.waiting_objects().len() as u64,
        };
        let checks_ns = clock.now_ns() - found;
        Some(ImpactRun { ns: found - start, checks_ns, figures: Some(figures) })
    }

    /// The first wrong answer about the last candidates. Where the reference has none, no method is wrong.
    pub(super) fn fault(&self, candidates: &Candidates<'_>) -> Option<StageFault> {
        if !candidates.have_impacts {
            return None;
        }
        let kind = self.stage.method().kind;
        let (wrong, stage, name, id) = match self.audit.unanswered() {
            Some(wrong) => (wrong, Stage::Reference, "", ""),
            None => (self.tally.wrong?, Stage::Impact, kind.name, kind.id),
        };
        Some(StageFault { step: candidates.at.1, stage, name, id, wrong })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Session, Stepped};
    use broadphase::Aabb;
    use measure::MonotonicClock;
    use narrowphase::BoxKind;
    use narrowphase::impact::find;
    use sim::stages::BodyList as _;
    use sim::{Hold, Scene, SceneDocument, StepImpact, World};

    #[test]
    fn failed_reference_is_reported_and_no_method() {
        let text =
            b"i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!continuous all\n#!shape cube box 1 1 1\n\
            #!body cube 0 0 0  0 0 0\n#!body cube 2 0 0  0 0 0\n";
        let document = SceneDocument::parse("cubes.scene", text).unwrap();
        let mut world = World::new(document.scene());
        world.step(Hold::None);
        let (bodies, pairs) = (world.bodies().unwrap(), &[Pair { a: 0, b: 1 }]);
        let fault = |time_step: f64| {
            let at = (0, 1);
            let candidates = Candidates { bodies, pairs, at, time_step, have_impacts: true };
            let mut impacts = Impacts::new(find("moving-sat").unwrap());
            let stop = AtomicBool::new(false);
            impacts.run(&candidates, &MonotonicClock::new(), &stop).unwrap();
            impacts.fault(&candidates)
        };
        assert_eq!(fault(0.01), None);
        // No reference has an answer for such a step.
        let fault = fault(f64::NAN).unwrap();
        assert_eq!((fault.stage, fault.name, fault.id), (Stage::Reference, "", ""));
        assert_eq!(
            fault.to_string(),
            "step 1: the reference is wrong about the bodies 0 and 1: it gives no answer; the reference gives none"
        );
    }

    /// A ball between two plates that close, and a die and a ball that meet.
    fn plates() -> Scene {
        let text = b"i -90 -90 -90 180 180 180 100 t\n#!objects 0\n#!continuous all\n\
            #!shape plate box 0.2 1 1\n#!shape die box 1 1 1\n#!body plate -0.4 0 0  12 0 0\n\
            #!body plate 0.4 0 0  -12 0 0\n#!ball 0 0 0  50 0 0  0.1\n\
            #!body die 0 9 0  30 0 0\n#!ball 2 9 0  -30 0 0  0.5\n";
        let mut scene = SceneDocument::parse("plates.scene", text).unwrap().scene().clone();
        scene.placed_bodies[..2].iter_mut().for_each(|plate| plate.is_kinematic = true);
        scene
    }

    /// All that a step shows of first contacts.
    #[derive(Debug, PartialEq)]
    struct Shown {
        impacts: Vec<StepImpact>,
        waiting: Vec<u32>,
        starts: Vec<String>,
        boxes: Vec<Aabb>,
        pairs: Vec<Pair>,
    }

    fn shown(session: &Session) -> Shown {
        let bodies = session.world().and_then(World::bodies).unwrap();
        let start = |object| {
            let (body, motion) = bodies.moving(object);
            format!("{:?} {motion:?}", body.pose)
        };
        Shown {
            impacts: bodies.impacts().to_vec(),
            waiting: bodies.waiting_objects().to_vec(),
            starts: (0..bodies.states().len()).map(start).collect(),
            boxes: session.motion().boxes().to_vec(),
            pairs: session.pairs().to_vec(),
        }
    }

    /// Takes steps up to the last one. What each shows, with its number.
    fn forwards(session: &mut Session, last: u64) -> Vec<(u64, Shown)> {
        let stop = AtomicBool::new(false);
        let mut all = Vec::new();
        while session.steps() < last {
            let stepped = session.step(Hold::None, &stop).unwrap();
            assert!(matches!(stepped, Stepped::Done), "{stepped:?}");
            all.push((session.steps(), shown(session)));
        }
        all
    }

    fn go_to(session: &mut Session, step: u64) -> Shown {
        assert!(session.go_to(step).unwrap());
        session.search_here(&AtomicBool::new(false), &mut |_| ()).unwrap();
        shown(session)
    }

    #[test]
    fn steps_shown_again_have_their_first_contacts() {
        let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
        let bsp = broadphase::registry::find("bsp").unwrap();
        let mut session = Session::new("plates", &plates(), bsp, clock, None).unwrap();
        let first = forwards(&mut session, 8);
        // Balls come before other bodies.
        let met = Pair { a: 1, b: 4 };
        assert!(first.iter().any(|(_, shown)| shown.waiting == [0]));
        assert!(first.iter().any(|(_, shown)| shown.impacts.iter().any(|of| of.pair == met)));
        for (step, before) in first.iter().rev().skip(1) {
            assert_eq!(&go_to(&mut session, *step), before, "step {step}");
        }
        // Boxes of another kind are around the paths that the contacts led to: these have the same contacts.
        session.set_box_kind(BoxKind::Sphere);
        for (step, before) in &first {
            let now = go_to(&mut session, *step);
            assert_eq!((&now.impacts, &now.waiting), (&before.impacts, &before.waiting));
            assert_eq!(now.starts, before.starts, "step {step}");
            let is_candidate = |of: &StepImpact| now.pairs.binary_search(&of.pair).is_ok();
            assert!(now.impacts.iter().all(is_candidate), "step {step}");
        }
        // Steps that are taken again have swept boxes again, and the same contacts.
        go_to(&mut session, 2);
        let second = forwards(&mut session, 8);
        for ((step, now), (_, before)) in second.iter().zip(&first[2..]).rev() {
            assert_eq!((&now.impacts, &now.starts), (&before.impacts, &before.starts));
            assert_ne!(now.boxes, before.boxes, "step {step}: another kind");
            assert_eq!(&go_to(&mut session, *step), now, "step {step}");
        }
    }
}
