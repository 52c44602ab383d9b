//! Steps in time in which two moving parts cannot come as near as given gaps.

use super::moving_pair::MovingPair;
use crate::narrow::AxisSearch;
use crate::pair::{Frame, PartPair};
use crate::reference::{facet_gap, precise_gap};
use glam::DVec3;

/// Steps before a search is given up: about 100 ms. Bodies that rotate thousands of times within the limit need 10,000;
/// faces that tilt a thousand times faster than they approach need 50,000.
const MAX_STEPS: usize = 100_000;

/// Rounds in which the end of a step is lowered, each to another pair of vertices. After that the step is the one that the
/// greatest speed gives.
const MAX_ROUNDS: usize = 32;

/// Searches for the times at which two parts come as near as given gaps. It keeps its scratch.
///
/// Along the axis of the nearest points, each vertex has a height, a speed, and a bound of its acceleration, which is 0
/// where the body does not rotate about another axis. A step ends where two vertices can first be level. So it is exact
/// for translation, and where bodies rotate the digits double with each step, also where they hardly approach.
#[derive(Clone, Debug, Default)]
pub(super) struct Advancement {
    axes: AxisSearch,
    points_a: Vec<MovingHeight>,
    points_b: Vec<MovingHeight>,
}

/// Three gaps that are searched for, each below the one before it, from one time to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// The first is above 0. A negative one is an overlap of this depth.
    pub(super) gaps: [f64; 3],
    /// The search ends this near above a gap, unless it has just begun.
    pub(super) tolerance: f64,
    pub(super) from: f64,
    pub(super) until: f64,
}

/// When the gaps are first reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    /// Infinite where they are not in time.
    pub(super) times: [f64; 3],
    /// The axis at the second time: a unit vector of the world, from the first part to the second.
    pub(super) axis: DVec3,
    /// Whether all steps were not enough.
    pub(super) is_unresolved: bool,
    /// The time and the gap at the end of the search.
    pub(super) end: (f64, f64),
}

impl Advancement {
    /// When do parts `i` and `j` of two bodies first reach the gaps?
    pub(super) fn pass(
        &mut self,
        moving: &MovingPair,
        [i, j]: [usize; 2],
        targets: Targets,
    ) -> Passage {
        let Targets { gaps, tolerance, from, until } = targets;
        let mut passage = Passage {
            times: [f64::INFINITY; 3],
            axis: DVec3::X,
            is_unresolved: false,
            end: (from, f64::INFINITY),
        };
        let (mut time, mut next, mut start) = (from, 0, None);
        for _ in 0..MAX_STEPS {
            let [a, b] = moving.at(time);
            let frame = Frame::new(&a, &b);
            let pair = frame.parts(&a.shape.parts()[i], &b.shape.parts()[j]);
            let back = a.pose.rotation.conjugate();
            // At a contact the search for the distance takes most steps, and axes are exact.
            let by_axes = next > 0 && pair.radius == 0.0;
            let (gap, axis) = if by_axes {
                facet_gap(&mut self.axes, &pair)
            } else {
                let start = start.map_or(pair.direction_of_centres(), |axis| back * axis);
                precise_gap(&mut self.axes, &pair, start)
            };
            let world = a.pose.rotation * axis;
            (passage.end, start) = ((time, gap), Some(world));
            let rounding = if time > 0.0 { tolerance } else { 0.0 };
            while next < 3 && gap - gaps[next] <= rounding {
                passage.times[next] = time;
                next += 1;
                passage.axis = if next == 2 { world } else { passage.axis };
            }
            if next == 3 {
                return passage;
            }
            let motion = (back * moving.velocity(), moving.spins().map(|spin| back * spin));
            let above = (gap - gaps[next]).max(0.1 * tolerance);
            let step = self.step_of(moving, &pair, (axis, above), motion, until - time);
            let is_over = time + step > until;
            if is_over {
                return passage;
            }
            if step.is_nan() {
                break;
            }
            time += step;
        }
        Passage { is_unresolved: true, ..passage }
    }

