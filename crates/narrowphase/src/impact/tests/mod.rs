//! Known first contacts.

mod extremes;

use super::*;
use crate::body::Pose;
use crate::contact::ContactKind;
use crate::shape::Shape;
use glam::DQuat;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

const EXACT: [&str; 3] = ["moving-sat", "moving-sat+boxes", "bilateral"];

fn moving(x: f64, y: f64, z: f64) -> Motion {
    Motion { velocity: DVec3::new(x, y, z), spin: DVec3::ZERO }
}

fn spinning(x: f64, y: f64, z: f64) -> Motion {
    Motion { velocity: DVec3::ZERO, spin: DVec3::new(x, y, z) }
}

fn at(shape: &Shape, x: f64, y: f64, z: f64) -> Body<'_> {
    Body::new(shape, Pose { position: DVec3::new(x, y, z), ..Pose::IDENTITY })
}

fn turned<'a>(body: Body<'a>, rotation: DQuat) -> Body<'a> {
    Body { pose: Pose { rotation, ..body.pose }, ..body }
}

fn impact_of(id: &str, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> Impact {
    find(id).unwrap().build().find(a, b, limit)
}

/// The second body moves, within a second.
fn onto(id: &str, a: &Body, b: &Body, motion: Motion) -> Impact {
    impact_of(id, (a, &Motion::NONE), (b, &motion), 1.0)
}

fn known(a: &Body, b: &Body, motion: Motion) -> KnownImpact {
    ImpactReference::default().examine((a, &Motion::NONE), (b, &motion), 1.0)
}

fn time_of(impact: Impact) -> f64 {
    let Impact::At { first, .. } = impact else { panic!("{impact:?}") };
    first
}

fn cube() -> Shape {
    Shape::cuboid(DVec3::ONE).unwrap()
}

#[test]
fn bodies_in_known_places_meet_in_time_along_an_axis() {
    let (cube, capsule) = (cube(), Shape::capsule(0.25, 2.0).unwrap());
    let [ball, large] = [0.5, 1.5].map(|radius| Shape::sphere(radius).unwrap());
    let parts = [0.0, 3.0].map(|x| (&cube, at(&cube, x, 0.0, 0.0).pose));
    let two = Shape::compound(&parts).unwrap();
    let origin = at(&cube, 0.0, 0.0, 0.0);
    let across = turned(at(&capsule, 3.0, 0.4, 0.3), DQuat::from_rotation_x(FRAC_PI_2));
    // An edge along z above an edge along x: both at half of the root of 2.
    let edge_x = turned(origin, DQuat::from_rotation_x(FRAC_PI_4));
    let edge_z = turned(at(&cube, 0.0, 3.0, 0.0), DQuat::from_rotation_z(FRAC_PI_4));
    let (fast, before) = (moving(-10.0, 0.0, 0.0), 0.07f64.sqrt());
    let corner = DVec3::new(before, 0.3, 0.3) / 0.5;
    let edge = DVec3::new(0.8, 0.6, 0.0);
    for (a, b, motion, expected) in [
        // Centres 2 apart, 1.6 along x.
        (at(&large, 0.0, 0.0, 0.0), at(&ball, 10.0, 1.2, 0.0), fast, Some((0.84, edge))),
        (origin, at(&ball, 5.0, 0.3, 0.2), fast, Some((0.4, DVec3::X))),
        // 0.3 above the edge: the centre is 0.4 before it. 0.3 above and aside of the corner: the root of 0.25 - 0.18.
        (origin, at(&ball, 5.0, 0.8, 0.0), fast, Some((0.41, edge))),
        (origin, at(&ball, 5.0, 0.8, 0.8), fast, Some(((4.5 - before) / 10.0, corner))),
        (origin, at(&ball, 5.0, 0.9, 0.9), fast, None),
        (at(&capsule, 0.0, 0.0, 0.0), across, fast, Some((0.25, DVec3::X))),
        (origin, at(&cube, 3.0, 0.5, 0.5), moving(-4.0, 0.0, 0.0), Some((0.5, DVec3::X))),
        (edge_x, edge_z, moving(0.0, -4.0, 0.0), Some(((3.0 - 2f64.sqrt()) / 4.0, DVec3::Y))),
        // The part that is first.
        (at(&two, 0.0, 0.0, 0.0), at(&ball, 7.0, 0.0, 0.0), fast, Some((0.45, DVec3::X))),
        (origin, at(&cube, 3.0, 0.0, 0.0), moving(1.0, 0.0, 0.0), None),
        (origin, at(&cube, 3.0, 0.0, 0.0), moving(-1.0, 0.0, 0.0), None),
        (origin, at(&cube, 3.0, 0.0, 0.0), Motion::NONE, None),
    ] {
        let reference = known(&a, &b, motion);
        assert!(!reference.is_grazing, "{b:?}: {reference:?}");
        let found = EXACT.map(|id| (id, onto(id, &a, &b, motion)));
        for (id, impact) in found.into_iter().chain([("reference", reference.impact)]) {
            match (impact, expected) {
                (Impact::At { first, axis, .. }, Some((time, along))) => {
                    assert!((first - time).abs() < 1e-9, "{id}, {b:?}: {first} is not {time}");
                    assert!(axis.distance(along) < 1e-4, "{id}, {b:?}: {axis} is not {along}");
                }
                _ => assert_eq!((impact, expected), (Impact::Never, None), "{id}, {b:?}"),
            }
        }
    }
    // When they part: of a compound, when the body leaves the part that it met first.
    for (a, b, time) in [
        (at(&large, 0.0, 0.0, 0.0), at(&ball, 10.0, 1.2, 0.0), 1.16),
        (at(&two, 0.0, 0.0, 0.0), at(&ball, 7.0, 0.0, 0.0), 0.65),
    ] {
        let parting = onto("moving-sat", &a, &b, fast);
        assert!(matches!(parting, Impact::At { last, .. } if (last - time).abs() < 1e-12));
    }
}

#[test]
fn bodies_that_move_fast_together_meet_as_if_one_rested() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 3.0, 0.0, 0.0));
    let (one, other) = (moving(1e9 + 4.0, 0.0, 0.0), moving(1e9, 0.0, 0.0));
    for id in EXACT {
        assert!((time_of(impact_of(id, (&a, &one), (&b, &other), 1.0)) - 0.5).abs() < 1e-9, "{id}");
    }
}

