//! The invariants of the tree after every update.

use super::KdSap;
use super::tree::{Node, descend};
use crate::{Aabb, Frame};
use std::ops::Range;

impl KdSap {
    pub(super) fn check(&self, frame: &Frame<'_>) {
        let nodes = &self.built.nodes;
        if !nodes.is_empty() {
            let reached = self.check_subtree(self.root as usize, Node::ALL.cell);
            assert_eq!(reached, 0..nodes.len(), "the root does not span all nodes");
        }
        let mut next = 0;
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(
                node.list().start,
                next,
                "the list of node {index} does not follow the last"
            );
            next = node.list().end;
            self.check_list(index, frame.boxes);
        }
        assert_eq!(next, self.built.items.len(), "objects behind the last list");
        let mut listed: Vec<u32> = self.built.items.iter().map(|item| item.object).collect();
        listed.sort_unstable();
        let present = (0..).zip(frame.boxes).filter(|(_, b)| !b.is_empty());
        assert!(
            listed.into_iter().eq(present.map(|(object, _)| object)),
            "an object is not listed once"
        );
    }

    /// Checks the cells of a subtree, and returns the range of its nodes.
    fn check_subtree(&self, at: usize, cell: Aabb) -> Range<usize> {
        let node = &self.built.nodes[at];
        assert_eq!(node.cell, cell, "node {at} has a cell that its parents do not give it");
        let Some([low, high]) = node.children.map(|children| children.map(|c| c as usize)) else {
            assert_eq!(node.population, node.len, "leaf {at} has a wrong count of objects");
            return at..at + 1;
        };
        let [low_cell, high_cell] = node.parts();
        let before = self.check_subtree(low, low_cell);
        let after = self.check_subtree(high, high_cell);
        assert!(before.end == at && after.start == at + 1, "node {at} is not between its subtrees");
        let [low, high] = [low, high].map(|child| &self.built.nodes[child]);
        let population = low.population + node.len + high.population;
        assert_eq!(node.population, population, "node {at} counts its subtree wrongly");
        let bounds = node.own.union(&low.bounds).union(&high.bounds);
        assert_eq!(node.bounds, bounds, "node {at} does not bound its subtree");
        before.start..after.end
    }

    fn check_list(&self, index: usize, boxes: &[Aabb]) {
        let node = &self.built.nodes[index];
        let axis = node.sweep.index();
        let items = &self.built.items[node.list()];
        let is_sorted = items.is_sorted_by_key(|item| item.b.min[axis]);
        assert!(is_sorted, "the list of node {index} is not sorted");
        let (mut reach, mut own) = (f32::NEG_INFINITY, Aabb::EMPTY);
        for (position, item) in node.list().zip(items) {
            let object = item.object;
            let b = &boxes[object as usize];
            let home = descend(&self.built.nodes, self.root as usize, b);
            assert_eq!(home, index, "object {object} belongs to another node than the one with it");
            let held = [item.b, self.boxes.get(position)];
            assert_eq!(held, [*b; 2], "the box of object {object} is outdated");
            reach = reach.max(b.max[axis]);
            let held = [self.lowers[position], self.reaches[position]];
            assert_eq!(
                held,
                [b.min[axis], reach],
                "node {index} begins or reaches further than stated"
            );
            own = own.union(b);
        }
        assert_eq!(node.own, own, "node {index} does not bound its own list");
    }
}
