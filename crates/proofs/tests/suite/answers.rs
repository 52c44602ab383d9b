//! Answers against the reference, the reference against the oracle, witnesses against both.

use glam::{DQuat, DVec3};

use super::{pairs_of_each, random_numbers, shapes};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Answer, BAND, Body, PairCache, Pose, Reference, Shape, narrow, size_of_pair};
use proofs::{answer_fault, oracle};

/// All methods on one pair, with the reference checked by the oracle if asked for.
struct Trial {
    reference: Reference,
    methods: Vec<(&'static str, Box<dyn narrowphase::NarrowPhase + Send>)>,
    /// Descriptions of wrong answers.
    faults: Vec<String>,
    with_oracle: bool,
}

impl Trial {
    fn new() -> Self {
        let build = |kind: &narrow::NarrowPhaseKind| (kind.id, (kind.build)());
        let methods = narrow::NARROW_PHASES.iter().map(build).collect();
        Self { reference: Reference::new(), methods, faults: Vec::new(), with_oracle: true }
    }

    fn test(&mut self, names: [&str; 2], a: &Body, b: &Body, caches: &mut [PairCache]) {
        let verdict = self.reference.examine(a, b);
        let slack = BAND * size_of_pair(a, b);
        let mut faults = Vec::new();
        if self.with_oracle {
            let gap = oracle::signed_gap(a, b);
            if (gap - verdict.gap).abs() > slack {
                faults.push(format!("the oracle's gap is {gap}"));
            }
            if let Some(fault) = answer_fault(verdict.answer, BAND, &verdict, a, b) {
                faults.push(format!("reference {fault:?}"));
            }
        }
        for part in self.reference.parts() {
            let gap = oracle::gap_along(a, part.part_a, b, part.part_b, part.axis);
            if (gap - part.gap).abs() > slack || (part.gap <= 0.0 && part.point.is_none()) {
                faults.push(format!("{gap} along {part:?}"));
            }
        }
        for ((id, method), cache) in self.methods.iter_mut().zip(caches) {
            let answer = method.test(a, b, cache);
            if let Some(fault) = answer_fault(answer, BAND, &verdict, a, b) {
                faults.push(format!("{id} {fault:?} {answer:?}"));
            }
        }
        let describe = |fault| format!("{names:?} {fault} {verdict:?} {:?} {:?}", a.pose, b.pose);
        self.faults.extend(faults.into_iter().map(describe));
    }

