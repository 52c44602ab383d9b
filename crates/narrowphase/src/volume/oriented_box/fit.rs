//! The search for a small oriented box.

use glam::{DMat3, DVec2, DVec3};

use super::OrientedBox;
use super::rectangle::smallest_rectangle;
use crate::Shape;
use crate::volume::smallest_ball::Ball;
use crate::volume::sphere::vertex_balls;

/// What the search may cost, in projections of a point: some 10 ms. A direction takes about the square
/// of the number of points, since each edge of the outline is tried.
const WORK: usize = 2_000_000;
/// Directions that are tried for the largest shapes too.
const LEAST_DIRECTIONS: usize = 50;
/// Rounds of the refinement. Most end after two.
const MOST_ROUNDS: usize = 20;

/// A small box around a shape.
///
/// Two adjacent faces of the smallest box each contain an edge of the hull (O'Rourke 1985), so one
/// axis is often a cross product of two edges. For each such direction, each face normal and each
/// edge, the smallest rectangle around the projection gives a box. The best one is refined: the
/// rectangle along each of its axes is optimised in turn. That finds the smallest box of cuboids,
/// tetrahedra, prisms and capsules, and nearly the smallest one of others.
pub(in crate::volume) fn small_box(shape: &Shape) -> OrientedBox {
    let balls = vertex_balls(shape);
    let all = directions(shape);
    let count = (WORK / balls.len().pow(2)).max(LEAST_DIRECTIONS);
    let tried = all.iter().step_by(all.len().div_ceil(count));
    let boxes = tried.map(|&direction| box_along(&balls, direction));
    let mut best = boxes.min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least three directions");
    for _ in 0..MOST_ROUNDS {
        let axes = [best.0.axes.x_axis, best.0.axes.y_axis, best.0.axes.z_axis];
        let refined = axes.map(|axis| box_along(&balls, axis));
        let [a, b, c] = refined;
        let smallest = [a, b, c].into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(best);
        if smallest.1 >= best.1 * (1.0 - 1e-12) {
            break;
        }
        best = smallest;
    }
    best.0
}

/// The coordinate axes, face normals, edges, and cross products of edges.
fn directions(shape: &Shape) -> Vec<DVec3> {
    let mut all = DVec3::AXES.to_vec();
    let mut edges = Vec::new();
    for part in shape.parts() {
        all.extend(part.core().normals());
        edges.extend(part.core().directions());
    }
    all.extend(&edges);
    for (i, a) in edges.iter().enumerate() {
        let crosses = edges[..i].iter().map(|b| a.cross(*b));
        all.extend(crosses.filter(|cross| cross.length() > 1e-6).map(DVec3::normalize));
    }
    all
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
