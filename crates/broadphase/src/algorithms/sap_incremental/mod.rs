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
mod update;
mod validate;

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::SearchTasks;
use crate::{Axis, Counters, Frame, Pair};
use axis_list::AxisList;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Its entry in the registry.
pub const ENTRY: Algorithm =
    Algorithm::new("sap-incremental", Kind::Sorting, |_| Managed::boxed(SapIncremental::default()))
        .name("Sweep and prune (incremental)")
        .summary("the ends of boxes stay sorted on three axes; a pair is tested where two ends change places, and kept while it overlaps")
        .source(
            "Baraff 1992; Cohen, Lin, Manocha, Ponamgi 1995 (I-COLLIDE); van den Bergen 2003; \
             Terdiman 2007 (Sweep-and-prune)",
        )
        .cost("n + exchanges")
        .watch_for("exchanges: they grow with the speed of the objects, and in crowds")
        .overlays(&[Caption::of(Overlay::Endpoints)])
        .memory(|n| n * 225)
        // While the table of pairs grows, the old one is there too: 107 measured.
        .pair_memory(112)
        .vectorised(true)
        .keeps_state(true);

/// Sweep and prune with a persistent table of pairs. Time O(n + e + k) for e exchanges and k pairs. A full
/// sweep takes O(n log n + s + k), for s pairs that overlap on the best axis. An exchange costs more than a test
/// of a sweep, and their number grows with n times the motion of each object. So it suits scenes in which
/// little moves. Memory O(n + k).
#[derive(Clone, Debug)]
pub(crate) struct SapIncremental {
    lists: [AxisList; 3],
    /// Whether each object is in the lists.
    listed: Vec<bool>,
    /// The pairs that overlap, of all layers.
    table: HashSet<Pair, FxBuildHasher>,
    state: State,
    /// The objects in the order of the swept list, and their boxes.
    order: Vec<u32>,
    boxes: BoxSet,
    tasks: SearchTasks,
    /// Pairs of a sweep, until they are in the table.
    found: Vec<Pair>,
}

memory!(SapIncremental: lists, listed, table, order, boxes, tasks, found);

/// The result of the last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// None yet, or it was stopped: lists and table are not valid.
    Unsound,
    /// All boxes were swept on an axis.
    Swept(Axis),
    /// All boxes were sorted on an axis. Table and lists are not valid: the pairs of all layers are more than a frame may
    /// have.
    Sorted(Axis),
    /// The lists were sorted by insertion.
    Repaired,
}

impl Default for SapIncremental {
    fn default() -> Self {
        Self {
            lists: Axis::ALL.map(AxisList::new),
            listed: Vec::new(),
            table: HashSet::default(),
            state: State::Unsound,
            order: Vec::new(),
            boxes: BoxSet::default(),
            tasks: SearchTasks::default(),
            found: Vec::new(),
        }
    }
}

impl Structure for SapIncremental {
    fn update(&mut self, frame: &Frame<'_>) {
        let was_sound = matches!(self.state, State::Swept(_) | State::Repaired);
        // Until the update ends: a stopped one leaves it so.
        self.state = State::Unsound;
        if frame.is_stopped() {
            return;
        }
        let is_repaired = was_sound && self.repair(frame);
        if !is_repaired {
            self.sweep(frame);
        }
        self.keep_table_half_empty();
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        match self.state {
            State::Unsound => {}
            State::Sorted(axis) => self.search(axis, frame, pairs),
            State::Swept(_) | State::Repaired if frame.is_stopped() => {}
            State::Swept(_) | State::Repaired => {
                let first = pairs.len();
                // Layers are checked here, not when a pair is inserted: they may change later.
                let admitted = self.table.iter().filter(|pair| frame.admits(pair.a, pair.b));
                pairs.extend(admitted.take(frame.limits.most().saturating_add(1)));
                frame.count(pairs.len() - first);
            }
        }
    }

    fn counters(&self) -> Counters {
        let tests = match self.state {
            State::Unsound => 0,
            State::Swept(axis) | State::Sorted(axis) => self.lists[axis.index()].overlaps,
            State::Repaired => self.lists.iter().map(|list| list.begun.len() as u64).sum(),
        };
        Counters {
            tests,
            axis_overlaps: self.lists.iter().map(|list| list.overlaps).sum(),
            rebuilds: u64::from(matches!(self.state, State::Swept(_) | State::Sorted(_))),
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        if matches!(self.state, State::Swept(_) | State::Repaired) {
            self.validate_lists(frame.boxes);
            self.validate_table(frame.boxes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::update::NANOS_PER_OBJECT;
    use super::*;
    use crate::parallel::fewest_for_two;
    use crate::{Aabb, Layer};
    use glam::Vec3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::atomic::AtomicBool;

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
        assert_eq!(sap.state, State::Swept(Axis::Z));
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
}
