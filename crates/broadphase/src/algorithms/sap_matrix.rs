//! Counting pairs and pruning: sweep and prune with a matrix of counters.
//!
//! Three lists of the objects, one per axis, are kept between frames, so that they are nearly
//! sorted. A sweep per axis finds the pairs whose intervals overlap there, and adds one to the pair's
//! cell in an n x n byte matrix. Then the pairs of the axis with the fewest are read: a cell of three
//! is an overlap on every axis. Last, the cells touched are reset.
//!
//! The pairs of an axis are stored as runs. In the sorted list, the partners of an object follow it
//! directly, so each run is stored as its length. This takes O(n) memory. Single pairs could take
//! several times as much as the matrix.

mod inspect;

use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::{Aabb, Axis, Counters, Frame, Pair};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Sweep and prune (matrix)",
    summary: "boxes sorted on three axes; a matrix counts the axes on which a pair overlaps: at 3 it is found",
    source: "Kurtanjek 2008, sections 3.4 and 4.4; after Cohen, Lin, Manocha, Ponamgi 1995",
    cost: "n + overlaps, summed over the axes",
    watch_for: "the matrix: with many objects most of its n²/2 cells stay empty, yet take memory",
    overlays: &[Caption::of(Overlay::Endpoints), Caption::of(Overlay::Matrix)],
    single_threaded: true,
    memory: |n| n.saturating_mul(n).saturating_add(3 * n * size_of::<Interval>() as u64),
    keeps_state: true,
    ..Algorithm::new("sap-matrix", Kind::Sorting, |_| Managed::boxed(SapMatrix::default()))
};

/// The variant that compares one pair at a time, as the thesis did.
///
/// It runs the code of [`ENTRY`], which is scalar too: a step of the sweep writes to an address that
/// depends on the data, so that the compiler cannot vectorise it. It exists so that each of the
/// thesis' four algorithms has a `+scalar` entry.
pub const ENTRY_SCALAR: Algorithm = Algorithm {
    name: "Sweep and prune (matrix), one pair at a time",
    summary: "the same code as `sap-matrix`, which compares one pair at a time",
    ..ENTRY.variant("sap-matrix+scalar", |_| Managed::boxed(SapMatrix::default()))
};

/// Shifts per object after which the insertion sort gives way to a full sort. From about there on a
/// comparison sort is cheaper.
const SHIFTS_PER_OBJECT: usize = 16;

/// Sweep and prune with a matrix. Time O(n + s + o), for s exchanges while sorting and o pairs that
/// overlap on an axis. In a cube, o is O(n²) with a small factor. Memory n² bytes.
#[derive(Debug, Default)]
pub(crate) struct SapMatrix {
    lists: [AxisList; 3],
    /// Row: the lower id, column: the higher. All zero between frames; empty before the first one.
    matrix: Vec<u8>,
    tests: u64,
}

/// Without the matrix, which holds nothing between frames: the next update makes a new one.
impl Clone for SapMatrix {
    fn clone(&self) -> Self {
        Self { lists: self.lists.clone(), matrix: Vec::new(), tests: self.tests }
    }
}

memory!(SapMatrix: lists, matrix);

/// The objects sorted by the lower end of their interval on one axis.
#[derive(Clone, Debug, Default)]
struct AxisList {
    /// Intervals of absent objects are empty and sorted to the end, so that they have no partners.
    intervals: Vec<Interval>,
    /// Sum of the partners of all objects.
    pairs: u64,
}

memory!(AxisList: intervals);

/// An object's extent on one axis.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: f32,
    high: f32,
    object: u32,
    /// Number of objects after this one in the list that start within its interval.
    partners: u32,
}

impl AxisList {
    fn update(&mut self, axis: usize, boxes: &[Aabb]) {
        let Self { intervals, pairs } = self;
        if intervals.len() != boxes.len() {
            intervals.clear();
            let objects = 0..boxes.len() as u32;
            let interval = |object| Interval { low: 0.0, high: 0.0, object, partners: 0 };
            intervals.extend(objects.map(interval));
        }
        for interval in &mut *intervals {
            (interval.low, interval.high) = extent(&boxes[interval.object as usize], axis);
        }
        sort_nearly_sorted(intervals);
        *pairs = 0;
        for first in 0..intervals.len() {
            let Interval { high, .. } = intervals[first];
            let after = &intervals[first + 1..];
            let partners = after.partition_point(|other| other.low <= high) as u32;
            intervals[first].partners = partners;
            *pairs += u64::from(partners);
        }
    }

    /// Calls `visit` with every pair of the list; with some of them only, once the frame is stopped.
    fn for_each_pair(&self, frame: &Frame<'_>, mut visit: impl FnMut(Pair)) {
        for (first, interval) in self.intervals.iter().enumerate() {
            if frame.is_stopped() {
                return;
            }
            let partners = &self.intervals[first + 1..][..interval.partners as usize];
            for other in partners {
                visit(Pair::new(interval.object, other.object));
            }
        }
    }
}

/// The ends of a box on an axis. Those of absent objects are beyond all others.
fn extent(b: &Aabb, axis: usize) -> (f32, f32) {
    let b = if b.is_empty() { &Aabb::EMPTY } else { b };
    (b.min[axis], b.max[axis])
}

