//! The smallest rectangle around points in a plane.

use glam::DVec2;

/// Axis and extent of the rectangle of least area around points: one of its sides contains an edge
/// of their convex hull. `extent(axis)` is the extent of what is enclosed along a unit vector.
/// Returns a side's direction and the area.
///
/// Source: Freeman, Shapira 1975.
pub(super) fn smallest_rectangle(
    points: Vec<DVec2>,
    extent: impl Fn(DVec2) -> f64,
) -> (DVec2, f64) {
    let hull = convex_polygon(points);
    let edges = hull.iter().zip(hull.iter().cycle().skip(1));
    let axes = edges.filter_map(|(from, to)| (to - from).try_normalize());
    // A point has no edge.
    let areas = axes.chain([DVec2::X]).map(|axis| (axis, extent(axis) * extent(axis.perp())));
    areas.min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least one axis")
}

/// The convex hull, counterclockwise, without corners on straight sides, by Andrew's monotone chains.
pub(in crate::volume) fn convex_polygon(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull = chain(points.iter());
    hull.extend(chain(points.iter().rev()));
    hull
}

/// The side of the hull to the right of the way through sorted points, without its last point.
fn chain<'a>(points: impl Iterator<Item = &'a DVec2>) -> Vec<DVec2> {
    let mut side: Vec<DVec2> = Vec::new();
    for &point in points {
        while let [.., a, b] = side[..] {
            if (b - a).perp_dot(point - b) > 0.0 {
                break;
            }
            side.pop();
        }
        side.push(point);
    }
    side.pop();
    side
}
