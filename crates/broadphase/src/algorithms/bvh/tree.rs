//! The tree of boxes that all builders fill and all searches read.

use crate::Aabb;
use crate::inspect::{Mark, TreeBox};
use crate::memory::memory;
use crate::parallel::{self, threads_for};

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

/// Whether a box holds another one that is not empty.
#[inline]
pub(super) fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    join(outer, inner) == *outer
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
        self.nodes.clear();
        self.nodes.resize((2 * leaves).saturating_sub(1), Node::FREE);
        self.root = if leaves == 0 { NONE } else { 0 };
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Builds the tree over some leaves from the root down, and reorders these. Nodes are in depth-first order: the left child
    /// right after its parent, the right one after the left subtree.
    pub(super) fn divide<D: Divide>(&mut self, rule: &D, leaves: &mut [Node]) {
        self.reset(leaves.len());
        if !leaves.is_empty() {
            fill(rule, leaves, &mut self.nodes, 0, 0, 0);
        }
    }

    /// Calls `visit` with every node, its index and its depth, parents before children and left before right.
    pub(super) fn visit(&self, mut visit: impl FnMut(u32, &Node, u32)) {
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
        self.visit(|index, node, depth| {
            let is_leaf = node.is_leaf();
            let mut drawn = TreeBox { bounds: node.bounds, depth, is_leaf, step: None, axis: None };
            if !is_leaf {
                describe(index, before, &mut drawn);
                before += 1;
            }
            visit(Mark::Node(drawn));
        });
    }

    /// Panics unless every present object is in one leaf, whose box `fits` that of the object, and each box is the smallest
    /// around its children.
    pub(super) fn validate(&self, boxes: &[Aabb], fits: impl Fn(&Aabb, &Aabb) -> bool) {
        let mut listed = vec![false; boxes.len()];
        let mut reached = vec![false; self.nodes.len()];
        self.visit(|index, node, _| {
            // This also ends the loop where the nodes form a cycle.
            let again = std::mem::replace(&mut reached[index as usize], true);
            assert!(!again, "node {index} has two parents");
            if !node.is_leaf() {
                let [left, right] = node.children().map(|child| self.node(child).bounds);
                let around = join(&left, &right);
                assert_eq!(
                    node.bounds, around,
                    "the box of node {index} is not around its children"
                );
                return;
            }
            let object = node.object();
            let again = std::mem::replace(&mut listed[object as usize], true);
            assert!(!again, "object {object} is in two leaves");
            let (leaf, b) = (&node.bounds, &boxes[object as usize]);
            let is_right = b.is_empty() || fits(leaf, b);
            assert!(is_right, "the leaf of object {object} has {leaf:?}, the object {b:?}");
        });
        for (object, b) in boxes.iter().enumerate() {
            let expected = !b.is_empty();
            assert_eq!(listed[object], expected, "object {object} is in a leaf (left), is present");
        }
    }
}

/// A rule that divides the objects of a node in two.
pub(super) trait Divide: Sync {
    /// Time to build a subtree for each of its leaves, in nanoseconds.
    const NANOS_PER_LEAF: usize;

    /// Reorders two or more leaves into a low and a high part, neither empty, and returns the size of the low one. `first` is
    /// the place of the first of them among all leaves, `level` the depth of their node.
    fn divide(&self, leaves: &mut [Node], first: usize, level: u32) -> usize;
}

/// Fills the nodes of a subtree, whose root is a node at a level. `first` is the place of its first leaf among all leaves.
fn fill<D: Divide>(
    rule: &D,
    leaves: &mut [Node],
    nodes: &mut [Node],
    root: u32,
    first: usize,
    level: u32,
) {
    let count = leaves.len();
    let (node, below) = nodes.split_at_mut(1);
    if count == 1 {
        node[0] = leaves[0];
        return;
    }
    let middle = rule.divide(leaves, first, level);
    let (low, high) = leaves.split_at_mut(middle);
    let (left, right) = below.split_at_mut(2 * middle - 1);
    let children = [root + 1, root + 2 * middle as u32];
    parallel::join(
        threads_for(count, D::NANOS_PER_LEAF),
        || fill(rule, low, left, children[0], first, level + 1),
        || fill(rule, high, right, children[1], first + middle, level + 1),
    );
    node[0] = Node::inner(children, join(&left[0].bounds, &right[0].bounds));
}

/// Lists a leaf for every present object, in ascending order.
pub(super) fn gather(boxes: &[Aabb], leaves: &mut Vec<Node>) {
    leaves.clear();
    let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
    leaves.extend(present.map(|(object, b)| Node::leaf(object, *b)));
}

#[cfg(test)]
impl Tree {
    /// A tree over the present objects.
    pub(super) fn divided(rule: &impl Divide, boxes: &[Aabb]) -> Self {
        let (mut tree, mut leaves) = (Self::default(), Vec::new());
        gather(boxes, &mut leaves);
        tree.divide(rule, &mut leaves);
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::super::top_down::Split;
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
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

    #[test]
    fn validate_catches_each_fault() {
        let built = || {
            let at = |i: i32| Aabb::around_sphere(Vec3::X * i as f32, 0.6);
            let mut boxes: Vec<_> = (0..5).map(at).collect();
            boxes[3] = Aabb::EMPTY;
            (Tree::divided(&Split::Median, &boxes), boxes)
        };
        let faults: [Fault<(Tree, Vec<Aabb>)>; 6] = [
            ("the leaf of object 1", |(_, boxes)| boxes[1].max.y += 0.1),
            ("not around its children", |(tree, _)| tree.nodes[0].bounds.max.z += 0.1),
            ("object 3 is in a leaf", |(_, boxes)| boxes[3] = boxes[0]),
            ("object 4 is in a leaf", |(_, boxes)| boxes[4].min.y = boxes[4].max.y.next_up()),
            ("is in two leaves", |(tree, boxes)| {
                // Small enough for the leaves of both.
                boxes[1] = Aabb::new(boxes[2].min, boxes[1].max);
                let two = boxes[2];
                let leaf = tree.nodes.iter_mut().find(|node| node.is_leaf() && node.object() == 2);
                *leaf.unwrap() = Node::leaf(1, two);
            }),
            ("has two parents", |(tree, _)| {
                tree.nodes[1] = Node::inner([0, 0], tree.nodes[0].bounds);
            }),
        ];
        assert_faults_are_caught(built, |(tree, boxes)| tree.validate(boxes, holds), &faults);
    }
}
