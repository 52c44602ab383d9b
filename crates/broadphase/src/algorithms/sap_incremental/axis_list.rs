//! The sorted endpoints on one axis, and the events of their sort.

use super::endpoint::ListedEnd;
use crate::memory::memory;
use crate::{Aabb, Frame};

/// The ends of all present objects on one axis, sorted. Aligned to two cache lines, since threads write
/// side by side.
#[derive(Clone, Debug, Default)]
#[repr(align(128))]
pub(super) struct AxisList {
    pub(super) ends: Vec<ListedEnd>,
    /// Pairs that overlap on this axis.
    pub(super) overlaps: u64,
    /// Objects whose intervals began to overlap while the list was last sorted by insertion.
    pub(super) begun: Vec<[u32; 2]>,
    /// Objects whose intervals ceased to overlap in the same sort.
    pub(super) ceased: Vec<[u32; 2]>,
}

memory!(AxisList: ends, begun, ceased);

/// Endpoints between two checks of the stop flag.
const ENDS_PER_CHECK: usize = 1 << 12;

impl AxisList {
    /// Lists the ends of all present objects on an axis, and counts the overlaps: an interval overlaps those that are active
    /// where it begins.
    pub(super) fn rebuild(&mut self, axis: usize, boxes: &[Aabb]) {
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
        self.ends.clear();
        self.ends
            .extend(present.flat_map(|(id, b)| ListedEnd::both([b.min[axis], b.max[axis]], id)));
        self.ends.sort_unstable();
        self.begun.clear();
        self.ceased.clear();
        let mut active = 0;
        self.overlaps = 0;
        for end in &self.ends {
            if end.is_lower() {
                self.overlaps += active;
                active += 1;
            } else {
                active -= 1;
            }
        }
    }

    /// Moves the ends and sorts them by insertion. Notes every exchange of a lower end with an upper one. Returns false
    /// if that needs more than about `allowance` exchanges, or if the frame is stopped.
    ///
    /// An eighth of the allowance is available at the start; the rest accrues evenly along the list. So a frame in which
    /// most objects moved far stops early.
    pub(super) fn repair(&mut self, axis: usize, allowance: u64, frame: &Frame<'_>) -> bool {
        // Lowest corner, then highest: the kind of an end is an index, not an unpredictable branch.
        let corners: &[[[f32; 3]; 2]] = bytemuck::cast_slice(frame.boxes);
        for end in &mut self.ends {
            let corner = corners[end.object() as usize][usize::from(!end.is_lower())];
            *end = end.moved_to(corner[axis]);
        }
        self.begun.clear();
        self.ceased.clear();
        let share = allowance as f64 / self.ends.len() as f64;
        let mut left = allowance as f64 / 8.0;
        for i in 1..self.ends.len() {
            if i % ENDS_PER_CHECK == 0 && frame.is_stopped() {
                return false;
            }
            let hole = self.insert(i);
            left += share - (i - hole) as f64;
            if left < 0.0 {
                return false;
            }
        }
        self.overlaps += self.begun.len() as u64;
        self.overlaps -= self.ceased.len() as u64;
        true
    }

    /// Moves an end down to its place among those before it, and returns the place.
    #[inline]
    fn insert(&mut self, i: usize) -> usize {
        let moving = self.ends[i];
        let is_lower = moving.is_lower();
        // A lower end that passes an upper one begins an overlap; an upper end that passes a lower one ends it.
        let events = if is_lower { &mut self.begun } else { &mut self.ceased };
        let mut hole = i;
        while hole > 0 && self.ends[hole - 1] > moving {
            let passed = self.ends[hole - 1];
            self.ends[hole] = passed;
            hole -= 1;
            if passed.is_lower() != is_lower {
                events.push([moving.object(), passed.object()]);
            }
        }
        self.ends[hole] = moving;
        hole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Intervals on x.
    fn boxes(intervals: &[[f32; 2]]) -> Vec<Aabb> {
        let at = |x: f32| Vec3::new(x, 0.0, 0.0);
        intervals.iter().map(|&[low, high]| Aabb::new(at(low), at(high))).collect()
    }

    fn sorted(boxes: &[Aabb]) -> AxisList {
        let mut list = AxisList::default();
        list.rebuild(0, boxes);
        list
    }

    #[test]
    fn stopped_sort_is_early_and_loses_no_end() {
        let before: Vec<_> = (0..500).map(|i| [i as f32, i as f32 + 0.5]).collect();
        let after: Vec<_> = before.iter().map(|[low, high]| [-high, -low]).collect();
        let (before, after) = (boxes(&before), boxes(&after));
        let mut list = sorted(&before);
        assert!(!list.repair(0, 16 * 1000, &Frame::new(&after)));
        assert!(list.begun.len() < 8000, "stopped after {} events", list.begun.len());
        list.ends.sort_unstable();
        assert_eq!(list.ends, sorted(&after).ends);
    }
}
