//! Separating axes of bodies that move: each axis gives a first and a last time.

mod boxes;
mod steps;
mod window;

use super::method::Search;
use super::moving_pair::{MovingPair, sphere_passage};
use super::{Impact, ImpactCounters};
use crate::narrow::{AxisSearch, Cuboids};
use crate::pair::{Frame, PartPair};
use glam::DVec3;
use window::Window;

/// `moving-sat` and `moving-sat+boxes`: the projections of two bodies on an axis touch from a first to a last time. The
/// bodies touch from the largest first time of all axes to the smallest last one, if it is not earlier.
///
/// The axes are those of [`Sat`](crate::narrow::Sat): face normals, and products of edges, searched at the times in
/// question. Rounded parts have the axis of their nearest points instead. The first axis on which the projections do not
/// meet in time, or recede from each other, ends the search. `moving-sat+boxes` takes the fifteen axes
/// of two cuboids by shorter formulas, and other shapes like `moving-sat`.
///
/// It is exact for bodies that do not rotate: spins are ignored. The first contact of compounds is the earliest of all
/// pairs of parts; `last` is when that pair of parts parts, whatever the others do.
///
/// Sources: 001, and 000 §3.1 (algorithms 3.1 and 3.2), which follow Eberly. Not repeated: the difference of two points
/// takes y for z (001), the relative velocity is V1 - V2 of bodies 0 and 1, and the axis is never set (000).
#[derive(Clone, Debug, Default)]
pub(super) struct MovingSat {
    has_boxes: bool,
    axes: AxisSearch,
}

impl MovingSat {
    /// Two cuboids by their fifteen axes.
    pub(super) fn with_boxes() -> Self {
        Self { has_boxes: true, ..Self::default() }
    }

    /// When two parts touch, as distances, and along which axis; `None` if they do not.
    fn window(
        &mut self,
        pair: &PartPair,
        direction: DVec3,
        until: f64,
        counters: &mut ImpactCounters,
    ) -> Option<(Window, DVec3)> {
        let ImpactCounters { part_tests, steps, .. } = counters;
        *part_tests += 1;
        let mut window = Window { first: 0.0, last: f64::INFINITY, until };
        let cuboids = self.has_boxes.then(|| Cuboids::of(pair)).flatten();
        if let Some(cuboids) = cuboids.filter(|_| pair.radius == 0.0) {
            let axis = boxes::search(&cuboids, direction, &mut window, steps)?;
            return Some((window, axis));
        }
        *steps += 1;
        let [enter, exit] = spheres_pass(pair, direction)?;
        if enter > until {
            return None;
        }
        (window.first, window.last) = (enter.max(0.0), exit);
        let axis = steps::search(&mut self.axes, pair, direction, &mut window, steps)?;
        Some((window, axis))
    }
}

impl Search for MovingSat {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let MovingPair { a, b, direction, .. } = moving;
        if a.shape.is_ball() && b.shape.is_ball() {
            counters.part_tests += 1;
            counters.steps += 1;
            return balls(moving);
        }
        let frame = Frame::new(a, b);
        let direction = a.pose.rotation.conjugate() * *direction;
        let mut until = moving.limit * moving.speed;
        let mut earliest = None;
        for one in a.shape.parts() {
            for other in b.shape.parts() {
                let found = self.window(&frame.parts(one, other), direction, until, counters);
                let Some((window, axis)) = found else { continue };
                if window.first == 0.0 {
                    return Impact::Overlapping;
                }
                if window.first < until || earliest.is_none() {
                    until = window.first;
                    earliest = Some((window, axis));
                }
            }
        }
        let Some((Window { first, last, .. }, axis)) = earliest else { return Impact::Never };
        contact(moving, [first, last], a.pose.rotation * axis)
    }
}

/// Two balls: the root of a quadratic.
fn balls(moving: &MovingPair) -> Impact {
    let MovingPair { a, b, direction, .. } = *moving;
    let from = b.pose.position - a.pose.position;
    match sphere_passage(from, direction, a.bounding_radius() + b.bounding_radius()) {
        Some([enter, _]) if enter <= 0.0 => Impact::Overlapping,
        Some([enter, exit]) if enter <= moving.limit * moving.speed => {
            contact(moving, [enter, exit], (from + direction * enter).normalize_or(DVec3::X))
        }
        _ => Impact::Never,
    }
}

/// A contact between two distances along the motion. `axis` is of the world.
fn contact(moving: &MovingPair, [first, last]: [f64; 2], axis: DVec3) -> Impact {
    // A quotient of numbers far apart may be 0, or rounded to more than the limit.
    let first = (first / moving.speed).clamp(f64::MIN_POSITIVE, moving.limit);
    Impact::At { first, last: (last / moving.speed).max(first), axis }
}

/// When spheres about both parts meet and part, as distances. The parts meet later and part earlier. Spheres about points
/// are the parts. Others contain them, rounding included.
fn spheres_pass(pair: &PartPair, direction: DVec3) -> Option<[f64; 2]> {
    let frame = pair.frame;
    let from = frame.point_b(pair.b.center()) - pair.a.center() * frame.scale_a;
    let extent = pair.a.extent() * frame.scale_a + pair.b.extent() * frame.scale_b;
    let slack = if pair.are_points() { 0.0 } else { 1e-12 * frame.size() };
    sphere_passage(from, direction, extent + slack)
}
