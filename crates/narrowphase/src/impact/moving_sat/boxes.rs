//! Fifteen axes of two cuboids, each with a few products and one division.

use super::window::Window;
use crate::narrow::{Cuboids, NEARLY_PARALLEL, perpendicular_to_both};
use glam::{DVec3, Vec3Swizzles};

/// Narrows the window by all axes, as 001 does for two boxes: the projections overlap while the distance of the centres is
/// at most the sum of both half extents. Returns the axis of the first time, `None` if the window is closed. `tested`
/// counts axes.
///
/// Products of edges are not normalised: times do not depend on the length of an axis.
pub(super) fn search(
    cuboids: &Cuboids,
    direction: DVec3,
    window: &mut Window,
    tested: &mut u64,
) -> Option<DVec3> {
    let Cuboids { half_a, half_b, between, turn, axes_a } = *cuboids;
    let direction = axes_a.transpose() * direction;
    let (size, back) = (turn.abs(), turn.transpose());
    // The group of three axes with the first time, and the axis in it.
    let mut first = None;
    // Three axes along which the centres have these distances, which change at these speeds.
    let mut narrow = |group: usize, distances: DVec3, speeds: DVec3, extents: DVec3| {
        *tested += 3;
        let (gaps, opposite) = (distances - extents, -distances - extents);
        (0..3).try_for_each(|j| {
            let is_first = window.narrow([gaps[j], opposite[j]], speeds[j])?;
            first = if is_first { Some((group, j)) } else { first };
            Some(())
        })
    };
    narrow(0, between, direction, half_a + size * half_b)?;
    narrow(1, back * between, back * direction, half_b + size.transpose() * half_a)?;
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
        // The short formulas lose digits where edges are nearly parallel: from the unit axis, if there is one. Without an
        // extent and a speed the axis of parallel edges narrows nothing.
        for j in (0..3).filter(|j| squared[*j] < NEARLY_PARALLEL) {
            let axis = perpendicular_to_both(DVec3::AXES[i], turn.col(j)).unwrap_or(DVec3::ZERO);
            distances[j] = axis.dot(between);
            speeds[j] = axis.dot(direction);
            extents[j] = axis.abs().dot(half_a) + (back * axis).abs().dot(half_b);
        }
        narrow(2 + i, distances, speeds, extents)?;
    }
    let axis = match first {
        None => DVec3::X,
        Some((0, j)) => DVec3::AXES[j],
        Some((1, j)) => turn.col(j),
        Some((group, j)) => {
            perpendicular_to_both(DVec3::AXES[group - 2], turn.col(j)).unwrap_or(DVec3::X)
        }
    };
    let towards = axis.dot(between + direction * window.first);
    Some(axes_a * if towards < 0.0 { -axis } else { axis })
}
