//! Nodes and planes of a tree of any shape.

use super::cost::Plane;
use crate::inspect::{Mark, SplitPlane};
use crate::memory::memory;
use crate::regions::{Cells, DEEPEST, EVERYWHERE, touches_high, touches_low};
use crate::{Aabb, Axis};

/// A node: a plane with two children, or a leaf. The child on the low side follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// `None` for a leaf. Its cost is that when it was chosen.
    pub(super) plane: Option<Plane>,
    /// The child on the high side.
    pub(super) high: u32,
    pub(super) depth: u32,
    /// The half-open cell, infinite on the outside.
    pub(super) cell: Aabb,
    /// Whether the last update created or moved the plane.
    pub(super) moved: bool,
    /// Objects that touch the cell.
    pub(super) reached: u32,
    /// Updates before an indivisible leaf is tried again.
    pub(super) rest: u8,
    /// Whether this update repairs the node.
    pub(super) is_due: bool,
    /// The range of leaf numbers below the node, or its own number: the first, and the end.
    pub(super) leaves: (u32, u32),
}

impl Node {
    pub(super) const LEAF: Node = Node {
        plane: None,
        high: 0,
        depth: 0,
        cell: EVERYWHERE,
        moved: false,
        reached: 0,
        rest: 0,
        is_due: false,
        leaves: (0, 0),
    };
}

/// The nodes, depth first. Rewritten every frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The nodes of the last frame.
    pub(super) before: Vec<Node>,
    pub(super) leaves: u32,
    /// The finite part of space.
    root: Aabb,
}

memory!(Tree: nodes, before);

impl Tree {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Begins a frame, whose nodes are to be written.
    pub(super) fn begin(&mut self, root: Aabb) {
        std::mem::swap(&mut self.nodes, &mut self.before);
        self.nodes.clear();
        (self.leaves, self.root) = (0, root);
    }

    /// Forgets how many objects reached each node.
    pub(super) fn forget_counts(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.reached = 0);
    }

    /// Number of objects in all leaves.
    pub(super) fn listings(&self) -> u64 {
        let leaves = self.nodes.iter().filter(|node| node.plane.is_none());
        leaves.map(|leaf| u64::from(leaf.reached)).sum()
    }

    /// Visits the planes, parents first.
    pub(super) fn visit_planes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        for node in &self.nodes {
            let &Node { cell, depth, moved, .. } = node;
            if let Some(Plane { axis, position, .. }) = node.plane {
                let cell = Aabb::new(cell.min.max(self.root.min), cell.max.min(self.root.max));
                visit(Mark::Plane(SplitPlane { axis, position, cell, depth, moved }));
            }
        }
    }

    /// Panics unless the planes lie in their cells and divide them, and the leaves are numbered from low to high.
    pub(super) fn validate(&self) {
        let mut leaves = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            assert!(node.depth <= DEEPEST, "node {number} is too deep");
            let mut end = leaves + 1;
            if let Some(plane) = node.plane {
                let (low, high) =
                    (node.cell.min[plane.axis.index()], node.cell.max[plane.axis.index()]);
                assert!(
                    (low..=high).contains(&plane.position),
                    "the plane of node {number} at {} lies outside its cell {low}..{high}",
                    plane.position
                );
                let children = [number + 1, node.high as usize];
                let cells = children.map(|child| self.nodes[child].cell);
                assert_eq!(cells, plane.parts(&node.cell), "node {number} is divided elsewhere");
                end = self.nodes[children[1]].leaves.1;
            }
            assert_eq!(node.leaves, (leaves, end), "leaves below {number} are numbered wrongly");
            leaves += u32::from(node.plane.is_none());
        }
        assert_eq!(leaves, self.leaves, "the tree has another number of leaves");
    }
}

impl Cells for Tree {
    fn root(&self) -> Aabb {
        self.root
    }

    fn leaves(&self) -> usize {
        self.leaves as usize
    }

    fn visit_leaves(&self, visit: &mut dyn FnMut(usize, Aabb, u32)) {
        for node in self.nodes.iter().filter(|node| node.plane.is_none()) {
            visit(node.leaves.0 as usize, node.cell, node.depth);
        }
    }

    #[inline]
    fn enter(&mut self, b: &Aabb, stack: &mut Vec<(usize, Axis)>, mut visit: impl FnMut(u32)) {
        // The nodes hold the axes of their planes. Those of the stack are not used.
        stack.push((0, Axis::X));
        while let Some((mut number, _)) = stack.pop() {
            loop {
                let here = &mut self.nodes[number];
                here.reached += 1;
                let Some(Plane { axis, position, .. }) = here.plane else {
                    visit(here.leaves.0);
                    break;
                };
                let (low, high) = (number + 1, touches_high(b, axis, position));
                number = if high { here.high as usize } else { low };
                if high & touches_low(b, axis, position) {
                    stack.push((low, Axis::X));
                }
            }
        }
    }
}
