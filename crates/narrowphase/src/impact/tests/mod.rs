//! Known first contacts.

mod extremes;

use super::*;
use crate::contact::{ContactKind, Extent};
use crate::pose::Pose;
use crate::shape::Shape;
use glam::DQuat;

const EXACT: [&str; 3] = ["moving-sat", "moving-sat+boxes", "advance"];

fn moving(x: f64, y: f64, z: f64) -> Motion {
    Motion { velocity: DVec3::new(x, y, z), spin: DVec3::ZERO }
}

fn spinning(x: f64, y: f64, z: f64) -> Motion {
    Motion { velocity: DVec3::ZERO, spin: DVec3::new(x, y, z) }
}

fn at(shape: &Shape, x: f64, y: f64, z: f64) -> Body<'_> {
    Body::new(shape, Pose { position: DVec3::new(x, y, z), ..Pose::IDENTITY })
}

fn impact_of(id: &str, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> Impact {
    find(id).unwrap().build().find(a, b, limit, &mut PairCache::default())
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

/// Checks all exact methods and the reference.
fn assert_first(a: &Body, b: &Body, motion: Motion, expected: f64, axis: DVec3) {
    let reference = known(a, b, motion);
    assert!(!reference.is_grazing, "{reference:?}");
    let found = EXACT.map(|id| (id, onto(id, a, b, motion)));
    for (id, impact) in found.into_iter().chain([("reference", reference.impact)]) {
        let Impact::At { first, axis: along, .. } = impact else { panic!("{id}: {impact:?}") };
        assert!((first - expected).abs() < 1e-9, "{id}: {first} is not {expected}");
        assert!(along.distance(axis) < 1e-4, "{id}: {along} is not {axis}");
    }
}

#[test]
fn spheres_meet_at_the_root_of_the_quadratic() {
    let (small, large) = (Shape::sphere(0.5).unwrap(), Shape::sphere(1.5).unwrap());
    let (a, b) = (at(&large, 0.0, 0.0, 0.0), at(&small, 10.0, 1.2, 0.0));
    // They touch where the centres are 2 apart: 1.6 along x.
    let axis = DVec3::new(0.8, 0.6, 0.0);
    assert_first(&a, &b, moving(-20.0, 0.0, 0.0), (10.0 - 1.6) / 20.0, axis);
    let Impact::At { last, .. } = onto("moving-sat", &a, &b, moving(-20.0, 0.0, 0.0)) else {
        panic!("no contact")
    };
    assert!((last - 11.6 / 20.0).abs() < 1e-12, "{last}");
}

#[test]
fn ball_meets_face_edge_and_corner_of_a_cube() {
    let (cube, ball) = (cube(), Shape::sphere(0.5).unwrap());
    let a = at(&cube, 0.0, 0.0, 0.0);
    let motion = moving(-10.0, 0.0, 0.0);
    assert_first(&a, &at(&ball, 5.0, 0.3, 0.2), motion, 0.4, DVec3::X);
    // 0.3 above the edge: the centre is 0.4 before it. 0.3 above and aside of the corner: the root of 0.25 - 0.18.
    assert_first(&a, &at(&ball, 5.0, 0.8, 0.0), motion, 0.41, DVec3::new(0.8, 0.6, 0.0));
    let before = 0.07f64.sqrt();
    let axis = DVec3::new(before, 0.3, 0.3) / 0.5;
    assert_first(&a, &at(&ball, 5.0, 0.8, 0.8), motion, (4.5 - before) / 10.0, axis);
    for id in EXACT {
        assert_eq!(onto(id, &a, &at(&ball, 5.0, 0.9, 0.9), motion), Impact::Never, "{id}");
    }
}

#[test]
fn crossing_capsules_meet_between_their_ends() {
    let capsule = Shape::capsule(0.25, 2.0).unwrap();
    let a = at(&capsule, 0.0, 0.0, 0.0);
    let mut b = at(&capsule, 3.0, 0.4, 0.3);
    b.pose.rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    assert_first(&a, &b, moving(-5.0, 0.0, 0.0), 0.5, DVec3::X);
}

#[test]
fn cubes_meet_by_faces_edges_and_corners() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    assert_first(&a, &at(&cube, 3.0, 0.5, 0.5), moving(-4.0, 0.0, 0.0), 0.5, DVec3::X);
    // An edge along z above an edge along x: both at half of the root of 2.
    let (edge, turned) = (DQuat::from_rotation_z(0.25 * std::f64::consts::PI), 0.5f64.sqrt());
    let mut b = at(&cube, 0.0, 3.0, 0.0);
    b.pose.rotation = edge;
    let mut a = a;
    a.pose.rotation = DQuat::from_rotation_x(0.25 * std::f64::consts::PI);
    assert_first(&a, &b, moving(0.0, -4.0, 0.0), (3.0 - 2.0 * turned) / 4.0, DVec3::Y);
}

#[test]
fn bodies_that_move_fast_together_meet_as_if_one_rested() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 3.0, 0.0, 0.0));
    let common = 1e9;
    let (one, other) = (moving(common + 4.0, 0.0, 0.0), moving(common, 0.0, 0.0));
    for id in EXACT {
        assert!((time_of(impact_of(id, (&a, &one), (&b, &other), 1.0)) - 0.5).abs() < 1e-9, "{id}");
    }
}

