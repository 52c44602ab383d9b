//! Sweep and prune with persistent pairs: only ends that change their order in a sorted list are examined.
//!
//! Each axis has a list of the lower and upper ends of all boxes, kept sorted between frames by insertion.
//! Where little moves, few ends change their order. Where a lower end passes an upper one, two boxes begin to
//! overlap on this axis: they are tested, and the pair is added to a table if they overlap on all axes. Where
//! an upper end passes a lower one, they cease to overlap, and the pair is removed. All other pairs are
//! unchanged.
//!
//! A sort by insertion exchanges two ends exactly if their order has changed. So its exchanges are the
//! difference between two frames. A new pair has begun to overlap on some axis, a former one has ceased to on
//! some axis. So the lists can be sorted in sequence or in parallel.
//!
//! The first frame is a sweep of all boxes on the axis on which the fewest overlap. So is each frame in which
//! insertion would take longer, since most objects moved far, and each in which objects appear, vanish or change their
//! layers.

mod axis_list;
mod endpoint;
mod inspect;

use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::{for_each, threads_for};
use crate::radix_sort::Keyed;
use crate::sweep::SortedBoxes;
use crate::{Axis, Counters, Frame, Layer, Limits, Pair};
use axis_list::AxisList;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Sweep and prune (incremental)",
    summary: "the ends of boxes stay sorted on three axes; a pair is tested where two ends change places, and kept while it overlaps",
    source: "Baraff 1992; Cohen, Lin, Manocha, Ponamgi 1995 (I-COLLIDE); van den Bergen 2003; \
             Terdiman 2007 (Sweep-and-prune)",
    cost: "n + exchanges",
    watch_for: "exchanges: they grow with the speed of the objects, and in crowds",
    overlays: &[Caption::of(Overlay::Endpoints)],
    memory: |n| n * 126,
    vectorised: true,
    keeps_state: true,
    ..Algorithm::new(
        "sap-incremental",
        Kind::Sorting,
        |_| Managed::boxed(SapIncremental::default()),
    )
};

/// Exchanges per endpoint of a list that cost as much as a full sort (measured).
const EXCHANGES_PER_END: u64 = 2;

/// Tests of a sweep, sixteen at a time, that cost as much as one exchange on each of three axes (measured).
const TESTS_PER_EXCHANGE: u64 = 128;

/// Time to update an object on one axis, in nanoseconds (measured where little moves).
const NANOS_PER_OBJECT: usize = 50;

/// Sweep and prune with a persistent table of pairs. Time O(n + e + k) for e exchanges and k pairs. A full
/// sweep takes O(n log n + s + k), for s pairs that overlap on the best axis. An exchange costs more than a test
/// of a sweep, and their number grows with n times the motion of each object. So it suits scenes in which
/// little moves. Memory O(n + k).
#[derive(Clone, Debug, Default)]
pub(crate) struct SapIncremental {
    /// One for each axis.
    lists: [AxisList; 3],
    /// Whether each object is in the lists.
    listed: Vec<bool>,
    /// The layers of the pairs in the table.
    layers: Vec<Layer>,
    /// The pairs of the last frame.
    table: HashSet<Pair, FxBuildHasher>,
    /// Whether lists and table are those of the last frame: not before its search, and not if that was stopped.
    is_complete: bool,
    /// Whether the last update sorted all boxes for a sweep. Else it sorted the lists by insertion.
    is_swept: bool,
    /// The objects in the order of the swept list.
    order: Vec<Keyed>,
    /// Their boxes.
    sorted: SortedBoxes,
}

memory!(SapIncremental: lists, listed, layers, table, order, sorted);

impl SapIncremental {
    /// Updates lists and table by insertion. False where that takes too long or is stopped.
    fn repair(&mut self, frame: &Frame<'_>) -> bool {
        let Self { lists, table, .. } = self;
        let fewest = lists.iter().map(|list| list.overlaps).min().unwrap_or(0);
        let allowance =
            lists[0].ends.len() as u64 * EXCHANGES_PER_END + fewest / TESTS_PER_EXCHANGE;
        // Guards no other data: it only skips sorts whose lists will be rebuilt.
        let is_abandoned = AtomicBool::new(false);
        for_each(threads_for_axes(frame), lists, |axis, list| {
            let is_needed = !is_abandoned.load(Ordering::Relaxed);
            if is_needed && !list.repair(axis, allowance, frame) {
                is_abandoned.store(true, Ordering::Relaxed);
            }
        });
        if is_abandoned.into_inner() {
            return false;
        }
        for AxisList { begun, ceased, .. } in lists {
            for &[a, b] in &*ceased {
                table.remove(&Pair::new(a, b));
            }
            for &[a, b] in &*begun {
                if frame.is_stopped() || table.len() > frame.limits.most() {
                    return false;
                }
                let overlap = frame.boxes[a as usize].overlaps(&frame.boxes[b as usize]);
                if overlap && frame.admits(a, b) {
                    table.insert(Pair::new(a, b));
                }
            }
        }
        true
    }

