use super::*;
use crate::{SceneDocument, World};
use glam::DVec3;
use narrowphase::impact::{Exactness, Impact};
use narrowphase::narrow::{self, NARROW_PHASES};
use narrowphase::volume::{self, VOLUMES};
use narrowphase::{Answer, Pose, Shape};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bodies of all kinds, after some steps.
fn crowd() -> World {
    let text = include_bytes!("../../../../scenes/zoo.scene");
    let mut scene = SceneDocument::parse("zoo.scene", text).unwrap().scene().clone();
    scene.objects = 1200;
    scene.sources.iter_mut().for_each(|source| source.size *= 0.6);
    let mut world = World::new(&scene);
    (0..3).for_each(|_| world.step(crate::Hold::None));
    world
}

/// All pairs of overlapping boxes.
fn candidates(world: &World) -> Vec<Pair> {
    let mut boxes = Vec::new();
    world.boxes(&mut boxes);
    let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| [a, b]));
    let pairs = all.filter(|&[a, b]| boxes[a].overlaps(&boxes[b]));
    pairs.map(|[a, b]| Pair { a: a as u32, b: b as u32 }).collect()
}

fn steps(stage: &NarrowStage) -> u64 {
    stage.workers().iter().map(|method| method.steps()).sum()
}

#[test]
fn every_method_agrees_with_the_reference_frame_after_frame() {
    let mut world = crowd();
    let bodies = world.bodies().unwrap();
    let mut volumes: Vec<_> = VOLUMES.iter().map(|kind| VolumeStage::new(kind, bodies)).collect();
    let mut methods: Vec<_> = NARROW_PHASES.iter().map(NarrowStage::new).collect();
    let (mut audit, mut contacts) = (Audit::default(), ContactStage::default());
    for frame in 0..3 {
        let pairs = candidates(&world);
        assert!(pairs.len() > PARALLEL_FROM, "{} pairs", pairs.len());
        let of = FramePairs::new(world.bodies().unwrap(), &pairs);
        assert!(audit.examine(&of) && audit.unanswered().is_none());
        let touching = audit.touching().collect::<Vec<_>>();
        let mut passed = Vec::new();
        for stage in &mut volumes {
            stage.place(of.bodies);
            stage.filter(&of, &mut passed);
            let tally = audit.volume(stage.kind(), stage.passes());
            assert_eq!((tally.wrong, tally.passed), (None, passed.len() as u64));
            assert_eq!(tally.false_passed, tally.passed + tally.missed - touching.len() as u64);
            assert_eq!(tally.missed > 0, !stage.kind().exact, "{}", stage.kind().id);
        }
        for stage in &mut methods {
            stage.test(&of);
            let tally = audit.narrow(stage.method(), &of, stage.answers());
            let expected = (None, touching.len() as u64);
            assert_eq!((tally.wrong, tally.passed), expected, "{}", stage.method().id);
            if frame == 0 {
                let first = steps(stage);
                stage.test(&of);
                let is_cached = steps(stage) < 2 * first;
                assert_eq!(is_cached, stage.method().keeps_state, "{}", stage.method().id);
            }
        }
        let count = contacts.find(&FramePairs { pairs: &touching, ..of });
        assert!(count.sets >= touching.len() as u64 && count.points >= count.sets, "{count:?}");
        assert_eq!(count.kept > 0, frame > 0, "{count:?}");
        world.respond(&pairs);
        world.step(crate::Hold::None);
    }
}

#[test]
fn wrong_answers_are_found() {
    let world = crowd();
    let pairs = candidates(&world);
    let of = FramePairs::new(world.bodies().unwrap(), &pairs);
    let mut audit = Audit::default();
    audit.examine(&of);
    let touching = audit.touching().collect::<Vec<_>>();
    let volume = |id, touching: &[Pair]| {
        let passes: Vec<_> = pairs.iter().map(|p| touching.binary_search(p).is_ok()).collect();
        audit.volume(volume::find(id).unwrap(), &passes)
    };
    assert_eq!(volume("obb", &touching).wrong, None);
    let wrong = volume("obb", &touching[1..]).wrong.unwrap();
    let answers = (wrong.pair, wrong.found, wrong.known);
    assert_eq!(answers, (touching[0], Impact::Never, Impact::Overlapping));
    let tally = volume("sphere-inside", &touching[1..]);
    assert_eq!((tally.wrong, tally.missed), (None, 1));

    let answer = |pair| match touching.binary_search(pair) {
        Ok(_) => Answer::Touching { point: None },
        Err(_) => Answer::Separated { axis: None },
    };
    let mut answers: Vec<Answer> = pairs.iter().map(answer).collect();
    let at = pairs.binary_search(&touching[5]).unwrap();
    let mut narrow = |answer| {
        answers[at] = answer;
        audit.narrow(narrow::find("sat").unwrap(), &of, &answers)
    };
    assert_eq!(narrow(Answer::Touching { point: None }).wrong, None);
    let tally = narrow(Answer::Separated { axis: None });
    let found = (tally.wrong.map(|wrong| wrong.pair), tally.passed);
    assert_eq!(found, (Some(touching[5]), touching.len() as u64 - 1));
    assert_eq!(narrow(Answer::Failed).failures, 1);
}

