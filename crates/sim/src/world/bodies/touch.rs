//! What touching means: distances, times, and the point of a contact that an impulse acts on.

use super::solid::{BodyState, Solid};
use glam::DVec3;

/// Bodies are stopped in front of what they meet, at most this far, in units of their radius.
const MARGIN: f64 = 1e-9;

/// Roundings of a position that a distance is computed from.
const ROUNDINGS: f64 = 32.0;

/// What a gap may change by rounding, in units of the margin.
const ROUNDING: f64 = 1e-4;

/// Most evaluations of a gap in the search for the time of a touch. Every other one halves the interval.
const MAX_EVALUATIONS: usize = 100;

/// The largest gap that counts as touching.
pub(super) fn margin(solid: &Solid, state: &BodyState) -> f64 {
    let size = state.position.abs().max_element() + solid.radius;
    MARGIN * solid.radius + ROUNDINGS * f64::EPSILON * size
}

/// A time between `start` and `end` at which `gap` is from 0 to `tolerance`. Where none is found, the latest time known
/// at which it is not negative. The gap is negative at the end, and not at the start. It may change its sign in between:
/// the time need not be the first such time.
pub(super) fn crossing(gap: impl Fn(f64) -> f64, start: f64, end: f64, tolerance: f64) -> f64 {
    // The middle of the allowed gaps is looked for: at its ends, rounding would decide on the sign.
    let half = 0.5 * tolerance;
    let excess = |time: f64| gap(time) - half;
    let (mut low, mut high) = (start, end);
    let (mut excess_low, mut excess_high) = (excess(low), excess(high));
    for evaluation in 0..MAX_EVALUATIONS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let time = if evaluation % 2 == 0 && excess_low > 0.0 {
            // The secant's root; halving alone would take fifty evaluations.
            low + (high - low) * (excess_low / (excess_low - excess_high)).clamp(0.0, 1.0)
        } else {
            middle
        };
        let here = excess(time);
        if here.abs() <= half && time > start {
            return time;
        }
        if here >= -half {
            (low, excess_low) = (time, here);
        } else {
            (high, excess_high) = (time, here);
        }
    }
    low
}

/// The least gap that a body may have at the end of a sub-step that it begins with `gap`. In front of a wall that is
/// half a margin. Behind it or nearer than that, the body may stay or come back, but not go further.
pub(super) fn floor(gap: f64, margin: f64) -> f64 {
    (gap - ROUNDING * margin).min(0.5 * margin)
}

/// The points of a contact, of which one is chosen.
pub(super) struct Points<S> {
    /// The speed at which the bodies part at a point, negative where they approach.
    speed: S,
    sum: DVec3,
    count: f64,
    /// The point that approaches fastest, and its speed.
    fastest: Option<(DVec3, f64)>,
}

impl<S: Fn(DVec3) -> f64> Points<S> {
    pub(super) fn new(speed: S) -> Self {
        Self { speed, sum: DVec3::ZERO, count: 0.0, fastest: None }
    }

    pub(super) fn add(&mut self, point: DVec3) {
        self.sum += point;
        self.count += 1.0;
        let speed = (self.speed)(point);
        if self.fastest.is_none_or(|(_, least)| speed < least) {
            self.fastest = Some((point, speed));
        }
    }

    /// The centre of the points if it approaches; otherwise the point that approaches fastest, if one does.
    pub(super) fn chosen(&self) -> Option<DVec3> {
        let (fastest, speed) = self.fastest?;
        let center = self.sum / self.count;
        if (self.speed)(center) < 0.0 {
            return Some(center);
        }
        (speed < 0.0).then_some(fastest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_is_in_front_of_the_root() {
        for root in [1e-9, 0.1, 0.3, 0.999_999] {
            let gap = |time: f64| (root - time) * (1.0 + time * time);
            let time = crossing(gap, 0.0, 1.0, 1e-12);
            assert!((0.0..=1e-12).contains(&gap(time)), "{root}: {time}");
        }
    }

    #[test]
    fn crossing_goes_beyond_a_start_that_touches() {
        // It leaves the wall, and comes back.
        let gap = |time: f64| time * (0.5 - time);
        let time = crossing(gap, 0.0, 1.0, 1e-12);
        assert!((time - 0.5).abs() < 1e-9, "{time}");
    }
}
