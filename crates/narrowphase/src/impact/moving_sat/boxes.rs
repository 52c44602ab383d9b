//! Fifteen axes of two cuboids, each with a few products and one division.

use super::window::Window;
use crate::narrow::{Cuboids, NEARLY_PARALLEL, perpendicular_to_both};
use glam::{DVec3, Vec3Swizzles};

/// Narrows the window by all axes, as 001 does for two boxes: the projections overlap while the distance of the centres is
/// at most the sum of both half extents. Returns whether it is open. `tested` counts axes.
///
/// Products of edges are not normalised: times do not depend on the length of an axis.
pub(super) fn search(
    cuboids: &Cuboids,
    direction: DVec3,
    window: &mut Window,
    tested: &mut u64,
) -> bool {
    let Cuboids { half_a, half_b, between, turn, axes_a } = *cuboids;
    let direction = axes_a.transpose() * direction;
    let mut slabs = Slabs { window, axis: None };
    let (size, back) = (turn.abs(), turn.transpose());
    *tested += 3;
    if !slabs.narrow(0, between, direction, half_a + size * half_b) {
        return false;
    }
    *tested += 3;
    let extents = half_b + size.transpose() * half_a;
    if !slabs.narrow(1, back * between, back * direction, extents) {
        return false;
    }
    for (i, next, last) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        // Components `next` and `last` of all three axes of the second cuboid.
        let (forth, aside) = (back.col(next), back.col(last));
        let lengths = back.col(i).abs();
        let mut extents = half_a[next] * aside.abs()
            + half_a[last] * forth.abs()
            + half_b.yzx() * lengths.zxy()
            + half_b.zxy() * lengths.yzx();
        let product = |v: DVec3| v[last] * forth - v[next] * aside;
        let (mut distances, mut speeds) = (product(between), product(direction));
        let squared = forth * forth + aside * aside;
        if squared.min_element() < NEARLY_PARALLEL {
            // The short formulas lose digits: from the unit axis, if there is one. Without an extent and a speed the
            // axis of parallel edges narrows nothing.
            for j in (0..3).filter(|j| squared[*j] < NEARLY_PARALLEL) {
                let axis = perpendicular_to_both(DVec3::AXES[i], turn.col(j));
                let axis = axis.unwrap_or(DVec3::ZERO);
                distances[j] = axis.dot(between);
                speeds[j] = axis.dot(direction);
                extents[j] = axis.abs().dot(half_a) + (back * axis).abs().dot(half_b);
            }
        }
        *tested += 3;
        if !slabs.narrow(2 + i, distances, speeds, extents) {
            return false;
        }
    }
    if let Some((group, j)) = slabs.axis {
        let axis = match group {
            0 => DVec3::AXES[j],
            1 => turn.col(j),
            _ => perpendicular_to_both(DVec3::AXES[group - 2], turn.col(j)).unwrap_or(DVec3::X),
        };
        let towards = axis.dot(between + direction * window.first);
        window.axis = axes_a * if towards < 0.0 { -axis } else { axis };
    }
    true
}

/// The window, and which axis made its first time: its group of three, and its index in it.
struct Slabs<'a> {
    window: &'a mut Window,
    axis: Option<(usize, usize)>,
}

impl Slabs<'_> {
    /// Three axes along which the centres have these distances, which change at these speeds.
    fn narrow(&mut self, group: usize, distances: DVec3, speeds: DVec3, extents: DVec3) -> bool {
        let Window { first, last, until, .. } = &mut *self.window;
        for j in 0..3 {
            let (distance, speed, extent) = (distances[j], speeds[j], extents[j]);
            if speed == 0.0 {
                if distance.abs() > extent {
                    return false;
                }
                continue;
            }
            // Approaching from the positive side, unless the speed is positive.
            let towards = if speed < 0.0 { distance } else { -distance };
            let inverse = 1.0 / speed.abs();
            let (enter, exit) = ((towards - extent) * inverse, (towards + extent) * inverse);
            if enter > *first {
                *first = enter;
                self.axis = Some((group, j));
            }
            *last = last.min(exit);
            if *first > *last || *first > *until {
                return false;
            }
        }
        true
    }
}
