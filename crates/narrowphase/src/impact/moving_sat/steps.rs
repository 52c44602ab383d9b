//! The axis of the greatest gap, at a time that it raises step by step.

use super::window::Window;
use crate::narrow::AxisSearch;
use crate::pair::PartPair;
use crate::reference::part_gap;
use glam::DVec3;

/// Narrows the window of spheres about two parts to that of the parts. Returns the axis of the first time, `None` if the
/// window is closed. `tested` counts axes.
///
/// At the first time so far, the axis of the greatest gap gives a later one, until no axis separates the parts: the largest
/// first time of all axes. Sharp parts have the axes of SAT; rounded ones have an axis for each direction of their edges and
/// corners, of which the one along the nearest points of the cores matters. The last time is the first one of the reverse
/// motion.
pub(super) fn search(
    axes: &mut AxisSearch,
    pair: &PartPair,
    direction: DVec3,
    window: &mut Window,
    tested: &mut u64,
) -> Option<DVec3> {
    if pair.are_points() {
        let frame = pair.frame;
        let from = frame.point_b(pair.b.center()) - pair.a.center() * frame.scale_a;
        return Some((from + direction * window.first).normalize_or(DVec3::X));
    }
    let exit = window.last;
    let (first, axis) = touch(axes, pair, direction, window.first, window.until, tested)?;
    window.first = first;
    if first > 0.0 {
        let reverse = touch(axes, pair, -direction, -exit, f64::INFINITY, tested);
        window.last = reverse.map_or(first, |(last, _)| -last).max(first);
    }
    Some(axis)
}

/// The least distance along `direction` from `start` on, at most `until`, at which two parts touch, with the axis.
///
/// The gap of convex bodies that translate is a convex function of time: a step along its tangent never passes the root,
/// and the next one has twice its digits. Where bodies graze, a step only halves the rest.
fn touch(
    axes: &mut AxisSearch,
    pair: &PartPair,
    direction: DVec3,
    start: f64,
    until: f64,
    tested: &mut u64,
) -> Option<(f64, DVec3)> {
    let (mut time, mut axis) = (start, DVec3::X);
    for _ in 0..f64::MANTISSA_DIGITS {
        let moved = pair.frame.moved(direction * time);
        let pair = PartPair { frame: &moved, ..*pair };
        let gap;
        (gap, axis) = if pair.radius > 0.0 {
            part_gap(axes, &pair, f64::INFINITY).map(|found| (found.gap, found.axis))?
        } else {
            let best = axes.greatest_facet_gap(&pair);
            (best.gap, best.axis)
        };
        *tested += 1;
        // Once the parts have moved, smaller gaps are rounding.
        let rounding = if time == 0.0 { 0.0 } else { 64.0 * f64::EPSILON * moved.size() };
        if gap <= rounding {
            break;
        }
        let speed = axis.dot(direction);
        let next = time - gap / speed;
        if speed >= 0.0 || next > until {
            return None;
        }
        if next <= time {
            break;
        }
        time = next;
    }
    Some((time, axis))
}
