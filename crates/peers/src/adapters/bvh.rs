//! The tree of the crate `bvh`.
//!
//! Rebuilt when many boxes have changed. When few have, their leaves are removed and reinserted, which its
//! documentation recommends for few only. It has no self-traversal of a tree. So each box queries the tree,
//! by the iterator that does not allocate, and reports the pairs in which it comes first.
//!
//! Timed: comparing the boxes with the previous ones, their conversion into shapes (the tree reads them
//! repeatedly), building or updating, and the queries. The boxes are exact, and so are the pairs.

use super::changes::{Change, Changes};
use super::present;
use broadphase::registry::{Algorithm, Kind};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::{Bvh, BvhNode};
use nalgebra::Point3;

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "bvh",
    summary: "the crate bvh's hierarchy (SAH), rebuilt or updated leaf by leaf; one query per box",
    source: "crate bvh, bvh::Bvh",
    memory: |n| n * 280,
    peer: true,
    keeps_state: true,
    ..Algorithm::new("bvh", Kind::BoxTree, |_| Box::<BvhCrate>::default())
};

struct BvhCrate {
    changes: Changes,
    tree: Bvh<f32, 3>,
    /// The present objects.
    shapes: Vec<Shape>,
    /// The index of each object in `shapes`.
    slots: Vec<u32>,
    changed: Vec<usize>,
    candidates: u64,
}

impl Default for BvhCrate {
    fn default() -> Self {
        let (tree, changes) = (Bvh { nodes: Vec::new() }, Changes::default());
        let (shapes, slots, changed) = Default::default();
        Self { changes, tree, shapes, slots, changed, candidates: 0 }
    }
}

struct Shape {
    bounds: Aabb<f32, 3>,
    object: u32,
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> Aabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

fn convert(b: &broadphase::Aabb) -> Aabb<f32, 3> {
    // Not by `with_bounds`, which compares the corners first.
    Aabb { min: Point3::from(b.min.to_array()), max: Point3::from(b.max.to_array()) }
}

impl BvhCrate {
    fn rebuild(&mut self, boxes: &[broadphase::Aabb]) {
        self.shapes.clear();
        self.slots.clear();
        for (object, b) in (0..).zip(boxes) {
            self.slots.push(self.shapes.len() as u32);
            if !b.is_empty() {
                self.shapes.push(Shape { bounds: convert(b), object, node: 0 });
            }
        }
        self.tree = Bvh::build(&mut self.shapes);
    }
}

impl BroadPhase for BvhCrate {
    fn update(&mut self, frame: &Frame<'_>) {
        match self.changes.note(frame.boxes) {
            Change::Many => self.rebuild(frame.boxes),
            Change::Few(changed) => {
                self.changed.clear();
                for &object in changed {
                    let slot = self.slots[object as usize] as usize;
                    self.shapes[slot].bounds = convert(&frame.boxes[object as usize]);
                    self.changed.push(slot);
                }
                self.tree.update_shapes(&self.changed, &mut self.shapes);
            }
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.candidates = 0;
        if frame.is_stopped() {
            return;
        }
        // In the order of the tree, so that each query finds the nodes of the previous one in the caches.
        for shape in self.tree.nodes.iter().filter_map(BvhNode::shape_index) {
            let shape = &self.shapes[shape];
            for other in self.tree.traverse_iterator(&shape.bounds, &self.shapes) {
                self.candidates += 1;
                // Leaves hold no boxes: a leaf is reached if its box in the parent overlaps.
                if other.object > shape.object && frame.admits(shape.object, other.object) {
                    pairs.push(Pair { a: shape.object, b: other.object });
                }
            }
        }
    }

    fn counters(&self) -> Counters {
        let nodes = self.tree.nodes.len() as u64;
        Counters { tests: self.candidates, nodes, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        self.tree.nodes.capacity() * size_of::<BvhNode<f32, 3>>()
            + self.shapes.capacity() * size_of::<Shape>()
            + self.slots.capacity() * size_of::<u32>()
            + self.changed.capacity() * size_of::<usize>()
            + self.changes.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(self.shapes.len(), present(frame).count());
        for shape in &self.shapes {
            let b = convert(&frame.boxes[shape.object as usize]);
            assert_eq!(shape.bounds, b, "object {}", shape.object);
        }
        self.tree.assert_tight();
    }
}
