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
//! time, so that all runs are equal; the whole tree is rebuilt where too many tests have accumulated. No path has more than 16
//! planes. Nodes are in heap order, so that one path that long takes the memory of all nodes of 16 levels, about 4 MB.

mod adjust;
mod cost;

use crate::entry::{Algorithm, Kind, Settings};
use crate::inspect::{Caption, Inspect, Way, counted};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::regions::PlaneTree;
use crate::{Aabb, Counters, Frame, Pair};
use adjust::{Candidate, State};

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
#[derive(Clone, Debug, Default)]
pub(crate) struct BspSemiAdjusting {
    /// Most objects of a leaf that is not split.
    leaf_size: usize,
    imbalance: f32,
    /// It grows over objects that leave it.
    world: Aabb,
    tree: PlaneTree,
    /// The states of the nodes.
    states: Vec<State>,
    candidates: Vec<Candidate>,
    /// The objects of the nodes on the current path, each node's after its parent's.
    path: Vec<u32>,
    /// Approximate number of listings in the leaves. Beyond [`LISTINGS_PER_OBJECT`](crate::regions::LISTINGS_PER_OBJECT) no
    /// leaf is split: objects that are long along every axis would exhaust memory.
    listings: usize,
    /// Planes that the last frame shifted, and nodes that it split or merged.
    changes: u64,
    /// The largest ratio of a plane's cost to that when it was chosen, before the last frame's repairs; 0 without planes.
    worst: f32,
    /// Tests in the leaves after the tree was last built.
    tests_when_built: u64,
}

memory!(BspSemiAdjusting: tree, states, candidates, path);

impl BspSemiAdjusting {
    /// A tree over the world, which may be empty, and over the objects of the first frame that has any.
    fn new(settings: &Settings) -> Self {
        Self {
            leaf_size: settings.count(&adjust::LEAF_SIZE),
            imbalance: settings.value(&adjust::IMBALANCE) as f32,
            world: settings.world,
            ..Self::default()
        }
    }

    /// Lists the objects in the leaves between changed planes. Returns the number of tests in them.
    fn refill(&mut self, frame: &Frame<'_>) -> u64 {
        self.tree.reshape(self.world);
        self.tree.refill(frame);
        self.tree.regions.tests_ahead()
    }
}

impl Structure for BspSemiAdjusting {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.world = self.world.union(&Aabb::bounds(boxes));
        if self.world.is_empty() {
            return;
        }
        self.tree.settle();
        if !self.tree.is_empty() && !self.tree.is_one_list {
            self.adjust(boxes);
            // A minimum, so that tests in small leaves do not cause a rebuild.
            let small = (self.leaf_size * boxes.len()) as u64;
            if self.refill(frame) <= OUTRUN * (self.tests_when_built + small) {
                return;
            }
        }
        self.build(boxes);
        self.tests_when_built = self.refill(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.tree.regions.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        Counters { rebuilds: self.changes, ..self.tree.counters() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes);
    }
}

impl Inspect for BspSemiAdjusting {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.tree)
    }

    /// Why the leaves are not divided further.
    fn remarks(&self, report: &mut dyn FnMut(String)) {
        if self.tree.is_empty() {
            return;
        }
        let Self { leaf_size, imbalance, changes, worst, .. } = *self;
        let listed = self.tree.counters().listings;
        report(match (self.tree.plane(0), changes) {
            (None, _) if listed <= leaf_size as u64 => format!(
                "One leaf: a leaf is divided from {} objects on, and there are {listed}.",
                leaf_size + 1
            ),
            (None, _) => format!(
                "One leaf: no plane divides these {listed} objects at less cost than testing all pairs."
            ),
            (_, 0) => "No plane moved in this step.".to_owned(),
            (_, changes) => {
                format!("{} moved, set or removed in this step.", counted(changes, "plane"))
            }
        });
        if worst > 0.0 {
            report(format!(
                "A plane is checked again when it causes {imbalance:.2} times the share of tests that it caused when it \
                 was chosen. The worst before this step: {worst:.2} times."
            ));
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
        let tests = tree.tree.regions.tests_ahead();
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
        let now = tree.tree.regions.tests_ahead();
        assert!(now < 2 * OUTRUN * tests, "{now} tests instead of {tests}");
    }

    #[test]
    fn plane_that_passes_another_pushes_it() {
        let boxes = lines(2000, 0.0);
        let mut tree = updated(&boxes);
        let mut root = tree.tree.plane(0).unwrap();
        root.position = boxes[0].center()[root.axis.index()];
        tree.tree.set(0, Some(root));
        tree.update(&Frame::new(&boxes));
        tree.validate(&Frame::new(&boxes));
        assert!(tree.counters().rebuilds == 0 && tree.tree.counters().rebuilds > 0);
    }

    #[test]
    fn tree_is_rebuilt_when_many_objects_appear() {
        let mut tree = updated(&lines(10, 0.0));
        let boxes = lines(20_000, -2000.0);
        tree.update(&Frame::new(&boxes));
        let tests = tree.tree.regions.tests_ahead();
        assert!(tests < 200 * 20_000, "{tests} tests");
    }

    #[test]
    fn far_outliers_do_not_prevent_splits() {
        let mut boxes = lines(4000, 0.0);
        let tests = updated(&boxes).tree.regions.tests_ahead();
        boxes[7] = Aabb::around_sphere(Vec3::splat(1e30), 1.0);
        boxes[8] = Aabb::around_sphere(Vec3::splat(-2e38), 1.0);
        let now = updated(&boxes).tree.regions.tests_ahead();
        assert!(now < 2 * tests, "{now} tests instead of {tests}");
    }
}
