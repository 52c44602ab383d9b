//! The convex hull of points, checked.

use glam::{DMat3, DVec3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::merge_faces::merge_faces;
use super::surface::PLANE_TOLERANCE;
use super::{Core, LENGTHS, MOST_POINTS, MOST_VERTICES, ShapeError};

/// How far vertices of a face may be from the plane of its largest triangle, in units of the hull's
/// size: far above rounding, and below the tolerance that the core is checked by.
const MERGE_TOLERANCE: f64 = 1e-10;

/// The hull of points, and how many of them equal an earlier one.
///
/// parry3d computes triangles. Those in one plane become one face. The result is not trusted: it
/// must be a closed convex surface that contains every point. A panic of the library is an error too.
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
    let stretched = frame(&different, tolerance).ok_or(ShapeError::Flat)?;
    // As it is, a hull of many points in one plane has its digits; stretched, that of a thin one has.
    let as_it_is = DMat3::from_diagonal(DVec3::splat(size));
    let hull = hull_of(&different, center, as_it_is, size);
    let hull = match hull {
        Err(ShapeError::Hull) => hull_of(&different, center, stretched, size),
        other => other,
    };
    Ok((hull?, points.len() - different.len()))
}

/// The hull of different points, computed where `frame` has length 1 in all directions, so that parry's tolerances,
/// which are absolute, suit the points. An affine map keeps hulls.
fn hull_of(points: &[DVec3], center: DVec3, frame: DMat3, size: f64) -> Result<Core, ShapeError> {
    let to_unit = frame.inverse();
    let unit: Vec<Vector> = points
        .iter()
        .map(|&point| Vector::from_array((to_unit * (point - center)).to_array()))
        .collect();
    let (vertices, triangles) = guarded(|| try_convex_hull(&unit))?;
    let back = |vertex: &Vector| frame * DVec3::from_array(vertex.to_array());
    let vertices: Vec<DVec3> = vertices.iter().map(back).collect();
    let (corners, loops) =
        merge_faces(&vertices, &triangles, MERGE_TOLERANCE * size).ok_or(ShapeError::Hull)?;
    if corners.len() > MOST_VERTICES {
        return Err(ShapeError::VertexCount(corners.len()));
    }
    let corners = corners.into_iter().map(|at| vertices[at] + center).collect();
    let loops: Vec<Vec<u8>> =
        loops.iter().map(|corners| corners.iter().map(|&at| at as u8).collect()).collect();
    let core = Core::polyhedron(corners, &loops).map_err(|_| ShapeError::Hull)?;
    let tolerance = PLANE_TOLERANCE * size;
    let is_inside = |point: &DVec3| {
        core.faces().iter().all(|face| face.normal.dot(*point) <= face.offset + tolerance)
    };
    let is_hull = core.faces().len() >= 4 && points.iter().all(is_inside);
    if is_hull { Ok(core) } else { Err(ShapeError::Hull) }
}

/// What the library computes. It reports some failures, and panics at others: its check of links between facets.
fn guarded<T, E>(hull: impl FnOnce() -> Result<T, E>) -> Result<T, ShapeError> {
    // The points are only read, and all else is dropped.
    let result = catch_unwind(AssertUnwindSafe(hull));
    result.map_err(|_| ShapeError::Hull)?.map_err(|_| ShapeError::Hull)
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

/// Columns are axes with lengths: to the point furthest from the first one, then to the one furthest from that line,
/// and to the one furthest from their plane. `None` if the points are within `tolerance` of one plane, or nearly so.
fn frame(points: &[DVec3], tolerance: f64) -> Option<DMat3> {
    let furthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = points.iter().map(|&point| (measure(point), point));
        measured.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, points[0]))
    };
    let base = points[0];
    let (length, end) = furthest(&|point| point.distance(base));
    let along = (end - base).normalize();
    let (width, side) = furthest(&|point| (point - base).cross(along).length());
    if width <= tolerance {
        return None;
    }
    let normal = along.cross(side - base).normalize();
    let (depth, _) = furthest(&|point| (point - base).dot(normal).abs());
    let across = normal.cross(along);
    (depth > tolerance).then(|| DMat3::from_cols(along * length, across * width, normal * depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_of_the_library_is_an_error() {
        assert_eq!(guarded(|| Ok::<_, ()>(3)), Ok(3));
        assert_eq!(guarded(|| Err::<u8, _>(())), Err(ShapeError::Hull));
        let panics = || -> Result<u8, ()> { panic!("planted panic") };
        assert_eq!(guarded(panics), Err(ShapeError::Hull));
    }
}
