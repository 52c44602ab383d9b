//! Nodes and their lists.

use super::plane::{Item, choose, sweep_axis};
use crate::memory::memory;
use crate::radix_sort::order_key;
use crate::regions::{EVERYWHERE, Plane};
use crate::{Aabb, Axis};
use std::ops::Range;

/// Most planes between the root and a leaf.
const DEEPEST: u32 = 40;

/// A node with its own list: all objects of a leaf, or those that straddle the plane of an inner node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// `None` for a leaf.
    pub(super) plane: Option<Plane>,
    pub(super) depth: u32,
    /// The sweep axis: the own list is sorted by the lower bounds on it.
    pub(super) sweep: Axis,
    /// First position of the own list, and its end.
    start: u32,
    end: u32,
    /// The next node outside of the subtree.
    after: u32,
    /// Bounds of the objects of the subtree.
    pub(super) bounds: Aabb,
}

impl Node {
    /// Positions of the own list.
    pub(super) fn list(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A tree, rebuilt every frame. Nodes are in the order node, low subtree, high subtree; their lists in the order low subtree,
/// node, high subtree.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// The objects, list by list.
    pub(super) items: Vec<Item>,
    /// Parents before children.
    pub(super) nodes: Vec<Node>,
    values: Vec<f32>,
}

memory!(Tree: items, nodes, values);

impl Tree {
    /// Builds the tree of a frame, whose leaves hold at most `capacity` objects where planes can divide them.
    pub(super) fn build(&mut self, boxes: &[Aabb], capacity: usize) {
        self.items.clear();
        self.nodes.clear();
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
        self.items.extend(present.map(|(object, b)| Item::new(*b, object)));
        if !self.items.is_empty() {
            self.divide(0..self.items.len(), 0, capacity);
        }
    }

    /// Appends the subtree of the items of a range. Returns their bounds.
    fn divide(&mut self, range: Range<usize>, depth: u32, capacity: usize) -> Aabb {
        let is_full = range.len() > capacity && depth < DEEPEST;
        let items = &mut self.items[range.clone()];
        let plane = if is_full { choose(items, &mut self.values) } else { None };
        let mut own = range.clone();
        if let Some(plane) = plane {
            // The low side, those across, and the high side.
            let part_of = |item: &Item| match plane.touches(&item.b) {
                [true, false] => 0,
                [true, true] => 1,
                _ => 2,
            };
            items.sort_unstable_by_key(part_of);
            let end_of = |part| range.start + items.partition_point(|item| part_of(item) <= part);
            own = end_of(0)..end_of(1);
        }
        let list = &mut self.items[own.clone()];
        let sweep = sweep_axis(list);
        list.sort_unstable_by_key(|item| order_key(item.b.min[sweep.index()]));
        let mut bounds = Aabb::EMPTY;
        for item in list {
            bounds = bounds.union(&item.b);
            item.reach = bounds.max[sweep.index()];
        }
        let number = self.nodes.len();
        let (start, end) = (own.start as u32, own.end as u32);
        self.nodes.push(Node { plane, depth, sweep, start, end, after: 0, bounds });
        if plane.is_some() {
            for part in [range.start..own.start, own.end..range.end] {
                bounds = bounds.union(&self.divide(part, depth + 1, capacity));
            }
        }
        let after = self.nodes.len() as u32;
        let node = &mut self.nodes[number];
        (node.after, node.bounds) = (after, bounds);
        bounds
    }

    /// The nodes below one, with objects of their own, whose subtrees an object of that node may reach.
    #[inline]
    pub(super) fn reached_by(&self, number: usize, b: Aabb) -> impl Iterator<Item = usize> {
        let (mut at, end) = (number + 1, self.nodes[number].after as usize);
        std::iter::from_fn(move || {
            while at < end {
                let (here, node) = (at, &self.nodes[at]);
                let reaches =
                    b.min.cmple(node.bounds.max).all() & node.bounds.min.cmple(b.max).all();
                at = if reaches { at + 1 } else { node.after as usize };
                if reaches && !node.list().is_empty() {
                    return Some(here);
                }
            }
            None
        })
    }

    /// Calls `visit` with the lists that the object at a position of a node's own list is compared with: the node of each, and
    /// the positions there of the objects that it may overlap on the sweep axis.
    #[inline]
    pub(super) fn visit_runs(
        &self,
        number: usize,
        position: usize,
        mut visit: impl FnMut(usize, Range<usize>),
    ) {
        let b = self.items[position].b;
        visit(number, position + 1..self.end_of_run(number, &b));
        for below in self.reached_by(number, b) {
            let (node, end) = (&self.nodes[below], self.end_of_run(below, &b));
            let begun = &self.items[node.list().start..end];
            let axis = node.sweep.index();
            let first = begun.partition_point(|item| item.reach < b.min[axis]);
            visit(below, node.list().start + first..end);
        }
    }

