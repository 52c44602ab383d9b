//! The search for a small oriented box, and for the smallest rectangle around points in a plane.

use glam::{DMat3, DVec2, DVec3};

use super::OrientedBox;
use crate::shape::Shape;
use crate::volume::smallest_ball::Ball;
use crate::volume::sphere::vertex_balls;

/// Bound of the search's work, in projections of a point: some 10 ms. A direction takes about the square
/// of the number of points, since each edge of the outline is tried.
const WORK: usize = 2_000_000;
/// Directions that are tried for the largest shapes too: some tenth of a second for 4,096 points.
const MIN_DIRECTIONS: usize = 50;
/// Rounds of the refinement. Most end after two.
const MAX_ROUNDS: usize = 20;

/// A small box around a shape.
///
/// Two adjacent faces of the smallest box each contain an edge of the hull (O'Rourke 1985), so one
/// axis is often a cross product of two edges. For each such direction, each face normal and each
/// edge, the smallest rectangle around the projection gives a box; of shapes with many, every `N`-th
/// is tried. The best box is refined: the rectangle along each of its axes is optimised in turn. That
/// finds the smallest box of cuboids, tetrahedra, prisms and capsules, and nearly the smallest one of
/// others.
pub(in crate::volume) fn small_box(shape: &Shape) -> OrientedBox {
    let balls = vertex_balls(shape);
    let most = (WORK / balls.len().pow(2)).max(MIN_DIRECTIONS);
    let boxes = directions(shape, most).into_iter().map(|axis| box_along(&balls, axis));
    let mut best = boxes.min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least three directions");
    for _ in 0..MAX_ROUNDS {
        let axes = [best.0.axes.x_axis, best.0.axes.y_axis, best.0.axes.z_axis];
        let refined = axes.into_iter().map(|axis| box_along(&balls, axis));
        let smallest = refined.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(best);
        if smallest.1 >= best.1 * (1.0 - 1e-12) {
            break;
        }
        best = smallest;
    }
    best.0
}

/// The coordinate axes, face normals, edges, and cross products of edges: every `N`-th, so that there are at most `most`.
///
/// A compound has up to 10^8 products. Those that are left out are not computed.
fn directions(shape: &Shape, most: usize) -> Vec<DVec3> {
    let mut single = DVec3::AXES.to_vec();
    single.extend(shape.parts().iter().flat_map(|part| part.core().normals()));
    let edges = shape.parts().iter().flat_map(|part| part.core().directions());
    let edges: Vec<DVec3> = edges.copied().collect();
    single.extend(&edges);
    let all = single.len() + edges.len() * edges.len().saturating_sub(1) / 2;
    // Edge `row` with each edge before it: products from `start` on.
    let (mut row, mut start) = (1, single.len());
    let chosen = (0..all).step_by(all.div_ceil(most)).filter_map(|at| {
        if let Some(direction) = single.get(at) {
            return Some(*direction);
        }
        while at >= start + row {
            start += row;
            row += 1;
        }
        let cross = edges[row].cross(edges[at - start]);
        (cross.length() > 1e-6).then(|| cross.normalize())
    });
    chosen.collect()
}

/// The smallest box with `axis` as one of its axes, and its volume.
fn box_along(balls: &[Ball], axis: DVec3) -> (OrientedBox, f64) {
    let range = |axis: DVec3| {
        balls.iter().fold([f64::MAX, f64::MIN], |[low, high], ball| {
            let along = ball.center.dot(axis);
            [low.min(along - ball.radius), high.max(along + ball.radius)]
        })
    };
    let (u, v) = axis.any_orthonormal_pair();
    let points = balls.iter().map(|ball| DVec2::new(ball.center.dot(u), ball.center.dot(v)));
    let in_space = |direction: DVec2| u * direction.x + v * direction.y;
    let extent = |direction: DVec2| {
        let [low, high] = range(in_space(direction));
        high - low
    };
    let (side, _) = smallest_rectangle(points.collect(), extent);
    let first = in_space(side).normalize();
    let axes = DMat3::from_cols(axis, first, axis.cross(first));
    let ranges = [axes.x_axis, axes.y_axis, axes.z_axis].map(range);
    let half = DVec3::from_array(ranges.map(|[low, high]| (high - low) / 2.0));
    let center = axes * DVec3::from_array(ranges.map(|[low, high]| (low + high) / 2.0));
    (OrientedBox { center, axes, half }, half.element_product())
}

/// Axis and extent of the rectangle of least area around points: one of its sides contains an edge
/// of their convex hull. `extent(axis)` is the extent of what is enclosed along a unit vector.
/// Returns a side's direction and the area.
///
/// Source: Freeman, Shapira 1975.
fn smallest_rectangle(points: Vec<DVec2>, extent: impl Fn(DVec2) -> f64) -> (DVec2, f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Pose;
    use glam::DQuat;

    #[test]
    fn every_nth_direction_is_tried() {
        let hull = Shape::hull(12, 3).unwrap();
        let all = directions(&hull, usize::MAX);
        let third: Vec<DVec3> = all.iter().step_by(3).copied().collect();
        assert_eq!(directions(&hull, third.len()), third);
    }

    /// The products alone would take 1.7 GB.
    #[test]
    fn largest_compound_has_few_directions_and_its_box() {
        let hulls: Vec<Shape> = (0..32).map(|seed| Shape::hull(128, seed).unwrap()).collect();
        let pose = |at: usize| Pose {
            position: DVec3::new(2.0 * (at % 4) as f64, 2.0 * (at / 4) as f64, 0.0),
            rotation: DQuat::IDENTITY,
        };
        let parts: Vec<_> = hulls.iter().enumerate().map(|(at, hull)| (hull, pose(at))).collect();
        let shape = Shape::compound(&parts).unwrap();
        let found = directions(&shape, MIN_DIRECTIONS).len();
        assert!((MIN_DIRECTIONS / 2..=MIN_DIRECTIONS).contains(&found), "{found}");
        let volume = 8.0 * small_box(&shape).half.element_product();
        // Four by eight balls of diameter 2.
        assert!((200.0..=256.0).contains(&volume), "{volume}");
    }
}
