//! rstar's R*-tree.
//!
//! Bulk-loaded when many boxes have changed; when few have, they are removed and reinserted. The pairs come
//! from the join of two trees, here of the tree with itself. It reports each pair twice, and each box with
//! itself.
//!
//! Timed: comparing the boxes with the previous ones, their conversion (it stores them itself), loading or
//! updating, and the join. The boxes are exact, and so are the pairs.

use super::changes::{Change, Changes};
use broadphase::registry::{Algorithm, Kind};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};
use rstar::{AABB, RTree, RTreeObject};

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "rstar",
    summary: "rstar's R*-tree, bulk-loaded or updated box by box; joined with itself",
    source: "crate rstar, RTree",
    memory: |n| n * 130,
    peer: true,
    keeps_state: true,
    ..Algorithm::new("rstar", Kind::BoxTree, |_| Box::<RStar>::default())
};

#[derive(Default)]
struct RStar {
    changes: Changes,
    tree: RTree<Leaf>,
    /// The boxes in the tree, by object.
    held: Vec<Aabb>,
    candidates: u64,
}

#[derive(Clone, Copy, PartialEq)]
struct Leaf {
    min: [f32; 3],
    max: [f32; 3],
    object: u32,
}

impl Leaf {
    fn new(object: u32, b: &Aabb) -> Self {
        Self { min: b.min.to_array(), max: b.max.to_array(), object }
    }
}

impl RTreeObject for Leaf {
    type Envelope = AABB<[f32; 3]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_bounds(self.min, self.max)
    }
}

impl BroadPhase for RStar {
    fn update(&mut self, frame: &Frame<'_>) {
        match self.changes.note(frame.boxes) {
            Change::Many => {
                let present = (0..).zip(frame.boxes).filter(|(_, b)| !b.is_empty());
                let leaves = present.map(|(object, b)| Leaf::new(object, b)).collect();
                self.tree = RTree::bulk_load(leaves);
                self.held.clear();
                self.held.extend_from_slice(frame.boxes);
            }
            Change::Few(changed) => {
                for &object in changed {
                    let held = &mut self.held[object as usize];
                    self.tree.remove(&Leaf::new(object, held));
                    *held = frame.boxes[object as usize];
                    self.tree.insert(Leaf::new(object, held));
                }
            }
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.candidates = 0;
        if frame.is_stopped() {
            return;
        }
        for (one, other) in self.tree.intersection_candidates_with_other_tree(&self.tree) {
            self.candidates += 1;
            if one.object < other.object && frame.admits(one.object, other.object) {
                pairs.push(Pair { a: one.object, b: other.object });
            }
        }
    }

    fn counters(&self) -> Counters {
        Counters { tests: self.candidates, ..Counters::default() }
    }

    /// The tree's own memory is estimated: it does not report it.
    fn heap_bytes(&self) -> usize {
        // A node of six children at most is two thirds full.
        let node = size_of::<rstar::RTreeNode<Leaf>>();
        self.tree.size() * node * 3 / 2
            + self.held.capacity() * size_of::<Aabb>()
            + self.changes.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        let present = || (0..).zip(frame.boxes).filter(|(_, b)| !b.is_empty());
        assert_eq!(self.tree.size(), present().count());
        for leaf in &self.tree {
            let b = &frame.boxes[leaf.object as usize];
            assert!(*leaf == Leaf::new(leaf.object, b), "object {}", leaf.object);
        }
    }
}
