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
//! insertion would take longer, since most objects moved far or many appeared.

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
use crate::{Aabb, Axis, Counters, Frame, Pair, PairLimit};
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
    memory: |n| n * 182,
    // While the table of pairs grows, the old one is there too: 107 measured.
    pair_memory: 112,
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
    /// The pairs that overlap, of all layers.
    table: HashSet<Pair, FxBuildHasher>,
    state: State,
    /// The objects in the order of the swept list.
    order: Vec<Keyed>,
    /// Their boxes.
    sorted: SortedBoxes,
    /// Pairs of a sweep, until they are in the table.
    found: Vec<Pair>,
}

memory!(SapIncremental: lists, listed, table, order, sorted, found);

/// The result of the last update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// None yet, or it was stopped: lists and table are not valid.
    #[default]
    Unsound,
    /// All boxes were swept.
    Swept,
    /// All boxes were sorted. Table and lists are not valid: the pairs of all layers are more than a frame may have.
    Sorted,
    /// The lists were sorted by insertion.
    Repaired,
}

impl SapIncremental {
    /// Whether lists and table are those of the last frame.
    fn is_sound(&self) -> bool {
        matches!(self.state, State::Swept | State::Repaired)
    }

    /// Removes absent objects, and appends new ones at the end of the lists.
    fn update_presence(&mut self, boxes: &[Aabb]) {
        let is_present = |object: usize| boxes.get(object).is_some_and(|b| !b.is_empty());
        let mut is_any_absent = false;
        for (object, listed) in self.listed.iter_mut().enumerate() {
            is_any_absent |= *listed && !is_present(object);
            *listed &= is_present(object);
        }
        if is_any_absent {
            let listed = &self.listed;
            self.table.retain(|pair| listed[pair.a as usize] && listed[pair.b as usize]);
            self.lists.iter_mut().for_each(|list| list.drop_absent(listed));
        }
        self.listed.resize(boxes.len(), false);
        for (object, (listed, b)) in (0..).zip(self.listed.iter_mut().zip(boxes)) {
            if !*listed && !b.is_empty() {
                *listed = true;
                for (axis, list) in self.lists.iter_mut().enumerate() {
                    list.append(axis, object, b);
                }
            }
        }
    }

    /// Updates lists and table by insertion. False where that takes too long or is stopped.
    fn repair(&mut self, frame: &Frame<'_>) -> bool {
        self.update_presence(frame.boxes);
        let Self { lists, table, .. } = self;
        let fewest = lists.iter().map(|list| list.overlaps).min().unwrap_or(0);
        let allowance =
            lists[0].ends.len() as u64 * EXCHANGES_PER_END + fewest / TESTS_PER_EXCHANGE;
        // Guards no other data: it only skips sorts whose lists will be rebuilt.
        let is_abandoned = AtomicBool::new(false);
        for_each(threads_for_axes(frame), lists, |axis, list| {
            if is_abandoned.load(Ordering::Relaxed) {
                return;
            }
            list.refresh(axis, frame.boxes);
            if !list.sort_by_insertion(allowance, frame) {
                is_abandoned.store(true, Ordering::Relaxed);
            }
        });
        if is_abandoned.into_inner() {
            return false;
        }
        for AxisList { begun, ceased, .. } in lists {
            for &[a, b] in &*ceased {
                if frame.is_stopped() {
                    return false;
                }
                table.remove(&Pair::new(a, b));
            }
            for &[a, b] in &*begun {
                if frame.is_stopped() || table.len() > frame.limits.most() {
                    return false;
                }
                if frame.boxes[a as usize].overlaps(&frame.boxes[b as usize]) {
                    table.insert(Pair::new(a, b));
                }
            }
        }
        self.state = State::Repaired;
        true
    }

