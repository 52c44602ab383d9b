//! The self-adjusting tree of planes.
//!
//! It starts as the tree of [`bsp`](super::bsp), and is rebalanced every 0.2 s of simulated time, from
//! the root down. A node is unbalanced if the ratio of the objects on its sides is below 1 : 2 or
//! above 2 : 1. Its plane moves to the median of its objects' centres. All planes below move to the
//! middle of their new cells, which is cheaper than a median each; nodes that this leaves unbalanced
//! are corrected at the next rebalancing. A balanced node keeps its plane, and its children are
//! checked.

use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Inspect, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::{DEPTH, PlaneTree, children, depth_for};
use crate::{Aabb, Counters, Frame, Pair};
use std::ops::Range;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "k-d tree (self-adjusting)",
    summary: "each object is compared with those in its leaf; every 0.2 s unbalanced planes move to the median of their objects",
    source: "Kurtanjek 2008, sections 3.3 and 4.3; after Luque, Comba, Freitas 2005",
    cost: "n × depth + tests",
    watch_for: "planes that flash: these moved; until the next move a crowd fills one leaf, as in the BSP tree",
    overlays: &[Caption::PLANES, Caption::LEAVES],
    way: Some(&Way::PLANES),
    memory: |n| n * 108,
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
        Managed::boxed(KdTree { tree: PlaneTree::scalar(), ..KdTree::with(settings) })
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
#[derive(Clone, Debug, Default)]
pub(crate) struct KdTree {
    /// Finite. The bounds of the first frame that has an object replace an empty one.
    world: Aabb,
    /// A value of [`DEPTH`].
    depth: u32,
    period: f64,
    imbalance: f64,
    tree: PlaneTree,
    since_adjustment: f64,
    /// Objects of the nodes on the path from the root to the current node, parents first.
    path: Vec<u32>,
    centers: Vec<f32>,
}

memory!(KdTree: tree, path, centers);

impl KdTree {
    fn with(settings: &Settings) -> Self {
        Self {
            world: settings.world,
            depth: settings.count(&DEPTH) as u32,
            period: settings.value(&PERIOD),
            imbalance: settings.value(&IMBALANCE),
            ..Self::default()
        }
    }

    /// Whether a period has passed.
    fn is_due(&mut self, time_step: f32) -> bool {
        self.since_adjustment += f64::from(time_step);
        let is_due = self.since_adjustment + ROUNDING >= self.period;
        if is_due {
            // The excess over the period counts for the next one.
            self.since_adjustment =
                ((self.since_adjustment + ROUNDING) % self.period - ROUNDING).max(0.0);
        }
        is_due
    }

    /// Rebalances a node, whose objects are those at some places of the path, and all below it.
    fn rebalance(&mut self, node: usize, cell: Aabb, objects: Range<usize>, boxes: &[Aabb]) {
        let Some(mut plane) = self.tree.plane(node) else { return };
        if objects.is_empty() {
            // Without objects there is neither ratio nor median: the middle of the cell.
            return self.tree.halve_from(node, cell);
        }
        let end = self.path.len();
        let sides = plane.divide(&mut self.path, objects.clone(), boxes);
        let [low, high] = [0, 1].map(|side| sides[side].len());
        if low.max(high) as f64 > self.imbalance * low.min(high) as f64 {
            plane.position = self.median(plane.axis.index(), objects, boxes);
            self.tree.place(node, cell, plane);
        } else {
            let parts = plane.parts(&cell).into_iter().zip(sides);
            for (child, (part, side)) in children(node).into_iter().zip(parts) {
                self.rebalance(child, part, side, boxes);
            }
        }
        self.path.truncate(end);
    }

    /// Median of the centres of some objects of the path on an axis. For an even number, the mean of the
    /// middle two. There must be an object.
    fn median(&mut self, axis: usize, objects: Range<usize>, boxes: &[Aabb]) -> f32 {
        self.centers.clear();
        let here = self.path[objects].iter();
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

impl Structure for KdTree {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.tree.settle();
        self.tree.lay_out(&mut self.world, depth_for(boxes.len(), self.depth), boxes);
        if self.is_due(frame.time_step) && !self.world.is_empty() {
            // The root grows over objects that left the world, such as those that fell out of a source.
            let root = self.world.union(&Aabb::bounds(boxes));
            self.path.clear();
            let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
            self.path.extend(present.map(|(object, _)| object));
            self.rebalance(0, root, 0..self.path.len(), boxes);
            self.tree.reshape(root);
        }
        self.tree.refill(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.tree.regions.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.tree.counters()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes);
    }
}

impl Inspect for KdTree {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.tree)
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
        let mut tree = KdTree::with(&Settings::new(0).world(world));
        tree.update(&Frame::new(boxes).time_step(0.0));
        tree
    }

    fn root_plane(tree: &KdTree) -> (Axis, f32) {
        tree.tree.plane(0).map(|plane| (plane.axis, plane.position)).unwrap()
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
    fn a_ratio_of_exactly_two_to_one_is_balanced() {
        // One more object on the low side unbalances it.
        for (xs, expected) in [(&[0.1, 0.2, 0.9][..], 0.5), (&[0.1, 0.2, 0.3, 0.9], 0.25)] {
            let boxes = row(xs);
            let mut tree = tree_of(&boxes);
            tree.update(&Frame::new(&boxes).time_step(0.2));
            assert!((root_plane(&tree).1 - expected).abs() < 1e-6, "{xs:?}");
        }
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
