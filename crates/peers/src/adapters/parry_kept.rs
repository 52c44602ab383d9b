//! parry3d's tree, kept from frame to frame.
//!
//! Leaves are enlarged by a margin, so that only what leaves its enlarged box is touched, as
//! parry3d's documentation describes; a leaf that went further than its margin gets none, as it would
//! leave it again in the next frame. Where few leave, each is inserted anew where it fits best, and
//! only the way up from it is refitted. Where many do, all are changed in place, and the tree is
//! refitted as a whole; where motion has worn it, it is built anew from its leaves.
//!
//! Tried instead, by single runs of 30 or 60 frames on a busy machine: the documented use,
//! `optimize_incremental` in every frame and no building, took 4 to 7 times as long on gas of 20,000 and
//! 100,000 and cluster of 100,000, and 3 times on stadium: where all moves fast, it does not keep up.
//! Building in every 8th frame took up to 1.2 times as long, in every 16th 1.4 to 2.2 times. Optimising
//! besides building took 1.5 times on gas of 20,000; building by PLOC made the mean longer. With no
//! margin at all jitter took 2.5 times as long, with one for all, gas and cluster of 100,000 1.4 times.
//!
//! Timed: finding what left its enlarged box, all changes of the tree, its walk against itself, and
//! the test of what it reports by the real boxes.

use super::parry::{build, convert};
use super::{append_if_real, typical_side};
use broadphase::{Aabb, Algorithm, BroadPhase, Counters, Frame, Pair};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace, TraversalAction};

/// Its row in the list.
pub(crate) const ROW: Algorithm = Algorithm {
    id: "parry3d-bvh-kept",
    name: "parry3d, kept",
    summary: "parry3d's bounding volume hierarchy, kept: a margin, refitting, built anew once worn",
    source: "crate parry3d, partitioning::Bvh",
    overlays: &[],
    memory: |n| n * 180,
    build: |_| Box::<Kept>::default(),
};

/// The margin on each side, as a share of the typical side: rapier's own.
const MARGIN: f32 = 0.04;

/// The tree is built anew where its area is so many times what it was at best since it was built.
/// Anything from 1.3 to 2.2 was as good, as far as noise let one tell.
const AGED: f32 = 1.6;

/// Leaves are moved one by one where fewer than one in so many is to be moved.
const FEW: usize = 16;

#[derive(Default)]
struct Kept {
    tree: Bvh,
    workspace: BvhWorkspace,
    /// The boxes in the tree, by object; empty where there is none.
    fat: Vec<Aabb>,
    left: Vec<u32>,
    /// Units; once an object was there.
    margin: Option<f32>,
    /// The least area of the tree since it was built, in square units.
    best: f32,
    candidates: u64,
}

impl Kept {
    /// Removes what is absent, and lists what is outside its box in the tree. Tells whether anything
    /// was removed.
    fn compare(&mut self, boxes: &[Aabb]) -> bool {
        let mut removed = false;
        for object in boxes.len()..self.fat.len() {
            if !self.fat[object].is_empty() {
                self.tree.remove(object as u32);
                removed = true;
            }
        }
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        self.left.clear();
        for (object, (fat, b)) in (0..).zip(self.fat.iter_mut().zip(boxes)) {
            if b.is_empty() {
                if !fat.is_empty() {
                    self.tree.remove(object);
                    *fat = Aabb::EMPTY;
                    removed = true;
                }
            } else if !contains(fat, b) {
                self.left.push(object);
            }
        }
        removed
    }

    /// Half the area of all inner nodes together, in square units.
    fn area(&self) -> f32 {
        let mut sum = 0.0;
        self.tree.traverse(|node| {
            if node.is_leaf() {
                return TraversalAction::Prune;
            }
            let [x, y, z] = (node.maxs() - node.mins()).into();
            sum += x * y + y * z + z * x;
            TraversalAction::Continue
        });
        sum
    }
}

/// The box with a margin on each side.
fn enlarged(b: &Aabb, margin: f32) -> Aabb {
    Aabb::new(b.min - margin, b.max + margin)
}

/// An empty box contains nothing.
fn contains(fat: &Aabb, b: &Aabb) -> bool {
    fat.min.cmple(b.min).all() && b.max.cmple(fat.max).all()
}

impl BroadPhase for Kept {
    fn update(&mut self, frame: &Frame<'_>) {
        self.margin = self.margin.or_else(|| typical_side(frame.boxes).map(|side| side * MARGIN));
        let removed = self.compare(frame.boxes);
        let margin = self.margin.unwrap_or_default();
        for &object in &self.left {
            let b = &frame.boxes[object as usize];
            let fat = &mut self.fat[object as usize];
            // What is faster would leave the enlarged box in the next frame too.
            let slow = contains(&enlarged(fat, margin), b);
            *fat = if slow { enlarged(b, margin) } else { *b };
        }
        let fat = self.left.iter().map(|&object| (object, convert(&self.fat[object as usize])));
        if self.tree.is_empty() {
            self.tree = build(fat.map(|(object, b)| (object as usize, b)));
            self.best = self.area();
        } else if self.left.len() * FEW < self.tree.leaf_count() as usize {
            for (object, b) in fat {
                self.tree.reinsert_or_update_with_change_detection(b, object, 0.0);
            }
            if removed {
                self.tree.refit(&mut self.workspace);
            } else {
                self.tree.refit_partial(&[], &self.left);
            }
        } else {
            for (object, b) in fat {
                self.tree.insert_or_update_partially(b, object, 0.0);
            }
            // Before a building too, which would take removed leaves for present ones.
            self.tree.refit(&mut self.workspace);
            let area = self.area();
            self.best = self.best.min(area);
            if area > self.best * AGED {
                self.tree.rebuild(&mut self.workspace, BvhBuildStrategy::Binned);
                self.best = self.area();
            }
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.candidates = 0;
        if frame.is_stopped() {
            return;
        }
        let candidates = &mut self.candidates;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |i, j| {
            *candidates += 1;
            append_if_real(frame, i, j, pairs);
        });
    }

    fn counters(&self) -> Counters {
        Counters { tests: self.candidates, rebuilds: self.left.len() as u64, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        self.tree.heap_memory_size()
            + self.fat.capacity() * size_of::<Aabb>()
            + self.left.capacity() * size_of::<u32>()
    }

    fn validate(&self, frame: &Frame<'_>) {
        let present = frame.boxes.iter().filter(|b| !b.is_empty()).count();
        assert_eq!(self.tree.leaf_count() as usize, present);
        for (object, b) in frame.boxes.iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            let leaf = self.tree.leaf_node(object as u32);
            assert!(leaf.is_some_and(|leaf| leaf.contains_aabb(&convert(b))), "object {object}");
        }
    }
}
