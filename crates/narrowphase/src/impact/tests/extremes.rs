//! Bodies that graze, numbers at the ends of their range, and bad input.

use super::*;
use crate::reference::Reference;

#[test]
fn tiny_and_huge_bodies_meet_in_time() {
    for size in [1e-9, 1e-12, 1e9] {
        let shape = Shape::cuboid(DVec3::splat(1.0)).unwrap();
        let scaled = |x: f64| Body { scale: size, ..at(&shape, x * size, 0.1 * size, 0.0) };
        let (a, b) = (scaled(0.0), scaled(3.0));
        for speed in [4.0 * size, 1.0] {
            let motion = moving(-speed, 0.0, 0.0);
            let expected = 2.0 * size / speed;
            let limit = 2.0 * expected;
            for id in EXACT {
                let first = time_of(impact_of(id, (&a, &Motion::NONE), (&b, &motion), limit));
                assert!((first / expected - 1.0).abs() < 1e-8, "{id} {size:e}: {first}");
            }
            let known =
                ImpactReference::default().examine((&a, &Motion::NONE), (&b, &motion), limit);
            assert!((time_of(known.impact) / expected - 1.0).abs() < 1e-8 && !known.is_grazing);
        }
    }
}

#[test]
fn velocities_near_the_largest_number_have_an_answer() {
    let (cube, ball) = (cube(), Shape::sphere(0.5).unwrap());
    let a = at(&cube, 0.0, 0.0, 0.0);
    for shape in [&cube, &ball] {
        let b = at(shape, 3.0, 0.0, 0.0);
        for id in EXACT {
            let first = time_of(onto(id, &a, &b, moving(-1e300, 0.0, 0.0)));
            assert!((first - 2e-300).abs() < 1e-308, "{id} {first:e}");
            assert_eq!(onto(id, &a, &b, moving(1e300, 1e300, 0.0)), Impact::Never, "{id}");
        }
        let known = known(&a, &b, moving(-1e300, 0.0, 0.0));
        assert!((time_of(known.impact) - 2e-300).abs() < 1e-308, "{known:?}");
        // The step of a contact is below the smallest number, and the others must end.
        for kind in TIMES_OF_IMPACT.iter() {
            let huge = Motion { velocity: DVec3::splat(-1e300), spin: DVec3::splat(1e300) };
            (kind.build)(4).find(
                (&a, &huge),
                (&b, &moving(9e299, 1e-300, 0.0)),
                1.0,
                &mut PairCache::default(),
            );
        }
    }
}

#[test]
fn input_that_is_not_a_number_fails_in_every_method() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 3.0, 0.0, 0.0));
    let good = moving(-4.0, 0.0, 0.0);
    let nowhere = at(&cube, f64::NAN, 0.0, 0.0);
    let infinite = at(&cube, 0.0, f64::INFINITY, 0.0);
    let mut turned = b;
    turned.pose.rotation.x = f64::NAN;
    let mut trials = vec![];
    for limit in [0.0, -1.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        trials.push((b, good, limit));
    }
    for velocity in [f64::NAN, f64::INFINITY] {
        trials.push((b, moving(velocity, 0.0, 0.0), 1.0));
        trials.push((b, spinning(0.0, velocity, 0.0), 1.0));
    }
    trials.extend([nowhere, infinite, turned].map(|body| (body, good, 1.0)));
    for (body, motion, limit) in trials {
        for kind in TIMES_OF_IMPACT {
            let mut method = (kind.build)(4);
            let impact = method.find(
                (&a, &Motion::NONE),
                (&body, &motion),
                limit,
                &mut PairCache::default(),
            );
            assert_eq!(impact, Impact::Failed, "{} {body:?} {motion:?} {limit}", kind.id);
            assert_eq!(method.counters().failures, 1, "{}", kind.id);
        }
        let known = ImpactReference::default().examine((&body, &motion), (&a, &good), limit);
        assert_eq!(known.impact, Impact::Failed);
    }
}

/// One direction of the answer is free, the residual is not.
#[test]
fn contact_at_the_start_or_the_limit_is_grazing() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    let touching = at(&cube, 1.0, 0.25, 0.0);
    for velocity in
        [moving(-1.0, 0.0, 0.0), moving(1.0, 0.0, 0.0), moving(0.0, 1.0, 0.0), Motion::NONE]
    {
        assert!(known(&a, &touching, velocity).is_grazing, "{velocity:?}");
        for id in EXACT {
            assert_ne!(onto(id, &a, &touching, velocity), Impact::Failed, "{id} {velocity:?}");
        }
    }
    // Exactly after a second.
    let later = at(&cube, 3.0, 0.0, 0.0);
    assert!(known(&a, &later, moving(-2.0, 0.0, 0.0)).is_grazing);
    assert!(!known(&a, &later, moving(-2.0 - 1e-6, 0.0, 0.0)).is_grazing);
    for id in EXACT {
        match onto(id, &a, &later, moving(-2.0, 0.0, 0.0)) {
            Impact::At { first, .. } => {
                assert!((1.0 - 1e-9..=1.0).contains(&first), "{id} {first}")
            }
            impact => assert_eq!(impact, Impact::Never, "{id}"),
        }
    }
}

#[test]
fn bodies_that_slide_along_a_face_or_an_edge_are_grazing() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    // Face to face, edge to edge, and corner to corner.
    for (y, z) in [(1.0, 0.0), (1.0, 1.0)] {
        let b = at(&cube, 3.0, y, z);
        let motion = moving(-4.0, 0.0, 0.0);
        assert!(known(&a, &b, motion).is_grazing);
        for id in EXACT {
            if let Impact::At { first, .. } = onto(id, &a, &b, motion) {
                let gap = Reference::new().examine(&a, &motion.body_after(&b, first)).gap;
                assert!(gap.abs() < 1e-9, "{id} {gap}");
            }
        }
        let inside = at(&cube, 3.0, y - 1e-6, z - 1e-6);
        assert_first(&a, &inside, motion, 0.5, DVec3::X);
        let outside = at(&cube, 3.0, y + 1e-6, z);
        assert_eq!(
            known(&a, &outside, motion),
            KnownImpact { impact: Impact::Never, is_grazing: false }
        );
    }
}

#[test]
fn cube_spinning_closely_past_a_wall_takes_bounded_steps() {
    let (cube, wall) = (cube(), Shape::cuboid(DVec3::new(1.0, 9.0, 9.0)).unwrap());
    let reach = 0.5f64.sqrt();
    let spin = spinning(0.0, 0.0, 6.0);
    for (gap, grazes, meets) in [
        (1e-12, true, None),
        (-1e-12, true, None),
        (1e-7, false, Some(false)),
        (-1e-7, false, Some(true)),
    ] {
        let b = at(&wall, 0.5 + reach + gap, 0.0, 0.0);
        let a = at(&cube, 0.0, 0.0, 0.0);
        let known = ImpactReference::default().examine((&a, &spin), (&b, &Motion::NONE), 1.0);
        // As it is where all steps are not enough.
        assert_ne!(known.impact, Impact::Failed, "{gap:e}");
        assert_eq!(known.is_grazing, grazes, "{gap:e} {known:?}");
        if let Some(meets) = meets {
            assert_eq!(matches!(known.impact, Impact::At { .. }), meets, "{gap:e} {known:?}");
        }
    }
}