    /// How long the gap along an axis stays above another one that is `above` less.
    fn step_of(
        &mut self,
        moving: &MovingPair,
        pair: &PartPair,
        (axis, above): (DVec3, f64),
        (velocity, spins): (DVec3, [DVec3; 2]),
        remaining: f64,
    ) -> f64 {
        if spins == [DVec3::ZERO; 2] {
            let speed = axis.dot(velocity);
            return if speed >= 0.0 { f64::INFINITY } else { above / -speed };
        }
        let slow = above / moving.speed_bound();
        let level = pair.gap(axis) - above;
        self.step(pair, axis, (velocity, spins), level, remaining).unwrap_or(slow)
    }

    /// How long vertices along `axis` stay further apart than `level`, at most `remaining`; infinite if they do for all of
    /// that. `None` if rounding hides it. All vectors are in the frame of the first body.
    fn step(
        &mut self,
        pair: &PartPair,
        axis: DVec3,
        (velocity, [spin_a, spin_b]): (DVec3, [DVec3; 2]),
        level: f64,
        remaining: f64,
    ) -> Option<f64> {
        let frame = pair.frame;
        let Self { points_a, points_b, .. } = self;
        points_a.clear();
        let vertices = pair.a.core().vertices().iter().map(|v| *v * frame.scale_a);
        points_a.extend(vertices.map(|arm| MovingHeight::of(arm, axis, spin_a)));
        points_b.clear();
        let vertices = pair.b.core().vertices().iter().map(|v| frame.matrix * *v);
        points_b.extend(vertices.map(|arm| MovingHeight::of(arm, axis, spin_b)));
        let (height, speed) = (frame.translation.dot(axis), velocity.dot(axis));
        let mut end = remaining;
        for _ in 0..MAX_ROUNDS {
            // The two that are nearest then, if each accelerates towards the other.
            let highest =
                points_a.iter().max_by(|p, q| p.at(end, 1.0).total_cmp(&q.at(end, 1.0)))?;
            let lowest =
                points_b.iter().min_by(|p, q| p.at(end, -1.0).total_cmp(&q.at(end, -1.0)))?;
            let between = MovingHeight {
                height: height + lowest.height - highest.height - level,
                speed: speed + lowest.speed - highest.speed,
                acceleration: lowest.acceleration + highest.acceleration,
            };
            let gap = between.at(end, -1.0);
            if gap >= 0.0 {
                return Some(if end == remaining { f64::INFINITY } else { end });
            }
            let earlier = between.root()?;
            if earlier >= end {
                return Some(end);
            }
            end = earlier;
        }
        None
    }
}

/// The height of a vertex along an axis, its speed, and a bound of its acceleration.
#[derive(Clone, Copy, Debug)]
struct MovingHeight {
    height: f64,
    speed: f64,
    acceleration: f64,
}

impl MovingHeight {
    /// `arm` is from the centre of rotation.
    fn of(arm: DVec3, axis: DVec3, spin: DVec3) -> Self {
        // The centripetal acceleration along the axis: spin x (spin x arm). The length of spin x arm does not change.
        let aside = axis.cross(spin);
        let acceleration = aside.length() * spin.cross(arm).length();
        Self { height: axis.dot(arm), speed: arm.dot(aside), acceleration }
    }

    /// Its bound after `time`, upwards or downwards.
    fn at(&self, time: f64, sign: f64) -> f64 {
        self.height + (self.speed + sign * 0.5 * self.acceleration * time) * time
    }

    /// When it can first be 0. `None` if it is not above 0, or not a number.
    fn root(&self) -> Option<f64> {
        let Self { height, speed, acceleration } = *self;
        let root = (speed * speed + 2.0 * acceleration * height).sqrt();
        let time =
            if speed > 0.0 { (speed + root) / acceleration } else { 2.0 * height / (root - speed) };
        (height > 0.0 && time > 0.0).then_some(time)
    }
}
