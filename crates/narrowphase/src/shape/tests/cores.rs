//! Cores: what is checked, and the lists of neighbours.

use glam::DVec3;
use proptest::prelude::*;

use super::{ZOO, rotation};
use crate::body::Pose;
use crate::shape::{Core, Part, Shape};

/// Corners and faces of the unit cube. Corner bits: x, y, z.
fn cube() -> (Vec<DVec3>, Vec<Vec<u8>>) {
    let corner =
        |bits: u8| DVec3::from_array([1, 2, 4].map(|bit| f64::from(u8::from(bits & bit != 0))));
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    ((0..8).map(corner).collect(), faces.map(Vec::from).to_vec())
}

#[test]
fn surfaces_that_are_no_convex_bodies_are_refused() {
    type Change = fn(&mut Vec<DVec3>, &mut Vec<Vec<u8>>);
    let changes: [Change; 9] = [
        |v, _| v[3].y = f64::NAN,
        |_, f| drop(f.pop()),
        |_, f| f[5].reverse(),
        |v, _| v.push(DVec3::splat(0.5)),
        |v, _| v[7] *= 1.1,
        |_, f| f.iter_mut().for_each(|corners| corners.reverse()),
        |v, _| v.iter_mut().for_each(|corner| corner.x *= 1e-10),
        // Two cubes.
        |v, f| {
            v.extend_from_within(..);
            f.extend(f.clone().iter().map(|corners| corners.iter().map(|at| at + 8).collect()));
        },
        // A corner in the middle of an edge.
        |v, f| {
            v.push((v[0] + v[1]) / 2.0);
            f[2].insert(1, 8);
            f[4].push(8);
        },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let (mut vertices, mut faces) = cube();
        change(&mut vertices, &mut faces);
        assert_eq!(Core::polyhedron(vertices, &faces), None, "{at}");
    }
}

/// Found by the fuzzer: the corners of the cube were rounded to the coordinates of its pose, by a hundred thousandth.
#[test]
fn small_part_far_from_its_origin_keeps_its_form() {
    let cube = Shape::cuboid(DVec3::splat(1e-9)).unwrap();
    let far = Pose { position: DVec3::new(100.0, -1.0, -1.125), rotation: rotation() };
    let alone = Shape::compound(&[(&cube, far)]).unwrap();
    assert_eq!(alone.center_of_mass(), far.position);
    for face in alone.parts()[0].core().faces() {
        assert!((face.offset - 5e-10).abs() < 1e-21, "{}", face.offset);
    }
}

proptest! {
    #[test]
    fn hill_climbing_finds_the_furthest_vertex(
        (x, y, z) in (-1.0..1.0, -1.0..1.0, -1.0..1.0),
        start in 0_usize..128,
    ) {
        let direction = DVec3::new(x, y, z);
        for core in ZOO.iter().flat_map(Shape::parts).map(Part::core) {
            let along = |vertex: usize| core.vertices()[vertex].dot(direction);
            let climbed = core.support_from(start % core.vertices().len(), direction);
            prop_assert!(along(climbed) >= along(core.support(direction)) - 1e-15);
        }
    }
}
