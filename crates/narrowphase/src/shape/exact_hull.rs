//! The triangles of a convex hull, by exact predicates.

use std::collections::BTreeSet;

use glam::DVec3;
use robust::{Coord3D, orient3d};

use super::ShapeError;
use super::rounding::Rounding;

/// The hull's triangles as indices of points, counterclockwise from outside. Points that rounding may have moved out of it are left out.
///
/// Points are inserted one by one (Clarkson, Shor 1989, without its conflict lists). A triangle is replaced if the point is
/// in front of it. That is decided by the exact sign of a determinant (Shewchuk 1997), so the surface is always closed and
/// convex. The time is that of points x triangles determinants.
///
/// # Errors
///
/// [`ShapeError::Flat`] if all points are in one plane, to `tolerance` or to their precision.
pub(super) fn hull_triangles(
    points: &[DVec3],
    rounding: Rounding,
    tolerance: f64,
) -> Result<Vec<[usize; 3]>, ShapeError> {
    let center = points.iter().sum::<DVec3>() / points.len() as f64;
    let mut hull = tetrahedron(points, center, rounding, tolerance).ok_or(ShapeError::Flat)?;
    // The furthest from the centre first, which are likely corners.
    let mut order: Vec<usize> = (0..points.len()).collect();
    let distance = |at: &usize| points[*at].distance_squared(center);
    order.sort_by(|one, other| distance(other).total_cmp(&distance(one)));
    for at in order {
        insert(points, &mut hull, at, rounding);
    }
    Ok(hull)
}

/// The faces of a tetrahedron of four points far apart. `None` if all points are in one plane.
fn tetrahedron(
    points: &[DVec3],
    center: DVec3,
    rounding: Rounding,
    tolerance: f64,
) -> Option<Vec<[usize; 3]>> {
    let furthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = points.iter().map(|&point| measure(point)).enumerate();
        measured.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (a, _) = furthest(&|point| point.distance(center))?;
    let (b, _) = furthest(&|point| point.distance(points[a]))?;
    let along = (points[b] - points[a]).normalize_or_zero();
    let (c, width) = furthest(&|point| (point - points[a]).cross(along).length())?;
    let normal = along.cross(points[c] - points[a]).normalize_or_zero();
    let (d, depth) = furthest(&|point| (point - points[a]).dot(normal).abs())?;
    let height = above(points, [a, b, c], points[d]);
    if width <= tolerance || depth <= tolerance.max(rounding.along(normal)) || height == 0.0 {
        return None;
    }
    let [b, c] = if height > 0.0 { [c, b] } else { [b, c] };
    Some(vec![[a, b, c], [b, a, d], [c, b, d], [a, c, d]])
}

/// Above 0 if `point` is on the side from which the corners are counterclockwise; 0 exactly in their plane.
fn above(points: &[DVec3], corners: [usize; 3], point: DVec3) -> f64 {
    let coordinates = |DVec3 { x, y, z }: DVec3| Coord3D { x, y, z };
    let [a, b, c] = corners.map(|at| coordinates(points[at]));
    -orient3d(a, b, c, coordinates(point))
}

fn insert(points: &[DVec3], hull: &mut Vec<[usize; 3]>, at: usize, rounding: Rounding) {
    let point = points[at];
    let mut is_outside = rounding.is_exact();
    let mut edges = BTreeSet::new();
    let mut seen = Vec::new();
    for (index, &[a, b, c]) in hull.iter().enumerate() {
        if above(points, [a, b, c], point) > 0.0 {
            let sides = [b, c].map(|at| points[at] - points[a]);
            let normal = sides[0].cross(sides[1]).normalize_or_zero();
            is_outside |= normal.dot(point - points[a]) > 0.5 * rounding.along(normal);
            edges.extend([(a, b), (b, c), (c, a)]);
            seen.push(index);
        }
    }
    if !is_outside {
        return;
    }
    for index in seen.into_iter().rev() {
        hull.swap_remove(index);
    }
    // The border of what the point sees; edges inside are walked in both directions.
    let border = edges.iter().filter(|&&(from, to)| !edges.contains(&(to, from)));
    hull.extend(border.map(|&(from, to)| [from, to, at]));
}
