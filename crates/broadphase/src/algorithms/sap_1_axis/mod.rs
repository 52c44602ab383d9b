//! Sort and sweep on one axis.
//!
//! Every box is an interval on the axis. The intervals are sorted by their lower ends. Each overlaps those after it, up to
//! the first that begins beyond its upper end: these are tested on the two other axes. They are the active ones of a sweep, in
//! place: no list of them is kept (Ericson 2005).
//!
//! The axis has the largest variance of centres: where these are spread widest, the fewest boxes overlap. It is
//! chosen in every frame, but changed only where another axis has a clearly larger variance. So the choice does
//! not oscillate between similar axes.

mod axis_choice;
mod sweep;

use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Endpoint, Inspect, Mark, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::radix_sort::{Keyed, RadixSort, order_key};
use crate::{Aabb, Axis, Counters, Frame, Pair};
use sweep::{Interval, sweep};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Sort and sweep (one axis)",
    summary: "boxes sorted by where they begin on an axis; each is compared with those after it, up to the first that begins beyond it",
    source: "Baraff 1992 (sort and sweep); Ericson 2005, section 7.5",
    cost: "n + overlaps on one axis",
    watch_for: "the bars of a picked object: all that overlap it on the axis are tested, however far away",
    overlays: &[Caption::of(Overlay::Endpoints)],
    single_threaded: true,
    memory: |n| n * 40,
    keeps_state: true,
    ..Algorithm::new("sap-1-axis", Kind::Sorting, |_| Managed::boxed(Sap1Axis::default()))
};

/// Pairs that are counted at once: to count each one takes a fifth of the search.
const COUNTED_AT_ONCE: usize = 64;

/// Sort and sweep. Time O(n + s) for s pairs that overlap on the axis: about n^(5/3) of them in a
/// cube filled evenly, n² where boxes overlap on the axis whatever the other axes do. Memory O(n).
#[derive(Clone, Debug, Default)]
pub(crate) struct Sap1Axis {
    /// The sweep axis; `None` before the first object.
    axis: Option<Axis>,
    axis_changed: bool,
    /// Objects by the lower ends of their intervals.
    order: Vec<Keyed>,
    sort: RadixSort,
    /// The intervals in that order.
    sorted: Vec<Interval>,
    tests: u64,
}

memory!(Sap1Axis: order, sort, sorted);

impl Structure for Sap1Axis {
    fn update(&mut self, frame: &Frame<'_>) {
        let chosen = axis_choice::choose(self.axis, frame.boxes);
        self.axis_changed = chosen != self.axis;
        self.axis = chosen;
        self.order.clear();
        self.sorted.clear();
        let Some(axis) = chosen else {
            return;
        };
        let present = (0..).zip(frame.boxes).filter(|(_, b)| !b.is_empty());
        let keyed =
            |(object, b): (u32, &Aabb)| Keyed { key: order_key(b.min[axis.index()]), object };
        self.order.extend(present.map(keyed));
        self.sort.sort(&mut self.order);
        let interval = |k: &Keyed| Interval::new(k.object, &frame.boxes[k.object as usize], axis);
        self.sorted.extend(self.order.iter().map(interval));
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let (stop, first) = (|| frame.is_stopped(), pairs.len());
        self.tests = sweep(&self.sorted, stop, |a, b| {
            if a.overlaps_across(b) && frame.admits(a.object, b.object) {
                pairs.push(Pair::new(a.object, b.object));
                if (pairs.len() - first).is_multiple_of(COUNTED_AT_ONCE) {
                    frame.count(COUNTED_AT_ONCE);
                }
            }
        });
        frame.count((pairs.len() - first) % COUNTED_AT_ONCE);
    }

    fn counters(&self) -> Counters {
        Counters {
            tests: self.tests,
            axis_overlaps: self.tests,
            rebuilds: u64::from(self.axis_changed),
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        let mut listed = vec![false; frame.boxes.len()];
        for interval in &self.sorted {
            let object = interval.object;
            let again = std::mem::replace(&mut listed[object as usize], true);
            assert!(!again, "object {object} is in the list twice");
            let b = &frame.boxes[object as usize];
            let current = self.axis.map(|axis| Interval::new(object, b, axis));
            let is_current = !b.is_empty() && current == Some(*interval);
            assert!(is_current, "the list has an outdated interval of object {object}");
        }
        let present = frame.boxes.iter().filter(|b| !b.is_empty()).count();
        assert_eq!(self.sorted.len(), present, "not as many intervals as objects");
        assert!(self.sorted.is_sorted_by_key(|i| i.ends()[0]), "the list is not sorted");
    }
}

impl Inspect for Sap1Axis {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(axis) = self.axis.filter(|_| overlay == Overlay::Endpoints) else { return };
        for interval in &self.sorted {
            let [low, high] = interval.ends();
            Endpoint::visit_both(axis, interval.object, low, high, visit);
        }
    }

    /// Repeats the sweep on the list of the last update.
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        sweep(&self.sorted, || false, |a, b| visit(a.object, b.object, None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
    use glam::Vec3;

    fn three() -> [Aabb; 3] {
        [3.0, 1.0, 2.0].map(|x| Aabb::around_sphere(Vec3::X * x, 0.6))
    }

    fn updated(boxes: &[Aabb]) -> Sap1Axis {
        let mut sap = Sap1Axis::default();
        sap.update(&Frame::new(boxes));
        sap
    }

    #[test]
    fn tests_are_the_pairs_that_overlap_on_the_axis() {
        let mut boxes = three().to_vec();
        // Beside the others on another axis, about the middle one on this.
        boxes.push(Aabb::around_sphere(Vec3::new(2.0, 0.0, 9.0), 0.1));
        // The variance is largest on z: 9 counts squared.
        let mut sap = updated(&boxes);
        assert_eq!(sap.axis, Some(Axis::Z));
        boxes[3] = Aabb::around_sphere(Vec3::new(2.0, 0.0, 1.0), 0.1);
        sap = updated(&boxes);
        assert_eq!(sap.axis, Some(Axis::X));
        let mut pairs = Vec::new();
        sap.find_pairs(&Frame::new(&boxes), &mut pairs);
        pairs.sort_unstable();
        assert_eq!(pairs, [Pair::new(0, 2), Pair::new(1, 2)]);
        assert_eq!(sap.counters().tests, 3);
    }

    #[test]
    fn validate_catches_each_fault() {
        let boxes = three();
        let validate = |sap: &Sap1Axis| sap.validate(&Frame::new(&boxes));
        let faults: [Fault<Sap1Axis>; 4] = [
            ("not sorted", |sap| sap.sorted.swap(0, 2)),
            ("outdated interval", |sap| sap.axis = sap.axis.map(Axis::next)),
            ("object 1 is in the list twice", |sap| sap.sorted[1] = sap.sorted[0]),
            ("not as many intervals", |sap| _ = sap.sorted.pop()),
        ];
        assert_faults_are_caught(|| updated(&boxes), validate, &faults);
    }
}
