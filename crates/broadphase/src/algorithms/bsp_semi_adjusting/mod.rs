//! The semi-adjusting tree of planes.
//!
//! The planes are chosen by a cost, and adjusted only where their cost has become bad. The work of an adjustment
//! in a frame is limited; the rest is deferred to the next frame. So the tree is not quite optimal, but much
//! cheaper than a rebuilt one. Its pairs are exact in any state: the leaves are refilled every frame, as in
//! [`bsp`](super::bsp).
//!
//! From the paper: an unbalanced tree is repaired where it is worst, by local operations. A plane is shifted, a
//! leaf split, or a subtree merged. Changes are deferred by their cost. Our own: all planes are normal to an
//! axis; one number combines balance and straddlers (see `cost`); work is counted in objects read and not in
//! time, so that all runs are equal; the whole tree is rebuilt where too many tests have accumulated.

mod adjust;
mod cost;
mod inspect;
mod tree;

use crate::entry::{Algorithm, Kind, Settings};
use crate::inspect::{Caption, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::{Cells, Leaves, PAIR_MEMORY, counters_of_planes};
use crate::{Aabb, Counters, Frame, Pair};
use adjust::Adjuster;
use tree::Tree;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "BSP tree (semi-adjusting)",
    summary: "objects in one leaf are compared; a plane is checked again when it has come to cause clearly more tests",
    source: "Luque, Comba, Freitas 2005",
    cost: "n × depth + tests",
    watch_for: "planes that flash: these were repaired; where everything moves, repairs queue up",
    overlays: &[Caption::PLANES, Caption::LEAVES],
    way: Some(&Way::PLANES),
    memory: |n| n * 102,
    pair_memory: PAIR_MEMORY,
    vectorised: true,
    keeps_state: true,
    parameters: &[adjust::LEAF_SIZE, adjust::IMBALANCE],
    ..Algorithm::new("bsp-semi-adjusting", Kind::SpaceTree, |settings| {
        Managed::boxed(BspSemiAdjusting::new(settings))
    })
};

/// The tree is rebuilt where its leaves take more than this many times the tests after the last build. That
/// happens when many objects teleport or appear, not in continuous motion.
const OUTRUN: u64 = 4;

/// A tree of planes that is adjusted a little every frame. Time O(n d + Σ mᵢ²) for depth d and mᵢ
/// objects in leaf i. Leaves have a bounded size wherever planes can divide the objects: O(n log n) for small
/// objects. Where none can, as with long objects along every axis, Σ mᵢ² is quadratic. Memory O(listings), of
/// which there are at most about eight an object: beyond that no leaf is split.
#[derive(Clone, Debug)]
pub(crate) struct BspSemiAdjusting {
    world: Aabb,
    tree: Tree,
    leaves: Leaves,
    adjuster: Adjuster,
    /// Tests in the leaves after the tree was last built.
    tests_when_built: u64,
}

memory!(BspSemiAdjusting: tree, leaves, adjuster);

impl BspSemiAdjusting {
    /// A tree over the world, which may be empty, and over the objects of the first frame that has any.
    fn new(settings: &Settings) -> Self {
        Self {
            world: settings.world,
            tree: Tree::default(),
            leaves: Leaves::default(),
            adjuster: Adjuster::new(settings),
            tests_when_built: 0,
        }
    }

    /// Lists the objects in the leaves, and counts them in the nodes.
    fn refill(&mut self, frame: &Frame<'_>) {
        self.tree.forget_counts();
        self.leaves.reshape(&self.tree);
        self.leaves.refill(&mut self.tree, frame);
    }
}

impl Structure for BspSemiAdjusting {
    fn update(&mut self, frame: &Frame<'_>) {
        let Self { adjuster, tree, leaves, .. } = self;
        let boxes = frame.boxes;
        let bounds = Aabb::bounds(boxes);
        let is_built = !tree.is_empty() && !leaves.is_one_list();
        if is_built {
            adjuster.adjust(tree, tree.root().union(&bounds), leaves, boxes);
        }
        if is_built || bounds.is_empty() {
            self.refill(frame);
            // A minimum, so that tests in small leaves do not cause a rebuild.
            let small = (self.adjuster.leaf_size() * boxes.len()) as u64;
            if self.leaves.tests_ahead() <= OUTRUN * (self.tests_when_built + small) {
                return;
            }
        }
        let root = self.world.union(&bounds);
        self.adjuster.build(&mut self.tree, root, &self.leaves, boxes);
        self.refill(frame);
        self.tests_when_built = self.leaves.tests_ahead();
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.leaves.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        counters_of_planes(&self.leaves, self.adjuster.changes())
    }