#[test]
fn body_inside_another_overlaps_at_rest_and_in_motion() {
    let (large, small) = (Shape::cuboid(DVec3::splat(9.0)).unwrap(), Shape::hull(16, 1).unwrap());
    let (a, b) = (at(&large, 0.0, 0.0, 0.0), at(&small, 0.1, 0.2, 0.3));
    for motion in [Motion::NONE, moving(100.0, 0.0, 0.0), spinning(1.0, 2.0, 3.0)] {
        let methods = TIMES_OF_IMPACT.iter().filter(|kind| kind.id != "swept-boxes");
        let found = methods.map(|kind| (kind.id, onto(kind.id, &a, &b, motion)));
        for (id, impact) in found.chain([("reference", known(&a, &b, motion).impact)]) {
            assert_eq!(impact, Impact::Overlapping, "{id} {motion:?}");
        }
    }
}

#[test]
fn rod_that_spins_into_a_ball_meets_it_at_the_angle() {
    let (rod, ball) = (Shape::capsule(0.1, 4.0).unwrap(), Shape::sphere(0.5).unwrap());
    let (a, b) = (at(&rod, 0.0, 0.0, 0.0), at(&ball, 1.5, 0.0, 0.0));
    // The segment begins along y; it touches when its distance from the ball's centre is 0.6: sine 0.4.
    let angle = FRAC_PI_2 - 0.4f64.asin();
    for sign in [1.0, -1.0] {
        let spin = spinning(0.0, 0.0, sign * 2.0);
        let (a, b) = ((&a, &spin), (&b, &Motion::NONE));
        let known = ImpactReference::default().examine(a, b, 1.0);
        for impact in [known.impact, impact_of("bilateral", a, b, 1.0)] {
            assert!((time_of(impact) - angle / 2.0).abs() < 1e-9, "{impact:?} {angle}");
        }
        assert!(!known.is_grazing);
        assert_eq!(impact_of("moving-sat", a, b, 1.0), Impact::Never);
    }
}