    /// Rebuilds lists and table.
    fn sweep(&mut self, frame: &Frame<'_>) {
        // The repair may have ended for that reason.
        if frame.is_stopped() {
            return;
        }
        let Self { lists, listed, table, order, sorted, found, .. } = self;
        listed.clear();
        listed.extend(frame.boxes.iter().map(|b| !b.is_empty()));
        for_each(threads_for_axes(frame), lists, |axis, list| list.rebuild(axis, frame.boxes));
        let best = (0..3).min_by_key(|axis| lists[*axis].overlaps).unwrap_or(0);
        let lower = lists[best].ends.iter().filter(|end| end.is_lower());
        order.clear();
        order.extend(lower.map(|end| Keyed { key: end.key(), object: end.object() }));
        sorted.fill(order, frame.boxes, best);
        table.clear();
        found.clear();
        let limit = PairLimit::new(frame.limits.most());
        let all = Frame { layers: &[], limits: frame.limits.bounded_apart(&limit), ..*frame };
        sorted.find_pairs(&all, found);
        if limit.is_exceeded() {
            self.state = State::Sorted;
            return;
        }
        table.reserve(found.len());
        for pair in &*found {
            if frame.is_stopped() {
                return;
            }
            table.insert(*pair);
        }
        if !frame.is_stopped() {
            self.state = State::Swept;
        }
    }

    /// Removed pairs leave tombstones in the table. It clears them without an allocation while it is half
    /// empty.
    fn keep_table_half_empty(&mut self) {
        let pairs = self.table.len();
        if self.table.capacity() < 2 * pairs + 64 {
            self.table.reserve(2 * pairs + 128);
        }
    }
}

/// The number of threads that pay for the three lists.
fn threads_for_axes(frame: &Frame<'_>) -> usize {
    threads_for(Axis::ALL.len() * frame.boxes.len(), NANOS_PER_OBJECT)
}

impl Structure for SapIncremental {
    fn update(&mut self, frame: &Frame<'_>) {
        let was_sound = self.is_sound();
        // Until the update ends: a stopped one leaves it so.
        self.state = State::Unsound;
        if frame.is_stopped() {
            return;
        }
        if !(was_sound && self.repair(frame)) {
            self.sweep(frame);
        }
        self.keep_table_half_empty();
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if self.state == State::Sorted {
            self.sorted.find_pairs(frame, pairs);
        } else if self.is_sound() && !frame.is_stopped() {
            let first = pairs.len();
            // Layers are checked here, not when a pair is inserted: they may change later.
            let admitted = self.table.iter().filter(|pair| frame.admits(pair.a, pair.b));
            pairs.extend(admitted.take(frame.limits.most().saturating_add(1)));
            frame.count(pairs.len() - first);
        }
    }

