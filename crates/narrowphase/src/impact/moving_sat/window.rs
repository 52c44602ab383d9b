//! Between which times the projections on all axes so far overlap.

/// The times at which no axis so far separates two parts, as distances along the relative motion: so no velocity is too
/// large or too small for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The largest first time of an axis, 0 while no axis has a gap at the start.
    pub(super) first: f64,
    /// The smallest last time of an axis.
    pub(super) last: f64,
    /// Later first times do not count.
    pub(super) until: f64,
}

impl Window {
    /// Narrows the window by an axis along which the parts have the first gap at the start, and along whose opposite they
    /// have the second one. Gaps are negative for an overlap, and the first one grows at `speed`. Returns whether the axis
    /// has the first time; `None` if the window is closed.
    ///
    /// Projections that overlap may recede: 001 says that all must approach, but its code is right.
    pub(super) fn narrow(&mut self, gaps: [f64; 2], speed: f64) -> Option<bool> {
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
