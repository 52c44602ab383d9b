use super::*;
use crate::{Scene, SceneDocument, World};
use broadphase::Pair;
use narrowphase::impact::{Exactness, Impact, Motion};
use narrowphase::narrow::{self, NARROW_PHASES};
use narrowphase::volume::{self, VOLUMES};
use narrowphase::{Answer, Judgement, Shape};
use std::sync::atomic::AtomicBool;

/// Bodies of all kinds, after some steps.
fn crowd() -> World {
    let text = include_bytes!("../../../../scenes/zoo.scene");
    let mut scene = SceneDocument::parse("zoo.scene", text).unwrap().scene().clone();
    scene.objects = 1200;
    scene.sources.iter_mut().for_each(|source| source.size *= 0.6);
    let mut world = World::new(&scene);
    for _ in 0..3 {
        world.step(crate::Hold::None);
    }
    world
}

/// All pairs of overlapping boxes.
fn candidates(world: &World) -> Vec<Pair> {
    let mut boxes = Vec::new();
    world.boxes(&mut boxes);
    let mut pairs = Vec::new();
    for (a, one) in boxes.iter().enumerate() {
        for (b, other) in boxes.iter().enumerate().skip(a + 1) {
            if one.overlaps(other) {
                pairs.push(Pair { a: a as u32, b: b as u32 });
            }
        }
    }
    pairs
}

#[test]
fn every_method_agrees_with_the_reference_frame_after_frame() {
    let mut world = crowd();
    let bodies = world.bodies().unwrap();
    let mut volumes: Vec<_> = VOLUMES.iter().map(|kind| VolumeStage::new(kind, bodies)).collect();
    let mut methods: Vec<_> = NARROW_PHASES.iter().map(NarrowStage::new).collect();
    let (mut audit, mut contacts) = (Audit::default(), ContactStage::default());
    let mut sum = Tally::default();
    for frame in 0..3 {
        let pairs = candidates(&world);
        assert!(pairs.len() > PARALLEL_FROM, "{} pairs", pairs.len());
        let bodies = world.bodies().unwrap();
        audit.examine(bodies, &pairs);
        let reference = audit.reference();
        assert_eq!(reference.wrong, None);
        let mut passed = Vec::new();
        for stage in &mut volumes {
            stage.place(bodies);
            stage.filter(bodies, &pairs, &mut passed);
            let tally = audit.volume(stage.kind(), &passed);
            assert_eq!((tally.wrong, tally.passed), (None, passed.len() as u64));
            assert_eq!(tally.missed > 0, !stage.kind().exact, "{}", stage.kind().id);
            sum = sum.plus(&tally);
        }
        for stage in &mut methods {
            stage.test(bodies, &pairs);
            let tally = audit.narrow(bodies, stage.kind(), &pairs, stage.answers());
            assert_eq!(tally.wrong, None, "{}", stage.kind().id);
            assert_eq!(tally.passed, reference.passed, "{}", stage.kind().id);
            let has_cache = frame > 0 && stage.kind().keeps_state;
            assert_eq!(stage.counters().cached > 0, has_cache, "{}", stage.kind().id);
        }
        let touching = audit.touching().collect::<Vec<_>>();
        let count = contacts.find(bodies, &touching);
        assert!(count.sets >= reference.passed && count.points >= count.sets, "{count:?}");
        assert_eq!(count.kept > 0, frame > 0, "{count:?}");
        world.respond(&pairs);
        world.step(crate::Hold::None);
    }
    assert!(sum.false_passed > 0);
}

#[test]
fn wrong_answers_are_found() {
    let world = crowd();
    let bodies = world.bodies().unwrap();
    let pairs = candidates(&world);
    let mut audit = Audit::default();
    audit.examine(bodies, &pairs);
    let touching = audit.touching().collect::<Vec<_>>();

    let exact = volume::find("obb").unwrap();
    assert_eq!(audit.volume(exact, &touching).wrong, None);
    let wrong = audit.volume(exact, &touching[1..]).wrong.unwrap();
    assert_eq!((wrong.pair, wrong.judgement), (touching[0], Judgement::Wrong));
    let inexact = volume::find("sphere-inside").unwrap();
    let tally = audit.volume(inexact, &touching[1..]);
    assert_eq!((tally.wrong, tally.missed), (None, 1));

    let method = narrow::find("sat").unwrap();
    let mut answers: Vec<Answer> = audit.verdicts().iter().map(|verdict| verdict.answer).collect();
    assert_eq!(audit.narrow(bodies, method, &pairs, &answers).wrong, None);
    let at = pairs.binary_search(&touching[5]).unwrap();
    answers[at] = Answer::Separated { axis: None };
    let tally = audit.narrow(bodies, method, &pairs, &answers);
    assert_eq!(tally.wrong.unwrap().pair, touching[5]);
    assert_eq!(tally.passed, touching.len() as u64 - 1);
    answers[at] = Answer::Failed;
    assert_eq!(audit.narrow(bodies, method, &pairs, &answers).failures, 1);
}

