//! Box pruning: sort along one axis, sweep, compare sixteen boxes at a time.
//!
//! The boxes are sorted by their lower bounds on one axis. A box can only overlap those after it that
//! begin before it ends: a run of its successors. They lie in blocks of sixteen, bound by bound. A few
//! vector instructions compare a box with a block on the other two axes. Four successive boxes are compared
//! with a block together, since their runs are nearly the same.
//!
//! A box far larger than the others only has a longer run itself; boxes before it are compared up to their
//! own ends. But the three other boxes of its group must not follow it. So the four are compared together up to
//! the end of the first of them. From there each is compared by itself, unless all end within a few blocks.

use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Inspect, Mark, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::{for_each_chunk, threads_for};
use crate::radix_sort::{Keyed, RadixSort, order_key};
use crate::sweep::{AxisChoice, SortedBoxes};
use crate::{Aabb, Counters, Frame, Pair};

/// Its entry in the registry.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "Box pruning",
    summary: "boxes sorted along one axis; each is compared, 16 at a time, with those after it, up to the first that begins beyond it",
    source: "P. Terdiman, Radix Sort Revisited (2000); Box Pruning Revisited (2017-2018)",
    cost: "n + (overlaps on one axis) / 16",
    watch_for: "the reach of a picked object along the axis: all blocks in it are compared, however far away",
    overlays: &[Caption::of(Overlay::Endpoints), Caption::of(Overlay::Blocks)],
    memory: |n| n * 45,
    vectorised: true,
    keeps_state: true,
    ..Algorithm::new("box-pruning", Kind::Sorting, |_| Box::<BoxPruning>::default())
};

/// Time to write the key of an object, in nanoseconds (measured).
const NANOS_PER_KEY: usize = 5;

/// Frames between two checks of whether another axis is better.
const FRAMES_PER_CHECK: u32 = 16;

/// The key of an absent object: above that of every float.
const ABSENT: u32 = u32::MAX;

/// Time O(n + t / 16) for a sort and t overlaps on the axis: t is O(n^(5/3)) for boxes spread evenly
/// with a few overlaps each, and O(n²) where all overlap on the axis. Memory about 50 bytes an
/// object, room to spare included.
pub type BoxPruning = Managed<Pruning>;

/// Its structure.
#[derive(Clone, Debug, Default)]
pub struct Pruning {
    /// The axis swept along.
    axis: usize,
    /// All objects by their lower bounds on it, the absent ones last.
    order: Vec<Keyed>,
    /// The boxes of those that are present.
    sorted: SortedBoxes,
    radix: RadixSort,
    choice: AxisChoice,
    frames: u32,
}

memory!(Pruning: order, sorted, radix, choice);

/// The place of a box in the order.
fn key(b: &Aabb, axis: usize) -> u32 {
    if b.is_empty() { ABSENT } else { order_key(b.min[axis]) }
}

impl Pruning {
    /// Chooses the best axis every few frames, and when the number of objects has changed.
    fn choose_axis(&mut self, boxes: &[Aabb]) {
        let is_due =
            self.frames.is_multiple_of(FRAMES_PER_CHECK) || self.order.len() != boxes.len();
        self.frames = self.frames.wrapping_add(1);
        if is_due {
            self.choice.update(boxes);
            self.axis = self.choice.best(self.axis);
        }
    }

    /// Sorts all objects by their keys.
    fn sort(&mut self, boxes: &[Aabb]) {
        let axis = self.axis;
        self.order.resize(boxes.len(), Keyed::default());
        let threads = threads_for(boxes.len(), NANOS_PER_KEY);
        for_each_chunk(threads, &mut self.order, |first, order| {
            for ((object, b), keyed) in (first as u32..).zip(&boxes[first..]).zip(order) {
                *keyed = Keyed { key: key(b, axis), object };
            }
        });
        self.radix.sort_parallel(&mut self.order);
    }
}

impl Structure for Pruning {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.choose_axis(boxes);
        self.sort(boxes);
        let present = self.order.partition_point(|keyed| keyed.key != ABSENT);
        self.sorted.fill(&self.order[..present], boxes, self.axis);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.sorted.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        let tests = self.sorted.tests();
        Counters {
            tests,
            axis_overlaps: tests,
            listings: self.sorted.len as u64,
            rebuilds: 1,
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        assert_eq!(self.order.len(), boxes.len(), "the order does not list all objects");
        let mut ordered = vec![false; boxes.len()];
        for keyed in &self.order {
            let (object, b) = (keyed.object, &boxes[keyed.object as usize]);
            let twice = std::mem::replace(&mut ordered[object as usize], true);
            assert!(!twice, "object {object} is in the order twice");
            assert_eq!(keyed.key, key(b, self.axis), "object {object}: an outdated key");
        }
        assert!(
            self.order.is_sorted_by_key(|keyed| keyed.key),
            "an object begins before its predecessor"
        );
        let present = boxes.iter().filter(|b| !b.is_empty()).count();
        self.sorted.validate(&self.order[..present], boxes);
    }
}

impl Inspect for Pruning {
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.sorted.visit_tests(visit);
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Endpoints => self.sorted.visit_ends(visit),
            Overlay::Blocks => self.sorted.visit_blocks(visit),
            _ => {}
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
        let mut boxes: Vec<_> =
            (0..40).map(|i| Aabb::around_sphere(Vec3::splat(i as f32), 0.7)).collect();
        (boxes[7], boxes[20]) = (Aabb::EMPTY, Aabb::new(Vec3::ONE, Vec3::ZERO));
        let frame = Frame::new(&boxes);
        let updated = || {
            let mut pruning = Pruning::default();
            pruning.update(&frame);
            pruning
        };
        let faults: [Fault<Pruning>; 5] = [
            ("begins before", |pruning| pruning.order.swap(3, 4)),
            ("twice", |pruning| pruning.order[5] = pruning.order[4]),
            ("an outdated key", |pruning| pruning.order[5].key += 1),
            ("another box", |pruning| pruning.sorted.blocks[1].max[2][3] += 1.0),
            // Behind the last box.
            ("another box", |pruning| pruning.sorted.blocks[2].min[0][15] = 3.0),
        ];
        assert_faults_are_caught(updated, |pruning| pruning.validate(&frame), &faults);
    }
}
