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

/// The intervals of all lists.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    /// Intervals in the order of axes and upper ends. Above [`MAX_INTERVALS`] objects, those of
    /// every [`stride`](Self::stride)-th object and of inspected ones.
    pub kept: Vec<Interval>,
    /// Lanes on each axis: the largest number of kept intervals that overlap in one point, with the gaps between
    /// them. 0 without a list.
    pub lanes: [u32; 3],
    /// Distance between the numbers of kept objects; see [`kept`](Self::kept).
    pub stride: u32,
    endpoints: Vec<Endpoint>,
    /// Lower end and lane of the open intervals, by object.
    open: Vec<Option<(f32, u32)>>,
    free_lanes: BinaryHeap<Reverse<u32>>,
    /// Lanes whose last interval has ended, with the place from which on they are free.
    ending: VecDeque<(f32, u32)>,
}

impl Intervals {
    pub(super) fn clear(&mut self, objects: usize) {
        self.kept.clear();
        self.endpoints.clear();
        self.lanes = [0; 3];
        self.stride = objects.div_ceil(MAX_INTERVALS).max(1) as u32;
    }

    /// The lists of a structure of `objects` objects.
    pub(crate) fn of(
        inspect: &dyn Inspect,
        objects: usize,
        is_inspected: &dyn Fn(u32) -> bool,
    ) -> Self {
        let mut lists = Self::default();
        lists.clear(objects);
        inspect.marks(Overlay::Endpoints, &mut |mark| {
            if let Mark::End(end) = mark {
                lists.keep(end, is_inspected);
            }
        });
        lists.join(objects);
        lists
    }

    pub(super) fn keep(&mut self, endpoint: Endpoint, is_inspected: &dyn Fn(u32) -> bool) {
        if endpoint.object.is_multiple_of(self.stride) || is_inspected(endpoint.object) {
            self.endpoints.push(endpoint);
        }
    }

    /// Joins the endpoints to intervals, by a sweep along each axis.
    pub(super) fn join(&mut self, objects: usize) {
        // Lower ends come before upper ends at the same position: touching intervals overlap.
        self.endpoints.sort_unstable_by(|a, b| {
            let axes = a.axis.index().cmp(&b.axis.index());
            let places = axes.then(a.position.total_cmp(&b.position));
            places.then((b.is_lower, a.object).cmp(&(a.is_lower, b.object)))
        });
        self.open.clear();
        self.open.resize(objects, None);
        let (mut axis, mut gap) = (None, 0.0);
        for end in &self.endpoints {
            if axis.replace(end.axis) != Some(end.axis) {
                self.free_lanes.clear();
                self.ending.clear();
                self.open.fill(None);
                gap = GAP * mean_length(self.endpoints.iter().filter(|e| e.axis == end.axis));
            }
            let Some(open) = self.open.get_mut(end.object as usize) else { continue };
            if end.is_lower {
                while let Some((_, lane)) =
                    self.ending.pop_front_if(|(from, _)| *from < end.position)
                {
                    self.free_lanes.push(Reverse(lane));
                }
                let lanes = &mut self.lanes[end.axis.index()];
                let lane = self.free_lanes.pop().map_or(*lanes, |Reverse(lane)| lane);
                *lanes = (*lanes).max(lane + 1);
                *open = Some((end.position, lane));
            } else if let Some((low, lane)) = open.take() {
                let Endpoint { axis, object, position: high, .. } = *end;
                self.kept.push(Interval { axis, object, low, high, lane });
                // Upper ends come in ascending order.
                self.ending.push_back((high + gap, lane));
            }
        }
    }
}

/// The mean length of the intervals with these ends.
fn mean_length<'a>(ends: impl Iterator<Item = &'a Endpoint>) -> f32 {
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

    fn joined(intervals: &[(f32, f32)], is_inspected: &dyn Fn(u32) -> bool) -> Intervals {
        let mut lists = Intervals::default();
        lists.clear(intervals.len());
        for (object, (low, high)) in (0..).zip(intervals) {
            for axis in [Axis::Z, Axis::X] {
                let end = |position, is_lower| Endpoint { axis, position, object, is_lower };
                // Unsorted.
                lists.keep(end(*high, false), is_inspected);
                lists.keep(end(*low, true), is_inspected);
            }
        }
        lists.join(intervals.len());
        lists
    }

    #[test]
    fn overlapping_intervals_take_the_fewest_different_lanes() {
        let lists =
            joined(&[(0.0, 2.0), (1.0, 3.0), (3.0, 4.0), (2.5, 2.75), (5.0, 5.0)], &|_| false);
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
        let lanes =
            |distance: f32| joined(&[(0.0, 1.0), (1.0 + distance, 2.0)], &|_| false).lanes[0];
        assert_eq!([0.05, 0.2].map(lanes), [2, 1]);
    }

    #[test]
    fn an_even_part_and_inspected_objects_are_kept() {
        let many: Vec<(f32, f32)> = (0..5_000).map(|i| (i as f32, i as f32 + 0.5)).collect();
        let lists = joined(&many, &|object| object == 7);
        assert_eq!((lists.stride, lists.kept.len()), (3, 2 * (1667 + 1)));
        assert!(lists.kept.iter().any(|interval| interval.object == 7));
        assert_eq!(lists.lanes, [1, 0, 1]);
    }
}
