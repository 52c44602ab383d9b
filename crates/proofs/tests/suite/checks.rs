//! Checks find what is wrong, and nothing else.

use super::random_numbers;
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Answer, BAND, Body, Pose, Reference, Shape, Verdict, size_of_pair};
use proofs::{AnswerFault, answer_fault, contact_fault, reference_fault};

/// Found by the fuzzer: the common point was called wrong, because it had been rounded to the world's coordinates.
#[test]
fn small_bodies_far_from_the_origin_have_right_proofs() {
    let mut uniform = random_numbers(5);
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    let mut touching = 0;
    for scale in [1e-3, 1e-6, 1e-9] {
        let shape = Shape::cuboid(DVec3::new(1.0, 2.0, 1.5) * scale).unwrap();
        for placing in Placing::ALL.into_iter().cycle().take(50) {
            let far = DVec3::new(3.0, -5.0, 7.0) * if scale > 1e-5 { 1e4 } else { 1.0 };
            let poses = random_poses(&shape, &shape, placing, &mut uniform);
            let [a, b] =
                poses.map(|pose| Body::new(&shape, Pose { position: pose.position + far, ..pose }));
            let verdict = reference.examine(&a, &b);
            touching += usize::from(matches!(verdict.answer, Answer::Touching { .. }));
            let fault = answer_fault(verdict.answer, BAND, &verdict, &a, &b);
            assert_eq!(fault, None, "{verdict:?} {a:?} {b:?}");
            contacts.find(&a, &b, reference.parts());
            assert_eq!(contact_fault(&contacts, &a, &b), None, "{verdict:?} {a:?} {b:?}");
        }
    }
    assert!(touching > 50, "{touching}");
}

/// A cube with a capsule beside it.
fn cube_and_capsule() -> [Shape; 3] {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let pill = Shape::capsule(0.3, 1.0).unwrap();
    let aside = Pose { position: DVec3::X * 0.9, ..Pose::IDENTITY };
    let both = Shape::compound(&[(&cube, Pose::IDENTITY), (&pill, aside)]).unwrap();
    [cube, pill, both]
}

#[test]
fn proof_of_every_pair_of_parts_is_checked() {
    let [cube, _, both] = cube_and_capsule();
    let mut uniform = random_numbers(8);
    let mut reference = Reference::new();
    let (mut apart, mut touching) = (0, 0);
    for (a, b) in [(&both, &both), (&both, &cube), (&cube, &cube)] {
        for placing in Placing::ALL.into_iter().cycle().take(100) {
            let [first, second] = random_poses(a, b, placing, &mut uniform);
            let (a, b) = (Body::new(a, first), Body::new(b, second));
            let verdict = reference.examine(&a, &b);
            let mut parts = reference.parts().to_vec();
            let fault = reference_fault(&verdict, &parts, &a, &b);
            assert_eq!(fault, None, "{verdict:?} {a:?} {b:?}");
            if verdict.is_in_band {
                continue;
            }
            let wrong = Some(AnswerFault::Unproved);
            if let Answer::Touching { point } = verdict.answer {
                touching += 1;
                let moved = point.map(|point| point + DVec3::splat(10.0));
                for point in [None, moved] {
                    let verdict = Verdict { answer: Answer::Touching { point }, ..verdict };
                    assert_eq!(reference_fault(&verdict, &parts, &a, &b), wrong);
                }
                continue;
            }
            apart += 1;
            for at in 0..parts.len() {
                // From the second to the first part.
                parts[at].axis *= -1.0;
                assert_eq!(reference_fault(&verdict, &parts, &a, &b), wrong);
                parts[at].axis *= -1.0;
            }
            parts.pop();
            assert_eq!(reference_fault(&verdict, &parts, &a, &b), wrong, "one is missing");
        }
    }
    assert!(apart > 50 && touching > 50, "{apart} apart, {touching} touch");
}

/// Deep overlaps of thin bodies, of sizes that differ by a hundred million, and far from the origin.
#[test]
fn contact_sets_are_right_and_wrong_ones_are_found() {
    let cuboid = |x, y, z| Shape::cuboid(DVec3::new(x, y, z)).unwrap();
    let [cube, pill, both] = cube_and_capsule();
    let [hull, foil, speck] =
        [Shape::hull(24, 5).unwrap(), cuboid(1.0, 1e-6, 2.0), cuboid(1e-8, 2e-8, 1e-8)];
    let shapes = [Shape::sphere(1.0).unwrap(), pill, hull, foil, speck, cube, both];
    let mut uniform = random_numbers(11);
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    let mut found = 0;
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for placing in Placing::ALL.into_iter().cycle().take(30) {
            let far = if uniform() < 0.3 { DVec3::new(1e4, -2e4, 7e3) } else { DVec3::ZERO };
            let poses = random_poses(a, b, placing, &mut uniform);
            let [first, second] = poses.map(|pose| Pose { position: pose.position + far, ..pose });
            let (a, b) = (Body::new(a, first), Body::new(b, second));
            let verdict = reference.examine(&a, &b);
            contacts.find(&a, &b, reference.parts());
            assert_eq!(contact_fault(&contacts, &a, &b), None, "{verdict:?} {a:?} {b:?}");
            let size = size_of_pair(&a, &b);
            if -verdict.gap < 1e-6 * size {
                continue;
            }
            found += 1;
            let aside = Pose { position: second.position + DVec3::splat(0.01 * size), ..second };
            assert!(contact_fault(&contacts, &a, &Body { pose: aside, ..b }).is_some());
            contacts.find(&a, &b, &[]);
            assert!(contact_fault(&contacts, &a, &b).is_some());
        }
    }
    assert!(found > 300, "{found}");
}
