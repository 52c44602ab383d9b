//! Steps in time in which two moving parts cannot come as near as a given gap.

use super::moving_pair::MovingPair;
use crate::narrow::AxisSearch;
use crate::pair::{Frame, PartPair};
use crate::reference::precise_gap;
use glam::DVec3;

/// Steps before a search is given up: 10 ms. A search in the proofs takes at most 100.
const MAX_STEPS: usize = 10_000;

/// Rounds in which the end of a step is lowered. Measured: at most 6.
const MAX_ROUNDS: usize = 32;

/// Searches for the time at which two parts are at a given gap. It keeps its scratch.
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

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reached {
    /// At this time, with the axis of the gap: a unit vector of the world, from the first part to the second.
    At(f64, DVec3),
    /// Not in time.
    Not,
    /// Unknown after all steps: the gap was this much above the one asked for, at this time.
    Unresolved(f64, f64, DVec3),
}

/// A gap that is searched for, from one time to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The gap; negative for an overlap of this depth.
    pub(super) gap: f64,
    /// The search ends this near above `gap`, unless it has just begun.
    pub(super) tolerance: f64,
    pub(super) from: f64,
    pub(super) until: f64,
}

impl Advancement {
    /// When do parts `i` and `j` of two bodies first reach a gap?
    pub(super) fn reach(
        &mut self,
        moving: &MovingPair,
        [i, j]: [usize; 2],
        target: Target,
    ) -> Reached {
        let mut time = target.from;
        let mut rest = (f64::INFINITY, DVec3::X);
        for _ in 0..MAX_STEPS {
            let [a, b] = moving.at(time);
            let frame = Frame::new(&a, &b);
            let pair = frame.parts(&a.shape.parts()[i], &b.shape.parts()[j]);
            let found = precise_gap(&mut self.axes, &pair);
            let above = found.gap - target.gap;
            let axis = a.pose.rotation * found.axis;
            let tolerance = if time > 0.0 { target.tolerance } else { 0.0 };
            if above <= tolerance {
                return Reached::At(time, axis);
            }
            let back = a.pose.rotation.conjugate();
            let [spin_a, spin_b] = moving.spins().map(|spin| back * spin);
            let motion = [back * moving.velocity(), spin_a, spin_b];
            let level = pair.radius + target.gap;
            let step = if spin_a == DVec3::ZERO && spin_b == DVec3::ZERO {
                let speed = found.axis.dot(motion[0]);
                if speed >= 0.0 { f64::INFINITY } else { above / -speed }
            } else {
                let slow = above / moving.speed_bound();
                self.step(&pair, found.axis, motion, level, target.until - time).unwrap_or(slow)
            };
            if step.is_nan() {
                return Reached::Unresolved(time, f64::INFINITY, axis);
            }
            if time + step > target.until {
                return Reached::Not;
            }
            if time + step == time {
                return Reached::At(time, axis);
            }
            time += step;
            rest = (above, axis);
        }
        Reached::Unresolved(time, rest.0, rest.1)
    }

    /// How long vertices along `axis` stay further apart than `level`, at most `remaining`; infinite if they do for all of
    /// that. `None` if rounding hides it. All vectors are in the frame of the first body.
    fn step(
        &mut self,
        pair: &PartPair,
        axis: DVec3,
        [velocity, spin_a, spin_b]: [DVec3; 3],
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