    fn assert_all_right(&self) {
        let first = self.faults.len().min(20);
        assert!(first == 0, "{}", self.faults[..first].join("\n"));
    }
}

fn play(shapes: &[(&'static str, Shape)], seed: u64) {
    let count = pairs_of_each();
    let mut trial = Trial::new();
    let mut random = random_numbers(seed);
    for (name_a, a) in shapes {
        for (name_b, b) in shapes {
            // A cache goes from pose to pose, although they have nothing in common.
            let mut caches = vec![PairCache::default(); trial.methods.len()];
            for placing in Placing::ALL {
                for i in 0..count {
                    // The oracle is slow: many poses are compared with the reference alone.
                    trial.with_oracle = i % 10 < 4;
                    let [first, second] = random_poses(a, b, placing, &mut random);
                    let (one, other) = (Body::new(a, first), Body::new(b, second));
                    trial.test([name_a, name_b], &one, &other, &mut caches);
                }
            }
        }
    }
    trial.assert_all_right();
}

#[test]
fn convex_shapes_get_the_reference_answer_from_every_method() {
    play(&shapes::convex_shapes(), 1);
}

#[test]
fn thin_shapes_get_the_reference_answer_from_every_method() {
    play(&shapes::thin_shapes(), 4);
}

#[test]
fn compounds_get_the_reference_answer_from_every_method() {
    let mut shapes = shapes::compounds();
    shapes.push(("cone", Shape::cone(0.5, 1.0, 7).unwrap()));
    play(&shapes, 2);
}

#[test]
fn scaled_bodies_far_from_the_origin_lose_no_digits() {
    let mut trial = Trial::new();
    let mut random = random_numbers(3);
    let shapes = shapes::convex_shapes();
    for (name, shape) in &shapes {
        let mut caches = vec![PairCache::default(); trial.methods.len()];
        for placing in Placing::ALL {
            let [first, mut second] = random_poses(shape, shape, placing, &mut random);
            let far = 1024.0 * DVec3::new(3.0, -5.0, 7.0);
            let moved = |pose: Pose| Pose { position: pose.position * 0.125 + far, ..pose };
            let one = Body { shape, scale: 0.125, pose: moved(first) };
            second.position += second.rotation * DVec3::splat(0.01);
            let other = Body { shape, scale: 0.25, pose: moved(second) };
            trial.test([name, name], &one, &other, &mut caches);
        }
    }
    trial.assert_all_right();
}

#[test]
fn small_and_large_bodies_get_the_reference_answer() {
    for scale in [1e-6, 1e-3, 1e6] {
        let mut trial = Trial::new();
        let mut random = random_numbers(7);
        for (name, shape) in &shapes::convex_shapes() {
            let mut caches = vec![PairCache::default(); trial.methods.len()];
            for placing in Placing::ALL.into_iter().cycle().take(40) {
                let poses = random_poses(shape, shape, placing, &mut random);
                let [one, other] = poses
                    .map(|pose| Pose { position: pose.position * scale, ..pose })
                    .map(|pose| Body { shape, scale, pose });
                trial.test([name, name], &one, &other, &mut caches);
            }
        }
        trial.assert_all_right();
    }
}

#[test]
fn a_body_in_its_own_place_is_touched() {
    let mut reference = Reference::new();
    for (name, shape) in shapes::convex_shapes().iter().chain(&shapes::compounds()) {
        let body = Body::new(shape, Pose::IDENTITY);
        let verdict = reference.examine(&body, &body);
        assert!(verdict.gap < 0.0, "{name}");
        for kind in narrow::NARROW_PHASES {
            let answer = (kind.build)().test(&body, &body, &mut PairCache::default());
            assert!(matches!(answer, Answer::Touching { .. }), "{name} {}: {answer:?}", kind.id);
        }
    }
}

#[test]
fn near_parts_are_those_that_examine_finds() {
    let shapes = shapes::compounds();
    let mut random = random_numbers(9);
    let (mut all, mut some) = (Reference::new(), Reference::new());
    let (mut kept, mut left_out) = (0, 0);
    for ((_, a), (_, b)) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for placing in Placing::ALL.into_iter().cycle().take(200) {
            let [first, second] = random_poses(a, b, placing, &mut random);
            let (a, b) = (Body::new(a, first), Body::new(b, second));
            all.examine(&a, &b);
            for reach in [0.0, 0.3] {
                let mut near = some.near(&a, &b, reach).iter().peekable();
                for verdict in all.parts() {
                    let is_kept = near.next_if_eq(&verdict).is_some();
                    assert!(is_kept || verdict.gap > reach, "{verdict:?}, {reach}");
                    *(if is_kept { &mut kept } else { &mut left_out }) += 1;
                }
                assert_eq!(near.next(), None);
            }
        }
    }
    assert!(kept > 1000 && left_out > 1000, "{kept} kept, {left_out} left out");
}

#[test]
fn bodies_that_are_nowhere_get_no_answer() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let good = Body::new(&cube, Pose::IDENTITY);
    let [mut nowhere, mut far, mut turned, mut scaled] = [good; 4];
    nowhere.pose.position.x = f64::NAN;
    far.pose.position.x = f64::INFINITY;
    turned.pose.rotation.w = f64::NAN;
    scaled.scale = f64::NAN;
    for body in [nowhere, far, turned, scaled] {
        for [a, b] in [[&good, &body], [&body, &good]] {
            assert_eq!(Reference::new().examine(a, b).answer, Answer::Failed, "{a:?}, {b:?}");
        }
    }
}

type Rotation = [f64; 4];

/// Pairs that a method was wrong about: the names of the shapes, the rotation of the first body at the origin, and the
/// position and rotation of the second one. Found among 10^6 random pairs: rounding stopped GJK in the first, a flat
/// tetrahedron of GJK was refused in the second, and one without a volume was accepted in the third.
const WRONG_ONCE: [([&str; 2], Rotation, [f64; 3], Rotation); 3] = [
    (
        ["cube", "box"],
        [-0.1575646269193344, 0.7357929667857567, 0.4073865241224143, 0.5175116600965074],
        [-0.4521180732704967, -2.3787138019603096, 1.3312792529436117],
        [-0.8337856294336818, -0.3368838013706452, -0.2985448346904966, 0.31965889664385494],
    ),
    (
        ["plate", "needle"],
        [0.6593225262843335, -0.7015350877370305, -0.2543284805989675, -0.09197473002983916],
        [-0.2932663080510679, 0.0264215997382415, 0.3935293656324892],
        [-0.5554008051474578, 0.21948476486591356, 0.6839240006681221, 0.41905172108395017],
    ),
    (
        ["capsule", "cube"],
        [-0.5474997668360758, 0.6693231988516232, -0.08128919838362023, 0.495623372148269],
        [0.30093829561323315, 0.42502722938669696, 0.8291920096566789],
        [0.4012443959615251, 0.22754456925817085, 0.3493680012737183, -0.8155785697261739],
    ),
];

#[test]
fn pairs_that_were_wrong_once_are_right() {
    let mut shapes = shapes::convex_shapes();
    shapes.extend(shapes::thin_shapes());
    let shape = |name: &str| &shapes.iter().find(|(other, _)| *other == name).unwrap().1;
    let pose = |position: [f64; 3], rotation: [f64; 4]| Pose {
        position: position.into(),
        rotation: DQuat::from_array(rotation),
    };
    let mut trial = Trial::new();
    for (names, turned, position, rotation) in WRONG_ONCE {
        let [a, b] = names.map(shape);
        let (one, other) =
            (Body::new(a, pose([0.0; 3], turned)), Body::new(b, pose(position, rotation)));
        let mut caches = vec![PairCache::default(); trial.methods.len()];
        trial.test(names, &one, &other, &mut caches);
    }
    trial.assert_all_right();
}
