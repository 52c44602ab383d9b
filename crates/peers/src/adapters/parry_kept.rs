//! parry3d's tree, kept from frame to frame.
//!
//! Leaves are enlarged by a margin, so that only what leaves its enlarged box is touched, as
//! parry3d's documentation describes. Where few do, each is inserted anew where it fits best,
//! and only the way up from it is refitted; where many do, all are changed in place, and the tree
//! is refitted as a whole and optimised a little in every frame ("in physics engines, once per
//! simulation step"): in every fifth frame it was up to six times slower where all moves.
//!
//! Timed: finding what left its enlarged box, all changes of the tree, its walk against itself, and
//! the test of what it reports by the real boxes.

use super::parry::{build, convert};
use super::{append_if_real, typical_side};
use broadphase::{Aabb, Algorithm, BroadPhase, Counters, Frame, Pair};
use parry3d::partitioning::{Bvh, BvhWorkspace};

/// Its row in the list.
pub(crate) const ROW: Algorithm = Algorithm {
    id: "parry3d-bvh-kept",
    name: "parry3d, kept",
    summary: "parry3d's bounding volume hierarchy, kept: a margin, refitting, a little optimisation",
    source: "crate parry3d, partitioning::Bvh",
    overlays: &[],
    memory: |n| n * 180,
    build: |_| Box::<Kept>::default(),
};

/// The margin on each side, as a share of the typical side: rapier's own. With 20 % it was slower on
/// gas, stadium and cluster, with 50 % much slower.
const MARGIN: f32 = 0.04;

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
            self.fat[object as usize] = Aabb::new(b.min - margin, b.max + margin);
        }
        let fat = self.left.iter().map(|&object| (object, convert(&self.fat[object as usize])));
        if self.tree.is_empty() {
            self.tree = build(fat.map(|(object, b)| (object as usize, b)));
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
            self.tree.optimize_incremental(&mut self.workspace);
            // After the optimisation, which leaves the nodes in any order.
            self.tree.refit(&mut self.workspace);
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
