//! The convex hull of points, checked.

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

use super::merge_faces::merge_faces;
use super::surface::PLANE_TOLERANCE;
use super::{Core, LENGTHS, MOST_POINTS, MOST_VERTICES, ShapeError};

/// The hull of points, and how many of them equal an earlier one.
///
/// parry3d computes triangles. Those in one plane become one face. The result is not trusted: it
/// must be a closed convex surface that contains every point.
pub(crate) fn convex_hull(points: &[DVec3]) -> Result<(Core, usize), ShapeError> {
    if !(4..=MOST_POINTS).contains(&points.len()) {
        return Err(ShapeError::PointCount(points.len()));
    }
    let is_good = |point: &DVec3| point.abs().max_element() <= *LENGTHS.end();
    // A comparison with not-a-number is false, but `max_element` may drop one.
    if let Some(at) = points.iter().position(|point| !point.is_finite() || !is_good(point)) {
        return Err(ShapeError::Coordinate(at));
    }
    let center = points.iter().sum::<DVec3>() / points.len() as f64;
    let size = points.iter().map(|point| point.distance(center)).fold(0.0, f64::max);
    if size < *LENGTHS.start() {
        return Err(ShapeError::Size { what: "distance of points", found: size });
    }
    let tolerance = PLANE_TOLERANCE * size;
    let different = without_duplicates(points, tolerance);
    if different.len() < 4 {
        return Err(ShapeError::PointCount(different.len()));
    }
    if is_flat(&different, tolerance) {
        return Err(ShapeError::Flat);
    }
    // About the centre and of size 1, so that parry's tolerances, which are absolute, suit every
    // input.
    let unit: Vec<Vector> = different
        .iter()
        .map(|&point| Vector::from_array(((point - center) / size).to_array()))
        .collect();
    let (vertices, triangles) = try_convex_hull(&unit).map_err(|_| ShapeError::Hull)?;
    let vertices: Vec<DVec3> = vertices.iter().map(|v| DVec3::from_array(v.to_array())).collect();
    let (corners, loops) = merge_faces(&vertices, &triangles).ok_or(ShapeError::Hull)?;
    if corners.len() > MOST_VERTICES {
        return Err(ShapeError::VertexCount(corners.len()));
    }
    let corners = corners.into_iter().map(|at| vertices[at] * size + center).collect();
    let loops: Vec<Vec<u8>> =
        loops.iter().map(|corners| corners.iter().map(|&at| at as u8).collect()).collect();
    let core = Core::polyhedron(corners, &loops).map_err(|_| ShapeError::Hull)?;
    let is_inside = |point: &DVec3| {
        core.faces().iter().all(|face| face.normal.dot(*point) <= face.offset + tolerance)
    };
    if core.faces().len() < 4 || !points.iter().all(is_inside) {
        return Err(ShapeError::Hull);
    }
    Ok((core, points.len() - different.len()))
}

/// The first of each group of equal points, in their order.
fn without_duplicates(points: &[DVec3], tolerance: f64) -> Vec<DVec3> {
    let mut by_x: Vec<usize> = (0..points.len()).collect();
    by_x.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(a.cmp(&b)));
    let mut is_duplicate = vec![false; points.len()];
    for (place, &i) in by_x.iter().enumerate() {
        let near = by_x[place + 1..].iter();
        for &j in near.take_while(|&&j| points[j].x - points[i].x <= tolerance) {
            if points[i].distance(points[j]) <= tolerance {
                is_duplicate[i.max(j)] = true;
            }
        }
    }
    points.iter().zip(is_duplicate).filter(|(_, dropped)| !dropped).map(|(p, _)| *p).collect()
}

/// Whether all points are within `tolerance` of one plane, or nearly so.
fn is_flat(points: &[DVec3], tolerance: f64) -> bool {
    let furthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = points.iter().map(|&point| (measure(point), point));
        measured.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, points[0]))
    };
    let base = points[0];
    let (_, end) = furthest(&|point| point.distance(base));
    let along = (end - base).normalize();
    let (width, side) = furthest(&|point| (point - base).cross(along).length());
    if width <= tolerance {
        return true;
    }
    let normal = (side - base).cross(along).normalize();
    let (depth, _) = furthest(&|point| (point - base).dot(normal).abs());
    depth <= tolerance
}
