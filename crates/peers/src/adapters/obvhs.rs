//! obvhs' binary tree.
//!
//! Rebuilt by its fastest preset when many boxes have changed, as its own physics example does by default.
//! When few have, each is moved in the tree. It has no self-traversal of a tree. So each box queries the
//! tree, as in that example, and reports the pairs in which it comes first.
//!
//! Tried instead, by alternated runs: the next better presets took 1.0 to 1.5 times as long. Most of it was
//! building: queries of their trees were no faster. With nodes in traversal order it took 0.93 to 1.05 times
//! as long.
//!
//! Timed: comparing the boxes with the previous ones, their conversion (it stores them itself), building or
//! moving, and the queries. The boxes are exact, and so are the pairs.

use super::changes::{Change, Changes};
use super::present;
use broadphase::registry::{Algorithm, Kind};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::ploc::PlocBuilder;
use obvhs::ploc::PlocSearchDistance::Minimum;
use obvhs::ploc::SortPrecision::U64;

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "obvhs",
    summary: "obvhs' bounding volume hierarchy (PLOC), rebuilt or updated leaf by leaf; one query per box",
    source: "crate obvhs, bvh2::Bvh2",
    memory: |n| n * 250,
    peer: true,
    keeps_state: true,
    ..Algorithm::new("obvhs", Kind::BoxTree, |_| Box::<Obvhs>::default())
};

#[derive(Default)]
struct Obvhs {
    changes: Changes,
    builder: PlocBuilder,
    tree: Bvh2,
    /// The present boxes when the tree was built, and their objects.
    boxes: Vec<obvhs::aabb::Aabb>,
    objects: Vec<u32>,
    /// The index of each object among those.
    slots: Vec<u32>,
    candidates: u64,
}

fn convert(b: &Aabb) -> obvhs::aabb::Aabb {
    obvhs::aabb::Aabb::new(b.min.into(), b.max.into())
}

impl Obvhs {
    fn rebuild(&mut self, boxes: &[Aabb]) {
        self.boxes.clear();
        self.objects.clear();
        self.slots.clear();
        for (object, b) in (0..).zip(boxes) {
            self.slots.push(self.boxes.len() as u32);
            if !b.is_empty() {
                self.boxes.push(convert(b));
                self.objects.push(object);
            }
        }
        let mut order = std::mem::take(&mut self.tree.primitive_indices);
        order.clear();
        order.extend(0..self.boxes.len() as u32);
        self.builder.build_with_bvh(&mut self.tree, Minimum, &self.boxes, order, U64, 0);
    }
}

impl BroadPhase for Obvhs {
    fn update(&mut self, frame: &Frame<'_>) {
        match self.changes.note(frame.boxes) {
            Change::Many => self.rebuild(frame.boxes),
            Change::Few(changed) => {
                for &object in changed {
                    let slot = self.slots[object as usize];
                    let b = convert(&frame.boxes[object as usize]);
                    self.boxes[slot as usize] = b;
                    self.tree.move_primitive(b, slot);
                }
            }
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.candidates = 0;
        if frame.is_stopped() {
            return;
        }
        let Self { tree, boxes, objects, candidates, .. } = self;
        // The build puts one box into each leaf.
        let slot_of =
            |tree: &Bvh2, leaf: &Bvh2Node| tree.primitive_indices[leaf.first_index as usize];
        // In the order of the tree, so that each query finds the nodes of the previous one in the caches.
        for leaf in tree.nodes.iter().filter(|node| node.is_leaf()) {
            let slot = slot_of(tree, leaf);
            let object = objects[slot as usize];
            tree.aabb_traverse(boxes[slot as usize], |tree, node| {
                let other = slot_of(tree, &tree.nodes[node as usize]);
                *candidates += 1;
                if other > slot {
                    let other = objects[other as usize];
                    if frame.admits(object, other) {
                        pairs.push(Pair { a: object, b: other });
                    }
                }
                true
            });
        }
    }

    fn counters(&self) -> Counters {
        let nodes = self.tree.nodes.len() as u64;
        Counters { tests: self.candidates, nodes, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        let node = size_of::<Bvh2Node>();
        let nodes = self.tree.nodes.capacity()
            + self.builder.current_nodes.capacity()
            + self.builder.next_nodes.capacity();
        let words = self.tree.primitive_indices.capacity()
            + self.tree.primitives_to_nodes.capacity()
            + self.tree.parents.capacity()
            + self.objects.capacity()
            + self.slots.capacity();
        nodes * node
            + words * size_of::<u32>()
            + self.builder.mortons.capacity() * size_of::<[u128; 2]>()
            + self.boxes.capacity() * size_of::<obvhs::aabb::Aabb>()
            + self.changes.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(self.objects.len(), present(frame).count());
        for (&object, held) in self.objects.iter().zip(&self.boxes) {
            assert_eq!(*held, convert(&frame.boxes[object as usize]), "object {object}");
        }
        self.tree.validate(&self.boxes, false, true);
    }
}
