//! Hulls of points that were rounded to `f32`, as a scene has them.
//!
//! `ROUNDED_HULLS=N` sets the number of hulls of each kind, 300 by default.

use glam::{DVec2, DVec3, Vec3};

use super::random_numbers;
use crate::random_pairs::{in_cube, turned};
use crate::shape::{FromPoints, Shape, ShapeError};

fn hulls_of_each() -> usize {
    std::env::var("ROUNDED_HULLS").map_or(300, |count| count.parse().expect("a number"))
}

/// Builds hulls of points, turned, scaled, moved and rounded. Each contains its points, its corners are points, and it has
/// as many faces as are meant.
fn check(seed: u64, points: impl Fn(&mut dyn FnMut() -> f64) -> (Vec<DVec3>, usize)) {
    let mut uniform = random_numbers(seed);
    for _ in 0..hulls_of_each() {
        let (points, faces) = points(&mut uniform);
        let rotation = turned(&mut uniform).rotation;
        let size = libm::exp10(6.0 * uniform() - 3.0);
        let offset = in_cube(&mut uniform) * size;
        let place = |point: &DVec3| (rotation * (*point * size) + offset).as_vec3();
        let points: Vec<Vec3> = points.iter().map(place).collect();
        let FromPoints { shape, .. } =
            Shape::points_f32(&points).unwrap_or_else(|error| panic!("{error}: {points:?}"));
        let core = shape.parts()[0].core();
        let points: Vec<DVec3> =
            points.iter().map(|point| point.as_dvec3() - shape.center_of_mass()).collect();
        // Eight roundings of the largest coordinate, which is at most three times the size, in each direction.
        let tolerance = 3e-6 * size;
        for face in core.faces() {
            let highest = points.iter().map(|point| face.normal.dot(*point) - face.offset);
            assert!(highest.fold(f64::MIN, f64::max) <= tolerance, "{points:?}");
        }
        for corner in core.vertices() {
            let nearest = points.iter().map(|point| point.distance(*corner));
            assert!(nearest.fold(f64::MAX, f64::min) <= 10.0 * tolerance, "{points:?}");
        }
        assert_eq!(core.faces().len(), faces, "{core:?} {points:?}");
    }
}

#[test]
fn rounded_boxes_with_points_on_them_have_six_faces() {
    check(7, |uniform| {
        let half = (in_cube(uniform).abs() + DVec3::splat(0.1)) / 2.0;
        let sign = |bit: i32| f64::from(2 * (bit & 1) - 1);
        let corners = (0..8).map(|i| half * DVec3::new(sign(i), sign(i >> 1), sign(i >> 2)));
        let mut points: Vec<DVec3> = corners.collect();
        for at in 0..40 {
            // On a face, or on an edge.
            let mut point = in_cube(uniform) * half;
            for axis in 0..=at % 2 {
                point[axis] = half[axis].copysign(point[axis]);
            }
            points.push(point);
        }
        (points, 6)
    });
}

#[test]
fn rounded_prisms_and_frustums_have_their_faces() {
    check(8, |uniform| {
        let sides = 3 + (uniform() * 30.0) as usize;
        let (taper, height) = ([1.0, 0.7][sides % 2], 0.1 + uniform());
        let corner = |i: usize| {
            let (sine, cosine) = libm::sincos(std::f64::consts::TAU * i as f64 / sides as f64);
            DVec3::new(cosine, 0.0, sine)
        };
        let below = (0..sides).map(corner);
        let above = (0..sides).map(|i| corner(i) * taper + DVec3::Y * height);
        (below.chain(above).collect(), sides + 2)
    });
}

/// Four faces meet at some corners, which no single step puts into the planes of all.
#[test]
fn rounded_rhombic_dodecahedra_have_twelve_faces() {
    let cube = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(2 * bit - 1)));
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [axis * 2.0, axis * -2.0]);
    let points: Vec<DVec3> =
        cube.map(DVec3::from_array).chain(axes.into_iter().flatten()).collect();
    check(9, |_| (points.clone(), 12));
}

#[test]
fn rounded_points_of_a_plane_are_refused_as_flat() {
    let mut uniform = random_numbers(11);
    for _ in 0..hulls_of_each() {
        let rotation = turned(&mut uniform).rotation;
        let point = |_| in_cube(&mut uniform) * DVec3::new(1.0, 1.0, 0.0);
        let points: Vec<DVec3> = (0..12).map(point).collect();
        let points: Vec<Vec3> = points.iter().map(|point| (rotation * *point).as_vec3()).collect();
        assert_eq!(Shape::points_f32(&points), Err(ShapeError::Flat), "{points:?}");
    }
}

#[test]
fn rounded_corners_on_sides_of_a_polygon_are_left_out() {
    let mut uniform = random_numbers(12);
    for _ in 0..hulls_of_each() {
        let (sine, cosine) = libm::sincos(uniform() * 6.0);
        // A rectangle, with its corners and nine points on each side.
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]].map(DVec2::from);
        let side = |ends: &[DVec2]| {
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|i| ends[0].lerp(ends[1], f64::from(i) / 10.0))
        };
        let turned = |at: DVec2| DVec2::new(cosine, sine).rotate(at).as_vec2().to_array();
        let corners: Vec<[f32; 2]> = outline.windows(2).flat_map(side).map(turned).collect();
        let built = Shape::polygon_f32(0.5, &corners).unwrap_or_else(|e| panic!("{e} {corners:?}"));
        assert_eq!(built.shape.parts()[0].core().vertices().len(), 8);
    }
}
