//! Inserts and removes leaves, with tree rotations for smaller boxes.

use super::super::tree::{NONE, Node, half_area, join};
use super::IncrementalBvh;
use crate::Aabb;

/// Greatest depth of a new leaf. Rotations keep trees far from it, except for degenerate input:
/// with nested boxes, each insertion would take longer than the last.
const DEEPEST: u32 = 128;

/// A rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotated {
    /// The node below which it is, the child that became a grandchild, and the reverse.
    pub(super) nodes: [u32; 3],
    /// The share of its surface that the box above the lowered child lost.
    pub(super) saved: f32,
}

impl IncrementalBvh {
    /// Inserts a leaf. False if it is too deep: the tree is valid, but must be rebuilt.
    pub(super) fn insert(&mut self, leaf: Node) -> bool {
        let index = self.allocate(leaf);
        self.leaf_of[leaf.object() as usize] = index;
        if self.tree.root == NONE {
            self.replace_child(NONE, NONE, index);
            return true;
        }
        let sibling = self.best_sibling(&leaf.bounds);
        let above = self.parents[sibling as usize];
        let bounds = join(&self.tree.node(sibling).bounds, &leaf.bounds);
        let parent = self.allocate(Node::inner([sibling, index], bounds));
        for child in [sibling, index] {
            self.parents[child as usize] = parent;
        }
        self.replace_child(above, sibling, parent);
        let (mut depth, mut node) = (0, above);
        while node != NONE {
            self.rotate(node);
            self.refit(node);
            depth += 1;
            node = self.parents[node as usize];
        }
        depth < DEEPEST
    }

    /// Removes a leaf; its sibling replaces their parent.
    pub(super) fn remove(&mut self, leaf: u32) {
        let parent = self.parents[leaf as usize];
        self.release(leaf);
        if parent == NONE {
            self.tree.root = NONE;
            return;
        }
        let [left, right] = self.tree.node(parent).children();
        let sibling = if left == leaf { right } else { left };
        let mut node = self.parents[parent as usize];
        self.replace_child(node, parent, sibling);
        self.release(parent);
        // Boxes shrink upwards, up to the first that does not change.
        while node != NONE && self.refit(node) {
            node = self.parents[node as usize];
        }
    }

    /// The sibling with which a new box enlarges all boxes least, by a greedy descent to the better child.
    fn best_sibling(&self, new: &Aabb) -> u32 {
        let mut index = self.tree.root;
        // Growth of the boxes above the node.
        let mut growth_above = 0.0;
        loop {
            let node = self.tree.node(index);
            if node.is_leaf() {
                return index;
            }
            let joined = half_area(&join(&node.bounds, new));
            let growth_below = growth_above + joined - half_area(&node.bounds);
            // A leaf gets a new parent, whose whole box is added. An inner node's box grows; the cost below
            // it is not known yet.
            let cost_below = |child: u32| {
                let child = self.tree.node(child);
                let joined = half_area(&join(&child.bounds, new));
                let before = if child.is_leaf() { 0.0 } else { half_area(&child.bounds) };
                growth_below + joined - before
            };
            let [left, right] = node.children();
            let (cost_left, cost_right) = (cost_below(left), cost_below(right));
            if growth_above + joined <= cost_left.min(cost_right) {
                return index;
            }
            growth_above = growth_below;
            index = if cost_left <= cost_right { left } else { right };
        }
    }

    /// Exchanges a child of a node with a grandchild under its other child, where that makes the other
    /// child's box smaller: the best of all such rotations.
    fn rotate(&mut self, node: u32) {
        let [left, right] = self.tree.node(node).children();
        let (mut saved, mut area, mut nodes) = (0.0, 0.0, [NONE; 3]);
        for (child, other) in [(left, right), (right, left)] {
            let box_of = |index: u32| &self.tree.node(index).bounds;
            if self.tree.node(other).is_leaf() {
                continue;
            }
            let [first, second] = self.tree.node(other).children();
            let before = half_area(box_of(other));
            for (leaving, staying) in [(first, second), (second, first)] {
                let gain = before - half_area(&join(box_of(child), box_of(staying)));
                if gain > saved {
                    (saved, area, nodes) = (gain, before, [child, other, leaving]);
                }
            }
        }
        if saved > 0.0 {
            let [child, other, leaving] = nodes;
            self.replace_child(node, child, leaving);
            self.replace_child(other, leaving, child);
            self.refit(other);
            self.rotations.push(Rotated { nodes: [node, child, leaving], saved: saved / area });
        }
    }

    /// Refits the box of an inner node to its children. True if it changed.
    fn refit(&mut self, node: u32) -> bool {
        let [left, right] = self.tree.node(node).children();
        let bounds = join(&self.tree.node(left).bounds, &self.tree.node(right).bounds);
        let old = &mut self.tree.nodes[node as usize].bounds;
        std::mem::replace(old, bounds) != bounds
    }

    /// Replaces a child by another node; without a parent, this becomes the root.
    fn replace_child(&mut self, parent: u32, child: u32, new: u32) {
        self.parents[new as usize] = parent;
        if parent == NONE {
            self.tree.root = new;
            return;
        }
        let node = &mut self.tree.nodes[parent as usize];
        let children = node.children().map(|other| if other == child { new } else { other });
        *node = Node::inner(children, node.bounds);
    }

    fn allocate(&mut self, node: Node) -> u32 {
        if let Some(index) = self.free.pop() {
            self.tree.nodes[index as usize] = node;
            return index;
        }
        self.tree.nodes.push(node);
        self.parents.push(NONE);
        self.tree.nodes.len() as u32 - 1
    }

    fn release(&mut self, node: u32) {
        self.tree.nodes[node as usize] = Node::FREE;
        self.free.push(node);
    }
}
