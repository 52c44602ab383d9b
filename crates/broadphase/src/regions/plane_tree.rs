//! Trees of axis-aligned planes, and the objects in their leaves.
//!
//! Node k has the children 2k + 1 (the side below its plane) and 2k + 2 (the side above). A cell is half open: it holds
//! its lower faces, not its upper ones. So every point lies in exactly one leaf. The outermost cells are infinite, so that
//! every object has a leaf, wherever it is. The finite root only bounds what is drawn, and the planes that halve a cell.

use super::{ALL_AXES, Regions};
use crate::entry::Parameter;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark, SplitPlane};
use crate::memory::memory;
use crate::{Aabb, Axis, Counters, Frame};
use glam::Vec3;
use std::ops::Range;

/// All of space.
pub(crate) const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Listings of an object, in the mean, that need no more memory than the algorithms state.
pub(crate) const LISTINGS_PER_OBJECT: usize = 8;

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

/// Depth of a node; the root has depth 0.
pub(crate) fn depth_of(node: usize) -> u32 {
    (node + 1).ilog2()
}

/// The children of a node: the low side of its plane, and the high one.
pub(crate) fn children(node: usize) -> [usize; 2] {
    [2 * node + 1, 2 * node + 2]
}

/// A plane that is normal to an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    pub(crate) axis: Axis,
    pub(crate) position: f32,
}

impl Plane {
    /// Whether a box has a part below the plane, and on it or above.
    #[inline]
    pub(crate) fn touches(&self, b: &Aabb) -> [bool; 2] {
        let axis = self.axis.index();
        [b.min[axis] < self.position, b.max[axis] >= self.position]
    }

    /// The two parts into which the plane divides a cell.
    pub(crate) fn parts(&self, cell: &Aabb) -> [Aabb; 2] {
        let (mut low, mut high) = (*cell, *cell);
        low.max[self.axis.index()] = self.position;
        high.min[self.axis.index()] = self.position;
        [low, high]
    }