    fn counters(&self) -> Counters {
        let (tests, rebuilds) = match self.state {
            State::Unsound => (0, 0),
            State::Swept | State::Sorted => (self.sorted.tests(), 1),
            State::Repaired => (self.lists.iter().map(|list| list.begun.len() as u64).sum(), 0),
        };
        let axis_overlaps = self.lists.iter().map(|list| list.overlaps).sum();
        Counters { tests, axis_overlaps, rebuilds, ..Counters::default() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        if !self.is_sound() {
            return;
        }
        let boxes = frame.boxes;
        let present: Vec<_> = boxes.iter().map(|b| !b.is_empty()).collect();
        assert!(self.listed == present, "the listed objects are not the present ones");
        for (axis, list) in Axis::ALL.into_iter().zip(&self.lists) {
            let mut expected = AxisList::default();
            expected.rebuild(axis.index(), boxes);
            assert!(list.ends.is_sorted(), "the {axis:?} list is not sorted");
            assert!(list.ends == expected.ends, "the {axis:?} list has other ends than the boxes");
            // Counted by order, where the list counts events.
            let overlaps = expected.overlaps;
            assert_eq!(list.overlaps, overlaps, "overlaps on {axis:?} are counted wrongly");
        }
        for pair in &self.table {
            let overlap = boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]);
            assert!(overlap && pair.a < pair.b, "the table has {pair}, which does not overlap");
        }
        // All its pairs overlap. So it is complete if it has as many as there are.
        let mut order: Vec<_> = boxes.iter().filter(|b| !b.is_empty()).collect();
        order.sort_unstable_by(|a, b| a.min.x.total_cmp(&b.min.x));
        let mut overlaps = 0;
        for (i, a) in order.iter().enumerate() {
            let run = order[i + 1..].iter().take_while(|b| b.min.x <= a.max.x);
            overlaps += run.filter(|b| a.overlaps(b)).count();
        }
        assert_eq!(self.table.len(), overlaps, "the table has another number of pairs");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layer;
    use crate::managed::{Fault, panic_of};
    use crate::parallel::fewest_for_two;
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
    fn table_is_repaired_while_objects_move_and_appear() {
        for (n, threads) in [(40, 1), (300, 1), (fewest_for_two(3 * NANOS_PER_OBJECT), 2)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
            let mut sap = SapIncremental::default();
            let mut at: Vec<_> = (0..n).map(|_| vec3(&mut rng, 8.0)).collect();
            let (mut repaired, mut inserted, mut changes) = (0, 0, 0);
            let (mut before, mut present) = (Vec::new(), 0);
            let frames = 60;
            for frame in 0..frames {
                // The last object appears and vanishes with the number of objects. Others are absent one after
                // the other.
                let count = n - frame / 8 % 2;
                let boxes: Vec<_> = (0..count)
                    .map(|object| match object == frame / 5 {
                        true => Aabb::EMPTY,
                        false => {
                            Aabb::around_sphere(lattice(at[object]), 0.5 + (object % 3) as f32)
                        }
                    })
                    .collect();
                // `validate` compares the table with the boxes.
                let pairs = pool.install(|| run(&mut sap, &Frame::new(&boxes)));
                if sap.counters().rebuilds == 0 {
                    repaired += 1;
                    inserted += usize::from(frame % 5 == 0 || count > present);
                    changes += usize::from(pairs != before);
                }
                (before, present) = (pairs, count);
                let step = 2.0 / n as f32;
                at.iter_mut().for_each(|at| *at += vec3(&mut rng, step));
            }
            let happened = format!("{n} objects: {repaired}, {inserted}, {changes}");
            assert!(repaired > 50 && inserted > 8 && changes > 20, "{happened}");
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
        assert_eq!((sap.state, sap.sorted.axis()), (State::Swept, Axis::Z));
        assert_eq!(sap.counters().tests, 19);
        assert_eq!(sap.counters().axis_overlaps, 190 + 190 + 19);
    }

    #[test]
    fn changed_layers_apply_to_cached_pairs() {
        let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 2];
        let mut sap = SapIncremental::default();
        let frame = Frame::new(&boxes);
        let cached = [Pair::new(0, 1)];
        assert_eq!(run(&mut sap, &frame), cached);
        assert_eq!(run(&mut sap, &frame.layered(&[Layer::STATIC; 2])), []);
        assert_eq!(run(&mut sap, &frame), cached);
        assert_eq!(sap.counters().rebuilds, 0);
    }

    #[test]
    fn frame_after_a_stopped_one_is_swept() {
        let mut boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 3];
        let mut sap = SapIncremental::default();
        assert_eq!(run(&mut sap, &Frame::new(&boxes)).len(), 3);
        boxes[1] = Aabb::EMPTY;
        let stop = AtomicBool::new(true);
        assert_eq!(run(&mut sap, &Frame::new(&boxes).stopped_by(&stop)), []);
        assert_eq!(run(&mut sap, &Frame::new(&boxes)), [Pair::new(0, 2)]);
        assert_eq!(sap.counters().rebuilds, 1);
    }

    #[test]
    fn validate_catches_each_fault() {
        let faults: [Fault<SapIncremental>; 6] = [
            ("Y list is not sorted", |sap| sap.lists[1].ends.swap(0, 1)),
            ("Z list has other ends", |sap| _ = sap.lists[2].ends.pop()),
            ("not the present ones", |sap| sap.listed[0] = false),
            ("overlaps on X are counted wrongly", |sap| sap.lists[0].overlaps += 1),
            ("has (0, 1), which does not", |sap| _ = sap.table.insert(Pair::new(0, 1))),
            ("another number of pairs", |sap| _ = sap.table.remove(&Pair::new(0, 2))),
        ];
        let boxes = [3.0, 1.0, 2.0].map(|x| Aabb::around_sphere(Vec3::splat(x), 0.6));
        for (expected, spoil) in faults {
            let mut sap = SapIncremental::default();
            run(&mut sap, &Frame::new(&boxes));
            spoil(&mut sap);
            let fault = panic_of(|| sap.validate(&Frame::new(&boxes)));
            assert!(fault.contains(expected), "{fault}");
        }
    }
}
