//! The objects of each leaf of a plane tree, and the pairs among them.

mod inspect;

use super::{Cells, DEEPEST};
use crate::box_set::BoxSet;
use crate::lists::Lists;
use crate::memory::memory;
use crate::parallel::{Rows, Search};
use crate::{Aabb, Axis, Counters, Frame, Pair};
use glam::Vec3;
use std::ops::Range;

/// The cell of a root: infinite.
const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Listings of an object, in the mean, that need no more memory than the trees state.
const LISTINGS_PER_OBJECT: usize = 8;

/// The objects listed by leaf. Emptied and refilled every frame; all memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    /// Objects, leaf by leaf.
    lists: Lists<u32>,
    /// Their boxes, in the same order.
    boxes: BoxSet,
    /// The half-open region of each leaf; the outermost ones are infinite.
    regions: Vec<Aabb>,
    /// The depth of each leaf: planes between it and the root.
    depths: Vec<u32>,
    /// The finite part of the union of all regions.
    root: Aabb,
    /// Nodes to visit, with the axes of their planes.
    stack: Vec<(usize, Axis)>,
    search: Search,
    straddlers: u64,
    /// Whether the first leaf lists all objects, and the others none: in their leaves they would be too many for the limits.
    is_one_list: bool,
}
memory!(Leaves: lists, boxes, regions, depths, stack, search);

impl Leaves {
    /// Leaves in which boxes are compared one pair at a time.
    pub(crate) fn scalar() -> Self {
        Self { boxes: BoxSet::scalar(), ..Self::default() }
    }

    /// Updates the regions after planes of the tree have changed.
    pub(crate) fn reshape(&mut self, tree: &impl Cells) {
        self.root = tree.root();
        let leaves = tree.leaves();
        if self.regions.capacity() < leaves {
            // Twice, so that a tree that grows by a few leaves does not allocate.
            self.regions.reserve(2 * leaves - self.regions.len());
            self.depths.reserve(2 * leaves - self.depths.len());
        }
        self.regions.resize(leaves, EVERYWHERE);
        self.depths.resize(leaves, 0);
        let Self { regions, depths, .. } = self;
        tree.visit_leaves(EVERYWHERE, &mut |leaf, cell, depth| {
            (regions[leaf], depths[leaf]) = (cell, depth);
        });
    }

    /// Lists every object in every leaf that it touches; absent ones in none. If that takes far more memory than the pairs
    /// that the frame may have, all objects are in [one list](Self::is_one_list).
    pub(crate) fn refill(&mut self, tree: &mut impl Cells, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        let most = (frame.limits.most() / 4).saturating_add(LISTINGS_PER_OBJECT * boxes.len());
        self.is_one_list = !self.list(tree, boxes, most);
        if self.is_one_list {
            self.lists.clear();
            let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
            present.for_each(|(object, _)| self.lists.push(0, object));
        }
        self.gather(tree.leaves(), boxes);
    }

    /// Whether the objects are not in the leaves that they touch.
    pub(crate) fn is_one_list(&self) -> bool {
        self.is_one_list
    }

    /// The objects of a range of leaves; an object of several leaves is repeated.
    pub(crate) fn objects_of(&self, leaves: Range<usize>) -> &[u32] {
        &self.lists.items()[self.lists.run(leaves)]
    }

    /// Number of pairs that the search will test.
    pub(crate) fn tests_ahead(&self) -> u64 {
        let listed = self.lists.iter().map(|list| list.len() as u64);
        listed.map(|listed| listed * listed.saturating_sub(1) / 2).sum()
    }

    /// Sends every box down the tree, and to both sides of a plane that it crosses. False once there are more than `most`
    /// listings.
    fn list(&mut self, tree: &mut impl Cells, boxes: &[Aabb], most: usize) -> bool {
        self.lists.clear();
        self.straddlers = 0;
        // At most one entry, the other side, for every plane on the path to a leaf.
        self.stack.reserve(DEEPEST as usize + 1);
        for (object, b) in boxes.iter().enumerate() {
            if b.is_empty() {
                continue;
            }
            let before = self.lists.pushed();
            tree.enter(b, &mut self.stack, |leaf| {
                self.lists.push(leaf, object as u32);
            });
            self.straddlers += u64::from(self.lists.pushed() - before > 1);
            if self.lists.pushed() > most {
                self.straddlers = 0;
                return false;
            }
        }
        true
    }

    /// Sorts the objects by leaf, and copies their boxes in the same order.
    fn gather(&mut self, leaves: usize, boxes: &[Aabb]) {
        // Twice, so that a tree that grows by a few leaves does not allocate.
        self.lists.sort(leaves, 2 * leaves);
        self.boxes.resize(self.lists.items().len());
        for (position, object) in self.lists.items().iter().enumerate() {
            self.boxes.set(position, &boxes[*object as usize]);
        }
    }

