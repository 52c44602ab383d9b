//! The self-adjusting tree of planes.
//!
//! It starts as the tree of [`bsp`](super::bsp), and is rebalanced every 0.2 s of simulated time, from
//! the root down. A node is unbalanced if the ratio of the objects on its sides is below 1 : 2 or
//! above 2 : 1. Its plane moves to the median of its objects' centres. All planes below move to the
//! middle of their new cells, which is cheaper than a median each; nodes that this leaves unbalanced
//! are corrected at the next rebalancing. A balanced node keeps its plane, and its children are
//! checked.

use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Inspect, Mark, Overlay, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::{
    Cells, DEPTH, Leaves, PAIR_MEMORY, PlaneTree, counters_of_planes, depth_for, touches_high,
    touches_low, validate_tree,
};
use crate::{Aabb, Counters, Frame, Pair};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "k-d tree (self-adjusting)",
    summary: "each object is compared with those in its leaf; every 0.2 s unbalanced planes move to the median of their objects",
    source: "Kurtanjek 2008, sections 3.3 and 4.3; after Luque, Comba, Freitas 2005",
    cost: "n × depth + tests",
    watch_for: "planes that flash: these moved; until the next move a crowd fills one leaf, as in the BSP tree",
    overlays: &[Caption::PLANES, Caption::LEAVES],
    way: Some(&Way::PLANES),
    memory: |n| n * 140,
    pair_memory: PAIR_MEMORY,
    vectorised: true,
    keeps_state: true,
    parameters: &[DEPTH, PERIOD, IMBALANCE],
    ..Algorithm::new("kd-tree", Kind::SpaceTree, |settings| Managed::boxed(KdTree::with(settings)))
};

/// The variant that compares one pair at a time, as the thesis did.
pub const ENTRY_SCALAR: Algorithm = Algorithm {
    vectorised: false,
    name: "k-d tree, one pair at a time",
    summary: "the self-adjusting tree of planes; pairs one at a time",
    ..ENTRY.variant("kd-tree+scalar", |settings| {
        Managed::boxed(KdTree { leaves: Leaves::scalar(), ..KdTree::with(settings) })
    })
};

const PERIOD: Parameter = Parameter::number(
    "period",
    0.2,
    [0.001, 60.0],
    "Simulated time between two rebalancings, in seconds; 0.2 in the thesis",
);

const IMBALANCE: Parameter = Parameter::number(
    "imbalance",
    2.0,
    [1.0, 100.0],
    "A plane moves where one side has more than this many times the objects of the other",
);

/// Tolerance of the period, in seconds: twelve steps of 1/60 s make a period, however 1/60 was rounded.
const ROUNDING: f64 = 1e-5;

/// A self-adjusting tree of planes. Time and memory as [`Bsp`](super::bsp::Bsp), and O(n d) more in a
/// frame that rebalances.
#[derive(Clone, Debug)]
pub(crate) struct KdTree {
    world: Aabb,
    /// A value of [`DEPTH`].
    depth: u32,
    period: f64,
    imbalance: f64,
    tree: Option<PlaneTree>,
    leaves: Leaves,
    since_adjustment: f64,
    planes_moved: u64,
    /// Objects of the nodes on the path from the root to the current node, parents first.
    path: Vec<u32>,
    centers: Vec<f32>,
}

memory!(KdTree: leaves, tree, path, centers);

impl KdTree {
    /// A tree over `world`, which is finite. If it is empty, the bounds of the first frame that has an object
    /// replace it.
    fn new(world: Aabb) -> Self {
        Self::with(&Settings::new(0).world(world))
    }

    fn with(settings: &Settings) -> Self {
        Self {
            world: settings.world,
            depth: settings.count(&DEPTH) as u32,
            period: settings.value(&PERIOD),
            imbalance: settings.value(&IMBALANCE),
            tree: None,
            leaves: Leaves::default(),
            since_adjustment: 0.0,
            planes_moved: 0,
            path: Vec::new(),
            centers: Vec::new(),
        }
    }

