//! Between which times the projections on all axes so far overlap.

use glam::DVec3;

/// The times at which no axis so far separates two parts, as distances along the relative motion: so no velocity is too
/// large or too small for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The largest first time of an axis, 0 while no axis has a gap at the start.
    pub(super) first: f64,
    /// The smallest last time of an axis.
    pub(super) last: f64,
    /// The axis of `first`: a unit vector from the first part to the second.
    pub(super) axis: DVec3,
    /// Later first times do not count.
    pub(super) until: f64,
}

impl Window {
    /// All times up to `until`.
    pub(super) fn until(until: f64) -> Self {
        Self { first: 0.0, last: f64::INFINITY, axis: DVec3::ZERO, until }
    }

    /// The gap at the start above which an axis narrows the window, along which the second part has this speed.
    pub(super) fn least_gap(&self, speed: f64) -> f64 {
        if speed < 0.0 {
            -speed * self.first
        } else if speed > 0.0 {
            -speed * self.last
        } else {
            0.0
        }
    }

    /// Narrows the window by an axis along which the parts have `gap` at the start, negative for an overlap, and the
    /// second part moves at `speed`. Returns whether the window is still open.
    ///
    /// Projections that are apart and do not approach, at speed 0 as well, close it. Projections that overlap may
    /// recede: 001 says that all must approach, but its code is right.
    pub(super) fn narrow(&mut self, gap: f64, speed: f64, axis: DVec3) -> bool {
        if speed < 0.0 {
            self.raise_first(gap / -speed, axis);
        } else if speed > 0.0 {
            self.last = self.last.min(-gap / speed);
        } else if gap > 0.0 {
            self.last = f64::NEG_INFINITY;
        }
        self.is_open()
    }

    pub(super) fn raise_first(&mut self, first: f64, axis: DVec3) {
        if first > self.first {
            self.first = first;
            self.axis = axis;
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.first <= self.last && self.first <= self.until
    }
}
