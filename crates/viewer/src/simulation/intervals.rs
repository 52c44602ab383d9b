//! Sorted lists of endpoints, joined to intervals.

use broadphase::Axis;
use broadphase::inspect::{Endpoint, Inspect, Mark, Overlay};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Most objects whose intervals are kept, besides inspected ones. More hide each other.
pub const MAX_INTERVALS: usize = 2_000;

/// Gap between intervals in the same lane, in mean lengths. Without one, their bars would look like one interval.
const GAP: f32 = 0.1;

/// An object's interval in a sorted list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The axis of the list.
    pub axis: Axis,
    /// The object.
    pub object: u32,
    /// The lower end.
    pub low: f32,
    /// The upper end.
    pub high: f32,
    /// The lane in which it is drawn, from 0. Intervals in the same lane have a gap between them.
    pub lane: u32,
}

impl Interval {
    /// Whether both share a point. Intervals of different axes never do.
    pub fn overlaps(&self, other: &Interval) -> bool {
        self.axis == other.axis && self.low <= other.high && other.low <= self.high
    }
}

/// Intervals of lists, joined from their ends.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    /// Intervals in the order of axes and upper ends.
    pub kept: Vec<Interval>,
    /// Lanes on each axis: the largest number of kept intervals that overlap in one point, with the gaps between
    /// them. 0 without a list.
    pub lanes: [u32; 3],
}

/// Whether the interval of one of `objects` objects is kept: above [`MAX_INTERVALS`], those of every n-th and of inspected
/// ones.
pub(super) fn is_kept(object: u32, objects: usize, is_inspected: &dyn Fn(u32) -> bool) -> bool {
    object.is_multiple_of(objects.div_ceil(MAX_INTERVALS).max(1) as u32) || is_inspected(object)
}

impl Intervals {
    /// The lists of a structure of `objects` objects.
    pub(crate) fn of(
        inspect: &dyn Inspect,
        objects: usize,
        is_inspected: &dyn Fn(u32) -> bool,
    ) -> Self {
        let mut ends = Vec::new();
        inspect.marks(Overlay::Endpoints, &mut |mark| {
            let Mark::End(end) = mark else { return };
            if is_kept(end.object, objects, is_inspected) {
                ends.push(end);
            }
        });
        Self::join(ends, objects)
    }

    /// Joins ends to intervals, by a sweep along each axis.
    pub(super) fn join(mut ends: Vec<Endpoint>, objects: usize) -> Self {
        // Lower ends come before upper ends at the same position: touching intervals overlap.
        ends.sort_unstable_by(|a, b| {
            let axes = a.axis.index().cmp(&b.axis.index());
            let places = axes.then(a.position.total_cmp(&b.position));
            places.then((b.is_lower, a.object).cmp(&(a.is_lower, b.object)))
        });
        let mut joined = Self::default();
        let mut open = vec![None; objects];
        for of_axis in ends.chunk_by(|a, b| a.axis == b.axis) {
            joined.join_axis(of_axis, &mut open);
        }
        joined
    }

    /// Joins the sorted ends of an axis. `open` is scratch for the lower end and lane of the open intervals, by object.
    fn join_axis(&mut self, ends: &[Endpoint], open: &mut [Option<(f32, u32)>]) {
        let gap = GAP * mean_length(ends);
        open.fill(None);
        // Lanes whose last interval has ended, with the place from which on they are free: upper ends come in ascending order.
        let (mut free_lanes, mut ending) = (BinaryHeap::new(), VecDeque::new());
        for &Endpoint { axis, position, object, is_lower } in ends {
            let Some(open) = open.get_mut(object as usize) else { continue };
            if is_lower {
                while let Some((_, lane)) = ending.pop_front_if(|(from, _)| *from < position) {
                    free_lanes.push(Reverse(lane));
                }
                let lanes = &mut self.lanes[axis.index()];
                let lane = free_lanes.pop().map_or(*lanes, |Reverse(lane)| lane);
                *lanes = (*lanes).max(lane + 1);
                *open = Some((position, lane));
            } else if let Some((low, lane)) = open.take() {
                self.kept.push(Interval { axis, object, low, high: position, lane });
                ending.push_back((position + gap, lane));
            }
        }
    }
}

/// The mean length of the intervals with these ends.
fn mean_length(ends: &[Endpoint]) -> f32 {
    let (mut sum, mut number) = (0.0, 0.0f64);
    for end in ends {
        let place = f64::from(end.position);
        sum += if end.is_lower { -place } else { place };
        number += 0.5;
    }
    let mean = (sum / number) as f32;
    // Without intervals, or with infinite ones.
    if mean.is_finite() { mean } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(intervals: &[(f32, f32)]) -> Intervals {
        let mut ends = Vec::new();
        for (object, (low, high)) in (0..).zip(intervals) {
            for axis in [Axis::Z, Axis::X] {
                let end = |position, is_lower| Endpoint { axis, position, object, is_lower };
                // Unsorted.
                ends.extend([end(*high, false), end(*low, true)]);
            }
        }
        Intervals::join(ends, intervals.len())
    }

    #[test]
    fn overlapping_intervals_take_the_fewest_different_lanes() {
        let lists = joined(&[(0.0, 2.0), (1.0, 3.0), (3.0, 4.0), (2.5, 2.75), (5.0, 5.0)]);
        assert_eq!((lists.kept.len(), lists.lanes), (10, [2, 0, 2]));
        for (i, a) in lists.kept.iter().enumerate() {
            for b in &lists.kept[..i] {
                assert!(!a.overlaps(b) || a.lane != b.lane, "{a:?} {b:?}");
            }
        }
        let touching = |a: u32, b: u32| {
            let of = |object| lists.kept.iter().find(|i| i.object == object).unwrap();
            of(a).overlaps(of(b))
        };
        assert!(touching(0, 1) && touching(1, 2) && !touching(0, 2) && touching(4, 4));
    }

    #[test]
    fn intervals_in_a_lane_have_a_gap_between_them() {
        let lanes = |distance: f32| joined(&[(0.0, 1.0), (1.0 + distance, 2.0)]).lanes[0];
        assert_eq!([0.05, 0.2].map(lanes), [2, 1]);
    }

    #[test]
    fn an_even_part_and_inspected_objects_are_kept() {
        // Those between are not drawn, and take no lanes.
        let ends = |object, low| {
            let end = |position, is_lower| Endpoint { axis: Axis::X, position, object, is_lower };
            [end(low, true), end(low + 1.5, false)]
        };
        let all = (0..8_000).filter(|object| is_kept(*object, 8_000, &|_| false));
        let joined = Intervals::join(all.flat_map(|of| ends(of, of as f32)).collect(), 8_000);
        assert_eq!((joined.kept.len(), joined.lanes), (2_000, [1, 0, 0]));
        let kept = |objects: usize| {
            let is_kept = |of: &u32| is_kept(*of, objects, &|object| object == 7);
            (0..objects as u32).filter(is_kept).count()
        };
        assert_eq!([2_000, 2_001, 5_000].map(kept), [2_000, 1_001 + 1, 1_667 + 1]);
    }
}