    /// Appends every overlapping pair once, even if several leaves list both objects.
    ///
    /// The leaf that reports a pair contains the lowest corner of the intersection of its boxes. Both
    /// boxes contain that point, so that both are listed there. The regions are half open, so that no
    /// other leaf contains it.
    pub(crate) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search.renew();
        let objects = self.lists.items();
        for (leaf, region) in self.regions.iter().enumerate() {
            let run = self.lists.run(leaf..leaf + 1);
            if run.len() < 2 {
                continue;
            }
            let rows = Rows::Within(run.clone(), run.end);
            self.search.find(&self.boxes, rows, frame, pairs, |i, j| {
                let corner = self.boxes.get(i).min.max(self.boxes.get(j).min);
                // The corner is below the region's upper faces: a box that begins on or above them
                // is not listed here.
                let is_here = self.is_one_list || region.min.cmple(corner).all();
                is_here.then(|| Pair::new(objects[i], objects[j]))
            });
        }
    }

    /// Counters of the last frame, with the shape of the tree.
    pub(crate) fn counters(&self) -> Counters {
        Counters {
            tests: self.search.work.tests,
            // A tree of planes has one leaf more than planes.
            nodes: (2 * self.regions.len()).saturating_sub(1) as u64,
            depth: self.depths.iter().copied().max().unwrap_or(0),
            listings: self.lists.items().len() as u64,
            straddlers: self.straddlers,
            duplicates: self.search.work.duplicates,
            ..Counters::default()
        }
    }

    /// Panics unless the regions are those of the tree, and every leaf lists exactly the objects that
    /// touch its region, once each and with the current box.
    pub(crate) fn validate(&self, tree: &impl Cells, boxes: &[Aabb]) {
        assert_eq!(self.regions.len(), tree.leaves(), "a leaf has no region");
        assert_eq!(self.lists.len(), self.regions.len(), "a leaf has no list");
        self.lists.validate();
        tree.visit_leaves(EVERYWHERE, &mut |leaf, cell, depth| {
            let held = (self.regions[leaf], self.depths[leaf]);
            assert_eq!(held, (cell, depth), "leaf {leaf} is not where the tree has it");
        });
        if self.is_one_list {
            let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(|(object, _)| object);
            assert!(self.lists.items().iter().copied().eq(present), "an object is not listed once");
            return;
        }
        let mut listed = vec![false; boxes.len()];
        for (leaf, (region, here)) in self.regions.iter().zip(self.lists.iter()).enumerate() {
            for &object in here {
                assert!(
                    !std::mem::replace(&mut listed[object as usize], true),
                    "object {object} is in leaf {leaf} twice"
                );
            }
            for (object, b) in boxes.iter().enumerate() {
                let touches =
                    !b.is_empty() && b.min.cmplt(region.max).all() && region.min.cmple(b.max).all();
                assert_eq!(
                    listed[object], touches,
                    "object {object} touches leaf {leaf} (right), but is listed there (left)"
                );
            }
            for &object in here {
                listed[object as usize] = false;
            }
        }
        for (position, object) in self.lists.items().iter().enumerate() {
            let b = boxes[*object as usize];
            assert_eq!(self.boxes.get(position), b, "an old box of object {object} is tested");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlaneTree;
    use super::*;

    fn filled() -> (PlaneTree, Leaves, Vec<Aabb>) {
        let mut tree = PlaneTree::halving(Aabb::new(Vec3::ZERO, Vec3::splat(8.0)), 3);
        let boxes = vec![
            Aabb::new(Vec3::splat(1.0), Vec3::splat(2.0)),
            Aabb::new(Vec3::splat(3.0), Vec3::splat(5.0)),
            Aabb::new(Vec3::splat(3.5), Vec3::splat(4.5)),
            Aabb::EMPTY,
            Aabb::new(Vec3::splat(100.0), Vec3::splat(101.0)),
        ];
        let mut leaves = Leaves::default();
        leaves.reshape(&tree);
        leaves.refill(&mut tree, &Frame::new(&boxes));
        (tree, leaves, boxes)
    }

    #[test]
    fn a_pair_listed_in_every_leaf_is_reported_once() {
        let (tree, mut leaves, boxes) = filled();
        leaves.validate(&tree, &boxes);
        let mut pairs = Vec::new();
        leaves.find_pairs(&Frame::new(&boxes), &mut pairs);
        assert_eq!(pairs, [Pair::new(1, 2)]);
        let counters = leaves.counters();
        assert_eq!((counters.listings, counters.straddlers), (1 + 8 + 8 + 1, 2));
        assert_eq!(counters.duplicates, 7);
    }

    #[test]
    #[should_panic(expected = "object 4 touches leaf")]
    fn validate_catches_an_object_missing_from_a_leaf() {
        let (tree, leaves, mut boxes) = filled();
        boxes[4] = Aabb::new(Vec3::splat(3.0), Vec3::splat(101.0));
        leaves.validate(&tree, &boxes);
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn validate_catches_an_object_listed_twice() {
        let (tree, mut leaves, boxes) = filled();
        let objects = leaves.lists.items_mut();
        let last = objects.len() - 1;
        // Leaf 7 holds objects 1, 2 and 4.
        objects[last] = objects[last - 1];
        leaves.validate(&tree, &boxes);
    }

    #[test]
    #[should_panic(expected = "old box of object 1")]
    fn validate_catches_a_box_out_of_date() {
        let (tree, leaves, mut boxes) = filled();
        // Still in the same leaves.
        boxes[1].max.x += 0.5;
        leaves.validate(&tree, &boxes);
    }

    #[test]
    #[should_panic(expected = "leaf 0 is not where the tree has it")]
    fn validate_catches_regions_out_of_date() {
        let (mut tree, leaves, boxes) = filled();
        // The plane passes no object, so that the lists stay right.
        let (low, _) = tree.split(0, tree.root());
        tree.place(1, low, 4.25);
        leaves.validate(&tree, &boxes);
    }
}