    /// Rebalances the tree if a period has passed. Returns whether it may have changed.
    fn adjust_if_due(&mut self, frame: &Frame<'_>) -> bool {
        self.since_adjustment += f64::from(frame.time_step);
        if self.since_adjustment + ROUNDING < self.period {
            return false;
        }
        // The excess over the period counts for the next one.
        self.since_adjustment =
            ((self.since_adjustment + ROUNDING) % self.period - ROUNDING).max(0.0);
        let Some(tree) = &mut self.tree else {
            return false;
        };
        // The root grows over objects that left the world, such as those that fell out of a source.
        tree.set_root(self.world.union(&Aabb::bounds(frame.boxes)));
        self.path.clear();
        let present = frame.boxes.iter().enumerate().filter(|(_, b)| !b.is_empty());
        self.path.extend(present.map(|(object, _)| object as u32));
        let root = tree.root();
        let (imbalance, boxes) = (self.imbalance, frame.boxes);
        let (path, centers) = (&mut self.path, &mut self.centers);
        Adjustment { tree, boxes, imbalance, path, centers }.adjust(0, root, 0);
        true
    }
}

impl Default for KdTree {
    /// A tree over the bounds of the first frame that has an object.
    fn default() -> Self {
        Self::new(Aabb::EMPTY)
    }
}

impl Structure for KdTree {
    fn update(&mut self, frame: &Frame<'_>) {
        if let Some(tree) = &mut self.tree {
            tree.settle();
        }
        let depth = depth_for(frame.boxes.len(), self.depth);
        let relaid = self.tree.as_ref().is_none_or(|tree| tree.depth() != depth);
        if relaid {
            self.tree = PlaneTree::over(&mut self.world, depth, frame.boxes);
        }
        // Reserve the most that a rebalancing needs, all objects on every level of the path, now:
        // the first rebalancing comes later, and a steady frame must not allocate.
        self.path.clear();
        self.path.reserve(frame.boxes.len() * (depth as usize + 1));
        self.centers.clear();
        self.centers.reserve(frame.boxes.len());
        let adjusted = self.adjust_if_due(frame);
        if let Some(tree) = &mut self.tree {
            self.planes_moved = tree.moved() as u64;
            if relaid || adjusted {
                self.leaves.reshape(tree);
            }
            self.leaves.refill(tree, frame);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.leaves.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        counters_of_planes(&self.leaves, self.planes_moved)
    }

    fn validate(&self, frame: &Frame<'_>) {
        validate_tree(self.tree.as_ref(), &self.leaves, frame.boxes);
    }
}

impl Inspect for KdTree {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.leaves)
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match &self.tree {
            Some(tree) if overlay == Overlay::Planes => tree.visit_planes(visit),
            _ => self.leaves.marks(overlay, visit),
        }
    }
}

/// One rebalancing, from the root down.
struct Adjustment<'a> {
    tree: &'a mut PlaneTree,
    boxes: &'a [Aabb],
    imbalance: f64,
    path: &'a mut Vec<u32>,
    centers: &'a mut Vec<f32>,
}

