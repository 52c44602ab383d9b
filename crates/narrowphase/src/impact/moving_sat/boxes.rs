//! Fifteen axes of two cuboids, each with a few products and one division.

use super::window::Window;
use crate::narrow::{Cuboids, NEARLY_PARALLEL};
use glam::DVec3;

/// Narrows the window by all axes, as 001 does for two boxes: the projections overlap while the distance of the centres is
/// at most the sum of both half extents. Returns the axis of the first time, `None` if the window is closed.
///
/// Products of edges are not normalised: times do not depend on the length of an axis.
pub(super) fn search(
    cuboids: &Cuboids,
    direction: DVec3,
    window: &mut Window,
    steps: &mut u64,
) -> Option<DVec3> {
    let Cuboids { between, axes_a, .. } = *cuboids;
    let direction = axes_a.transpose() * direction;
    let mut first = None;
    for group in 0..Cuboids::GROUPS {
        *steps += 3;
        let [own, others] = cuboids.extents(group);
        let mut extents = own + others;
        let [mut distances, mut speeds] =
            [between, direction].map(|vector| cuboids.project(group, vector));
        let squared = cuboids.squared_lengths(group);
        // The short formulas lose digits where edges are nearly parallel: from the unit axis, if there is one. Without an
        // extent and a speed the axis of parallel edges narrows nothing.
        for j in (0..3).filter(|j| squared[*j] < NEARLY_PARALLEL) {
            let axis = cuboids.unit_axis(group, j).unwrap_or(DVec3::ZERO);
            [distances[j], speeds[j]] = [between, direction].map(|vector| axis.dot(vector));
            extents[j] = cuboids.extents_along(axis).into_iter().sum();
        }
        for j in 0..3 {
            let gaps = [distances[j], -distances[j]].map(|distance| distance - extents[j]);
            if window.narrow(gaps, speeds[j])? {
                first = Some((group, j));
            }
        }
    }
    let axis = first.and_then(|(group, j)| cuboids.unit_axis(group, j)).unwrap_or(DVec3::X);
    let towards = axis.dot(between + direction * window.first);
    Some(axes_a * if towards < 0.0 { -axis } else { axis })
}
