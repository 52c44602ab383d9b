//! parry's tests of bodies against the references.

use glam::DVec3;
use narrowphase::impact::{Impact, ImpactReference, Motion};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Answer, Body, PairCache, Pose, Reference, Shape, size_of_pair};
use peers::bodies::{NARROW_PHASES, TIMES_OF_IMPACT};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn shapes() -> Vec<Shape> {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let capsule = Shape::capsule(0.3, 1.2).unwrap();
    let aside = Pose { position: DVec3::new(0.9, 0.3, 0.0), ..Pose::IDENTITY };
    vec![
        Shape::compound(&[(&cube, Pose::IDENTITY), (&capsule, aside)]).unwrap(),
        cube,
        capsule,
        Shape::sphere(0.5).unwrap(),
        Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap(),
        Shape::hull(16, 7).unwrap(),
        Shape::cone(0.5, 1.0, 7).unwrap(),
    ]
}

/// Calls `check` with random pairs of shapes, scaled by a factor.
fn each_pair(scale: f64, mut check: impl FnMut(&Body<'_>, &Body<'_>, &mut dyn FnMut() -> f64)) {
    let mut random = ChaCha8Rng::seed_from_u64(28);
    let mut uniform = || random.random::<f64>();
    let shapes = shapes();
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for placing in Placing::ALL.into_iter().cycle().take(20) {
            let poses = random_poses(a, b, placing, &mut uniform);
            let at = |pose: Pose| Pose { position: pose.position * scale, ..pose };
            let body = |shape, pose| Body { shape, scale, pose: at(pose) };
            check(&body(a, poses[0]), &body(b, poses[1]), &mut uniform);
        }
    }
}

/// Its tolerances are absolute: at a thousandth of the size it called bodies touching that were apart.
#[test]
fn parry_answers_as_the_reference_outside_of_its_band() {
    let kind = &NARROW_PHASES[0];
    for scale in [1e-6, 1e-3, 1.0, 1e6] {
        let (mut parry, mut reference) = ((kind.build)(), Reference::new());
        each_pair(scale, |a, b, _| {
            let verdict = reference.examine(a, b);
            let found = parry.test(a, b, &mut PairCache::default());
            let touches = matches!(verdict.answer, Answer::Touching { .. });
            let is_same = matches!(found, Answer::Touching { .. }) == touches;
            let is_in_band = verdict.gap.abs() <= kind.band * size_of_pair(a, b);
            assert!((is_same || is_in_band) && found != Answer::Failed, "{found:?} {verdict:?}");
        });
    }
}

/// Its tolerance is relative to its unit, and its bisection may find a later contact of bodies that rotate.
#[test]
fn casts_of_parry_agree_with_the_reference_in_most_pairs() {
    for (spin, allowed) in [(0.0, 0.01), (6.0, 0.15)] {
        let mut parry = (TIMES_OF_IMPACT[0].build)(1);
        let (mut agreed, mut differ) = (0, 0);
        each_pair(1.0, |a, b, uniform| {
            let mut vector = || DVec3::new(uniform(), uniform(), uniform()) * 2.0 - DVec3::ONE;
            let motions =
                [(); 2].map(|()| Motion { velocity: vector() * 4.0, spin: vector() * spin });
            let [one, other] = [0, 1].map(|at| motions[at].body_after([a, b][at], -0.6));
            let (one, other) = ((&one, &motions[0]), (&other, &motions[1]));
            let known = ImpactReference::default().examine(one, other, 1.0);
            if known.is_grazing {
                return;
            }
            let is_right = match (parry.find(one, other, 1.0), known.impact) {
                (Impact::At { first: a, .. }, Impact::At { first: b, .. }) => (a - b).abs() < 1e-6,
                (found, right) => found == right,
            };
            agreed += u64::from(is_right);
            differ += u64::from(!is_right);
        });
        assert!((differ as f64) <= allowed * (agreed + differ) as f64, "{differ} of {agreed}");
    }
}