/// 001's cars: 1.5 m long, 1.7 m a step.
#[test]
fn methods_that_test_few_times_miss_a_fast_body() {
    let (car, pole) = (Shape::cuboid(DVec3::new(1.5, 1.0, 1.0)).unwrap(), cube());
    let (a, b) = (at(&pole, 0.0, 0.0, 0.0), at(&car, 2.0, 0.0, 0.0));
    let motion = moving(-4.0, 0.0, 0.0);
    for id in ["discrete", "halving", "substeps@k=1"] {
        assert_eq!(onto(id, &a, &b, motion), Impact::Never, "{id}");
    }
    let first = 0.75 / 4.0;
    for (id, time, error) in [
        ("bisection", first, 1.0 / 4096.0),
        ("substeps@k=8", 0.25, 1e-12),
        ("substeps+enlarged@k=8", first, 1e-12),
    ] {
        assert!((time_of(onto(id, &a, &b, motion)) - time).abs() <= error, "{id}");
    }
    // Half as fast, they overlap at the end of the step.
    let slow = moving(-2.0, 0.0, 0.0);
    assert!((time_of(onto("halving", &a, &b, slow)) - 2.0 * first).abs() < 1e-9);
}

#[test]
fn swept_boxes_collide_in_one_place_at_different_times() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 5.0, -5.0, 0.0));
    let (one, other) = (moving(10.0, 0.0, 0.0), moving(0.0, 20.0, 0.0));
    assert_eq!(impact_of("moving-sat", (&a, &one), (&b, &other), 1.0), Impact::Never);
    assert_eq!(time_of(impact_of("swept-boxes", (&a, &one), (&b, &other), 1.0)), 1.0);
    assert_eq!(impact_of("swept-boxes", (&a, &Motion::NONE), (&b, &other), 1.0), Impact::Never);
}

#[test]
fn first_contact_has_its_axis_as_normal_and_is_in_the_region() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    let corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_X);
    let corner = turned(at(&cube, 3.0, 0.25, 0.1), corner);
    // Oblique: the approximate normal is that of the motion.
    let oblique = moving(-4.0, 0.5, 0.0);
    for (b, motion, kind, half_size) in [
        (at(&cube, 3.0, 0.25, 0.5), oblique, ContactKind::FaceFace, DVec3::new(0.0, 0.25, 0.25)),
        (corner, moving(-4.0, 0.0, 0.0), ContactKind::VertexFace, DVec3::new(0.0, 0.5, 0.5)),
    ] {
        let impact = known(&a, &b, motion).impact;
        let (a, b) = ((&a, &Motion::NONE), (&b, &motion));
        let mut contacts = ImpactContacts::default();
        let found = contacts.find(a, b, impact);
        let [set] = found.sets() else { panic!("not one set") };
        assert_eq!(set.kind, kind);
        assert!(set.normal.distance(DVec3::X) < 1e-9 && set.depth.abs() < 1e-9, "{set:?}");
        let approximate = approximate_contact(a, b, impact).unwrap();
        assert!(approximate.normal.distance(-motion.velocity.normalize()) < 1e-12);
        let ApproximateContact { point, half_size: half, .. } = approximate;
        assert!((half - half_size).abs().max_element() < 0.13, "{approximate:?}");
        let is_inside = |at: DVec3| (at - point).abs().cmple(half + 1e-7).all();
        assert!(found.points().iter().all(|point| is_inside(point.position)), "{found:?}");
        for impact in [Impact::Never, Impact::Failed] {
            assert!(contacts.find(a, b, impact).sets().is_empty());
            assert_eq!(approximate_contact(a, b, impact), None);
        }
    }
}
