//! The axis that only separated cores need: that of a vertex and the nearest edge or vertex.

use glam::DVec3;

use crate::pair::PartPair;

/// The shortest vector from a vertex of one core to an edge of the other, from the first core to
/// the second.
///
/// If the cores are nearest there, it is the axis of their distance. If they are nearest elsewhere,
/// that axis is a face normal or a cross product of edges. So this is the only one that these leave
/// out.
pub(super) fn nearest_vertex_and_edge(pair: &PartPair, vertices_b: &mut Vec<DVec3>) -> DVec3 {
    let (a, b) = (pair.a.core(), pair.b.core());
    vertices_b.clear();
    vertices_b.extend(b.vertices().iter().map(|v| pair.frame.point_b(*v)));
    let mut best = DVec3::splat(f64::INFINITY);
    let mut consider = |vector: DVec3| {
        if vector.length_squared() < best.length_squared() {
            best = vector;
        }
    };
    let scale = pair.frame.scale_a;
    for &[from, to] in a.edges_or_point() {
        let [from, to] = [from, to].map(|i| a.vertices()[usize::from(i)] * scale);
        for vertex in vertices_b.iter() {
            consider(from_edge(*vertex, from, to));
        }
    }
    for &[from, to] in b.edges_or_point() {
        let [from, to] = [from, to].map(|i| vertices_b[usize::from(i)]);
        for vertex in a.vertices() {
            consider(-from_edge(*vertex * scale, from, to));
        }
    }
    best
}

/// The shortest vector from an edge to a point.
fn from_edge(point: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let share = (point - from).dot(along);
    let squared = along.length_squared();
    if share <= 0.0 {
        point - from
    } else if share >= squared {
        point - to
    } else {
        let vector = point - (from + along * (share / squared));
        // Rounded for a point far along the edge, and longer than the distance by little, but an axis tilted by
        // that little is of no use: the projection of a long edge on it is long.
        vector - along * (vector.dot(along) / squared)
    }
}

/// A unit vector perpendicular to the edges of both cores, which are points or parallel segments:
/// the difference of such cores has no extent along it.
pub(super) fn perpendicular(pair: &PartPair) -> DVec3 {
    let along_a = pair.a.core().directions().first().copied();
    let along_b = pair.b.core().directions().first().map(|d| pair.frame.rotation * *d);
    along_a.or(along_b).map_or(DVec3::X, |along| along.any_orthonormal_vector())
}
