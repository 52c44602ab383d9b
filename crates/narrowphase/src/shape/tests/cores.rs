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
fn flat_polygon_has_two_sides() {
    let (vertices, _) = cube();
    let square = vec![vertices[0], vertices[1], vertices[3], vertices[2]];
    let core = Core::polyhedron(square, &[vec![0, 1, 2, 3], vec![3, 2, 1, 0]]).unwrap();
    assert_eq!((core.edges().len(), core.normals().len()), (4, 1));
}

#[test]
fn points_and_segments_have_no_faces() {
    assert_eq!(Core::point(DVec3::ONE).edges().len(), 0);
    let segment = Core::segment(DVec3::ZERO, DVec3::ONE);
    assert_eq!((segment.edges().len(), segment.edge_faces().len()), (1, 0));
    assert_eq!(segment.neighbours(1), [0]);
}

#[test]
fn surfaces_that_are_no_convex_bodies_are_refused() {
    type Change = fn(&mut Vec<DVec3>, &mut Vec<Vec<u8>>);
    let table: [(Change, CoreError); 12] = [
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
    ];
    for (change, error) in table {
        let (mut vertices, mut faces) = cube();
        change(&mut vertices, &mut faces);
        assert_eq!(Core::polyhedron(vertices, &faces), Err(error));
    }
}

#[test]
fn two_surfaces_are_not_one() {
    let (mut vertices, mut faces) = cube();
    vertices.extend(vertices.clone());
    faces.extend(faces.clone().iter().map(|f| f.iter().map(|v| v + 8).collect::<Vec<u8>>()));
    let error = CoreError::Euler { vertices: 16, edges: 24, faces: 12 };
    assert_eq!(Core::polyhedron(vertices, &faces), Err(error));
}

#[test]
fn corner_within_a_straight_edge_is_refused() {
    let (mut vertices, mut faces) = cube();
    vertices.push((vertices[0] + vertices[1]) / 2.0);
    faces[2].insert(1, 8);
    faces[4].push(8);
    assert_eq!(Core::polyhedron(vertices, &faces), Err(CoreError::NotACorner(8)));
}

#[test]
fn reflex_corner_is_refused() {
    // A flat arrow head: all in one plane, closed, but not convex.
    let points = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]];
    let vertices = points.map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
    let error = Core::polyhedron(vertices, &[vec![0, 1, 2, 3], vec![3, 2, 1, 0]]);
    assert_eq!(error, Err(CoreError::NotConvex(0)));
}

#[test]
fn moved_core_keeps_its_planes() {
    let pose = Pose { position: DVec3::new(3.0, -2.0, 5.0), rotation: rotation() };
    for shape in zoo() {
        let core = shape.parts()[0].core();
        let loops: Vec<Vec<u8>> = core.faces().iter().map(|f| f.vertices.clone()).collect();
        let moved = core.moved(&pose);
        if loops.is_empty() {
            continue;
        }
        let rebuilt = Core::polyhedron(moved.vertices().to_vec(), &loops).unwrap();
        for (a, b) in moved.faces().iter().zip(rebuilt.faces()) {
            assert!(a.normal.distance(b.normal) < 1e-12 && (a.offset - b.offset).abs() < 1e-12);
        }
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
    let ball = Shape::sphere(2.0).unwrap();
    assert!(ball.is_ball());
    assert!(Shape::capsule(2.0, 0.0).unwrap().is_ball());
    assert!(!Shape::capsule(0.5, 1.5).unwrap().is_ball());
    assert!(!Shape::cuboid(DVec3::ONE).unwrap().is_ball());
    let at = |x: f64| Pose { position: DVec3::X * x, ..Pose::IDENTITY };
    assert!(!Shape::compound(&[(&ball, at(0.0)), (&ball, at(1.0))]).unwrap().is_ball());
}
