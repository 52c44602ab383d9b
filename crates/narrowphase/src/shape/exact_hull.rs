//! The triangles of a convex hull, by exact predicates.

use std::collections::BTreeSet;

use glam::DVec3;
use robust::{Coord3D, orient3d};

use super::rounding::Rounding;

/// A triangle, counterclockwise from outside.
struct Triangle {
    corners: [usize; 3],
    /// Unit normal, rounded.
    normal: DVec3,
}

/// The hull's triangles as indices of points. Points that rounding may have moved out of it are left out. `None` if all
/// points are exactly in one plane.
///
/// Points are inserted one by one (Clarkson, Shor 1989, without its conflict lists). A triangle is replaced if the point is
/// in front of it. That is decided by the exact sign of a determinant (Shewchuk 1997), so the surface is always closed and
/// convex. The time is that of points x triangles determinants.
pub(super) fn hull_triangles(points: &[DVec3], rounding: Rounding) -> Option<Vec<[u32; 3]>> {
    let [first, rest] = order(points)?;
    let mut hull = tetrahedron(points, &first)?;
    for at in rest {
        insert(points, &mut hull, at, rounding);
    }
    Some(hull.iter().map(|triangle| triangle.corners.map(|at| at as u32)).collect())
}

/// Four points far apart, and the others with the furthest from the centre first, which are likely corners.
fn order(points: &[DVec3]) -> Option<[Vec<usize>; 2]> {
    let furthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = (0..points.len()).map(|at| (measure(points[at]), at));
        measured.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
    };
    let center = points.iter().sum::<DVec3>() / points.len() as f64;
    let a = furthest(&|point| point.distance_squared(center))?;
    let b = furthest(&|point| point.distance_squared(points[a]))?;
    let along = points[b] - points[a];
    let c = furthest(&|point| (point - points[a]).cross(along).length_squared())?;
    let d = furthest(&|point| above(points, [a, b, c], point).abs())?;
    let first = vec![a, b, c, d];
    let mut rest: Vec<usize> = (0..points.len()).filter(|at| !first.contains(at)).collect();
    let distance = |at: &usize| points[*at].distance_squared(center);
    rest.sort_by(|one, other| distance(other).total_cmp(&distance(one)));
    Some([first, rest])
}

/// Above 0 if `point` is on the side from which the corners are counterclockwise; 0 exactly in their plane.
fn above(points: &[DVec3], corners: [usize; 3], point: DVec3) -> f64 {
    let coordinates = |DVec3 { x, y, z }: DVec3| Coord3D { x, y, z };
    let [a, b, c] = corners.map(|at| coordinates(points[at]));
    -orient3d(a, b, c, coordinates(point))
}

fn tetrahedron(points: &[DVec3], corners: &[usize]) -> Option<Vec<Triangle>> {
    let &[a, b, c, d] = corners else { return None };
    let height = above(points, [a, b, c], points[d]);
    let [b, c] = if height > 0.0 { [c, b] } else { [b, c] };
    let faces = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]];
    (height != 0.0).then(|| faces.map(|corners| triangle(points, corners)).into())
}

fn triangle(points: &[DVec3], corners: [usize; 3]) -> Triangle {
    let [a, b, c] = corners.map(|at| points[at]);
    Triangle { corners, normal: (b - a).cross(c - a).normalize_or_zero() }
}

fn insert(points: &[DVec3], hull: &mut Vec<Triangle>, at: usize, rounding: Rounding) {
    let point = points[at];
    let mut is_outside = rounding.is_exact();
    let mut edges = BTreeSet::new();
    let mut seen = Vec::new();
    for (index, Triangle { corners, normal }) in hull.iter().enumerate() {
        if above(points, *corners, point) > 0.0 {
            let [a, b, c] = *corners;
            is_outside |= normal.dot(point - points[a]) > 0.5 * rounding.along(*normal);
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
    hull.extend(border.map(|&(from, to)| triangle(points, [from, to, at])));
}
