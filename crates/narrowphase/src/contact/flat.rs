//! Contact sets as they are seen along y: of bodies that stay in their x-z planes and rotate about y only.

use glam::{DVec3, Vec3Swizzles};

use super::feature::Feature;
use super::patch::FLATNESS;
use super::{ContactKind, ContactPoint, Extent};
use crate::body::Body;

/// The largest component of a unit vector along y, or across it, that is rounding.
const LEVEL: f64 = 1e-6;

/// Whether contacts along a unit vector are seen along y.
pub(super) fn is_seen(normal: DVec3) -> bool {
    normal.y.abs() <= LEVEL
}

/// Moves the points of a set, those from `start` on, to the middle between the planes of both bodies, and keeps those at its
/// two ends, the one with the smaller id first: of points that differ in y alone the one with the smallest id, which stays
/// the same from frame to frame.
pub(super) fn keep_ends(
    points: &mut Vec<ContactPoint>,
    start: usize,
    normal: DVec3,
    [a, b]: [&Body; 2],
) -> Extent {
    let y = 0.5 * (a.pose.position.y + b.pose.position.y);
    let same = FLATNESS * (a.bounding_radius() + b.bounding_radius());
    let along = normal.cross(DVec3::Y);
    for point in &mut points[start..] {
        point.position.y = y;
    }
    let place = |point: &ContactPoint| along.dot(point.position);
    let own = &points[start..];
    let low = own.iter().map(place).fold(f64::MAX, f64::min);
    let high = own.iter().map(place).fold(f64::MIN, f64::max);
    let end = |at: f64| {
        let near = own.iter().filter(|point| (place(point) - at).abs() <= same);
        near.min_by_key(|point| point.id).copied()
    };
    let ends = [end(low), if high - low <= same { None } else { end(high) }];
    points.truncate(start);
    points.extend(ends.into_iter().flatten());
    let own = &mut points[start..];
    own.sort_unstable_by_key(|point| point.id);
    match own {
        [from, to] => Extent::Segment { length: along.dot(to.position - from.position).abs() },
        _ => Extent::Point,
    }
}

/// The kind of a set, given each body with its part and the part's feature: a corner on a side is a vertex on an edge.
pub(super) fn kind(features: [(&Body, usize, Feature); 2]) -> ContactKind {
    match features.map(|(body, part, feature)| is_corner(body, part, feature)) {
        [true, true] => ContactKind::VertexVertex,
        [false, false] => ContactKind::EdgeEdge,
        _ => ContactKind::VertexEdge,
    }
}

/// An edge along y is a corner; faces and other edges are sides.
fn is_corner(body: &Body, part: usize, feature: Feature) -> bool {
    match feature {
        Feature::Vertex(_) => true,
        Feature::Face(_) => false,
        Feature::Edge(ends) => {
            let vertices = body.shape.parts()[part].core().vertices();
            let [from, to] = ends.map(|end| vertices[usize::from(end)]);
            let along = body.pose.rotation * (to - from).normalize_or_zero();
            along.xz().length() <= LEVEL
        }
    }
}
