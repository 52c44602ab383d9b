//! Parts with a rounding radius: the axis of the nearest points, at a time that it raises step by step.

use super::window::Window;
use crate::narrow::AxisSearch;
use crate::pair::PartPair;
use crate::reference::precise_gap;
use glam::DVec3;

/// Steps in time. The gap of convex bodies that translate is a convex function of time: a step along its tangent never
/// passes the root, and the next one has twice its digits. Where bodies graze, a step only halves the rest: then 64 steps
/// reach the last digit.
const MAX_STEPS: usize = 64;

/// Gaps below this fraction of the size are rounding, once the bodies have moved.
const ROUNDING: f64 = 1e-14;

/// Narrows the window of spheres about two parts to that of the parts. Returns whether it is open.
///
/// Rounded parts have an axis for each direction of their edges and corners. Those that matter are along the nearest
/// points of the cores: at the first time so far, the axis of the nearest points gives a later one, until the parts touch
/// there. The last time is the first one of the reverse motion.
pub(super) fn search(
    axes: &mut AxisSearch,
    pair: &PartPair,
    direction: DVec3,
    window: &mut Window,
    tested: &mut u64,
) -> bool {
    if pair.are_points() {
        let frame = pair.frame;
        let from = frame.point_b(pair.b.center()) - pair.a.center() * frame.scale_a;
        window.axis = (from + direction * window.first).try_normalize().unwrap_or(DVec3::X);
        return true;
    }
    let exit = window.last;
    let Some((first, axis)) = touch(axes, pair, direction, window.first, window.until, tested)
    else {
        return false;
    };
    (window.first, window.axis) = (first, axis);
    if first > 0.0 {
        let reverse = touch(axes, pair, -direction, -exit, f64::INFINITY, tested);
        window.last = reverse.map_or(first, |(last, _)| -last).max(first);
    }
    true
}

/// The least distance along `direction` from `start` on, at most `until`, at which two parts touch, with the axis.
fn touch(
    axes: &mut AxisSearch,
    pair: &PartPair,
    direction: DVec3,
    start: f64,
    until: f64,
    tested: &mut u64,
) -> Option<(f64, DVec3)> {
    let mut time = start;
    let mut axis = pair.direction_of_centres();
    for _ in 0..MAX_STEPS {
        let moved = pair.frame.moved(direction * time);
        let gap;
        (gap, axis) = precise_gap(axes, &PartPair { frame: &moved, ..*pair }, axis);
        *tested += 1;
        let rounding = if time == 0.0 { 0.0 } else { ROUNDING * pair.frame.size() };
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
