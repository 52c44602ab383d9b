//! Separating axes of bodies that move: each axis gives a first and a last time.

mod boxes;
mod steps;
mod window;

use super::Impact;
use super::moving_pair::{MovingPair, sphere_passage};
use crate::narrow::{AxisSearch, Cuboids};
use crate::pair::{Frame, PartPair};
use glam::DVec3;
use window::Window;

/// `moving-sat`: the projections of two bodies on an axis touch from a first to a last time. The bodies touch from the
/// largest first time of all axes to the smallest last one, if it is not earlier.
///
/// The axes are those of `sat`: face normals, and products of edges, searched at the times in
/// question. Rounded parts have the axis of their nearest points instead. The first axis on which the projections do not
/// meet in time, or recede from each other, ends the search.
///
/// It is exact for bodies that do not rotate: spins are ignored. The first contact of compounds is the earliest of all
/// pairs of parts; `last` is when that pair of parts parts, whatever the others do.
///
/// Sources: 001, and 000 §3.1 (algorithms 3.1 and 3.2), which follow Eberly. Not repeated: the difference of two points
/// takes y for z (001), the relative velocity is V1 - V2 of bodies 0 and 1, and the axis is never set (000).
pub(super) fn moving_sat(axes: &mut AxisSearch, moving: &MovingPair, steps: &mut u64) -> Impact {
    earliest(moving, |pair, direction, until| window_of(axes, pair, direction, until, steps))
}

/// `moving-sat+boxes`: the fifteen axes of two cuboids by shorter formulas, other shapes like [`moving_sat`].
pub(super) fn moving_sat_of_boxes(
    axes: &mut AxisSearch,
    moving: &MovingPair,
    steps: &mut u64,
) -> Impact {
    earliest(moving, |pair, direction, until| match Cuboids::of(pair) {
        Some(cuboids) => {
            let mut window = Window { first: 0.0, last: f64::INFINITY, until };
            let axis = boxes::search(&cuboids, direction, &mut window, steps)?;
            Some((window, axis))
        }
        None => window_of(axes, pair, direction, until, steps),
    })
}

/// The earliest contact of all pairs of parts. `window` finds when two parts touch, as distances along a direction up to
/// another one, and along which axis.
fn earliest(
    moving: &MovingPair,
    mut window: impl FnMut(&PartPair, DVec3, f64) -> Option<(Window, DVec3)>,
) -> Impact {
    let MovingPair { a, b, direction, .. } = moving;
    let frame = Frame::new(a, b);
    let direction = a.pose.rotation.conjugate() * *direction;
    let mut until = moving.limit * moving.speed;
    let mut earliest = None;
    for pair in frame.pairs(a, b) {
        let Some((window, axis)) = window(&pair, direction, until) else { continue };
        if window.first == 0.0 {
            return Impact::Overlapping;
        }
        if window.first < until || earliest.is_none() {
            until = window.first;
            earliest = Some((window, axis));
        }
    }
    let Some((Window { first, last, .. }, axis)) = earliest else { return Impact::Never };
    // A quotient of numbers far apart may be 0, or rounded to more than the limit.
    let first = (first / moving.speed).clamp(f64::MIN_POSITIVE, moving.limit);
    Impact::At { first, last: (last / moving.speed).max(first), axis: a.pose.rotation * axis }
}

/// When two parts touch, by the steps of [`steps::search`].
fn window_of(
    axes: &mut AxisSearch,
    pair: &PartPair,
    direction: DVec3,
    until: f64,
    steps: &mut u64,
) -> Option<(Window, DVec3)> {
    *steps += 1;
    let [enter, exit] = spheres_pass(pair, direction)?;
    let mut window = Window { first: enter.max(0.0), last: exit, until };
    if enter > until {
        return None;
    }
    let axis = steps::search(axes, pair, direction, &mut window, steps)?;
    Some((window, axis))
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