/// Pairs of three-part bodies, most of them apart.
fn jacks() -> World {
    let text = include_bytes!("../../../../scenes/jacks.scene");
    let scene = SceneDocument::parse("jacks.scene", text).unwrap().scene().clone();
    let mut scene = Scene { objects: 300, ..scene };
    scene.sources.iter_mut().for_each(|source| source.size *= 0.3);
    World::new(&scene)
}

#[test]
fn wrong_witness_of_the_reference_is_found() {
    for world in [crowd(), jacks()] {
        let bodies = world.bodies().unwrap();
        let pairs = candidates(&world);
        let mut audit = Audit::default();
        audit.examine(bodies, &pairs);
        assert_eq!(audit.reference().wrong, None);
        let at = pairs.len() / 2;
        audit.judgements[at] = Judgement::WrongWitness;
        let wrong = audit.reference().wrong.unwrap();
        assert_eq!((wrong.pair, wrong.judgement), (pairs[at], Judgement::WrongWitness));
        assert_eq!(wrong.verdict, audit.verdicts()[at]);
    }
}

#[test]
fn contact_sets_are_checked_and_a_planted_fault_is_found() {
    for world in [crowd(), jacks()] {
        let bodies = world.bodies().unwrap();
        let mut audit = Audit::default();
        audit.examine(bodies, &candidates(&world));
        let touching = audit.touching().collect::<Vec<_>>();
        assert!(touching.len() >= 8, "{}", touching.len());
        let mut contacts = ContactStage::default();
        contacts.find(bodies, &touching);
        let right = |pairs| Ok(Checked { pairs, left_out: 0 });
        let stride = touching.len().div_ceil(8);
        let spread = touching.len().div_ceil(stride) as u64;
        assert_eq!(contacts.check(bodies, &touching, || true), right(spread));
        let asked = std::cell::Cell::new(0);
        let thrice = || asked.replace(asked.get() + 1) < 3;
        assert_eq!(contacts.check(bodies, &touching, thrice), right(3));
        let spoil: [fn(&mut Vec<PairPoint>); 3] = [
            |points| points[0].point.position.x += 1e-3,
            |points| points[0].normal *= -1.0,
            |points| points.truncate(0),
        ];
        for spoil in spoil {
            contacts.find(bodies, &touching);
            spoil(&mut contacts.finders[0].points);
            let fault = contacts.check(bodies, &touching, || true).unwrap_err();
            assert_eq!(fault.pair, touching[0], "{fault:?}");
        }
    }
}

#[test]
fn contact_sets_of_bodies_with_too_many_edges_are_not_checked() {
    let text =
        b"i -1 -1 -1  4 4 4  100 t\n#!objects 0\n#!shape round hull 100\n#!shape two compound\n\
        #!part two round 0 0 0\n#!part two round 0.5 0 0\n#!shape cube box 1 1 1\n\
        #!body two 0 0 0  0 0 0\n#!body two 0.5 0.5 0  0 0 0\n#!body cube 1 0 0  0 0 0\n";
    let document = SceneDocument::parse("large", text).unwrap();
    let world = World::new(document.scene());
    let touching = [[0, 1], [0, 2], [1, 2]].map(|[a, b]| Pair { a, b });
    let mut contacts = ContactStage::default();
    let bodies = world.bodies().unwrap();
    assert!(contacts.find(bodies, &touching).sets >= 3);
    let checked = contacts.check(bodies, &touching, || true);
    assert_eq!(checked, Ok(Checked { pairs: 2, left_out: 1 }));
}

#[test]
fn answer_about_a_pair_that_is_no_candidate_is_wrong() {
    let world = crowd();
    let bodies = world.bodies().unwrap();
    let pairs = candidates(&world);
    let mut audit = Audit::default();
    audit.examine(bodies, &pairs[1..]);
    // An object that does not exist, and a pair that was left out.
    for foreign in [Pair { a: 5, b: u32::MAX }, pairs[0]] {
        let mut tested = vec![foreign, pairs[1]];
        let apart = Answer::Separated { axis: None };
        let found = audit.narrow(bodies, narrow::find("sat").unwrap(), &tested, &[apart; 2]).wrong;
        let found = found.unwrap();
        assert_eq!((found.pair, found.judgement), (foreign, Judgement::NotAsked));
        tested.clear();
        tested.extend_from_slice(&pairs[1..]);
        tested.push(foreign);
        tested.sort_unstable();
        for kind in VOLUMES {
            let found = audit.volume(kind, &tested).wrong.unwrap();
            assert_eq!((found.pair, found.judgement), (foreign, Judgement::NotAsked));
        }
    }
}