#[test]
fn bodies_that_recede_or_rest_apart_never_meet() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 3.0, 0.0, 0.0));
    for motion in
        [moving(1.0, 0.0, 0.0), Motion::NONE, moving(0.0, 7.0, 0.0), moving(-1.0, 0.0, 0.0)]
    {
        for id in EXACT {
            assert_eq!(onto(id, &a, &b, motion), Impact::Never, "{id} {motion:?}");
        }
        assert_eq!(known(&a, &b, motion), KnownImpact { impact: Impact::Never, is_grazing: false });
    }
}

#[test]
fn body_inside_another_overlaps_at_rest_and_in_motion() {
    let (large, small) = (Shape::cuboid(DVec3::splat(9.0)).unwrap(), Shape::hull(16, 1).unwrap());
    let (a, b) = (at(&large, 0.0, 0.0, 0.0), at(&small, 0.1, 0.2, 0.3));
    for motion in [Motion::NONE, moving(100.0, 0.0, 0.0), spinning(1.0, 2.0, 3.0)] {
        for id in ["moving-sat", "moving-sat+boxes", "advance", "discrete", "halving", "bisection"]
        {
            assert_eq!(onto(id, &a, &b, motion), Impact::Overlapping, "{id} {motion:?}");
        }
        assert_eq!(known(&a, &b, motion).impact, Impact::Overlapping);
    }
}

#[test]
fn compound_meets_by_the_part_that_is_first() {
    let cube = cube();
    let far = Pose { position: DVec3::X * 3.0, ..Pose::IDENTITY };
    let pair = Shape::compound(&[(&cube, Pose::IDENTITY), (&cube, far)]).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    let (a, b) = (at(&pair, 0.0, 0.0, 0.0), at(&ball, 7.0, 0.0, 0.0));
    let motion = moving(-20.0, 0.0, 0.0);
    assert_first(&a, &b, motion, (7.0 - 2.5) / 20.0, DVec3::X);
    let Impact::At { last, .. } = onto("moving-sat", &a, &b, motion) else { panic!("no contact") };
    // When it leaves the nearer cube, although it meets the other one later.
    assert!((last - (7.0 - 0.5) / 20.0).abs() < 1e-12, "{last}");
}