/// Adds one to the cell of every pair of each list.
fn count(lists: &[AxisList; 3], frame: &Frame<'_>, matrix: &mut [u8]) {
    let n = lists[0].intervals.len();
    for list in lists {
        list.for_each_pair(frame, |pair| matrix[cell(n, pair)] += 1);
    }
}

/// The list with the fewest pairs.
fn shortest(lists: &[AxisList; 3]) -> &AxisList {
    lists.iter().min_by_key(|list| list.pairs).unwrap_or(&lists[0])
}

/// Cell of a pair in the matrix of n x n bytes.
#[inline]
fn cell(n: usize, pair: Pair) -> usize {
    pair.a as usize * n + pair.b as usize
}

/// Sorts by the lower end: by insertion if the list is nearly sorted.
fn sort_nearly_sorted(intervals: &mut [Interval]) {
    let mut shifts_left = intervals.len() * SHIFTS_PER_OBJECT;
    for i in 1..intervals.len() {
        let moving = intervals[i];
        let mut hole = i;
        while hole > 0 && intervals[hole - 1].low > moving.low {
            intervals[hole] = intervals[hole - 1];
            hole -= 1;
        }
        intervals[hole] = moving;
        match shifts_left.checked_sub(i - hole) {
            Some(left) => shifts_left = left,
            None => {
                intervals.sort_unstable_by(|a, b| a.low.total_cmp(&b.low));
                return;
            }
        }
    }
}

impl Structure for SapMatrix {
    fn update(&mut self, frame: &Frame<'_>) {
        let n = frame.boxes.len();
        if self.matrix.len() != n * n {
            // The system provides zeroed pages on first touch. Writing gigabytes of zeros here would
            // delay a stop. The old matrix is freed first.
            self.matrix = Vec::new();
            self.matrix = vec![0; n * n];
        }
        for axis in Axis::ALL {
            self.lists[axis.index()].update(axis.index(), frame.boxes);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let Self { lists, matrix, tests } = self;
        let n = lists[0].intervals.len();
        count(lists, frame, matrix);
        *tests = 0;
        shortest(lists).for_each_pair(frame, |pair| {
            if matrix[cell(n, pair)] == 3 {
                // An overlap on all three axes is an overlap of the boxes, so that no test is
                // left. The thesis calls the pairs that get here tested.
                *tests += 1;
                if frame.admits(pair.a, pair.b) {
                    pairs.push(pair);
                    frame.count(1);
                }
            }
        });
        for list in lists.iter() {
            list.for_each_pair(frame, |pair| matrix[cell(n, pair)] = 0);
        }
        if frame.is_stopped() {
            // Some counts are left.
            matrix.fill(0);
        }
    }

    fn counters(&self) -> Counters {
        Counters {
            tests: self.tests,
            axis_overlaps: self.lists.iter().map(|list| list.pairs).sum(),
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        let n = frame.boxes.len();
        let is_sized = self.matrix.len() == n * n || frame.is_stopped();
        assert!(is_sized, "the matrix has another size");
        assert!(self.matrix.iter().all(|c| *c == 0), "a cell was not reset");
        for (axis, list) in Axis::ALL.into_iter().zip(&self.lists) {
            let mut listed = vec![false; n];
            for Interval { low, high, object, .. } in &list.intervals {
                let again = std::mem::replace(&mut listed[*object as usize], true);
                assert!(!again, "object {object} is in the {axis:?} list twice");
                let current = extent(&frame.boxes[*object as usize], axis.index());
                let is_current = (*low, *high) == current;
                assert!(is_current, "the {axis:?} list has an old interval of object {object}");
            }
            assert!(listed.iter().all(|l| *l), "the {axis:?} list lacks an object");
            let is_sorted = list.intervals.is_sorted_by(|a, b| a.low <= b.low);
            assert!(is_sorted, "the {axis:?} list is not sorted");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
    use glam::Vec3;

    #[test]
    fn validate_catches_each_fault() {
        let boxes = [3.0, 1.0, 2.0].map(|x| Aabb::around_sphere(Vec3::splat(x), 0.6));
        let frame = Frame::new(&boxes);
        let searched = || {
            let (mut sap, mut pairs) = (SapMatrix::default(), Vec::new());
            sap.update(&frame);
            sap.find_pairs(&frame, &mut pairs);
            pairs.sort_unstable();
            assert_eq!(pairs, [Pair::new(0, 2), Pair::new(1, 2)]);
            assert_eq!(sap.counters().axis_overlaps, 6);
            sap
        };
        let faults: [Fault<SapMatrix>; 3] = [
            ("not reset", |sap| sap.matrix[1] = 1),
            ("not sorted", |sap| sap.lists[1].intervals.swap(0, 2)),
            ("old interval of object 0", |sap| sap.lists[1].intervals[2].high += 0.5),
        ];
        assert_faults_are_caught(searched, |sap| sap.validate(&frame), &faults);
    }

    #[test]
    fn a_matrix_beyond_the_memory_limit_is_refused() {
        let settings = crate::entry::Settings::new(100_000).memory_limit(1 << 30);
        let refusal = ENTRY.create(&settings).err().unwrap().to_string();
        assert!(refusal.contains("needs 10.0 GB for 100000 objects"), "{refusal}");
    }
}
