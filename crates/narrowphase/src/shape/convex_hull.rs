//! The convex hull of points, checked.

use glam::DVec3;

use super::exact_hull::hull_triangles;
use super::flatten::flatten;
use super::merge_faces::merge_faces;
use super::rounding::Rounding;
use super::shape_error::count;
use super::surface::{PLANE_TOLERANCE, size_of};
use super::{Core, LENGTHS, MAX_POINTS, MAX_VERTICES, ShapeError};

/// How far points of a plane may be from it, in units of the hull's size: far above rounding, and below the tolerance
/// that the core is checked by.
const MERGE_TOLERANCE: f64 = 1e-10;

/// How far a corner may move until its faces are plane, in units of the tolerance of planes. At a prism of 64 sides, which
/// meet at six degrees, a corner moves by ten of its roundings, which is 1.25.
const MAX_STEP: f64 = 4.0;

/// Shares of the precision that are tried in turn where the faces to that precision are no hull: faces meet at so small an
/// angle that corners would move far, or triangles so narrow are left that rounding tilts them.
const SHARES: [f64; 3] = [4.0, 0.25, 0.0];

/// The hull of points, and how many of them equal an earlier one.
///
/// Its triangles are found by exact predicates. Rounding moves points off their common plane, so that there are many
/// triangles where one face is meant: those that are in one plane to the precision of the points become one, and its corners
/// move into it. The result is checked: it is a closed convex surface that contains every point to that precision. Of 12,000
/// random sets, in lattices, planes and lines, disturbed by 1e-4 to 1e-14 of their size, 24 were refused, and none of the
/// same sets rounded to f32.
pub(crate) fn convex_hull(
    points: &[DVec3],
    rounding: Rounding,
) -> Result<(Core, usize), ShapeError> {
    count("different points", [4, MAX_POINTS], points.len())?;
    // A comparison with not-a-number is false.
    let is_good = |point: &DVec3| point.to_array().iter().all(|x| x.abs() <= *LENGTHS.end());
    if let Some(at) = points.iter().position(|point| !is_good(point)) {
        return Err(ShapeError::Coordinate(at));
    }
    let size = size_of(points);
    if size < *LENGTHS.start() {
        return Err(ShapeError::Size { what: "distance of points", found: size });
    }
    let rounding = rounding.at_least(MERGE_TOLERANCE * size);
    let different = without_duplicates(points, PLANE_TOLERANCE * size, rounding);
    count("different points", [4, MAX_POINTS], different.len())?;
    let mut core = core_of(&different, size, rounding, 1.0);
    for share in SHARES {
        if core != Err(ShapeError::Hull) {
            break;
        }
        core = core_of(&different, size, rounding, share).or(core);
    }
    Ok((core?, points.len() - different.len()))
}

/// The hull of different points, with faces that are plane to a share of `rounding`, if it contains all points.
fn core_of(
    points: &[DVec3],
    size: f64,
    rounding: Rounding,
    share: f64,
) -> Result<Core, ShapeError> {
    let plane = rounding.times(share);
    let triangles = hull_triangles(points, plane, PLANE_TOLERANCE * size)?;
    let (kept, loops) = merge_faces(points, &triangles, plane).ok_or(ShapeError::Hull)?;
    let mut corners: Vec<DVec3> = kept.iter().map(|&at| points[at]).collect();
    let is_plane = flatten(&mut corners, &loops, MERGE_TOLERANCE * size);
    // The corners of faces at a small angle would move far along them.
    let is_near = kept.iter().zip(&corners).all(|(&at, corner)| {
        let step = *corner - points[at];
        step.length_squared() <= MAX_STEP * rounding.along(step)
    });
    if corners.len() > MAX_VERTICES {
        return Err(ShapeError::VertexCount(corners.len()));
    }
    let loops: Vec<Vec<u8>> =
        loops.iter().map(|corners| corners.iter().map(|&at| at as u8).collect()).collect();
    let core = Core::polyhedron(corners, &loops).ok_or(ShapeError::Hull)?;
    let contains = |point: &DVec3| {
        core.faces().iter().all(|face| {
            let tolerance = PLANE_TOLERANCE * size + rounding.along(face.normal);
            face.normal.dot(*point) <= face.offset + tolerance
        })
    };
    let is_hull = is_plane && is_near && points.iter().all(contains);
    if is_hull { Ok(core) } else { Err(ShapeError::Hull) }
}

/// The points but those that equal an earlier one.
fn without_duplicates(points: &[DVec3], tolerance: f64, rounding: Rounding) -> Vec<DVec3> {
    let mut different: Vec<DVec3> = Vec::new();
    for &point in points {
        let is_other = |other: &DVec3| {
            let step = point - other;
            step.length_squared() > tolerance * tolerance && !rounding.may_be(step)
        };
        if different.iter().all(is_other) {
            different.push(point);
        }
    }
    different
}