#[test]
fn ended_work_knows_nothing() {
    let world = crowd();
    let pairs = candidates(&world);
    let asked = AtomicUsize::new(0);
    let goes_on = &|| asked.fetch_add(1, Ordering::Relaxed) < 300;
    let of = FramePairs { goes_on, ..FramePairs::new(world.bodies().unwrap(), &pairs) };
    let mut audit = Audit::default();
    assert!(!audit.examine(&of) && audit.candidates().is_empty() && audit.known().is_empty());
    assert!(!audit.examine_impacts(&of, 1.0) && audit.known().is_empty());
    for kind in NARROW_PHASES {
        let mut stage = NarrowStage::new(kind);
        stage.test(&of);
        assert!(stage.answers().iter().all(|answer| *answer == Answer::Failed), "{}", kind.id);
        assert!(stage.workers().iter().all(|method| method.steps() == 0), "{}", kind.id);
    }
    assert_eq!(ContactStage::default().find(&of), ContactCount::default());
    let (balls, mut regions) = (Balls::new(1.0, 0.0), Vec::new());
    let (contacts, of) =
        (balls.first_contacts(), FramePairs { goes_on: &|| false, ..balls.pairs() });
    assert_eq!(exact_contacts(&of, &contacts), Ok(ContactCount::default()));
    approximate_contacts(&of, &contacts, &mut regions);
    assert_eq!(regions, [None]);
}

/// Two balls, four apart, of which the second approaches at 4 units/s and passes the first at a height. At height 0 and
/// radius 1 they touch from 0.5 to 1.5 s.
struct Balls {
    shapes: [NamedShape; 1],
    height: f64,
    /// Velocity of both bodies, added to theirs.
    velocity: DVec3,
}

impl Balls {
    fn new(radius: f64, height: f64) -> Self {
        let shape = Shape::sphere(radius).unwrap();
        let shapes = [NamedShape { name: "ball".to_owned(), shape, duplicates: 0 }];
        Self { shapes, height, velocity: DVec3::ZERO }
    }

    fn pairs(&self) -> FramePairs<'_, Self> {
        FramePairs::new(self, &[Pair { a: 0, b: 1 }])
    }

    fn first_contacts(&self) -> Vec<FirstContact> {
        let mut audit = Audit::default();
        assert!(audit.examine_impacts(&self.pairs(), 2.0) && audit.unanswered().is_none());
        audit.first_contacts()
    }
}

impl BodyList for Balls {
    fn count(&self) -> usize {
        2
    }

    fn shapes(&self) -> &[NamedShape] {
        &self.shapes
    }

    fn shape_of(&self, _: usize) -> usize {
        0
    }

    fn body(&self, object: usize) -> Body<'_> {
        let position = DVec3::new(4.0, self.height, 0.0) * object as f64;
        Body::new(&self.shapes[0].shape, Pose { position, ..Pose::IDENTITY })
    }

    fn moving(&self, object: usize) -> (Body<'_>, Motion) {
        let velocity = self.velocity + DVec3::NEG_X * (4.0 * object as f64);
        (self.body(object), Motion { velocity, ..Motion::NONE })
    }
}