    /// Appends the objects at some places of a list that touch the low side, then those that touch the high side. Returns the
    /// places of both.
    pub(crate) fn divide(
        &self,
        list: &mut Vec<u32>,
        places: Range<usize>,
        boxes: &[Aabb],
    ) -> [Range<usize>; 2] {
        [0, 1].map(|side| {
            let first = list.len();
            for place in places.clone() {
                let object = list[place];
                if self.touches(&boxes[object as usize])[side] {
                    list.push(object);
                }
            }
            first..list.len()
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// `None` for a leaf. Nodes below a leaf are unused.
    plane: Option<Plane>,
    /// Whether the plane was set or moved since the last [`PlaneTree::settle`].
    moved: bool,
    /// Objects that touch the cell.
    reached: u32,
    /// The half-open cell, infinite on the outside.
    cell: Aabb,
    /// The numbers of the leaves below, or of this one: the first, and the end.
    leaves: [u32; 2],
}

impl Node {
    const LEAF: Node =
        Node { plane: None, moved: false, reached: 0, cell: EVERYWHERE, leaves: [0; 2] };
}

/// A tree of planes. The leaves are emptied and refilled every frame; all memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlaneTree {
    /// The finite part of space.
    root: Aabb,
    /// None before the first object.
    nodes: Vec<Node>,
    /// The leaves from low to high.
    leaves: Vec<u32>,
    /// The objects in each.
    pub(crate) regions: Regions,
    /// Nodes to visit.
    stack: Vec<u32>,
    /// Whether the first leaf lists all objects, and the others none: in their leaves they would be too many for the limits.
    pub(crate) is_one_list: bool,
}

memory!(PlaneTree: nodes, leaves, regions, stack);

impl PlaneTree {
    /// A tree in which boxes are compared one pair at a time.
    pub(crate) fn scalar() -> Self {
        Self { regions: Regions::scalar(), ..Self::default() }
    }

    /// Replaces the tree by a full one of another depth over the world, whose planes halve their cells and cycle through the
    /// axes. The bounds of the boxes replace a world that is unknown (empty).
    pub(crate) fn lay_out(&mut self, world: &mut Aabb, depth: u32, boxes: &[Aabb]) {
        if world.is_empty() {
            *world = Aabb::bounds(boxes);
        }
        if self.leaves.len() == 1 << depth || world.is_empty() {
            return;
        }
        self.nodes.clear();
        self.set(0, None);
        for node in 0..(1 << depth) - 1 {
            let axis = Axis::ALL[depth_of(node) as usize % 3];
            self.set(node, Some(Plane { axis, position: 0.0 }));
        }
        self.halve_from(0, *world);
        self.settle();
        self.reshape(*world);
    }

    /// Whether there was no object yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The plane of a node; `None` for a leaf.
    pub(crate) fn plane(&self, node: usize) -> Option<Plane> {
        self.nodes[node].plane
    }

    /// Replaces the plane of a node. What was below it is unused until it is set.
    pub(crate) fn set(&mut self, node: usize, plane: Option<Plane>) {
        let last = if plane.is_some() { children(node)[1] } else { node };
        if self.nodes.len() <= last {
            self.nodes.resize(last + 1, Node::LEAF);
        }
        let node = &mut self.nodes[node];
        node.moved |= plane.is_some() && plane != node.plane;
        node.plane = plane;
    }

    /// Moves the plane of an inner node, and every plane below it to the middle of its new cell.
    pub(crate) fn place(&mut self, node: usize, cell: Aabb, plane: Plane) {
        let axis = plane.axis.index();
        let position = plane.position.clamp(cell.min[axis], cell.max[axis]);
        let plane = Plane { position, ..plane };
        self.set(node, Some(plane));
        for (child, part) in children(node).into_iter().zip(plane.parts(&cell)) {
            self.halve_from(child, part);
        }
    }

    /// Moves the plane of a node, and all planes below it, to the middle of their cells.
    pub(crate) fn halve_from(&mut self, node: usize, cell: Aabb) {
        if let Some(Plane { axis, .. }) = self.plane(node) {
            self.place(node, cell, Plane { axis, position: cell.center()[axis.index()] });
        }
    }

    /// Forgets which planes moved.
    pub(crate) fn settle(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.moved = false);
    }

    /// Updates the cells and the numbers of the leaves after planes have changed. A plane that another has passed moves with
    /// it.
    pub(crate) fn reshape(&mut self, root: Aabb) {
        self.root = root;
        self.leaves.clear();
        self.reshape_from(0, EVERYWHERE);
        let last = self.leaves.iter().max().map_or(0, |last| *last as usize);
        self.nodes.truncate(last + 1);
    }

    fn reshape_from(&mut self, number: usize, cell: Aabb) {
        let first = self.leaves.len() as u32;
        let node = &mut self.nodes[number];
        node.cell = cell;
        if let Some(plane) = &mut node.plane {
            let axis = plane.axis.index();
            let inside = plane.position.clamp(cell.min[axis], cell.max[axis]);
            node.moved |= inside != plane.position;
            plane.position = inside;
            let parts = plane.parts(&cell);
            children(number).into_iter().zip(parts).for_each(|(child, part)| {
                self.reshape_from(child, part);
            });
        } else {
            self.leaves.push(number as u32);
        }
        self.nodes[number].leaves = [first, self.leaves.len() as u32];
    }

    /// Lists every object in every leaf that it touches; absent ones in none. If that takes far more memory than the pairs
    /// that the frame may have, all objects are in [one list](Self::is_one_list).
    pub(crate) fn refill(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        let most = (frame.limits.most() / 4).saturating_add(LISTINGS_PER_OBJECT * boxes.len());
        self.is_one_list = !self.list(boxes, most);
        if self.is_one_list {
            self.regions.clear();
            for (object, _) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
                self.regions.list(object, |list| list(0, ALL_AXES));
            }
        }
        self.regions.sort(self.leaves.len(), boxes);
    }

