//! The sweep.

use crate::{Aabb, Axis};

/// A box, with its interval on the swept axis first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f32,
    pub(super) high: f32,
    /// Its bounds on the two other axes.
    beside_low: [f32; 2],
    beside_high: [f32; 2],
    pub(super) object: u32,
}

impl Interval {
    pub(super) fn new(object: u32, b: &Aabb, axis: Axis) -> Self {
        let [k, l, m] = [axis, axis.next(), axis.next().next()].map(Axis::index);
        Self {
            low: b.min[k],
            high: b.max[k],
            beside_low: [b.min[l], b.min[m]],
            beside_high: [b.max[l], b.max[m]],
            object,
        }
    }

    /// Whether two boxes overlap on the two axes that are not swept.
    #[inline]
    pub(super) fn overlaps_beside(&self, other: &Self) -> bool {
        // `&`, not `&&`: a branch would be mispredicted.
        (self.beside_low[0] <= other.beside_high[0])
            & (other.beside_low[0] <= self.beside_high[0])
            & (self.beside_low[1] <= other.beside_high[1])
            & (other.beside_low[1] <= self.beside_high[1])
    }
}

/// Tests between two checks of the limits: less than a millisecond. One object has more where it overlaps more.
const TESTS_PER_CHECK: u64 = 1 << 14;

/// Calls `meet` with every two intervals that overlap on the axis, until `stop` returns true. Returns the
/// number of calls.
pub(super) fn sweep(
    sorted: &[Interval],
    active: &mut Vec<Interval>,
    stop: impl Fn() -> bool,
    mut meet: impl FnMut(&Interval, &Interval),
) -> u64 {
    active.clear();
    // Enough for any number of active intervals, so that the sweep allocates nothing.
    active.reserve(sorted.len());
    let mut tests = 0;
    let mut next_check = 0;
    for interval in sorted {
        if tests >= next_check {
            if stop() {
                break;
            }
            next_check = tests + TESTS_PER_CHECK;
        }
        let mut k = 0;
        while let Some(other) = active.get(k) {
            if other.high < interval.low {
                // It has ended. The order of the others does not matter.
                active.swap_remove(k);
            } else {
                tests += 1;
                meet(other, interval);
                k += 1;
            }
        }
        active.push(*interval);
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn interval_meets_all_active_ones() {
        let from_to = |(object, ends): (u32, [f32; 2])| {
            let [low, high] = ends.map(|y| Vec3::new(0.0, y, 0.0));
            Interval::new(object, &Aabb::new(low, high), Axis::Y)
        };
        // The first ends last; the second ends where the third begins; the fourth is a point at its end.
        let ends = [[0.0, 9.0], [1.0, 2.0], [2.0, 3.0], [3.0, 3.0], [3.5, 4.0]];
        let sorted: Vec<_> = (0..).zip(ends).map(from_to).collect();
        let (mut active, mut met) = (Vec::new(), Vec::new());
        let mut run = |stop: bool| {
            met.clear();
            let tests = sweep(&sorted, &mut active, || stop, |a, b| met.push([a.object, b.object]));
            met.sort_unstable();
            (tests, met.clone())
        };
        let all = (6, vec![[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [2, 3]]);
        assert_eq!(run(false), all);
        assert_eq!(run(true), (0, vec![]));
        assert_eq!(run(false), all, "a stopped sweep leaves nothing behind");
    }
}