#[test]
fn time_of_an_exact_method_is_that_of_first_contact() {
    let (balls, mut audit) = (Balls::new(1.0, 0.0), Audit::default());
    audit.examine_impacts(&balls.pairs(), 2.0);
    let at = |first| Impact::At { first, last: first, axis: DVec3::X };
    let is_wrong = |found: Impact| {
        let tally = audit.impacts(Exactness::ToTolerance, &balls.pairs(), &[found]);
        assert_eq!(tally.missed, u64::from(found == Impact::Never));
        tally.wrong.is_some()
    };
    let wrong = [0.4, 0.6, 1.5, 1.9, f64::NAN, -1.0].map(at).into_iter();
    assert!(wrong.chain([Impact::Overlapping, Impact::Never, Impact::Failed]).all(is_wrong));
    assert!(![0.5, 0.5 + 1e-8, 0.5 - 1e-8].map(at).into_iter().any(is_wrong));
}

#[test]
fn failure_is_wrong_only_where_one_answer_is_right() {
    let touching = Impact::At { first: 0.5, last: 1.0, axis: DVec3::X };
    let tally = |found, impact, is_grazing| {
        let known = Known { impact, allows_either: is_grazing, gap: None };
        Tally::of(Pair { a: 0, b: 1 }, found, known, false, |_, _| false)
    };
    for (impact, is_grazing, is_wrong) in [
        (touching, false, true),
        (Impact::Never, false, true),
        (touching, true, false),
        (Impact::Never, true, false),
        (Impact::Failed, false, false),
    ] {
        let tally = tally(Impact::Failed, impact, is_grazing);
        assert_eq!((tally.failures, tally.missed, tally.wrong.is_some()), (1, 0, is_wrong));
    }
    let unknown = tally(touching, Impact::Failed, false);
    let counts = (unknown.passed, unknown.false_passed, unknown.errors.count, unknown.wrong);
    assert_eq!(counts, (1, 0, 0, None));
}

#[test]
fn wrong_answers_name_both_answers() {
    use Impact::{Failed, Never, Overlapping};
    let later = Impact::At { first: 0.5, last: 1.0, axis: DVec3::X };
    for (found, known, gap, expected) in [
        (Never, Overlapping, Some(-0.25), "it separates them; they overlap by 2.5000e-1"),
        (Overlapping, Never, Some(0.5), "it says that they touch; they are 5.0000e-1 apart"),
        (Failed, Failed, Some(f64::NAN), "it gives no answer; their poses are not finite"),
        (Failed, Failed, None, "it gives no answer: its search did not end"),
        (Never, later, None, "it finds no contact; they touch after 5.0000e-1 s"),
        (
            later,
            Overlapping,
            None,
            "it says that they touch after 5.0000e-1 s; they touch at its start",
        ),
        (
            Overlapping,
            Never,
            None,
            "it says that they touch at the start; they do not touch in the step",
        ),
    ] {
        let wrong = WrongAnswer { pair: Pair { a: 3, b: 17 }, found, known, gap };
        assert_eq!(wrong.to_string(), expected);
    }
}

/// The regions of the second balls, compared with the contact points of the first.
fn compared([exact, near]: [&Balls; 2], contacts: &[FirstContact]) -> Result<u64, ContactFault> {
    let mut regions = Vec::new();
    approximate_contacts(&near.pairs(), contacts, &mut regions);
    region_errors(&exact.pairs(), contacts, &regions).map(|errors| errors.count)
}

#[test]
fn first_contact_without_a_set_is_a_fault_unless_it_grazes() {
    // They graze at the second height. Smaller balls are still apart at the time of the first contact.
    for (height, radius, sets) in
        [(0.0, 1.0, Some(1)), (0.0, 0.5, None), (2.0 - 1e-10, 0.5, Some(0))]
    {
        let contacts = Balls::new(1.0, height).first_contacts();
        let balls = Balls::new(radius, height);
        let exact = exact_contacts(&balls.pairs(), &contacts).map(|count| count.sets);
        assert_eq!(exact.ok(), sets, "{height} {radius}");
        assert_eq!(compared([&balls; 2], &contacts).ok(), sets, "{height} {radius}");
    }
}

#[test]
fn region_that_leaves_out_a_contact_point_is_a_fault() {
    // Far on their way, the balls touch as at rest, but for rounding.
    for velocity in [DVec3::ZERO, DVec3::new(2e10 / 3.0, -1e10 / 7.0, 0.0)] {
        let [right, high] = [0.0, 5.0].map(|height| Balls { velocity, ..Balls::new(1.0, height) });
        let contacts = right.first_contacts();
        assert_eq!(compared([&right; 2], &contacts), Ok(1));
        let fault = compared([&right, &high], &contacts).unwrap_err();
        assert!(fault.text.starts_with("its region leaves out the contact point"), "{fault:?}");
    }
}
