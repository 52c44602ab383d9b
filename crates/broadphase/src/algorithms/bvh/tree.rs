//! The tree of boxes that all builders fill and all searches read.

use crate::Aabb;
use crate::inspect::{Mark, TreeBox};
use crate::memory::memory;
use crate::scratch::renew;

/// The index of no node: the second link of a leaf, and the root of an empty tree.
pub(super) const NONE: u32 = u32::MAX;

/// A box with either two nodes or one object below it. Half a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Node {
    /// Bounds of all objects below.
    pub(super) bounds: Aabb,
    /// The left child, or a leaf's object.
    first: u32,
    /// The right child, or [`NONE`] in a leaf.
    second: u32,
}

impl Node {
    /// A node that belongs to no tree: neither child nor object.
    pub(super) const FREE: Node = Node { bounds: Aabb::EMPTY, first: NONE, second: NONE };

    pub(super) fn leaf(object: u32, bounds: Aabb) -> Self {
        Self { bounds, first: object, second: NONE }
    }

    pub(super) fn inner(children: [u32; 2], bounds: Aabb) -> Self {
        Self { bounds, first: children[0], second: children[1] }
    }

    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.second == NONE
    }

    /// The object of a leaf.
    #[inline]
    pub(super) fn object(&self) -> u32 {
        self.first
    }

    /// The children of an inner node, left and right.
    #[inline]
    pub(super) fn children(&self) -> [u32; 2] {
        [self.first, self.second]
    }

    /// Centre of a leaf, and its object.
    #[inline]
    pub(super) fn place(&self) -> (glam::Vec3, u32) {
        (self.bounds.center(), self.first)
    }

    /// Centre of the box on an axis.
    #[inline]
    pub(super) fn center(&self, axis: usize) -> f32 {
        self.bounds.min[axis] * 0.5 + self.bounds.max[axis] * 0.5
    }
}

/// The smallest box around two that are not empty.
#[inline]
pub(super) fn join(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb::new(a.min.min(b.min), a.max.max(b.max))
}

/// Whether two boxes that are not empty share a point.
///
/// A larger box keeps all overlaps. So a node overlaps every box that a node below it does.
#[inline]
pub(super) fn meet(a: &Aabb, b: &Aabb) -> bool {
    // `&`, not `&&`: a branch would be mispredicted.
    (a.min.x <= b.max.x)
        & (b.min.x <= a.max.x)
        & (a.min.y <= b.max.y)
        & (b.min.y <= a.max.y)
        & (a.min.z <= b.max.z)
        & (b.min.z <= a.max.z)
}

/// Half the surface of a box that is not empty: proportional to the probability that a random line or small box
/// meets it. Finite for every box.
#[inline]
pub(super) fn half_area(b: &Aabb) -> f32 {
    // Sides beyond 1e18 count as 1e18, whose square is finite.
    let side = b.size().min(glam::Vec3::splat(1e18));
    side.x * side.y + side.y * side.z + side.z * side.x
}

/// A binary tree of boxes, each around the boxes of its children; an object in each leaf.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The order depends on the builder; some may be [free](Node::FREE).
    pub(super) nodes: Vec<Node>,
    /// Index of the root; [`NONE`] in an empty tree.
    pub(super) root: u32,
}

memory!(Tree: nodes);

impl Default for Tree {
    /// A tree without objects.
    fn default() -> Self {
        Self { nodes: Vec::new(), root: NONE }
    }
}

impl Tree {
    /// Replaces all nodes by those of a tree of `leaves` leaves, which the caller fills. The root is node 0.
    pub(super) fn reset(&mut self, leaves: usize) {
        renew(&mut self.nodes);
        self.nodes.resize((2 * leaves).saturating_sub(1), Node::FREE);
        self.root = if leaves == 0 { NONE } else { 0 };
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Calls `visit` with every node and its depth, parents before children and left before right.
    pub(super) fn visit(&self, mut visit: impl FnMut(&Node, u32)) {
        self.visit_indexed(|_, node, depth| visit(node, depth));
    }

    /// The same, with the index of each node.
    pub(super) fn visit_indexed(&self, mut visit: impl FnMut(u32, &Node, u32)) {
        let mut stack = Vec::new();
        if self.root != NONE {
            stack.push((self.root, 0));
        }
        while let Some((index, depth)) = stack.pop() {
            let node = self.node(index);
            visit(index, node, depth);
            if !node.is_leaf() {
                let [left, right] = node.children();
                stack.push((right, depth + 1));
                stack.push((left, depth + 1));
            }
        }
    }

    /// Visits every box, parents before children. `describe` adds how an inner node was made, by its index and the
    /// number of inner nodes before it in this order.
    pub(super) fn visit_boxes(
        &self,
        visit: &mut dyn FnMut(Mark<'_>),
        describe: impl Fn(u32, u32, &mut TreeBox),
    ) {
        let mut before = 0;
        self.visit_indexed(|index, node, depth| {
            let is_leaf = node.is_leaf();
            let mut drawn = TreeBox { bounds: node.bounds, depth, is_leaf, step: None, axis: None };
            if !is_leaf {
                describe(index, before, &mut drawn);
                before += 1;
            }
            visit(Mark::Node(drawn));
        });
    }

    /// The first and the last leaf below a node.
    pub(super) fn outer_leaves(&self, node: u32) -> [u32; 2] {
        [0, 1].map(|side| {
            let mut below = node;
            while !self.node(below).is_leaf() {
                below = self.node(below).children()[side];
            }
            below
        })
    }

    /// Visits the centres of the objects, from the leftmost leaf to the rightmost.
    pub(super) fn visit_leaf_order(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        self.visit(|node, _| {
            if node.is_leaf() {
                visit(Mark::Point(node.bounds.center()));
            }
        });
    }
}

/// Lists a leaf for every present object, in ascending order.
pub(super) fn gather(boxes: &[Aabb], leaves: &mut Vec<Node>) {
    renew(leaves);
    let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
    leaves.extend(present.map(|(object, b)| Node::leaf(object, *b)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_node_is_half_a_cache_line() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn surfaces_of_extreme_boxes_are_finite() {
        let all = Aabb::new(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
        let flat = Aabb::new(Vec3::new(f32::MIN, 0.0, 0.0), Vec3::new(f32::MAX, 0.0, 0.0));
        assert!(half_area(&all).is_finite());
        assert_eq!(half_area(&flat), 0.0);
        assert_eq!(half_area(&Aabb::new(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0))), 11.0);
    }
}
