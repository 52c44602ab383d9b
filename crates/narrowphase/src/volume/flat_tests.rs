//! Bounding circles.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::{Placed, VOLUMES, find};
use crate::pose::Pose;
use crate::shape::Shape;

fn shapes() -> Vec<Shape> {
    let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let triangle = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]];
    let [square, triangle] =
        [&square[..], &triangle[..]].map(|corners| Shape::polygon(0.6, corners).unwrap().shape);
    let aside =
        Pose { position: DVec3::new(1.0, 0.2, -0.5), rotation: DQuat::from_rotation_y(0.3) };
    let lying = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_z(1.2) };
    let capsule = Shape::capsule(0.2, 2.0).unwrap();
    vec![
        Shape::compound(&[(&square, aside), (&capsule, lying)]).unwrap(),
        square,
        triangle,
        capsule,
        Shape::cylinder(0.5, 0.3, 64).unwrap(),
        Shape::cuboid(DVec3::new(3.0, 0.5, 1.0)).unwrap(),
    ]
}

/// The radius of a placed circle of one shape.
fn radius(id: &str, shape: usize, rotation: DQuat) -> f64 {
    let circles = (find(id).unwrap().fit)(&shapes(), true);
    let mut numbers = vec![0.0; circles.width()];
    circles.place(shape, 2.0, rotation, &mut numbers);
    let placed = Placed { shape, position: DVec3::ONE, numbers: &numbers };
    circles.ball(&placed).unwrap().1
}

#[test]
fn radii_of_squares_and_rectangles_are_those_of_the_plane() {
    let rotation = DQuat::from_rotation_y(0.7);
    // A square of side a = 2 has a / 2, a sqrt(2) / 2 and their mean.
    let outside = 2f64.sqrt();
    // Half of the diagonal of a rectangle of 6 by 2.
    let diagonal = 10f64.sqrt();
    for (id, shape, expected) in [
        ("sphere-inside", 1, 1.0),
        ("sphere", 1, outside),
        ("sphere-mean", 1, outside),
        ("sphere-between", 1, (1.0 + outside) / 2.0),
        ("sphere-inside", 5, 1.0),
        ("sphere", 5, diagonal),
        ("sphere-between", 5, (1.0 + diagonal) / 2.0),
        ("sphere", 4, 1.0),
        ("sphere-inside", 4, libm::cos(PI / 64.0)),
        // Seen from its tip, a capsule is a disc.
        ("sphere", 3, 0.4),
        ("sphere-inside", 3, 0.4),
        // The smallest circle of a right triangle is that of its longest side.
        ("sphere", 2, 5f64.sqrt()),
    ] {
        let found = radius(id, shape, rotation);
        assert!((found - expected).abs() < 1e-10, "{id} {shape}: {found}");
    }
    let ball = radius("sphere-inside", 1, DQuat::from_rotation_x(0.7));
    assert!((ball - 0.6).abs() < 1e-10, "the inscribed sphere of a tilted body: {ball}");
}

#[test]
fn volume_ratio_of_a_prism_is_that_of_the_areas() {
    let shapes = shapes();
    let circles = (find("sphere").unwrap().fit)(&shapes, true);
    let mut numbers = vec![0.0; circles.width()];
    circles.place(1, 1.0, DQuat::IDENTITY, &mut numbers);
    let placed = Placed { shape: 1, position: DVec3::ZERO, numbers: &numbers };
    let ratio = circles.volume(&placed).unwrap() / shapes[1].mass().volume;
    assert!((ratio - PI / 2.0).abs() < 1e-10, "{ratio}");
}

#[test]
fn volumes_without_circles_are_those_of_space() {
    let cube = [Shape::cuboid(DVec3::ONE).unwrap()];
    for kind in VOLUMES {
        let radii = [false, true].map(|is_flat| {
            let volume = (kind.fit)(&cube, is_flat);
            let mut numbers = vec![0.0; volume.width()];
            volume.place(0, 1.0, DQuat::IDENTITY, &mut numbers);
            let placed = Placed { shape: 0, position: DVec3::ZERO, numbers: &numbers };
            volume.ball(&placed).map(|(_, radius)| radius)
        });
        // The inscribed radius of a cube is that of a square.
        let is_same = !kind.id.starts_with("sphere") || kind.id == "sphere-inside";
        assert_eq!(radii[0] == radii[1], is_same, "{}", kind.id);
        assert_eq!(radii[0].is_some(), kind.id.starts_with("sphere"), "{}", kind.id);
    }
}

/// A point of a part of a shape, given by weights of its vertices and a direction of its rounding.
fn point_of(shape: &Shape, part: usize, weights: &[f64], direction: DVec3) -> DVec3 {
    let part = &shape.parts()[part % shape.parts().len()];
    let vertices = part.core().vertices();
    let weighted = vertices.iter().zip(weights.iter().cycle());
    let sum: f64 = weighted.clone().map(|(_, weight)| weight).sum();
    let inside = weighted.map(|(vertex, weight)| *vertex * (weight / sum)).sum::<DVec3>();
    inside + direction.normalize_or_zero() * part.radius()
}

proptest! {
    #[test]
    fn exact_circles_never_separate_bodies_with_a_common_point(
        shapes_of in (0_usize..6, 0_usize..6, 0_usize..2, 0_usize..2),
        turns in (0.0..TAU, 0.0..TAU),
        tilt in prop_oneof![3 => Just(0.0), 1 => 0.0..TAU],
        scales in (0.1..10.0, 0.1..10.0),
        weights in prop::collection::vec(prop_oneof![3 => Just(1e-30), 1 => 0.1..1.0], 7),
        direction in [-1.0..1.0, -1.0..1.0, -1.0..1.0],
    ) {
        let shapes = shapes();
        let direction = DVec3::from(direction);
        let rotations = [
            DQuat::from_rotation_y(turns.0) * DQuat::from_rotation_x(tilt),
            DQuat::from_rotation_y(turns.1),
        ];
        let [one, other] = [
            rotations[0] * point_of(&shapes[shapes_of.0], shapes_of.2, &weights, direction) * scales.0,
            rotations[1] * point_of(&shapes[shapes_of.1], shapes_of.3, &weights[2..], -direction) * scales.1,
        ];
        for kind in VOLUMES.iter().filter(|kind| kind.exact && kind.id.starts_with("sphere")) {
            let circles = (kind.fit)(&shapes, true);
            let mut numbers = [[0.0; 4]; 2];
            circles.place(shapes_of.0, scales.0, rotations[0], &mut numbers[0]);
            circles.place(shapes_of.1, scales.1, rotations[1], &mut numbers[1]);
            let a = Placed { shape: shapes_of.0, position: DVec3::X, numbers: &numbers[0] };
            let position = DVec3::X + (one - other);
            let b = Placed { shape: shapes_of.1, position, numbers: &numbers[1] };
            prop_assert!(circles.overlap(&a, &b), "{}", kind.id);
        }
    }
}
