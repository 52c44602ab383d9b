//! From the triangles of a hull to its faces.

use std::collections::BTreeMap;

use glam::DVec3;

/// Triangles whose unit normals have at most this product are no one face, however narrow they are: the sides of a foil
/// are no part of its faces.
pub(super) const MIN_FACING: f64 = 0.01;

/// Joins triangles in one plane to one face.
///
/// Returns the vertices that are corners, in their order, and the loop of each face as indices into
/// these. Vertices inside a face or in the middle of an edge are left out. Vertices of
/// a face are at most `tolerance`, which may depend on the normal, from the plane of its largest triangle. `None` if the
/// triangles are not a closed surface.
pub(super) fn merge_faces(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    tolerance: &dyn Fn(DVec3) -> f64,
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let triangles: Vec<[usize; 3]> = triangles.iter().map(|t| t.map(|v| v as usize)).collect();
    let group = groups(vertices, &triangles, tolerance)?;
    let count = group.iter().max()? + 1;
    let mut loops = Vec::with_capacity(count);
    for face in 0..count {
        let of_face = triangles.iter().zip(&group).filter(|(_, g)| **g == face).map(|(t, _)| *t);
        loops.push(border(of_face)?);
    }
    let mut faces_of = vec![0; vertices.len()];
    for &corner in loops.iter().flatten() {
        faces_of[corner] += 1;
    }
    let corners: Vec<usize> = (0..vertices.len()).filter(|&vertex| faces_of[vertex] >= 3).collect();
    let mut place = vec![None; vertices.len()];
    for (i, &corner) in corners.iter().enumerate() {
        place[corner] = Some(i);
    }
    let loops = loops.iter().map(|corners| corners.iter().filter_map(|&at| place[at]).collect());
    Some((corners, loops.collect()))
}

/// The number of the face that each triangle belongs to.
fn groups(
    vertices: &[DVec3],
    triangles: &[[usize; 3]],
    tolerance: &dyn Fn(DVec3) -> f64,
) -> Option<Vec<usize>> {
    let mut triangle_at = BTreeMap::new();
    for (index, &[a, b, c]) in triangles.iter().enumerate() {
        for edge in [[a, b], [b, c], [c, a]] {
            if triangle_at.insert(edge, index).is_some() {
                return None;
            }
        }
    }
    let area =
        |&[a, b, c]: &[usize; 3]| (vertices[b] - vertices[a]).cross(vertices[c] - vertices[a]);
    // The largest triangle of a face has the most accurate plane.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&a, &b| {
        let [a, b] = [a, b].map(|at| area(&triangles[at]).length());
        b.total_cmp(&a)
    });
    let mut group = vec![usize::MAX; triangles.len()];
    let mut count = 0;
    for first in order {
        if group[first] != usize::MAX {
            continue;
        }
        let normal = area(&triangles[first]).normalize_or_zero();
        let base = vertices[triangles[first][0]];
        let tolerance = tolerance(normal);
        let is_in_plane =
            |&vertex: &usize| (vertices[vertex] - base).dot(normal).abs() <= tolerance;
        let faces_alike = |triangle| area(triangle).normalize_or_zero().dot(normal) > MIN_FACING;
        group[first] = count;
        let mut open = vec![first];
        while let Some(index) = open.pop() {
            let [a, b, c] = triangles[index];
            for edge in [[b, a], [c, b], [a, c]] {
                let next = *triangle_at.get(&edge)?;
                let triangle = &triangles[next];
                let is_free = group[next] == usize::MAX;
                if is_free && triangle.iter().all(is_in_plane) && faces_alike(triangle) {
                    group[next] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    Some(group)
}

/// The loop around triangles of one face.
fn border(triangles: impl Iterator<Item = [usize; 3]>) -> Option<Vec<usize>> {
    let mut next = BTreeMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            // An edge inside the face is walked back by the neighbour.
            next.entry((from.min(to), from.max(to)))
                .and_modify(|edge| *edge = None)
                .or_insert(Some((from, to)));
        }
    }
    let next: BTreeMap<usize, usize> = next.into_values().flatten().collect();
    let &first = next.keys().next()?;
    let mut corners = vec![first];
    let mut at = *next.get(&first)?;
    while at != first {
        corners.push(at);
        at = *next.get(&at)?;
        if corners.len() > next.len() {
            return None;
        }
    }
    (corners.len() == next.len()).then_some(corners)
}
