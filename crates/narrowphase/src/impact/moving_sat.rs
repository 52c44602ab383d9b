//! Separating axes of bodies that move: each axis gives a first and a last time.

use super::Impact;
use super::moving_pair::{MovingPair, sphere_passage};
use crate::narrow::{AxisSearch, Cuboids, NEARLY_PARALLEL, perpendicular_to_both};
use crate::pair::{Frame, PartPair, ROUNDING};
use crate::reference::part_gap;
use glam::{DVec3, Vec3Swizzles};

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
    earliest(moving, |pair, direction, until| by_steps(axes, pair, direction, until, steps))
}

/// `moving-sat+boxes`: the fifteen axes of two cuboids by shorter formulas, other shapes like [`moving_sat`].
pub(super) fn moving_sat_of_boxes(
    axes: &mut AxisSearch,
    moving: &MovingPair,
    steps: &mut u64,
) -> Impact {
    earliest(moving, |pair, direction, until| match Cuboids::of(pair) {
        Some(cuboids) => by_boxes(&cuboids, direction, until, steps),
        None => by_steps(axes, pair, direction, until, steps),
    })
}

/// From when to when two parts touch, as distances along the relative motion: so no velocity is too large or too small.
struct Passage {
    /// 0 if they touch at the start.
    first: f64,
    last: f64,
    /// A unit vector from the first part to the second, along which they touch first.
    axis: DVec3,
}

/// The earliest contact of all pairs of parts. `passage` finds that of two parts along a direction, if it begins within a
/// distance.
fn earliest(
    moving: &MovingPair,
    mut passage: impl FnMut(&PartPair, DVec3, f64) -> Option<Passage>,
) -> Impact {
    let MovingPair { a, b, direction, .. } = moving;
    let frame = Frame::new(a, b);
    let direction = a.pose.rotation.conjugate() * *direction;
    let mut until = moving.limit * moving.speed;
    let mut earliest = None;
    for pair in frame.pairs(a, b) {
        let Some(found) = passage(&pair, direction, until) else { continue };
        if found.first == 0.0 {
            return Impact::Overlapping;
        }
        if found.first < until || earliest.is_none() {
            until = found.first;
            earliest = Some(found);
        }
    }
    let Some(Passage { first, last, axis }) = earliest else { return Impact::Never };
    // A quotient of numbers far apart may be 0, or rounded to more than the limit.
    let first = (first / moving.speed).clamp(f64::MIN_POSITIVE, moving.limit);
    Impact::At { first, last: (last / moving.speed).max(first), axis: a.pose.rotation * axis }
}

/// The times, as distances, at which no axis so far separates two parts.
struct Window {
    /// The largest first time of an axis, 0 while no axis has a gap at the start.
    first: f64,
    /// The smallest last time of an axis.
    last: f64,
    /// Later first times do not count.
    until: f64,
}

impl Window {
    /// Narrows the window by an axis along which the parts have the first gap at the start, and along whose opposite they
    /// have the second one. Gaps are negative for an overlap, and the first one grows at `speed`. Returns whether the axis
    /// has the first time; `None` if the window is closed.
    ///
    /// Projections that overlap may recede: 001 says that all must approach, but its code is right.
    fn narrow(&mut self, gaps: [f64; 2], speed: f64) -> Option<bool> {
        if speed == 0.0 {
            return (gaps[0].max(gaps[1]) <= 0.0).then_some(false);
        }
        let [ahead, behind] = if speed < 0.0 { gaps } else { [gaps[1], gaps[0]] };
        let (enter, exit) = (ahead / speed.abs(), -behind / speed.abs());
        let is_first = enter > self.first;
        self.first = self.first.max(enter);
        self.last = self.last.min(exit);
        (self.first <= self.last && self.first <= self.until).then_some(is_first)
    }
}

/// By all axes, as 001 does for two boxes: the projections overlap while the distance of the centres is
/// at most the sum of both half extents.
///
/// Products of edges are not normalised: times do not depend on the length of an axis.
fn by_boxes(cuboids: &Cuboids, direction: DVec3, until: f64, steps: &mut u64) -> Option<Passage> {
    let mut window = Window { first: 0.0, last: f64::INFINITY, until };
    let Cuboids { half_a, half_b, between, turn, axes_a } = *cuboids;
    let direction = axes_a.transpose() * direction;
    let (size, back) = (turn.abs(), turn.transpose());
    // The group of three axes with the first time, and the axis in it.
    let mut first = None;
    // Three axes along which the centres have these distances, which change at these speeds.
    let mut narrow = |group: usize, distances: DVec3, speeds: DVec3, extents: DVec3| {
        *steps += 3;
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
    let Window { first, last, .. } = window;
    let towards = axis.dot(between + direction * first);
    Some(Passage { first, last, axis: axes_a * if towards < 0.0 { -axis } else { axis } })
}

/// Between the times at which spheres about the parts meet and part: they contain the parts, rounding included, or are the
/// parts.
///
/// From the first time on, the axis of the greatest gap gives a later one, until no axis separates the parts: the largest
/// first time of all axes. Sharp parts have the axes of SAT; rounded ones have an axis for each direction of their edges and
/// corners, of which the one along the nearest points of the cores matters. The last time is the first one of the reverse
/// motion.
///
/// The gap of convex bodies that translate is a convex function of time: a step along its tangent never passes the root,
/// and the next one has twice its digits. Where bodies graze, a step only halves the rest.
fn by_steps(
    axes: &mut AxisSearch,
    pair: &PartPair,
    direction: DVec3,
    until: f64,
    steps: &mut u64,
) -> Option<Passage> {
    *steps += 1;
    let frame = pair.frame;
    let from = frame.point_b(pair.b.center()) - pair.a.center() * frame.scale_a;
    let extent = pair.a.extent() * frame.scale_a + pair.b.extent() * frame.scale_b;
    let are_balls = [pair.a, pair.b].iter().all(|part| part.core().edges().is_empty());
    let slack = if are_balls { 0.0 } else { ROUNDING * frame.size() };
    let [enter, exit] = sphere_passage(from, direction, extent + slack)?;
    // The least distance along a direction from one on, up to another one, at which the parts touch, with the axis.
    let mut touch = |direction: DVec3, start: f64, until: f64| {
        let (mut time, mut axis) = (start, DVec3::X);
        for _ in 0..f64::MANTISSA_DIGITS {
            let moved = frame.moved(direction * time);
            let pair = PartPair { frame: &moved, ..*pair };
            let gap;
            (gap, axis) = if pair.radius > 0.0 {
                part_gap(axes, &pair, f64::INFINITY).map(|found| (found.gap, found.axis))?
            } else {
                let best = axes.greatest_facet_gap(&pair);
                (best.gap, best.axis)
            };
            *steps += 1;
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
    };
    if enter > until {
        return None;
    }
    let first = enter.max(0.0);
    let at_first = (first, (from + direction * first).normalize_or(DVec3::X));
    let (first, axis) = if are_balls { at_first } else { touch(direction, first, until)? };
    if are_balls || first == 0.0 {
        return Some(Passage { first, last: exit, axis });
    }
    let reverse = touch(-direction, -exit, f64::INFINITY);
    let last = reverse.map_or(first, |(last, _)| -last).max(first);
    Some(Passage { first, last, axis })
}
