//! Our convex hulls against parry's, of points that were rounded to `f32` as a scene has them.
//!
//! `PEER_HULLS=N` sets the number of hulls of each kind, 100 by default.

use glam::{DQuat, DVec3, Vec3};
use narrowphase::Shape;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::panic::catch_unwind;

/// The volume of parry's hull of points of about unit size. `None` where it gives none, panics, leaves points out by
/// more than a tolerance, or is not closed.
fn volume_by_parry(points: &[DVec3], tolerance: f64) -> Option<f64> {
    let points: Vec<Vector> = points.iter().map(|p| Vector::from_array(p.to_array())).collect();
    let (vertices, triangles) = catch_unwind(|| try_convex_hull(&points)).ok()?.ok()?;
    let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges: BTreeSet<[u32; 2]> = edges.collect();
    let is_closed = edges.len() == 3 * triangles.len()
        && edges.iter().all(|&[from, to]| edges.contains(&[to, from]));
    let corners = triangles.iter().map(|t| t.map(|i| vertices[i as usize]));
    let contains = |[a, b, c]: [Vector; 3]| {
        let normal = (b - a).cross(c - a);
        points.iter().all(|p| normal.dot(*p - a) <= tolerance * normal.length())
    };
    let volume = |[a, b, c]: [Vector; 3]| {
        let [a, b, c] = [a, b, c].map(|corner| corner - vertices[0]);
        a.dot(b.cross(c)) / 6.0
    };
    (is_closed && corners.clone().all(contains)).then(|| corners.map(volume).sum())
}

/// Compares hulls of points, turned, scaled, moved and rounded.
fn compare(seed: u64, points: impl Fn(&mut dyn FnMut() -> f64) -> Vec<DVec3>) {
    let count = std::env::var("PEER_HULLS").map_or(100, |count| count.parse().unwrap());
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = || random.random::<f64>();
    let mut without = 0;
    for _ in 0..count {
        let points = points(&mut uniform);
        let mut vector = || DVec3::new(uniform(), uniform(), uniform()) * 2.0 - DVec3::ONE;
        let rotation = DQuat::from_scaled_axis(vector() * 2.0);
        let (offset, size) = (vector(), libm::exp10(8.0 * vector().x));
        let place = |point: &DVec3| ((rotation * *point + offset) * size).as_vec3();
        let rounded: Vec<Vec3> = points.iter().map(place).collect();
        let built = Shape::points_f32(&rounded)
            .unwrap_or_else(|error| panic!("{error}: {rounded:?}"))
            .shape;
        let unit: Vec<DVec3> = rounded.iter().map(|point| point.as_dvec3() / size).collect();
        // Eight roundings of each coordinate.
        let largest = unit.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max);
        let tolerance = 8.0 * largest * f64::from(f32::EPSILON);
        let Some(expected) = volume_by_parry(&unit, tolerance) else {
            without += 1;
            continue;
        };
        let found = built.mass().volume / (size * size * size);
        let reach = built.bounding_radius() / size;
        // The surface is smaller than that of the sphere.
        let rounding = tolerance * 2.0 * TAU * reach * reach;
        assert!((found - expected).abs() <= rounding, "{found} {expected} {rounding}: {rounded:?}");
    }
    println!("{count} hulls, {without} without one of parry");
    assert!(2 * without <= count);
}

/// Prisms and frustums with chamfered ends, as of turned and milled parts.
#[test]
fn hulls_of_cad_like_parts_are_those_of_parry() {
    compare(3, |uniform| {
        let sides = 3 + (uniform() * 28.0) as usize;
        let (height, taper) = (0.1 + uniform(), 0.5 + 0.5 * uniform());
        let (chamfer, depth) = (0.3 * uniform(), 0.3 * uniform());
        let rings = [(1.0 - chamfer, 0.0), (1.0, depth), (taper, depth + height)];
        let corner = |(radius, y): (f64, f64), i: usize| {
            let (sine, cosine) = libm::sincos(TAU * i as f64 / sides as f64);
            DVec3::new(radius * cosine, y, radius * sine)
        };
        rings.iter().flat_map(|&ring| (0..sides).map(move |i| corner(ring, i))).collect()
    });
}
