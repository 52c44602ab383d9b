//! The sweep.

use crate::sweep::{axes_from, bounds_along};
use crate::{Aabb, Axis};

/// A box: its bounds on the swept axis, then on the two others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    min: [f32; 3],
    max: [f32; 3],
    pub(super) object: u32,
}

impl Interval {
    pub(super) fn new(object: u32, b: &Aabb, axis: Axis) -> Self {
        let (min, max) = bounds_along(b, axes_from(axis.index()));
        Self { min, max, object }
    }

    /// The ends of its interval.
    #[inline]
    pub(super) fn ends(&self) -> [f32; 2] {
        [self.min[0], self.max[0]]
    }

    /// Whether two boxes overlap on the two axes that are not swept.
    #[inline]
    pub(super) fn overlaps_across(&self, other: &Self) -> bool {
        // `&`, not `&&`: a branch would be mispredicted.
        (self.min[1] <= other.max[1])
            & (other.min[1] <= self.max[1])
            & (self.min[2] <= other.max[2])
            & (other.min[2] <= self.max[2])
    }
}

/// Tests between two checks of the limits: less than a millisecond. One object has more where it overlaps more.
const TESTS_PER_CHECK: u64 = 1 << 14;

/// Calls `meet` with every two intervals that overlap on the axis, until `stop` returns true. Returns the
/// number of calls.
pub(super) fn sweep(
    sorted: &[Interval],
    stop: impl Fn() -> bool,
    mut meet: impl FnMut(&Interval, &Interval),
) -> u64 {
    let (mut tests, mut next_check) = (0, 0);
    for (position, interval) in sorted.iter().enumerate() {
        if tests >= next_check {
            if stop() {
                break;
            }
            next_check = tests + TESTS_PER_CHECK;
        }
        for other in &sorted[position + 1..] {
            if other.min[0] > interval.max[0] {
                break;
            }
            tests += 1;
            meet(interval, other);
        }
    }
    tests
}
