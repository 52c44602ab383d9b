//! Bodies that graze, numbers at the ends of their range, and bad input.

use super::*;
use crate::pair::{BAND, size_of_pair};
use crate::reference::Reference;

#[test]
fn tiny_and_huge_bodies_meet_in_time() {
    let shape = cube();
    for size in [1e-9, 1e-12, 1e9] {
        let scaled = |x: f64| Body { scale: size, ..at(&shape, x * size, 0.1 * size, 0.0) };
        for speed in [4.0 * size, 1.0] {
            let expected = 2.0 * size / speed;
            let motion = moving(-speed, 0.0, 0.0);
            let (a, b) = ((&scaled(0.0), &Motion::NONE), (&scaled(3.0), &motion));
            let known = ImpactReference::default().examine(a, b, 2.0 * expected);
            let found = EXACT.map(|id| impact_of(id, a, b, 2.0 * expected));
            for impact in found.into_iter().chain([known.impact]) {
                assert!((time_of(impact) / expected - 1.0).abs() < 1e-8, "{size:e} {impact:?}");
            }
            assert!(!known.is_grazing);
        }
    }
}

#[test]
fn velocities_near_the_largest_number_have_an_answer() {
    let (cube, ball) = (cube(), Shape::sphere(0.5).unwrap());
    let a = at(&cube, 0.0, 0.0, 0.0);
    let (fast, aside) = (moving(-1e300, 0.0, 0.0), moving(1e300, 1e300, 0.0));
    let huge = Motion { velocity: DVec3::splat(-1e300), spin: DVec3::splat(1e300) };
    for b in [at(&cube, 3.0, 0.0, 0.0), at(&ball, 3.0, 0.0, 0.0)] {
        for impact in
            EXACT.map(|id| onto(id, &a, &b, fast)).into_iter().chain([known(&a, &b, fast).impact])
        {
            assert!((time_of(impact) - 2e-300).abs() < 1e-308, "{impact:?}");
        }
        assert_eq!(EXACT.map(|id| onto(id, &a, &b, aside)), [Impact::Never; 3]);
        // The step of a contact is below the smallest number, and the others must end.
        for kind in TIMES_OF_IMPACT {
            impact_of(kind.id, (&a, &huge), (&b, &moving(9e299, 1e-300, 0.0)), 1.0);
        }
    }
}

#[test]
fn input_that_is_not_a_number_fails_in_every_method() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 3.0, 0.0, 0.0));
    let good = moving(-4.0, 0.0, 0.0);
    let unturned = turned(b, DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
    let bad = [at(&cube, f64::NAN, 0.0, 0.0), at(&cube, 0.0, f64::INFINITY, 0.0), unturned];
    let mut trials = bad.map(|body| (body, good, 1.0)).to_vec();
    let limits = [0.0, -1.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    trials.extend(limits.map(|limit| (b, good, limit)));
    for number in [f64::NAN, f64::INFINITY] {
        trials.extend([moving(number, 0.0, 0.0), spinning(0.0, number, 0.0)].map(|m| (b, m, 1.0)));
    }
    for (body, motion, limit) in trials {
        let (a, b) = ((&a, &Motion::NONE), (&body, &motion));
        let known = ImpactReference::default().examine(b, a, limit);
        let methods = TIMES_OF_IMPACT.iter().map(|kind| impact_of(kind.id, a, b, limit));
        for impact in methods.chain([known.impact]) {
            assert_eq!(impact, Impact::Failed, "{body:?} {motion:?} {limit}");
        }
    }
}

/// One direction of the answer is free, the residual is not.
#[test]
fn contact_at_the_start_or_the_limit_is_grazing() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    let touching = at(&cube, 1.0, 0.25, 0.0);
    for x in [-1.0, 1.0, 0.0] {
        assert!(known(&a, &touching, moving(x, 0.0, 0.0)).is_grazing, "{x}");
        assert!(
            EXACT.iter().all(|id| onto(id, &a, &touching, moving(x, 0.0, 0.0)) != Impact::Failed)
        );
    }
    // Exactly after a second.
    let (later, motion) = (at(&cube, 3.0, 0.0, 0.0), moving(-2.0, 0.0, 0.0));
    assert!(known(&a, &later, motion).is_grazing);
    assert!(!known(&a, &later, moving(-2.0 - 1e-6, 0.0, 0.0)).is_grazing);
    for id in EXACT {
        let impact = onto(id, &a, &later, motion);
        let time = if impact == Impact::Never { 1.0 } else { time_of(impact) };
        assert!((1.0 - 1e-9..=1.0).contains(&time), "{id} {impact:?}");
    }
}

#[test]
fn bodies_that_slide_along_a_face_or_an_edge_are_grazing() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    let motion = moving(-4.0, 0.0, 0.0);
    // Face to face, edge to edge, and corner to corner.
    for (y, z) in [(1.0, 0.0), (1.0, 1.0)] {
        let b = at(&cube, 3.0, y, z);
        assert!(known(&a, &b, motion).is_grazing);
        for impact in EXACT.map(|id| onto(id, &a, &b, motion)) {
            if let Impact::At { first, .. } = impact {
                let gap = Reference::new().examine(&a, &motion.body_after(&b, first)).gap;
                assert!(gap.abs() <= BAND * size_of_pair(&a, &b), "{impact:?} {gap}");
            }
        }
        let [inside, outside] = [-1e-6, 1e-6].map(|by| at(&cube, 3.0, y + by, z + by));
        let found = EXACT.map(|id| onto(id, &a, &inside, motion));
        for impact in found.into_iter().chain([known(&a, &inside, motion).impact]) {
            assert!((time_of(impact) - 0.5).abs() < 1e-9, "{impact:?}");
        }
        let never = KnownImpact { impact: Impact::Never, is_grazing: false };
        assert_eq!(known(&a, &outside, motion), never);
    }
}

