//! Bounding circles.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::tests::{point_of, vector, volume_ratio, weights};
use super::{Placed, VOLUMES, find};
use crate::body::Pose;
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
    let ratio = volume_ratio(find("sphere").unwrap(), &shapes()[1], DQuat::IDENTITY, true);
    assert!((ratio - PI / 2.0).abs() < 1e-10, "{ratio}");
}

proptest! {
    #[test]
    fn exact_circles_never_separate_bodies_with_a_common_point(
        shapes_of in (0_usize..6, 0_usize..6), parts in (0_usize..2, 0_usize..2),
        turns in (0.0..TAU, 0.0..TAU),
        tilt in prop_oneof![3 => Just(0.0), 1 => 0.0..TAU],
        scales in (0.1..10.0, 0.1..10.0),
        weights in (weights(), weights()),
        direction in vector(),
    ) {
        let shapes = shapes();
        let tilted = DQuat::from_rotation_y(turns.0) * DQuat::from_rotation_x(tilt);
        let turned = DQuat::from_rotation_y(turns.1);
        let one = &shapes[shapes_of.0].parts()[parts.0 % shapes[shapes_of.0].parts().len()];
        let other = &shapes[shapes_of.1].parts()[parts.1 % shapes[shapes_of.1].parts().len()];
        let one = tilted * point_of(one, &weights.0, direction) * scales.0;
        let other = turned * point_of(other, &weights.1, -direction) * scales.1;
        for kind in VOLUMES.iter().filter(|kind| kind.exact && kind.id.starts_with("sphere")) {
            let circles = (kind.fit)(&shapes, true);
            let mut numbers = [[0.0; 4]; 2];
            circles.place(shapes_of.0, scales.0, tilted, &mut numbers[0]);
            circles.place(shapes_of.1, scales.1, turned, &mut numbers[1]);
            let a = Placed { shape: shapes_of.0, position: DVec3::X, numbers: &numbers[0] };
            let position = DVec3::X + (one - other);
            let b = Placed { shape: shapes_of.1, position, numbers: &numbers[1] };
            prop_assert!(circles.overlap(&a, &b), "{}", kind.id);
        }
    }
}