impl Adjustment<'_> {
    /// Rebalances a node, whose objects are those of `path` from `first` on.
    fn adjust(&mut self, node: usize, cell: Aabb, first: usize) {
        if self.tree.is_leaf(node) {
            return;
        }
        let end = self.path.len();
        if first == end {
            // Without objects there is neither ratio nor median: the middle of the cell.
            self.tree.halve_from(node, cell);
            return;
        }
        let (axis, plane) = self.tree.plane(node);
        let boxes = self.boxes;
        let low = |object: &u32| touches_low(&boxes[*object as usize], axis, plane);
        let high = |object: &u32| touches_high(&boxes[*object as usize], axis, plane);
        let here = &self.path[first..end];
        let in_low = here.iter().filter(|object| low(object)).count();
        let in_high = here.iter().filter(|object| high(object)).count();
        let (fewer, more) = (in_low.min(in_high) as f64, in_low.max(in_high) as f64);
        if more > self.imbalance * fewer {
            let median = self.median(axis.index(), first);
            self.tree.place(node, cell, median);
            return;
        }
        let (low_cell, high_cell) = self.tree.split(node, cell);
        for i in first..end {
            let object = self.path[i];
            if low(&object) {
                self.path.push(object);
            }
        }
        self.adjust(2 * node + 1, low_cell, end);
        self.path.truncate(end);
        for i in first..end {
            let object = self.path[i];
            if high(&object) {
                self.path.push(object);
            }
        }
        self.adjust(2 * node + 2, high_cell, end);
        self.path.truncate(end);
    }

    /// Median of the centres of the node's objects on an axis. For an even number, the mean of the
    /// middle two. The node has an object.
    fn median(&mut self, axis: usize, first: usize) -> f32 {
        let boxes = self.boxes;
        self.centers.clear();
        let here = self.path[first..].iter();
        self.centers.extend(here.map(|object| boxes[*object as usize].center()[axis]));
        let (count, half) = (self.centers.len(), self.centers.len() / 2);
        let (below, upper, _) = self.centers.select_nth_unstable_by(half, f32::total_cmp);
        if count % 2 == 1 {
            return *upper;
        }
        let lower = below.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        lower * 0.5 + *upper * 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis;
    use glam::Vec3;

    /// Small boxes around the given x coordinates.
    fn row(xs: &[f32]) -> Vec<Aabb> {
        xs.iter().map(|x| Aabb::around_sphere(Vec3::new(*x, 0.5, 0.5), 0.01)).collect()
    }

    fn tree_of(boxes: &[Aabb]) -> KdTree {
        let world = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let mut tree = KdTree::new(world);
        tree.update(&Frame::new(boxes).time_step(0.0));
        tree
    }

    fn root_plane(tree: &KdTree) -> (Axis, f32) {
        tree.tree.as_ref().unwrap().plane(0)
    }

    #[test]
    fn planes_stay_for_one_period_of_simulated_time() {
        let boxes = row(&[0.1, 0.2, 0.3]);
        let mut tree = tree_of(&boxes);
        let frame = Frame::new(&boxes).time_step(0.0166667);
        for _ in 0..11 {
            tree.update(&frame);
            assert_eq!(root_plane(&tree), (Axis::X, 0.5));
        }
        tree.update(&frame);
        assert_eq!(root_plane(&tree), (Axis::X, 0.2));
        assert!(tree.counters().rebuilds > 0);
        tree.update(&frame);
        assert_eq!(tree.counters().rebuilds, 0, "a plane is moved once, not every frame");
    }

    #[test]
    fn steps_that_do_not_divide_the_period_keep_its_mean() {
        let mut boxes = row(&[0.1, 0.2, 0.3]);
        let mut tree = tree_of(&boxes);
        // The first step at or after each multiple of 0.2 s: not those at 0.15 and 0.75 s.
        let moved: Vec<bool> = (0..8)
            .map(|step| {
                // All objects jump to the other side of their plane.
                boxes = row(if step % 2 == 0 { &[0.7, 0.8, 0.9] } else { &[0.1, 0.2, 0.3] });
                let before = root_plane(&tree);
                tree.update(&Frame::new(&boxes).time_step(0.15));
                root_plane(&tree) != before
            })
            .collect();
        // At 0.9 s the objects are where the plane was placed at 0.6 s.
        assert_eq!(moved, [false, true, true, true, false, false, true, true]);
    }

    #[test]
    fn an_unbalanced_node_moves_to_the_median_of_an_even_number() {
        let boxes = row(&[0.1, 0.2, 0.3, 0.4]);
        let mut tree = tree_of(&boxes);
        tree.update(&Frame::new(&boxes).time_step(0.2));
        let (_, position) = root_plane(&tree);
        assert!((position - 0.25).abs() < 1e-6, "{position}");
    }

    #[test]
    fn a_ratio_of_exactly_two_to_one_is_balanced() {
        let boxes = row(&[0.1, 0.2, 0.9]);
        let mut tree = tree_of(&boxes);
        tree.update(&Frame::new(&boxes).time_step(0.2));
        assert_eq!(root_plane(&tree), (Axis::X, 0.5));
        // One more object on the low side unbalances it.
        let boxes = row(&[0.1, 0.2, 0.3, 0.9]);
        let mut tree = tree_of(&boxes);
        tree.update(&Frame::new(&boxes).time_step(0.2));
        assert!((root_plane(&tree).1 - 0.25).abs() < 1e-6);
    }

    #[test]
    fn planes_follow_objects_that_leave_the_world() {
        let boxes = row(&[-50.0, -40.0, -30.0]);
        let mut tree = tree_of(&boxes);
        let frame = Frame::new(&boxes).time_step(0.2);
        tree.update(&frame);
        assert_eq!(root_plane(&tree), (Axis::X, -40.0));
        tree.validate(&frame);
    }
}