/// The gap of a ball, a top and a block that rotate on a table does not change. With the largest spin, the pieces of the
/// motion alone are too many; with the one before it, the search ends within them, so near that either answer is right.
#[test]
fn bodies_that_rotate_in_place_take_few_steps() {
    let (table, ball) =
        (Shape::cuboid(DVec3::new(9.0, 1.0, 9.0)).unwrap(), Shape::sphere(0.5).unwrap());
    let top = Shape::cone(0.5, 1.0, 7).unwrap();
    let table = at(&table, 0.0, -0.5, 0.0);
    for (shape, spin) in
        [(&ball, [0.3, 0.4, 0.8]), (&top, [0.0, 1.0, 0.0]), (&cube(), [0.0, 1.0, 0.0])]
    {
        let upright = |y| turned(at(shape, 0.0, y, 0.0), DQuat::from_rotation_x(-FRAC_PI_2));
        let lowest = Reference::new().examine(&table, &upright(9.0)).gap;
        let size = size_of_pair(&table, &upright(9.0 - lowest));
        let body = upright(9.0 - lowest + 0.15 * BAND * size);
        for (speed, steps) in [(1.0, 40), (1e3, 10_000), (1.5e4, 150_000), (1e12, 0)] {
            let spin = Motion { velocity: DVec3::ZERO, spin: DVec3::from(spin) * speed };
            let (a, b) = ((&table, &Motion::NONE), (&body, &spin));
            let mut method = find("bilateral").unwrap().build();
            let found = method.find(a, b, 1.0);
            let known = ImpactReference::default().examine(a, b, 1.0);
            let expected = if speed > 1e4 { Impact::Failed } else { Impact::Never };
            assert_eq!(found, expected, "{spin:?}");
            assert!(known.is_grazing == (speed < 1e9), "{spin:?} {known:?}");
            assert!(method.steps() <= steps, "{spin:?} {}", method.steps());
        }
    }
}

#[test]
fn end_of_a_rod_that_passes_a_wall_within_the_motion_is_met() {
    // It points aside at both ends of the motion, and at the box in between.
    let rod = Shape::cuboid(DVec3::new(2.0, 0.1, 0.1)).unwrap();
    let (wall, angle) = (cube(), 0.12);
    let start = turned(at(&rod, 0.0, 0.0, 0.0), DQuat::from_rotation_z(-angle));
    // Reach of the rotated corner at (1, 0.05), before the middle of the motion or after it.
    let reach = |angle: f64| (DQuat::from_rotation_z(angle) * DVec3::new(1.0, 0.05, 0.0)).x;
    for (distance, is_met) in [(1.4995, true), (1.501, true), (1.5015, false)] {
        let (a, b) = ((&start, &spinning(0.0, 0.0, 1.0)), at(&wall, distance, 0.0, 0.0));
        let b = (&b, &Motion::NONE);
        let reference = ImpactReference::default().examine(a, b, 2.0 * angle).impact;
        for impact in [impact_of("bilateral", a, b, 2.0 * angle), reference] {
            assert_eq!(impact != Impact::Never, is_met, "{distance}: {impact:?}");
            if is_met {
                let turn = time_of(impact) - angle;
                let gap = reach(turn).max(reach(-turn)) - (distance - 0.5);
                assert!(gap.abs() < 1e-8, "{distance}: {impact:?}");
            }
        }
    }
}

/// Found among 14,000 pairs of thin shapes: their faces tilt a thousand times faster than they approach.
#[test]
fn faces_that_tilt_faster_than_they_approach_get_a_time() {
    let [foil, plate] = [[1.0, 1e-6, 2.0], [1.0, 1e-3, 1.0]]
        .map(|edges| Shape::cuboid(DVec3::from(edges)).unwrap());
    let body = |shape, position: [f64; 3], rotation: [f64; 4]| {
        let pose =
            Pose { position: position.into(), rotation: DQuat::from_array(rotation).normalize() };
        Body::new(shape, pose)
    };
    let motion = |velocity: [f64; 3], spin: [f64; 3]| Motion {
        velocity: velocity.into(),
        spin: spin.into(),
    };
    let foil = body(
        &foil,
        [-0.012833655949, 0.039057639743, 0.010257377178],
        [-0.344791431895, 0.3583161821, -0.675964778328, -0.543874986184],
    );
    let plate = body(
        &plate,
        [-0.614163648844, -0.068270504520, 0.383477966506],
        [-0.922705335277, 0.219977089091, -0.068614979130, 0.309058132341],
    );
    let one =
        motion([0.480010639, -1.46085283, -0.383651408], [1.625151142, 0.428333193, 2.831457326]);
    let other = motion(
        [7.522648967, -13.878018280, 5.478717841],
        [-2.253677609, 5.795271667, -1.662673222],
    );
    let (a, b) = ((&foil, &one), (&plate, &other));
    let known = ImpactReference::default().examine(a, b, 1.0);
    assert!(!known.is_grazing, "{known:?}");
    for (impact, error) in [(known.impact, 1e-10), (impact_of("bilateral", a, b, 1.0), 1e-8)] {
        let [a, b] = [a, b].map(|(body, motion)| motion.body_after(body, time_of(impact)));
        let gap = Reference::new().examine(&a, &b).gap;
        assert!(gap.abs() < error, "gap {gap:e}");
    }
}
