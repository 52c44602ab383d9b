//! The full binary tree of axis-aligned planes of `bsp` and `kd-tree`.
//!
//! In the full tree, node k has the children 2k + 1 (the side below its plane) and 2k + 2 (the side
//! above). The axes cycle x, y, z with depth. The outermost cells are infinite, so that every object
//! has a leaf, wherever it is. The finite `root` cell only bounds the planes' positions and drawing.
//!
//! A cell is half open: it holds its lower faces, not its upper ones. So every point lies in
//! exactly one leaf, and a box touches a side by [`touches_low`] and [`touches_high`].

use super::{Cells, EVERYWHERE, Leaves};
use crate::entry::Parameter;
use crate::inspect::{Mark, SplitPlane};
use crate::memory::memory;
use crate::{Aabb, Axis, Counters};

/// Depth of the tree by number of objects (thesis, figure 3.2): that of the first bound above the
/// number.
const DEPTHS: [(usize, u32); 8] =
    [(10, 1), (50, 2), (250, 3), (500, 4), (1000, 5), (2000, 6), (4000, 7), (8000, 8)];

/// Depth from the last bound of the table on.
const TABLE_END: u32 = 9;

/// Depth of a full tree.
pub(crate) const DEPTH: Parameter = Parameter::count(
    "depth",
    0,
    [0, 12],
    "Planes between the root and a leaf; 0 follows the table of the thesis, by the number of objects",
)
.automatic_at_zero();

/// Depth of the full tree for `objects` objects: a value of [`DEPTH`].
pub(crate) fn depth_for(objects: usize, depth: u32) -> u32 {
    if depth > 0 {
        return depth;
    }
    DEPTHS.iter().find(|(bound, _)| objects < *bound).map_or(TABLE_END, |(_, depth)| *depth)
}

/// Whether a box has a part below a plane.
#[inline]
pub(crate) fn touches_low(b: &Aabb, axis: Axis, plane: f32) -> bool {
    b.min[axis.index()] < plane
}

/// Whether a box has a part on a plane or above it.
#[inline]
pub(crate) fn touches_high(b: &Aabb, axis: Axis, plane: f32) -> bool {
    b.max[axis.index()] >= plane
}

/// A full binary tree of planes.
#[derive(Clone, Debug)]
pub(crate) struct PlaneTree {
    depth: u32,
    root: Aabb,
    planes: Vec<f32>,
    moved: Vec<bool>,
}

memory!(PlaneTree: planes, moved);

impl PlaneTree {
    /// A halving tree over the world. An unknown (empty) world becomes the bounds of the boxes; `None`
    /// if they are all absent.
    pub(crate) fn over(world: &mut Aabb, depth: u32, boxes: &[Aabb]) -> Option<Self> {
        if world.is_empty() {
            *world = Aabb::bounds(boxes);
        }
        (!world.is_empty()).then(|| Self::halving(*world, depth))
    }

    /// A tree whose planes halve their cells.
    pub(crate) fn halving(root: Aabb, depth: u32) -> Self {
        let inner = (1 << depth) - 1;
        let mut tree = Self { depth, root, planes: vec![0.0; inner], moved: vec![false; inner] };
        tree.halve_from(0, root);
        tree.moved.fill(false);
        tree
    }

    /// Planes between the root and a leaf.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Replaces the root cell. No plane moves.
    pub(crate) fn set_root(&mut self, root: Aabb) {
        self.root = root;
    }

    /// Whether a node is a leaf.
    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        node >= self.planes.len()
    }

    /// Axis and position of the plane of an inner node.
    pub(crate) fn plane(&self, node: usize) -> (Axis, f32) {
        (axis_of(node), self.planes[node])
    }

    /// Moves the plane of an inner node to a position within its cell, and every plane below it to the
    /// middle of its new cell.
    pub(crate) fn place(&mut self, node: usize, cell: Aabb, position: f32) {
        let axis = axis_of(node);
        self.set(node, position.clamp(cell.min[axis.index()], cell.max[axis.index()]));
        let (low, high) = self.split(node, cell);
        self.halve_from(2 * node + 1, low);
        self.halve_from(2 * node + 2, high);
    }

    /// Moves the plane of a node, and all planes below it, to the middle of their cells.
    pub(crate) fn halve_from(&mut self, node: usize, cell: Aabb) {
        if !self.is_leaf(node) {
            let middle = cell.center()[axis_of(node).index()];
            self.place(node, cell, middle);
        }
    }

    /// The two parts into which the plane of an inner node divides its cell.
    pub(crate) fn split(&self, node: usize, cell: Aabb) -> (Aabb, Aabb) {
        let (axis, position) = self.plane(node);
        let (mut low, mut high) = (cell, cell);
        low.max[axis.index()] = position;
        high.min[axis.index()] = position;
        (low, high)
    }

    fn set(&mut self, node: usize, position: f32) {
        if self.planes[node] != position {
            self.planes[node] = position;
            self.moved[node] = true;
        }
    }

    /// Resets the record of moved planes.
    pub(crate) fn settle(&mut self) {
        self.moved.fill(false);
    }

    /// Number of planes moved since the last [`settle`](Self::settle).
    pub(crate) fn moved(&self) -> usize {
        self.moved.iter().filter(|moved| **moved).count()
    }

    /// Calls `visit` with every node and its cell, parents first.
    pub(crate) fn visit_cells(&self, root: Aabb, visit: &mut dyn FnMut(usize, Aabb)) {
        self.visit_cells_from(0, root, visit);
    }

    fn visit_cells_from(&self, node: usize, cell: Aabb, visit: &mut dyn FnMut(usize, Aabb)) {
        visit(node, cell);
        if !self.is_leaf(node) {
            let (low, high) = self.split(node, cell);
            self.visit_cells_from(2 * node + 1, low, visit);
            self.visit_cells_from(2 * node + 2, high, visit);
        }
    }

    /// Visits the planes, parents first.
    pub(crate) fn visit_planes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        self.visit_cells(self.root, &mut |node, cell| {
            if !self.is_leaf(node) {
                let (axis, position) = self.plane(node);
                let (depth, moved) = (depth_of(node), self.moved[node]);
                visit(Mark::Plane(SplitPlane { axis, position, cell, depth, moved }));
            }
        });
    }

    /// Panics unless every plane lies within its cell.
    pub(crate) fn validate(&self) {
        assert_eq!(self.planes.len() + 1, 1 << self.depth, "the tree is not full");
        self.visit_cells(self.root, &mut |node, cell| {
            if !self.is_leaf(node) {
                let (axis, position) = self.plane(node);
                let (low, high) = (cell.min[axis.index()], cell.max[axis.index()]);
                assert!(
                    (low..=high).contains(&position),
                    "the plane of node {node} at {position} lies outside its cell {low}..{high}"
                );
            }
        });
    }
}