    /// Lists every object. False once there are more than `most` listings.
    fn list(&mut self, boxes: &[Aabb], most: usize) -> bool {
        let Self { nodes, regions, stack, .. } = self;
        nodes.iter_mut().for_each(|node| node.reached = 0);
        regions.clear();
        for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            regions.list(object, |list| {
                enter(nodes, stack, b, |leaf| list(leaf.leaves[0], begins(&leaf.cell, b)));
            });
            if regions.listings.len() > most {
                return false;
            }
        }
        true
    }

    /// Number of objects that touched the cell of a node in the last frame.
    pub(crate) fn reached(&self, node: usize) -> u32 {
        self.nodes[node].reached
    }

    /// The objects below a node in the last frame; an object of several leaves is repeated.
    pub(crate) fn objects_below(&self, node: usize) -> impl Iterator<Item = u32> {
        let [first, end] = self.nodes[node].leaves.map(|leaf| leaf as usize);
        self.regions.objects_of(first..end)
    }

    /// Counters of the last frame, with a node for each plane and each leaf; planes that moved are rebuilds.
    pub(crate) fn counters(&self) -> Counters {
        Counters {
            nodes: (2 * self.leaves.len() as u64).saturating_sub(1),
            depth: self.leaves.iter().map(|leaf| depth_of(*leaf as usize)).max().unwrap_or(0),
            rebuilds: self.nodes.iter().filter(|node| node.moved).count() as u64,
            ..self.regions.counters()
        }
    }

    /// Visits the leaves, `depth_of` gives the depth of a node.
    pub(crate) fn visit_leaves(
        &self,
        depth_of: impl Fn(usize) -> u32,
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        for (number, leaf) in self.leaves.iter().enumerate().take(self.regions.len()) {
            let node = *leaf as usize;
            let objects: Vec<u32> = self.objects_below(node).collect();
            let bounds = self.finite(&self.nodes[node].cell);
            visit(Mark::Region(RegionMark::new(number, bounds, depth_of(node), &objects)));
        }
    }

    /// The finite part of a cell.
    fn finite(&self, cell: &Aabb) -> Aabb {
        Aabb::new(cell.min.max(self.root.min), cell.max.min(self.root.max))
    }

    /// Calls `visit` with the inner nodes and the planes, parents first.
    fn visit_planes(&self, node: usize, visit: &mut dyn FnMut(usize, Plane)) {
        if let Some(plane) = self.nodes.get(node).and_then(|node| node.plane) {
            visit(node, plane);
            children(node).into_iter().for_each(|child| self.visit_planes(child, visit));
        }
    }

    /// Panics unless the planes lie in their cells, the leaves fill space, and every leaf lists exactly the objects that touch
    /// its cell, once each and with the current box.
    pub(crate) fn validate(&self, boxes: &[Aabb]) {
        assert_eq!(self.regions.len(), self.leaves.len(), "a leaf has no list");
        assert!(self.nodes.iter().take(1).all(|root| root.cell == EVERYWHERE), "a bounded root");
        self.visit_planes(0, &mut |node, plane| {
            let Node { cell, leaves, .. } = self.nodes[node];
            let ([low, high], position) = ([cell.min, cell.max], plane.position);
            let axis = plane.axis.index();
            assert!(
                (low[axis]..=high[axis]).contains(&position),
                "the plane of node {node} at {position} lies outside its cell"
            );
            let [low, high] = children(node).map(|child| self.nodes[child]);
            assert_eq!(
                [low.cell, high.cell],
                plane.parts(&cell),
                "node {node} is divided elsewhere"
            );
            let numbers = [low.leaves[0], low.leaves[1], high.leaves[1]];
            let expected = [leaves[0], high.leaves[0], leaves[1]];
            assert_eq!(numbers, expected, "leaves below {node} are numbered wrongly");
        });
        let mut reached = vec![0; self.leaves.len()];
        self.regions.validate(boxes, |_, b, visit| {
            if self.is_one_list {
                return visit(0, ALL_AXES);
            }
            for (number, leaf) in (0..).zip(&self.leaves) {
                let cell = &self.nodes[*leaf as usize].cell;
                if b.min.cmplt(cell.max).all() && cell.min.cmple(b.max).all() {
                    visit(number, begins(cell, b));
                    reached[number as usize] += 1;
                }
            }
        });
        let counted = self.leaves.iter().map(|leaf| self.reached(*leaf as usize));
        let is_counted = self.is_one_list || counted.eq(reached);
        assert!(is_counted, "a leaf's count differs from its list");
    }
}

