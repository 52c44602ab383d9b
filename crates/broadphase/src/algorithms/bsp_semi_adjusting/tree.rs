//! Nodes and planes of a tree of any shape.

use crate::inspect::{Mark, SplitPlane};
use crate::memory::{Heap, Memory, room};
use crate::regions::{Cells, DEEPEST, touches_high, touches_low};
use crate::{Aabb, Axis};

/// Index of the root.
pub(super) const ROOT: usize = 0;

/// A node: a plane with two children, or a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The child on the low side; the one on the high side follows it. `None` for a leaf.
    pub(super) child: Option<u32>,
    pub(super) axis: Axis,
    pub(super) position: f32,
    /// Whether the last update created or moved the plane.
    pub(super) moved: bool,
    /// Objects that touch the cell.
    pub(super) reached: u32,
    /// Cost of the plane when it was chosen.
    pub(super) cost_when_chosen: f32,
    /// Updates before an indivisible leaf is tried again.
    pub(super) rest: u8,
    /// The range of leaf numbers below the node, or its own number: the first, and the end.
    pub(super) leaves: (u32, u32),
}

impl Node {
    const LEAF: Node = Node {
        child: None,
        axis: Axis::X,
        position: 0.0,
        moved: false,
        reached: 0,
        cost_when_chosen: 1.0,
        rest: 0,
        leaves: (0, 0),
    };
}

/// The nodes. Free pairs of siblings are listed in `free`.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    free: Vec<u32>,
    root: Aabb,
    leaves: usize,
}
room!(Tree: nodes, free);

impl Memory for Tree {
    fn heap(&self) -> Heap {
        let free = 2 * self.free.len() * size_of::<Node>();
        let nodes = self.nodes.heap();
        Heap { used: nodes.used - free, ..nodes } + self.free.heap().idle()
    }

    /// Where most nodes are free, the tree is dropped, and built in the next frame.
    fn trim(&mut self) {
        if 4 * self.free.len() > self.nodes.len() {
            *self = Self::default();
        }
        self.nodes.trim();
        self.free.trim();
    }
}

impl Tree {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A single leaf over a space.
    pub(super) fn reset(&mut self, root: Aabb) {
        self.nodes.clear();
        self.free.clear();
        self.nodes.push(Node::LEAF);
        self.root = root;
    }

    /// Enlarges the root to hold the bounds. No plane moves.
    pub(super) fn grow(&mut self, bounds: &Aabb) {
        self.root = self.root.union(bounds);
    }

    /// Forgets which planes moved.
    pub(super) fn settle(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.moved = false);
    }

    /// Makes room for half as many nodes again: a steady frame must not allocate.
    pub(super) fn reserve(&mut self) {
        self.nodes.reserve(self.nodes.len() / 2 + 64);
        self.free.reserve(self.nodes.capacity() / 2);
    }

    pub(super) fn forget_counts(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.reached = 0);
    }

    /// Number of objects that reached each leaf.
    pub(super) fn counts(&self) -> impl Iterator<Item = u64> {
        let mut counts = Vec::new();
        self.visit(ROOT, self.root, 0, &mut |node, _, _| {
            if self.nodes[node].child.is_none() {
                counts.push(u64::from(self.nodes[node].reached));
            }
        });
        counts.into_iter()
    }

    /// Makes a leaf an inner node with two leaves.
    pub(super) fn split(&mut self, leaf: usize, axis: Axis, position: f32, cost: f32) -> usize {
        let child = self.free.pop().unwrap_or_else(|| {
            self.nodes.extend([Node::LEAF; 2]);
            self.nodes.len() as u32 - 2
        });
        self.nodes[child as usize..][..2].fill(Node::LEAF);
        let node = &mut self.nodes[leaf];
        node.child = Some(child);
        self.place(leaf, axis, position, cost);
        child as usize
    }

    /// Gives an inner node another plane.
    pub(super) fn place(&mut self, node: usize, axis: Axis, position: f32, cost: f32) {
        let node = &mut self.nodes[node];
        (node.axis, node.position, node.cost_when_chosen) = (axis, position, cost);
        node.moved = true;
    }

    /// Makes a node a leaf, and frees all nodes below it.
    pub(super) fn merge(&mut self, node: usize) {
        if let Some(child) = self.nodes[node].child.take() {
            self.merge(child as usize);
            self.merge(child as usize + 1);
            // So that no count of a free node remains.
            self.nodes[child as usize..][..2].fill(Node::LEAF);
            self.free.push(child);
        }
    }

    /// Clamps planes to their cells, and numbers the leaves from low to high.
    pub(super) fn straighten(&mut self) {
        self.leaves = 0;
        self.straighten_from(ROOT, self.root);
    }

    fn straighten_from(&mut self, node: usize, cell: Aabb) {
        let first = self.leaves as u32;
        if let Some(child) = self.nodes[node].child {
            let Node { axis, position, .. } = self.nodes[node];
            let axis = axis.index();
            let inside = position.clamp(cell.min[axis], cell.max[axis]);
            if inside != position {
                self.nodes[node].position = inside;
                self.nodes[node].moved = true;
            }
            let (low, high) = self.parts(node, cell);
            self.straighten_from(child as usize, low);
            self.straighten_from(child as usize + 1, high);
        } else {
            self.leaves += 1;
        }
        self.nodes[node].leaves = (first, self.leaves as u32);
    }

    fn parts(&self, node: usize, cell: Aabb) -> (Aabb, Aabb) {
        let Node { axis, position, .. } = self.nodes[node];
        let (mut low, mut high) = (cell, cell);
        low.max[axis.index()] = position;
        high.min[axis.index()] = position;
        (low, high)
    }

    /// Calls `visit` with every node from one on down, with its cell and depth, parents first.
    fn visit(&self, node: usize, cell: Aabb, depth: u32, visit: &mut dyn FnMut(usize, Aabb, u32)) {
        visit(node, cell, depth);
        if let Some(child) = self.nodes[node].child {
            let (low, high) = self.parts(node, cell);
            self.visit(child as usize, low, depth + 1, visit);
            self.visit(child as usize + 1, high, depth + 1, visit);
        }
    }

    /// Visits the planes, parents first.
    pub(super) fn visit_planes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        if self.is_empty() {
            return;
        }
        self.visit(ROOT, self.root, 0, &mut |node, cell, depth| {
            let Node { child, axis, position, moved, .. } = self.nodes[node];
            if child.is_some() {
                visit(Mark::Plane(SplitPlane { axis, position, cell, depth, moved }));
            }
        });
    }

    /// Panics unless every node is reached once, the planes lie in their cells, and the leaves are numbered
    /// from low to high.
    pub(super) fn validate(&self) {
        let mut reached = vec![false; self.nodes.len()];
        let mut leaves = 0;
        self.visit(ROOT, self.root, 0, &mut |node, cell, depth| {
            let Node { child, axis, position, leaves: (first, end), .. } = self.nodes[node];
            assert!(!std::mem::replace(&mut reached[node], true), "node {node} has two parents");
            assert!(depth <= DEEPEST, "node {node} is too deep");
            assert_eq!(first, leaves, "the leaves below node {node} are numbered wrongly");
            if child.is_none() {
                leaves += 1;
                assert_eq!(end, leaves, "leaf {first} is not one leaf");
                return;
            }
            let (low, high) = (cell.min[axis.index()], cell.max[axis.index()]);
            assert!(
                (low..=high).contains(&position),
                "the plane of node {node} at {position} lies outside its cell {low}..{high}"
            );
        });
        assert_eq!(leaves as usize, self.leaves, "the tree has another number of leaves");
        let used = reached.iter().filter(|reached| **reached).count();
        assert_eq!(used + 2 * self.free.len(), self.nodes.len(), "a node was lost");
    }
}