    /// Rebuilds the lists, and sorts the boxes for a sweep on the axis with the fewest overlaps.
    fn sort(&mut self, frame: &Frame<'_>) {
        let Self { lists, listed, layers, order, sorted, .. } = self;
        listed.clear();
        listed.extend(frame.boxes.iter().map(|b| !b.is_empty()));
        layers.clear();
        layers.extend_from_slice(frame.layers);
        for_each(threads_for_axes(frame), lists, |axis, list| list.rebuild(axis, frame.boxes));
        let best = (0..3).min_by_key(|axis| lists[*axis].overlaps).unwrap_or(0);
        let lower = lists[best].ends.iter().filter(|end| end.is_lower());
        order.clear();
        order.extend(lower.map(|end| Keyed { key: end.key(), object: end.object() }));
        sorted.fill(order, frame.boxes, best);
    }
}

/// The number of threads that pay for the three lists.
fn threads_for_axes(frame: &Frame<'_>) -> usize {
    threads_for(Axis::ALL.len() * frame.boxes.len(), NANOS_PER_OBJECT)
}

impl Structure for SapIncremental {
    fn update(&mut self, frame: &Frame<'_>) {
        let present = frame.boxes.iter().map(|b| !b.is_empty());
        let is_alike = present.eq(self.listed.iter().copied()) && frame.layers == self.layers;
        self.is_complete = self.is_complete && is_alike && self.repair(frame);
        self.is_swept = !self.is_complete && !frame.is_stopped();
        if self.is_swept {
            self.sort(frame);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        // A stopped update leaves neither the pairs nor the boxes of this frame.
        if frame.is_stopped() || !self.is_complete && !self.is_swept {
            return;
        }
        if self.is_complete {
            pairs.extend(self.table.iter().take(frame.limits.most().saturating_add(1)));
            frame.count(self.table.len());
            return;
        }
        let first = pairs.len();
        self.sorted.find_pairs(frame, pairs);
        self.is_complete = !frame.is_stopped();
        if self.is_complete {
            self.table.clear();
            self.table.extend(&pairs[first..]);
        }
    }

    fn counters(&self) -> Counters {
        let exchanges = || self.lists.iter().map(|list| list.begun.len() as u64).sum();
        Counters {
            tests: if self.is_swept { self.sorted.tests() } else { exchanges() },
            axis_overlaps: self.lists.iter().map(|list| list.overlaps).sum(),
            rebuilds: u64::from(self.is_swept),
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        if !self.is_complete {
            return;
        }
        let mut swept = Self::default();
        let unlimited = frame.within(Limits::NONE);
        swept.update(&unlimited);
        swept.find_pairs(&unlimited, &mut Vec::new());
        assert!(self.listed == swept.listed, "the listed objects are not the present ones");
        for ((axis, list), expected) in Axis::ALL.iter().zip(&self.lists).zip(&swept.lists) {
            assert!(list.ends.is_sorted(), "the {axis:?} list is not sorted");
            assert!(list.ends == expected.ends, "the {axis:?} list has other ends than the boxes");
            // Counted by order, where the list counts events.
            let overlaps = expected.overlaps;
            assert_eq!(list.overlaps, overlaps, "overlaps on {axis:?} are counted wrongly");
        }
        let wrong = self.table.difference(&swept.table).next();
        assert_eq!(wrong, None, "the table has a pair that does not overlap");
        let lost = swept.table.difference(&self.table).next();
        assert_eq!(lost, None, "the table lacks a pair");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
    use crate::parallel::fewest_for_two;
    use crate::{Aabb, Layer};
    use glam::Vec3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn run(sap: &mut SapIncremental, frame: &Frame<'_>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        sap.update(frame);
        sap.validate(frame);
        sap.find_pairs(frame, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    fn vec3(rng: &mut ChaCha8Rng, reach: f32) -> Vec3 {
        Vec3::from(std::array::from_fn(|_| rng.random_range(-reach..reach)))
    }

    /// On a lattice, so that ends often have equal positions.
    fn lattice(v: Vec3) -> Vec3 {
        (v * 4.0).round() / 4.0
    }

    #[test]
    fn table_is_repaired_until_an_object_appears_or_vanishes() {
        for (n, threads) in [(40, 1), (300, 1), (fewest_for_two(3 * NANOS_PER_OBJECT), 2)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
            let mut sap = SapIncremental::default();
            let mut at: Vec<_> = (0..n).map(|_| vec3(&mut rng, 8.0)).collect();
            let (mut before, mut changes) = (Vec::new(), 0);
            for frame in 0..60 {
                // Objects are absent one after the other.
                let around = |(object, at): (usize, &Vec3)| {
                    Aabb::around_sphere(lattice(*at), 0.5 + (object % 3) as f32)
                };
                let mut boxes: Vec<_> = at.iter().enumerate().map(around).collect();
                boxes[frame / 10] = Aabb::EMPTY;
                // `validate` compares the table with a sweep.
                let pairs = pool.install(|| run(&mut sap, &Frame::new(&boxes)));
                assert_eq!(sap.counters().rebuilds, u64::from(frame % 10 == 0), "{n}, {frame}");
                changes += usize::from(frame % 10 > 0 && pairs != before);
                before = pairs;
                let step = 2.0 / n as f32;
                at.iter_mut().for_each(|at| *at += vec3(&mut rng, step));
            }
            assert!(changes > 20, "{n} objects: {changes}");
        }
    }

    #[test]
    fn frame_of_far_motions_is_swept() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut sap = SapIncremental::default();
        let mut rebuilds = Vec::new();
        let mut boxes = vec![Aabb::EMPTY; 500];
        for is_far in [true, false, true, false, false] {
            for b in &mut boxes {
                *b = if is_far { Aabb::around_sphere(vec3(&mut rng, 9.0), 0.5) } else { *b };
            }
            run(&mut sap, &Frame::new(&boxes));
            rebuilds.push(sap.counters().rebuilds);
        }
        assert_eq!(rebuilds, [1, 0, 1, 0, 0]);
        assert_eq!(sap.counters().tests, 0, "no object has moved, but boxes are tested");
    }

    #[test]
    fn sweep_axis_has_the_fewest_overlaps() {
        // In a line along y, but needles along y: on y all overlap.
        let boxes: Vec<_> = (0..20)
            .map(|i| {
                let center = Vec3::new(0.0, i as f32 * 9.0, i as f32);
                let half = Vec3::new(1.0, 999.0, 0.6);
                Aabb::new(center - half, center + half)
            })
            .collect();
        let mut sap = SapIncremental::default();
        assert_eq!(run(&mut sap, &Frame::new(&boxes)).len(), 19);
        assert_eq!((sap.is_swept, sap.sorted.axis()), (true, Axis::Z));
        assert_eq!(sap.counters().tests, 19);
        assert_eq!(sap.counters().axis_overlaps, 190 + 190 + 19);
    }

    #[test]
    fn changed_layers_apply_at_once() {
        let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 2];
        let mut sap = SapIncremental::default();
        let frame = Frame::new(&boxes);
        let pair = [Pair::new(0, 1)];
        assert_eq!(run(&mut sap, &frame), pair);
        assert_eq!(run(&mut sap, &frame.layered(&[Layer::STATIC; 2])), []);
        assert_eq!(run(&mut sap, &frame), pair);
        assert_eq!(run(&mut sap, &frame), pair);
        assert_eq!(sap.counters().rebuilds, 0, "layers that stay cause no sweep");
    }

    #[test]
    fn validate_catches_each_fault() {
        let boxes = [3.0, 1.0, 2.0].map(|x| Aabb::around_sphere(Vec3::splat(x), 0.6));
        let frame = Frame::new(&boxes);
        let built = || {
            let mut sap = SapIncremental::default();
            run(&mut sap, &frame);
            sap
        };
        let faults: [Fault<SapIncremental>; 6] = [
            ("Y list is not sorted", |sap| sap.lists[1].ends.swap(0, 1)),
            ("Z list has other ends", |sap| _ = sap.lists[2].ends.pop()),
            ("not the present ones", |sap| sap.listed[0] = false),
            ("overlaps on X are counted wrongly", |sap| sap.lists[0].overlaps += 1),
            ("a pair that does not overlap", |sap| _ = sap.table.insert(Pair::new(0, 1))),
            ("lacks a pair", |sap| _ = sap.table.remove(&Pair::new(0, 2))),
        ];
        assert_faults_are_caught(built, |sap| sap.validate(&frame), &faults);
    }
}