impl Cells for PlaneTree {
    fn root(&self) -> Aabb {
        self.root
    }

    fn leaves(&self) -> usize {
        self.planes.len() + 1
    }

    fn visit_leaves(&self, visit: &mut dyn FnMut(usize, Aabb, u32)) {
        self.visit_cells(EVERYWHERE, &mut |node, cell| {
            if self.is_leaf(node) {
                visit(node - self.planes.len(), cell, self.depth);
            }
        });
    }

    #[inline]
    fn enter(&mut self, b: &Aabb, stack: &mut Vec<(usize, Axis)>, mut visit: impl FnMut(u32)) {
        let inner = self.planes.len();
        stack.push((0, Axis::X));
        while let Some((mut node, mut axis)) = stack.pop() {
            while node < inner {
                let position = self.planes[node];
                let high = touches_high(b, axis, position);
                let (here, below) = (node, axis.next());
                // The child is computed without a branch: the side of a box cannot be predicted.
                // Crossing the plane is rare, and is a branch.
                node = 2 * here + 1 + usize::from(high);
                if high & touches_low(b, axis, position) {
                    stack.push((2 * here + 1, below));
                }
                axis = below;
            }
            visit((node - inner) as u32);
        }
    }
}

/// Panics unless the planes lie in their cells and the objects in their leaves. No object needs no tree.
pub(crate) fn validate_tree(tree: Option<&PlaneTree>, leaves: &Leaves, boxes: &[Aabb]) {
    tree.iter().for_each(|tree| tree.validate());
    leaves.validate(tree, boxes);
}

/// The counters of a tree of planes, which has one leaf more than planes.
pub(crate) fn counters_of_planes(leaves: &Leaves, rebuilds: u64) -> Counters {
    let counters = leaves.counters();
    Counters { nodes: (2 * counters.nodes).saturating_sub(1), rebuilds, ..counters }
}

/// Depth of a node; the root has depth 0.
fn depth_of(node: usize) -> u32 {
    (node + 1).ilog2()
}

fn axis_of(node: usize) -> Axis {
    Axis::ALL[depth_of(node) as usize % 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn depth_follows_the_table_of_the_thesis() {
        assert_eq!([0, 9, 8000, 1_000_000].map(|objects| depth_for(objects, 0)), [1, 1, 9, 9]);
        for (bound, depth) in DEPTHS {
            let around = [bound - 1, bound].map(|objects| depth_for(objects, 0));
            assert_eq!(around, [depth, depth + 1], "around {bound} objects");
            assert_eq!(depth_for(bound, 12), 12, "a depth that is set holds for all numbers");
        }
    }

    #[test]
    fn planes_halve_their_cells_and_cycle_through_the_axes() {
        let tree = PlaneTree::halving(Aabb::new(Vec3::ZERO, Vec3::new(8.0, 4.0, 2.0)), 4);
        assert_eq!(tree.plane(0), (Axis::X, 4.0));
        assert_eq!(tree.plane(1), (Axis::Y, 2.0));
        assert_eq!(tree.plane(6), (Axis::Z, 1.0));
        assert_eq!(tree.plane(7), (Axis::X, 2.0));
        assert_eq!(tree.plane(14), (Axis::X, 6.0));
        tree.validate();
    }

    #[test]
    fn a_plane_that_moves_resets_those_below_it() {
        let root = Aabb::new(Vec3::ZERO, Vec3::splat(8.0));
        let mut tree = PlaneTree::halving(root, 4);
        tree.place(0, root, 2.0);
        assert_eq!(tree.plane(7), (Axis::X, 1.0));
        assert_eq!(tree.plane(14), (Axis::X, 5.0));
        // The root's plane, and the eight at depth 3 that cut the same axis.
        assert_eq!(tree.moved(), 9);
        tree.validate();
    }

    #[test]
    #[should_panic(expected = "outside its cell")]
    fn validate_catches_a_plane_outside_its_cell() {
        let mut tree = PlaneTree::halving(Aabb::new(Vec3::ZERO, Vec3::ONE), 4);
        tree.planes[7] = 0.75;
        tree.validate();
    }
}
