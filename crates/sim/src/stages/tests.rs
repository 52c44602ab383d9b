use super::*;
use crate::{SceneDocument, World};
use broadphase::Pair;
use narrowphase::impact::{Exactness, Impact, KnownImpact, Motion};
use narrowphase::narrow::{self, NARROW_PHASES};
use narrowphase::volume::{self, VOLUMES};
use narrowphase::{Answer, Shape, Verdict};
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
    let (mut audit, mut contacts) = (Audit::<Verdict>::default(), ContactStage::default());
    let mut sum = Tally::default();
    for frame in 0..3 {
        let pairs = candidates(&world);
        assert!(pairs.len() > PARALLEL_FROM, "{} pairs", pairs.len());
        let bodies = world.bodies().unwrap();
        audit.examine(bodies, &pairs);
        assert_eq!(audit.unanswered(), None);
        let touching = audit.touching().collect::<Vec<_>>();
        let mut passed = Vec::new();
        for stage in &mut volumes {
            stage.place(bodies);
            stage.filter(bodies, &pairs, &mut passed);
            let tally = audit.volume(stage.kind(), stage.passes());
            assert_eq!((tally.wrong, tally.passed), (None, passed.len() as u64));
            assert_eq!(tally.missed > 0, !stage.kind().exact, "{}", stage.kind().id);
            sum = sum.plus(&tally);
        }
        for stage in &mut methods {
            stage.test(bodies, &pairs);
            let tally = audit.narrow(bodies, stage.method(), &pairs, stage.answers());
            assert_eq!(tally.wrong, None, "{}", stage.method().id);
            assert_eq!(tally.passed, touching.len() as u64, "{}", stage.method().id);
            let has_cache = frame > 0 && stage.method().keeps_state;
            assert_eq!(stage.counters().cached > 0, has_cache, "{}", stage.method().id);
        }
        let count = contacts.find(bodies, &touching);
        // Each pair has the points that it has alone.
        for pair in touching.iter().step_by(touching.len().div_ceil(8)) {
            let mut alone = ContactStage::default();
            alone.find(bodies, &[*pair]);
            let point =
                |of: &PairPoint| (of.normal, of.point.position, of.point.depth, of.point.id);
            let own = contacts.points().filter(|of| of.pair == *pair).map(point);
            assert!(own.eq(alone.points().map(point)), "{pair:?}");
        }
        assert!(count.sets >= touching.len() as u64 && count.points >= count.sets, "{count:?}");
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
    let mut audit: Audit = Audit::default();
    audit.examine(bodies, &pairs);
    let touching = audit.touching().collect::<Vec<_>>();

    let passing = |touching: &[Pair]| -> Vec<bool> {
        pairs.iter().map(|pair| touching.binary_search(pair).is_ok()).collect()
    };
    let exact = volume::find("obb").unwrap();
    assert_eq!(audit.volume(exact, &passing(&touching)).wrong, None);
    let wrong = audit.volume(exact, &passing(&touching[1..])).wrong.unwrap();
    assert_eq!((wrong.pair, wrong.found, wrong.known), (touching[0], Said::Apart, Said::Touching));
    let inexact = volume::find("sphere-inside").unwrap();
    let tally = audit.volume(inexact, &passing(&touching[1..]));
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

#[test]
fn audit_that_is_stopped_knows_no_pair() {
    let world = crowd();
    let bodies = world.bodies().unwrap();
    let pairs = candidates(&world);
    let many: Vec<Pair> = pairs.iter().cycle().take(3 * pairs.len().max(5000)).copied().collect();
    let mut audit: Audit = Audit::default();
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
    let mut audit: Audit = Audit::default();
    assert!(!audit.examine_while(&stopped, &pairs, || true) && audit.verdicts().is_empty());
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
    assert!(audit.verdicts().is_empty());
    audit.examine(&balls, &pairs, 2.0);
    assert_eq!(audit.unanswered(), None);
    let at = |first| Impact::At { first, last: first, axis: glam::DVec3::X };
    let is_wrong = |found: Impact| {
        let tally = audit.impacts(Exactness::ToTolerance, &balls, &[found]);
        assert_eq!(tally.missed, u64::from(found == Impact::Never));
        tally.wrong.is_some()
    };
    let wrong = [at(0.4), at(0.6), at(1.5), at(1.9), at(f64::NAN), at(-1.0)];
    assert!(
        wrong.into_iter().chain([Impact::Overlapping, Impact::Never, Impact::Failed]).all(is_wrong)
    );
    assert!(![at(0.5), at(0.5 + 1e-8), at(0.5 - 1e-8)].into_iter().any(is_wrong));
}

#[test]
fn failure_is_wrong_only_where_one_answer_is_right() {
    let contact = Said::At(0.5);
    let known = |impact, is_grazing| KnownImpact { impact, is_grazing };
    let touching = Impact::At { first: 0.5, last: 1.0, axis: glam::DVec3::X };
    let tally = |found, known: KnownImpact| {
        Tally::of(Pair { a: 0, b: 1 }, found, &known, false, |_, _| false)
    };
    for (impact, is_grazing, is_wrong) in [
        (touching, false, true),
        (Impact::Never, false, true),
        (touching, true, false),
        (Impact::Never, true, false),
        (Impact::Failed, false, false),
    ] {
        let tally = tally(Said::Nothing, known(impact, is_grazing));
        assert_eq!((tally.failures, tally.missed, tally.wrong.is_some()), (1, 0, is_wrong));
    }
    let unknown = tally(contact, known(Impact::Failed, false));
    let counts = (unknown.passed, unknown.false_passed, unknown.timed, unknown.wrong);
    assert_eq!(counts, (1, 0, 0, None));
}

#[test]
fn wrong_answers_name_both_answers() {
    let text = |found, known, gap| {
        WrongAnswer { pair: Pair { a: 3, b: 17 }, found, known, gap }.to_string()
    };
    let (apart, touching) = (Said::Apart, Said::Touching);
    for (found, known, gap, expected) in [
        (apart, touching, Some(-0.25), "it separates them; they overlap by 2.5000e-1"),
        (touching, apart, Some(0.5), "it says that they touch; they are 5.0000e-1 apart"),
        (Said::Nothing, apart, Some(0.5), "it gives no answer; they are 5.0000e-1 apart"),
        (
            Said::Nothing,
            Said::Nothing,
            Some(f64::NAN),
            "it gives no answer; their poses are not finite",
        ),
        (apart, Said::At(0.0125), None, "it finds no contact; they touch after 1.2500e-2 s"),
        (
            Said::At(0.5),
            apart,
            None,
            "it says that they touch after 5.0000e-1 s; they do not touch in the step",
        ),
        (
            Said::At(0.5),
            Said::At(0.0),
            None,
            "it says that they touch after 5.0000e-1 s; they touch at its start",
        ),
        (Said::Nothing, Said::Nothing, None, "it gives no answer; the reference gives none"),
    ] {
        assert_eq!(text(found, known, gap), expected);
    }
}