#[test]
fn rod_that_spins_into_a_ball_meets_it_at_the_angle() {
    let (rod, ball) = (Shape::capsule(0.1, 4.0).unwrap(), Shape::sphere(0.5).unwrap());
    let (a, b) = (at(&rod, 0.0, 0.0, 0.0), at(&ball, 1.5, 0.0, 0.0));
    // The segment begins along y; it touches when its distance from the ball's centre is 0.6: sine 0.4.
    let angle = std::f64::consts::FRAC_PI_2 - 0.4f64.asin();
    for sign in [1.0, -1.0] {
        let spin = spinning(0.0, 0.0, sign * 2.0);
        let known = ImpactReference::default().examine((&a, &spin), (&b, &Motion::NONE), 1.0);
        let found = impact_of("advance", (&a, &spin), (&b, &Motion::NONE), 1.0);
        for impact in [known.impact, found] {
            assert!((time_of(impact) - angle / 2.0).abs() < 1e-9, "{impact:?} {angle}");
        }
        assert!(!known.is_grazing);
        assert_eq!(impact_of("moving-sat", (&a, &spin), (&b, &Motion::NONE), 1.0), Impact::Never);
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
    for (id, error) in [("bisection", 1.0 / 4096.0), ("moving-sat+boxes", 1e-12)] {
        assert!((time_of(onto(id, &a, &b, motion)) - first).abs() <= error, "{id}");
    }
    assert!((time_of(onto("substeps@k=8", &a, &b, motion)) - 0.25).abs() < 1e-12);
    assert!((time_of(onto("substeps+enlarged@k=8", &a, &b, motion)) - 3.0 / 16.0).abs() < 1e-12);
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
fn contact_set_at_the_first_time_has_its_axis_as_normal() {
    let cube = cube();
    let (a, b) = (at(&cube, 0.0, 0.0, 0.0), at(&cube, 3.0, 0.25, 0.5));
    // Oblique: the approximate normal is that of the motion.
    let motion = moving(-4.0, 0.5, 0.0);
    let impact = known(&a, &b, motion).impact;
    let (a, b) = ((&a, &Motion::NONE), (&b, &motion));
    let mut contacts = ImpactContacts::default();
    let [set] = contacts.find(a, b, impact).sets() else { panic!("not one set") };
    assert_eq!((set.kind, set.normal), (ContactKind::FaceFace, DVec3::X));
    let Extent::Polygon { area } = set.extent else { panic!("{set:?}") };
    assert!((area - 0.5 * 0.5).abs() < 1e-9 && set.depth.abs() < 1e-9, "{set:?}");
    let approximate = approximate_contact(a, b, impact).unwrap();
    assert!(approximate.normal.distance(-motion.velocity.normalize()) < 1e-12);
    // The same region, for boxes along the axes.
    assert!(approximate.point.distance(DVec3::new(0.5, 0.25, 0.25)) < 1e-9, "{approximate:?}");
    assert!(approximate.half_size.distance(DVec3::new(0.0, 0.25, 0.25)) < 1e-9);
    for impact in [Impact::Never, Impact::Failed] {
        assert!(contacts.find(a, b, impact).sets().is_empty());
        assert_eq!(approximate_contact(a, b, impact), None);
    }
}

#[test]
fn approximate_region_of_a_corner_contains_the_exact_point() {
    let cube = cube();
    let a = at(&cube, 0.0, 0.0, 0.0);
    let mut b = at(&cube, 3.0, 0.2, 0.1);
    b.pose.rotation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_X);
    let motion = moving(-4.0, 0.0, 0.0);
    let impact = known(&a, &b, motion).impact;
    let (a, b) = ((&a, &Motion::NONE), (&b, &motion));
    let mut contacts = ImpactContacts::default();
    let contacts = contacts.find(a, b, impact);
    assert_eq!(contacts.sets()[0].extent, Extent::Point);
    let point = contacts.points()[0].position;
    assert!(point.distance(DVec3::new(0.5, 0.2, 0.1)) < 1e-7, "{point}");
    let approximate = approximate_contact(a, b, impact).unwrap();
    let aside = (approximate.point - point).abs();
    assert!(aside.cmple(approximate.half_size + 1e-9).all(), "{approximate:?} {point}");
    assert!(approximate.half_size.y > 0.3 && approximate.half_size.z > 0.3);
}