    fn validate(&self, frame: &Frame<'_>) {
        let tree = Some(&self.tree).filter(|tree| !tree.is_empty());
        tree.iter().for_each(|tree| tree.validate());
        self.leaves.validate(tree, frame.boxes);
        if !self.leaves.is_one_list() {
            let (counted, listed) = (self.tree.listings(), self.leaves.counters().listings);
            assert_eq!(counted, listed, "the leaves' counts differ from their lists");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Small boxes in lines along x, from `low` on.
    fn lines(n: usize, low: f32) -> Vec<Aabb> {
        let at = |i: usize| Vec3::new(low + (i / 4) as f32, (i % 4) as f32 * 3.0, 0.0);
        (0..n).map(|i| Aabb::around_sphere(at(i), 0.3)).collect()
    }

    fn updated(boxes: &[Aabb]) -> BspSemiAdjusting {
        let mut tree = BspSemiAdjusting::new(&Settings::new(0));
        tree.update(&Frame::new(boxes));
        tree
    }

    #[test]
    fn built_tree_stays_while_nothing_moves() {
        let boxes = lines(2000, 0.0);
        let mut tree = updated(&boxes);
        assert!(tree.counters().nodes > 20);
        for _ in 0..40 {
            tree.update(&Frame::new(&boxes));
            assert_eq!(tree.counters().rebuilds, 0);
        }
    }

    #[test]
    fn large_change_is_spread_over_several_frames() {
        let mut boxes = lines(4000, 0.0);
        let mut tree = updated(&boxes);
        let tests = tree.leaves.tests_ahead();
        // All drift to the right: after a hundred frames no plane suits them.
        let mut frames_that_changed = 0;
        for _ in 0..150 {
            for b in &mut boxes {
                b.min.x += 10.0;
                b.max.x += 10.0;
            }
            tree.update(&Frame::new(&boxes));
            tree.validate(&Frame::new(&boxes));
            frames_that_changed += u32::from(tree.counters().rebuilds > 0);
        }
        assert!(frames_that_changed > 10, "{frames_that_changed} frames changed something");
        let now = tree.leaves.tests_ahead();
        assert!(now < 2 * OUTRUN * tests, "{now} tests instead of {tests}");
    }

    #[test]
    fn plane_that_passes_another_pushes_it() {
        let boxes = lines(2000, 0.0);
        let mut tree = updated(&boxes);
        let root = tree.tree.nodes[0].plane.as_mut().unwrap();
        root.position = boxes[0].center()[root.axis.index()];
        tree.update(&Frame::new(&boxes));
        tree.validate(&Frame::new(&boxes));
        assert!(tree.counters().rebuilds == 0 && tree.tree.nodes.iter().any(|node| node.moved));
    }

    #[test]
    fn tree_is_rebuilt_when_many_objects_appear() {
        let mut tree = updated(&lines(10, 0.0));
        let boxes = lines(20_000, -2000.0);
        tree.update(&Frame::new(&boxes));
        let tests = tree.leaves.tests_ahead();
        assert!(tests < 200 * 20_000, "{tests} tests");
    }

    #[test]
    fn far_outliers_do_not_prevent_splits() {
        let mut boxes = lines(4000, 0.0);
        let tests = updated(&boxes).leaves.tests_ahead();
        boxes[7] = Aabb::around_sphere(Vec3::splat(1e30), 1.0);
        boxes[8] = Aabb::around_sphere(Vec3::splat(-2e38), 1.0);
        let now = updated(&boxes).leaves.tests_ahead();
        assert!(now < 2 * tests, "{now} tests instead of {tests}");
    }

    #[test]
    #[should_panic(expected = "counts differ from their lists")]
    fn validate_catches_an_outdated_count() {
        let boxes = lines(500, 0.0);
        let mut tree = updated(&boxes);
        tree.tree.forget_counts();
        tree.validate(&Frame::new(&boxes));
    }
}