#[test]
fn audit_that_is_stopped_knows_no_pair() {
    let world = crowd();
    let bodies = world.bodies().unwrap();
    let pairs = candidates(&world);
    let many: Vec<Pair> = pairs.iter().cycle().take(3 * pairs.len().max(5000)).copied().collect();
    let mut audit = Audit::default();
    let asked = std::cell::Cell::new(0);
    let twice = || {
        asked.set(asked.get() + 1);
        asked.get() < 3
    };
    assert!(!audit.examine_while(bodies, &many, twice));
    assert_eq!((asked.get(), audit.candidates().len(), audit.verdicts().len()), (3, 0, 0));
    assert!(audit.examine_while(bodies, &pairs, || true));
    assert_eq!(audit.verdicts().len(), pairs.len());
}

#[test]
fn stopped_stages_test_nothing() {
    let world = crowd();
    let bodies = world.bodies().unwrap();
    let pairs = candidates(&world);
    let stop = AtomicBool::new(true);
    let stopped = StoppedBy { bodies, stop: &stop };
    for kind in NARROW_PHASES {
        let mut stage = NarrowStage::new(kind);
        stage.test(&stopped, &pairs);
        assert!(stage.answers().iter().all(|answer| *answer == Answer::Failed), "{}", kind.id);
        assert_eq!(stage.counters().tests, 0);
    }
    assert_eq!(ContactStage::default().find(&stopped, &pairs), ContactCount::default());
    let mut audit = Audit::default();
    audit.examine(&stopped, &pairs);
    assert!(audit.verdicts().iter().all(|verdict| verdict.answer == Answer::Failed));
}

/// Two balls, four apart, of which the second approaches at 4 units/s and passes the first at a height. At height 0 and
/// radius 1 they touch from 0.5 to 1.5 s.
pub(super) struct Balls([NamedShape; 1], f64, glam::DVec3);

impl Balls {
    pub(super) fn new(radius: f64, height: f64) -> Self {
        let shape = Shape::sphere(radius).unwrap();
        Self([NamedShape { name: "ball".to_owned(), shape }], height, glam::DVec3::ZERO)
    }

    /// Both with another velocity on top.
    pub(super) fn carried(self, velocity: glam::DVec3) -> Self {
        Self(self.0, self.1, velocity)
    }
}

impl BodyList for Balls {
    fn count(&self) -> usize {
        2
    }

    fn shapes(&self) -> &[NamedShape] {
        &self.0
    }

    fn shape_of(&self, _: usize) -> usize {
        0
    }

    fn body(&self, object: usize) -> narrowphase::Body<'_> {
        let position = glam::DVec3::new(4.0, self.1, 0.0) * object as f64;
        let pose = narrowphase::Pose { position, ..narrowphase::Pose::IDENTITY };
        narrowphase::Body::new(&self.0[0].shape, pose)
    }
}

impl MovingBodies for Balls {
    fn moving(&self, object: usize) -> (narrowphase::Body<'_>, Motion) {
        let velocity = self.2 + glam::DVec3::NEG_X * (4.0 * object as f64);
        (self.body(object), Motion { velocity, ..Motion::NONE })
    }
}

#[test]
fn time_of_an_exact_method_is_that_of_first_contact() {
    let (balls, pairs) = (Balls::new(1.0, 0.0), [Pair { a: 0, b: 1 }]);
    let mut audit = ImpactAudit::default();
    assert!(!audit.examine_while(&balls, &pairs, 2.0, || false));
    assert!(audit.known().is_empty());
    audit.examine(&balls, &pairs, 2.0);
    assert_eq!(audit.unanswered(&pairs), None);
    let at = |first| Impact::At { first, last: first, axis: glam::DVec3::X };
    let is_wrong = |found: Impact| {
        let tally = audit.tally(Exactness::ToTolerance, &balls, &pairs, &[found]);
        assert_eq!(tally.misses, u64::from(found == Impact::Never));
        tally.wrong.is_some()
    };
    let wrong = [at(0.4), at(0.6), at(1.5), at(1.9), at(f64::NAN), at(-1.0)];
    assert!(
        wrong.into_iter().chain([Impact::Overlapping, Impact::Never, Impact::Failed]).all(is_wrong)
    );
    assert!(![at(0.5), at(0.5 + 1e-8), at(0.5 - 1e-8)].into_iter().any(is_wrong));
}