impl Cells for Tree {
    fn root(&self) -> Aabb {
        self.root
    }

    fn leaves(&self) -> usize {
        self.leaves
    }

    fn visit_leaves(&self, root: Aabb, visit: &mut dyn FnMut(usize, Aabb, u32)) {
        self.visit(ROOT, root, 0, &mut |node, cell, depth| {
            if self.nodes[node].child.is_none() {
                visit(self.nodes[node].leaves.0 as usize, cell, depth);
            }
        });
    }

    #[inline]
    fn enter(&mut self, b: &Aabb, stack: &mut Vec<(usize, Axis)>, mut visit: impl FnMut(u32)) {
        // The nodes hold the axes of their planes. Those of the stack are not used.
        stack.push((ROOT, Axis::X));
        while let Some((mut node, _)) = stack.pop() {
            loop {
                let here = &mut self.nodes[node];
                here.reached += 1;
                let Some(child) = here.child else {
                    visit(here.leaves.0);
                    break;
                };
                let high = touches_high(b, here.axis, here.position);
                node = child as usize + usize::from(high);
                if high & touches_low(b, here.axis, here.position) {
                    stack.push((child as usize, Axis::X));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn three_leaves() -> Tree {
        let mut tree = Tree::default();
        tree.reset(Aabb::new(Vec3::ZERO, Vec3::splat(8.0)));
        let low = tree.split(ROOT, Axis::Y, 4.0, 0.5);
        tree.split(low, Axis::Y, 2.0, 0.5);
        tree.straighten();
        tree
    }

    #[test]
    fn freed_nodes_are_reused() {
        let mut tree = three_leaves();
        tree.validate();
        assert_eq!((tree.leaves(), tree.nodes.len()), (3, 5));
        tree.merge(ROOT);
        tree.straighten();
        tree.validate();
        assert_eq!(tree.leaves(), 1);
        let child = tree.split(ROOT, Axis::X, 1.0, 0.5);
        tree.split(child + 1, Axis::X, 3.0, 0.5);
        tree.straighten();
        tree.validate();
        assert_eq!((tree.leaves(), tree.nodes.len()), (3, 5));
    }

    #[test]
    fn plane_that_passes_another_pushes_it() {
        let mut tree = three_leaves();
        tree.settle();
        tree.place(ROOT, Axis::Y, 1.0, 0.5);
        tree.straighten();
        tree.validate();
        assert_eq!(tree.nodes.iter().filter(|node| node.moved).count(), 2);
    }

    #[test]
    #[should_panic(expected = "outside its cell")]
    fn validate_catches_a_plane_outside_its_cell() {
        let mut tree = three_leaves();
        tree.place(ROOT, Axis::Y, 1.0, 0.5);
        tree.validate();
    }

    #[test]
    #[should_panic(expected = "numbered wrongly")]
    fn validate_catches_unnumbered_leaves() {
        let mut tree = three_leaves();
        let low = tree.nodes[ROOT].child.unwrap() as usize;
        tree.split(low + 1, Axis::X, 2.0, 0.5);
        tree.nodes[low + 1].leaves.0 = 7;
        tree.validate();
    }

    #[test]
    #[should_panic(expected = "a node was lost")]
    fn validate_catches_a_lost_node() {
        let mut tree = three_leaves();
        tree.nodes.push(Node::LEAF);
        tree.validate();
    }
}
