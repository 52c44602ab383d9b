//! First contacts of the candidates of a step.

use super::motion::Motion;
use super::stages::Candidates;
use broadphase::Pair;
use sim::Bodies;

/// First contacts within a step of a continuous world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpactFigures {
    /// First contacts that the world responded to.
    pub responded: u64,
    /// Objects that waited at their last free pose.
    pub waiting: u64,
}

impl<'a> Candidates<'a> {
    /// The candidates of the step that a motion shows.
    pub(super) fn of(motion: &Motion, bodies: &'a Bodies, pairs: &'a [Pair]) -> Self {
        let at = (motion.epoch(), motion.steps());
        let have_impacts = motion.is_continuous() && motion.steps() >= motion.first_step();
        Self { bodies, pairs, at, have_impacts }
    }

    /// The first contacts of the step; `None` unless the world is continuous.
    pub(super) fn impacts(&self) -> Option<ImpactFigures> {
        self.have_impacts.then(|| ImpactFigures {
            responded: self.bodies.impacts().len() as u64,
            waiting: self.bodies.waiting_objects().len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Session, Stepped};
    use broadphase::Aabb;
    use measure::{Clock, MonotonicClock};
    use narrowphase::BoxKind;
    use sim::stages::BodyList as _;
    use sim::{Hold, Scene, SceneDocument, StepImpact, World};
    use std::sync::atomic::AtomicBool;

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