/// Calls `visit` with every leaf that a box touches, which is not empty. Counts the object in all nodes on the way.
#[inline]
fn enter(nodes: &mut [Node], stack: &mut Vec<u32>, b: &Aabb, mut visit: impl FnMut(&Node)) {
    stack.push(0);
    while let Some(node) = stack.pop() {
        let mut at = node as usize;
        loop {
            let node = &mut nodes[at];
            node.reached += 1;
            let Some(plane) = node.plane else {
                visit(node);
                break;
            };
            // The child is computed without a branch: the side of a box cannot be predicted. Crossing the plane is rare, and
            // is a branch.
            let [is_low, is_high] = plane.touches(b);
            let [low, _] = children(at);
            at = low + usize::from(is_high);
            if is_low & is_high {
                stack.push(low as u32);
            }
        }
    }
}

/// A bit for each axis on which a box that touches a cell begins there, or below.
#[inline]
fn begins(cell: &Aabb, b: &Aabb) -> u32 {
    cell.min.cmple(b.min).bitmask()
}

impl Inspect for PlaneTree {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Planes => self.visit_planes(0, &mut |node, Plane { axis, position }| {
                let (depth, Node { moved, cell, .. }) = (depth_of(node), self.nodes[node]);
                let cell = self.finite(&cell);
                visit(Mark::Plane(SplitPlane { axis, position, cell, depth, moved }));
            }),
            Overlay::Regions => self.visit_leaves(depth_of, visit),
            _ => {}
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.regions.tests_within(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};

    fn halving(size: Vec3, depth: u32) -> PlaneTree {
        let mut tree = PlaneTree::default();
        tree.lay_out(&mut Aabb::new(Vec3::ZERO, size), depth, &[]);
        tree
    }

    fn plane(tree: &PlaneTree, node: usize) -> (Axis, f32) {
        tree.plane(node).map(|plane| (plane.axis, plane.position)).unwrap()
    }

    fn filled() -> (PlaneTree, Vec<Aabb>) {
        let boxes = vec![
            Aabb::new(Vec3::splat(1.0), Vec3::splat(2.0)),
            Aabb::new(Vec3::splat(3.0), Vec3::splat(5.0)),
            Aabb::new(Vec3::splat(3.5), Vec3::splat(4.5)),
            Aabb::EMPTY,
            Aabb::new(Vec3::splat(100.0), Vec3::splat(101.0)),
        ];
        let mut tree = halving(Vec3::splat(8.0), 3);
        tree.refill(&Frame::new(&boxes));
        (tree, boxes)
    }

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
        let tree = halving(Vec3::new(8.0, 4.0, 2.0), 4);
        let expected = [(0, Axis::X, 4.0), (1, Axis::Y, 2.0), (6, Axis::Z, 1.0), (7, Axis::X, 2.0)];
        assert!(expected.into_iter().all(|(node, axis, at)| plane(&tree, node) == (axis, at)));
        assert_eq!(plane(&tree, 14), (Axis::X, 6.0));
    }

    #[test]
    fn a_plane_that_moves_resets_those_below_it() {
        let mut tree = halving(Vec3::splat(8.0), 4);
        tree.place(0, tree.root, Plane { axis: Axis::X, position: 2.0 });
        assert_eq!([7, 14].map(|node| plane(&tree, node).1), [1.0, 5.0]);
        // The root's plane, and the eight at depth 3 that cut the same axis.
        assert_eq!(tree.counters().rebuilds, 9);
    }

    #[test]
    fn validate_catches_each_fault() {
        let faults: [Fault<(PlaneTree, Vec<Aabb>)>; 6] = [
            ("outside its cell", |(tree, _)| {
                tree.nodes[3].plane.as_mut().unwrap().position = f32::NAN;
            }),
            ("node 1 is divided elsewhere", |(tree, _)| {
                tree.nodes[1].plane.as_mut().unwrap().position = 4.25;
            }),
            ("leaves below 2 are numbered wrongly", |(tree, _)| tree.nodes[5].leaves[1] += 1),
            ("node 3 is divided elsewhere", |(tree, _)| tree.nodes[7].cell.min.x = 1.5),
            ("count differs from its list", |(tree, _)| tree.nodes[8].reached += 1),
            ("object 4 is missing from region", |(tree, boxes)| {
                boxes[4] = Aabb::new(Vec3::splat(3.0), Vec3::splat(101.0));
                // With this box, but where it was.
                tree.regions.sort(8, boxes);
            }),
        ];
        assert_faults_are_caught(filled, |(tree, boxes)| tree.validate(boxes), &faults);
    }
}
