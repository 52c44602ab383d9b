//! Cores: what is checked, and the lists of neighbours.

use std::sync::LazyLock;

use glam::DVec3;
use proptest::prelude::*;

use super::{rotation, zoo};
use crate::pose::Pose;
use crate::shape::{Core, CoreError, Part, Shape};

/// Corners and faces of the unit cube. Corner bits: x, y, z.
fn cube() -> (Vec<DVec3>, Vec<Vec<u8>>) {
    let corner =
        |bits: u8| DVec3::from_array([1, 2, 4].map(|bit| f64::from(u8::from(bits & bit != 0))));
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    ((0..8).map(corner).collect(), faces.map(Vec::from).to_vec())
}

#[test]
fn cube_has_twelve_edges_between_its_faces() {
    let (vertices, faces) = cube();
    let core = Core::polyhedron(vertices, &faces).unwrap();
    assert_eq!((core.faces().len(), core.edges().len()), (6, 12));
    assert_eq!((core.normals().len(), core.directions().len()), (3, 3));
    assert_eq!(core.neighbours(7), [3, 5, 6]);
    assert!(core.faces().iter().all(|face| face.normal.abs().max_element() == 1.0));
}

#[test]
fn first_face_of_an_edge_walks_it_forward_the_second_back() {
    for shape in zoo() {
        for part in shape.parts() {
            let core = part.core();
            let walks = |face: u8, [from, to]: [u8; 2]| {
                let corners = &core.faces()[usize::from(face)].vertices;
                let next = corners.iter().cycle().skip(1);
                corners.iter().zip(next).any(|(a, b)| [*a, *b] == [from, to])
            };
            for (&[from, to], &[left, right]) in core.edges().iter().zip(core.edge_faces()) {
                assert!(walks(left, [from, to]) && walks(right, [to, from]));
                assert!(core.neighbours(from.into()).contains(&to));
                assert!(core.neighbours(to.into()).contains(&from));
            }
        }
    }
}

#[test]
fn cores_without_volume_have_their_edges() {
    let (vertices, _) = cube();
    let square = vec![vertices[0], vertices[1], vertices[3], vertices[2]];
    let core = Core::polyhedron(square, &[vec![0, 1, 2, 3], vec![3, 2, 1, 0]]).unwrap();
    assert_eq!((core.edges().len(), core.normals().len()), (4, 1));
    assert_eq!(Core::point(DVec3::ONE).edges().len(), 0);
    let segment = Core::segment(DVec3::ZERO, DVec3::ONE);
    assert_eq!((segment.edges().len(), segment.neighbours(1)), (1, &[0][..]));
}

#[test]
fn surfaces_that_are_no_convex_bodies_are_refused() {
    type Change = fn(&mut Vec<DVec3>, &mut Vec<Vec<u8>>);
    let table: [(Change, CoreError); 15] = [
        (|v, _| v.clear(), CoreError::VertexCount(0)),
        (|v, _| v.resize(129, DVec3::ONE), CoreError::VertexCount(129)),
        (|v, _| v[3].y = f64::NAN, CoreError::NotFinite(3)),
        (|_, f| f[2].truncate(2), CoreError::Loop(2)),
        (|_, f| f[2][0] = 8, CoreError::Loop(2)),
        (|_, f| f[2][0] = 5, CoreError::Loop(2)),
        (|_, f| drop(f.pop()), CoreError::Edge(4, 5)),
        (|_, f| f[5].reverse(), CoreError::Edge(6, 7)),
        (|v, _| v.push(DVec3::splat(0.5)), CoreError::NotACorner(8)),
        (|v, _| v[7] *= 1.1, CoreError::NotPlane(1)),
        (|_, f| f.iter_mut().for_each(|corners| corners.reverse()), CoreError::NotConvex(0)),
        (|v, _| v.iter_mut().for_each(|corner| corner.x *= 1e-10), CoreError::Flat(0)),
        (
            |v, f| {
                v.extend_from_within(..);
                let second = f.iter().map(|corners| corners.iter().map(|at| at + 8).collect());
                f.extend(second.collect::<Vec<Vec<u8>>>());
            },
            CoreError::Euler { vertices: 16, edges: 24, faces: 12 },
        ),
        (
            // In the middle of an edge.
            |v, f| {
                v.push((v[0] + v[1]) / 2.0);
                f[2].insert(1, 8);
                f[4].push(8);
            },
            CoreError::NotACorner(8),
        ),
        (
            // A flat arrow head.
            |v, f| {
                *v = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]]
                    .map(|[x, z]| DVec3::new(x, 0.0, z))
                    .to_vec();
                *f = vec![vec![0, 1, 2, 3], vec![3, 2, 1, 0]];
            },
            CoreError::NotConvex(0),
        ),
    ];
    for (change, error) in table {
        let (mut vertices, mut faces) = cube();
        change(&mut vertices, &mut faces);
        assert_eq!(Core::polyhedron(vertices, &faces), Err(error));
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

static ZOO: LazyLock<Vec<Shape>> = LazyLock::new(zoo);

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

#[test]
fn only_a_single_sphere_is_a_ball() {
    let capsule = Shape::capsule(2.0, 0.0).unwrap();
    assert!(capsule.is_ball() && ZOO[0].is_ball());
    assert!(!ZOO[1..].iter().any(Shape::is_ball));
}
