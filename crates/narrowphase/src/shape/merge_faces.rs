//! From the triangles of a hull to its faces.

use std::collections::BTreeMap;

use glam::DVec3;

use super::rounding::Rounding;

/// Joins triangles in one plane, to the precision of the points, to one face.
///
/// Returns the points that are corners, in their order, and the loop of each face as indices into
/// these. Points inside a face or in the middle of an edge are left out. Points of
/// a face are at most `rounding` from the plane of its largest triangle. `None` if a face has a hole.
pub(super) fn merge_faces(
    points: &[DVec3],
    triangles: &[[usize; 3]],
    rounding: Rounding,
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let edges = |at: usize| {
        let [a, b, c] = triangles[at];
        [[a, b], [b, c], [c, a]]
    };
    let triangle_at: BTreeMap<[usize; 2], usize> =
        (0..triangles.len()).flat_map(|at| edges(at).map(|edge| (edge, at))).collect();
    let beyond = |[from, to]: [usize; 2]| triangle_at[&[to, from]];
    let area = |at: usize| {
        let [a, b, c] = triangles[at].map(|corner| points[corner]);
        (b - a).cross(c - a)
    };
    let width = |at: usize| {
        let sides = edges(at).map(|[from, to]| points[from].distance(points[to]));
        area(at).length() / sides.into_iter().fold(0.0, f64::max)
    };
    // The largest triangle of a face has the most accurate plane.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&one, &other| area(other).length().total_cmp(&area(one).length()));
    let mut face_of = vec![usize::MAX; triangles.len()];
    let mut loops = Vec::new();
    for first in order {
        if face_of[first] != usize::MAX {
            continue;
        }
        let normal = area(first).normalize_or_zero();
        let (base, tolerance) = (points[triangles[first][0]], rounding.along(normal));
        let is_in_plane = |&at: &usize| (points[at] - base).dot(normal).abs() <= tolerance;
        face_of[first] = loops.len();
        let mut face = vec![first];
        let mut at = 0;
        while at < face.len() {
            for next in edges(face[at]).map(beyond) {
                let is_free = face_of[next] == usize::MAX;
                // The normal of a triangle that is narrower than the tolerance is rounding.
                let is_alike = area(next).dot(normal) > 0.0 || width(next) <= tolerance;
                if is_free && is_alike && triangles[next].iter().all(is_in_plane) {
                    face_of[next] = loops.len();
                    face.push(next);
                }
            }
            at += 1;
        }
        let inside = |edge: &[usize; 2]| face_of[beyond(*edge)] == loops.len();
        let border = face.iter().flat_map(|&at| edges(at)).filter(|edge| !inside(edge));
        loops.push(closed_loop(border.collect())?);
    }
    loop {
        let mut faces_at = vec![0; points.len()];
        loops.iter().flatten().for_each(|&corner: &usize| faces_at[corner] += 1);
        let is_corner = |at: &usize| faces_at[*at] >= 3;
        let cut = loops.iter().map(|corners| corners.iter().copied().filter(is_corner).collect());
        // A face of two corners is a triangle without width: the edge between its neighbours.
        let cut: Vec<Vec<usize>> = cut.filter(|corners: &Vec<usize>| corners.len() > 2).collect();
        if cut == loops {
            let corners: Vec<usize> = (0..points.len()).filter(is_corner).collect();
            let place = |at: &usize| corners.binary_search(at).ok();
            let loops = loops.iter().map(|face| face.iter().filter_map(place).collect()).collect();
            return Some((corners, loops));
        }
        loops = cut;
    }
}

/// The corners along edges, if these are one loop.
fn closed_loop(edges: Vec<[usize; 2]>) -> Option<Vec<usize>> {
    let next: BTreeMap<usize, usize> = edges.iter().map(|&[from, to]| (from, to)).collect();
    let first = edges.first()?[0];
    let corners =
        std::iter::successors(Some(first), |at| next.get(at).copied().filter(|&to| to != first));
    let corners: Vec<usize> = corners.take(edges.len()).collect();
    (corners.len() == edges.len()).then_some(corners)
}
