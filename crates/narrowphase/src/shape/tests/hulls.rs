//! Hulls: faces are merged, all points are inside, and a seed gives one shape.

use glam::DVec3;
use proptest::prelude::*;

use super::rotation;
use crate::shape::{Core, FromPoints, Shape, ShapeError};

fn core_of(points: &[DVec3]) -> Core {
    Shape::points(points).unwrap().shape.parts()[0].core().clone()
}

#[test]
fn triangles_in_a_plane_become_one_face() {
    for count in [2_u32, 3, 5, 16] {
        // A grid of points: most are inside the cube, its faces or its edges.
        let side = |i: u32| f64::from(i) / f64::from(count - 1);
        let grid = (0..count.pow(3)).map(|i| [i % count, i / count % count, i / count.pow(2)]);
        let grid: Vec<DVec3> = grid.map(|at| DVec3::from_array(at.map(side))).collect();
        for points in [grid.clone(), grid.iter().map(|p| rotation() * *p * 1e-3).collect()] {
            let core = core_of(&points);
            let counts = [core.vertices().len(), core.edges().len(), core.faces().len()];
            assert_eq!(counts, [8, 12, 6], "{count} points an edge");
            assert_eq!((core.normals().len(), core.directions().len()), (3, 3));
        }
    }
}

#[test]
fn duplicates_are_counted_and_left_out() {
    let tetrahedron = Shape::tetrahedron(1.0).unwrap();
    let mut points = tetrahedron.parts()[0].core().vertices().to_vec();
    points.push(points[2]);
    points.push(points[1] + 1e-12);
    points.push(DVec3::ZERO);
    let made = Shape::points(&points).unwrap();
    assert_eq!(made.duplicates, 2);
    assert_eq!(made.shape.parts()[0].core().vertices().len(), 4);
    let corners =
        [[0.0, 0.0], [1e-12, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [0.0, 2.0], [-1e-12, 1e-12]];
    let made = Shape::polygon(1.0, &corners).unwrap();
    assert_eq!(made.duplicates, 2);
    // The corner in the middle of a side is left out.
    assert_eq!(made.shape.parts()[0].core().vertices().len(), 8);
}

#[test]
fn seed_gives_the_same_hull_on_every_machine() {
    for (count, seed) in [(4, 1), (16, 3), (128, 5)] {
        let hull = Shape::hull(count, seed).unwrap();
        assert_eq!(hull.parts()[0].core().vertices().len(), count);
    }
    let hull = Shape::hull(16, 1).unwrap();
    let first = hull.parts()[0].core().vertices()[0] + hull.center_of_mass();
    assert_eq!(format!("{first:.12}"), "[-0.197991083625, -0.851980204123, -0.484695020179]");
    assert_ne!(hull, Shape::hull(16, 2).unwrap());
}

/// Points of all kinds: random, on a lattice (many in one plane, many equal), nearly flat.
fn points() -> impl Strategy<Value = Vec<DVec3>> {
    let lattice = (-3..=3).prop_map(f64::from);
    let any = prop_oneof![-1.0..1.0, lattice];
    let flatness = prop_oneof![Just(1.0), Just(1e-3), Just(1e-6), Just(1e-8)];
    let size = prop_oneof![Just(1.0), Just(1e-6), Just(1e6)];
    let point = (any.clone(), any.clone(), any).prop_map(DVec3::from);
    (prop::collection::vec(point, 4..60), flatness, size).prop_map(
        |(mut points, flatness, size)| {
            for point in &mut points {
                point.y *= flatness;
                *point = rotation() * *point * size;
            }
            points
        },
    )
}

proptest! {
    #[test]
    fn hull_contains_all_points_or_is_refused(points in points()) {
        let made = Shape::points(&points);
        let Ok(FromPoints { shape, .. }) = made else {
            use ShapeError::{Count, Flat, Hull, Size};
            let error = made.unwrap_err();
            let is_known = matches!(error, Flat | Count { .. } | Hull | Size { .. });
            prop_assert!(is_known, "{error}");
            return Ok(());
        };
        let (offset, size) = (shape.center_of_mass(), shape.bounding_radius());
        for face in shape.parts()[0].core().faces() {
            let above = |point: &DVec3| face.normal.dot(*point - offset) - face.offset;
            prop_assert!(points.iter().all(|point| above(point) <= 3e-9 * size), "{face:?}");
        }
        prop_assert!(shape.mass().volume > 0.0);
    }
}