    /// The position of the first object in a node's own list that begins beyond a box on the sweep axis.
    #[inline]
    fn end_of_run(&self, number: usize, b: &Aabb) -> usize {
        let node = &self.nodes[number];
        let (axis, list) = (node.sweep.index(), &self.items[node.list()]);
        node.list().start + list.partition_point(|item| item.b.min[axis] <= b.max[axis])
    }

    /// Calls `visit` with every node and its half-open cell, which is infinite on the outside, parents first.
    pub(super) fn visit_cells(&self, visit: &mut dyn FnMut(usize, Aabb)) {
        if !self.nodes.is_empty() {
            self.visit_cells_from(0, EVERYWHERE, visit);
        }
    }

    fn visit_cells_from(&self, number: usize, cell: Aabb, visit: &mut dyn FnMut(usize, Aabb)) {
        visit(number, cell);
        let mut child = number + 1;
        for part in self.nodes[number].plane.iter().flat_map(|plane| plane.parts(&cell)) {
            self.visit_cells_from(child, part, visit);
            child = self.nodes[child].after as usize;
        }
    }

    /// The node to which a box belongs.
    fn home(&self, b: &Aabb) -> usize {
        let mut at = 0;
        while let Some(plane) = self.nodes[at].plane {
            at = match plane.touches(b) {
                [true, false] => at + 1,
                [true, true] => break,
                _ => self.nodes[at + 1].after as usize,
            };
        }
        at
    }

    /// Panics unless each object is once in the list of its node, and the nodes bound their subtrees.
    pub(super) fn validate(&self, boxes: &[Aabb]) {
        let mut visited = 0;
        self.visit_cells(&mut |number, _| {
            assert_eq!(number, visited, "node {number} is not in its place");
            visited += 1;
        });
        assert_eq!(visited, self.nodes.len(), "the root does not span all nodes");
        let mut listed: Vec<u32> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let (axis, items) = (node.sweep.index(), &self.items[node.list()]);
            let is_sorted = items.is_sorted_by_key(|item| item.b.min[axis]);
            assert!(is_sorted, "the list of node {number} is not sorted");
            let mut highest = f32::NEG_INFINITY;
            for &Item { b, object, reach } in items {
                let now = &boxes[object as usize];
                assert_eq!(self.home(now), number, "object {object} belongs to another node");
                assert_eq!(b, *now, "the box of object {object} is outdated");
                highest = highest.max(b.max[axis]);
                assert_eq!(reach, highest, "object {object} has a wrong reach");
                listed.push(object);
            }
            let below = &self.nodes[number..node.after as usize];
            let items = below.iter().flat_map(|node| &self.items[node.list()]);
            let bounds = items.fold(Aabb::EMPTY, |all, item| all.union(&item.b));
            assert_eq!(node.bounds, bounds, "node {number} does not bound its subtree");
        }
        listed.sort_unstable();
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
        let present = present.map(|(object, _)| object);
        assert!(listed.into_iter().eq(present), "an object is not listed once");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::managed::{Fault, assert_faults_are_caught};
    use glam::Vec3;

    fn built(boxes: &[Aabb]) -> Tree {
        let mut tree = Tree::default();
        tree.build(boxes, 60);
        tree.validate(boxes);
        tree
    }

    #[test]
    fn far_outliers_do_not_move_the_plane() {
        // A hundred near the origin, two so far away that the mean divides only these from the others.
        let at = |i: usize| Vec3::splat(if i < 2 { 1e9 + i as f32 } else { i as f32 });
        let boxes: Vec<_> = (0..102).map(|i| Aabb::around_sphere(at(i), 0.1)).collect();
        let tree = built(&boxes);
        assert!((40.0..60.0).contains(&tree.nodes[0].plane.unwrap().position));
        assert_eq!(tree.nodes.len(), 3);
    }

    #[test]
    fn validate_catches_each_fault() {
        let line = || {
            let at = |i: i32| Aabb::around_sphere(Vec3::X * i as f32, 0.3);
            let boxes: Vec<_> = (0..100).map(at).collect();
            (built(&boxes), boxes)
        };
        let faults: [Fault<(Tree, Vec<Aabb>)>; 5] = [
            ("not sorted", |(tree, _)| tree.items.swap(2, 3)),
            ("has a wrong reach", |(tree, _)| tree.items[4].reach -= 1.0),
            ("does not bound its subtree", |(tree, _)| tree.nodes[0].bounds.max.x -= 1.0),
            ("belongs to another node", |(tree, _)| {
                tree.nodes[0].plane.as_mut().unwrap().position += 5.0;
            }),
            ("not listed once", |(_, boxes)| boxes.push(boxes[0])),
        ];
        assert_faults_are_caught(line, |(tree, boxes)| tree.validate(boxes), &faults);
    }
}
