//! The invariants of the tree after every update.

use super::tree::{EVERYWHERE, descend};
use super::{KdSap, NONE};
use crate::{Aabb, Frame};

impl KdSap {
    pub(super) fn check(&self, frame: &Frame<'_>) {
        if self.nodes.is_empty() {
            assert!(self.objects.is_empty(), "objects are listed, but there is no tree");
            return;
        }
        let mut is_reached = vec![false; self.nodes.len()];
        let reached = self.check_subtree(self.root as usize, EVERYWHERE, &mut is_reached);
        assert_eq!(reached, 0..self.nodes.len(), "the root does not span all nodes");
        assert!(is_reached.iter().all(|is_reached| *is_reached), "a node has no parent");

        let mut is_listed = vec![false; frame.boxes.len()];
        let mut next = 0;
        for (index, node) in self.nodes.iter().enumerate() {
            let list = node.list();
            assert!(list.start >= next, "the lists of nodes overlap at node {index}");
            assert!(
                self.objects[next..list.start].iter().all(|object| *object == NONE),
                "an object is between the lists before node {index}"
            );
            next = list.end;
            self.check_list(index, frame.boxes, &mut is_listed);
        }
        for &object in &self.absent {
            let b = frame.boxes.get(object as usize);
            assert!(b.is_some_and(Aabb::is_empty), "object {object} is not absent");
            assert!(
                !std::mem::replace(&mut is_listed[object as usize], true),
                "object {object} is listed, and absent too"
            );
        }
        let missing = is_listed.iter().position(|is_listed| !is_listed);
        assert_eq!(missing, None, "an object is neither listed nor absent");
    }

    /// Checks the cells of a subtree, and returns the range of its nodes.
    fn check_subtree(
        &self,
        at: usize,
        cell: Aabb,
        is_reached: &mut [bool],
    ) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        is_reached[at] = true;
        assert_eq!(node.cell, cell, "node {at} has a cell that its parents do not give it");
        let Some([low, high]) = node.children.map(|children| children.map(|c| c as usize)) else {
            assert_eq!(node.population, node.len, "leaf {at} has a wrong count of objects");
            return at..at + 1;
        };
        let [low_cell, high_cell] = node.parts();
        let before = self.check_subtree(low, low_cell, is_reached);
        let after = self.check_subtree(high, high_cell, is_reached);
        assert!(before.end == at && after.start == at + 1, "node {at} is not between its subtrees");
        let [low, high] = [low, high].map(|child| &self.nodes[child]);
        let population = low.population + node.len + high.population;
        assert_eq!(node.population, population, "node {at} counts its subtree wrongly");
        let bounds = node.own.union(&low.bounds).union(&high.bounds);
        assert_eq!(node.bounds, bounds, "node {at} does not bound its subtree");
        before.start..after.end
    }

    fn check_list(&self, index: usize, boxes: &[Aabb], is_listed: &mut [bool]) {
        let node = &self.nodes[index];
        let axis = node.sweep.index();
        let (mut lower, mut reach) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        let mut own = Aabb::EMPTY;
        for position in node.list() {
            let object = self.objects[position];
            let b = &boxes[object as usize];
            assert!(
                !std::mem::replace(&mut is_listed[object as usize], true),
                "object {object} is listed twice"
            );
            assert!(!b.is_empty(), "absent object {object} is listed in node {index}");
            let home = descend(&self.nodes, self.root as usize, b);
            assert_eq!(home, index, "object {object} belongs to another node than the one with it");
            assert_eq!(self.boxes.get(position), *b, "the box of object {object} is outdated");
            assert!(b.min[axis] >= lower, "the list of node {index} is not sorted");
            assert_eq!(
                self.lowers[position], b.min[axis],
                "node {index} has an outdated lower bound"
            );
            reach = reach.max(b.max[axis]);
            assert_eq!(
                self.reaches[position], reach,
                "node {index} reaches further than its bound"
            );
            lower = b.min[axis];
            own = own.union(b);
        }
        assert_eq!(node.own, own, "node {index} does not bound its own list");
    }
}
