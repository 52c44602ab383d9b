//! Regions that fill space: the leaves of a tree of planes, or areas.

use super::{ALL_AXES, Regions};
use crate::inspect::{Inspect, Mark, Overlay, RegionMark};
use crate::memory::memory;
use crate::{Aabb, Axis, Counters, Frame, Pair};
use glam::Vec3;
use std::ops::Range;

/// All of space.
pub(crate) const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Maximum depth of a leaf, in a tree of any shape.
pub(crate) const DEEPEST: u32 = 40;

/// Listings of an object, in the mean, that need no more memory than the algorithms state.
const LISTINGS_PER_OBJECT: usize = 8;

/// A division of space into [`Leaves`]. A cell is half open: it holds its lower faces, not its upper ones. So every point lies
/// in exactly one. The outermost cells are infinite, so that every object has a leaf, wherever it is.
pub(crate) trait Cells {
    /// The finite part of the space that is divided.
    fn root(&self) -> Aabb;

    /// Number of leaves.
    fn leaves(&self) -> usize;

    /// Calls `visit` with the number of every leaf, its cell, and its depth.
    fn visit_leaves(&self, visit: &mut dyn FnMut(usize, Aabb, u32));

    /// Calls `visit` with every leaf that a box touches, which is not empty. `stack` is scratch, empty before and after.
    fn enter(&mut self, b: &Aabb, stack: &mut Vec<(usize, Axis)>, visit: impl FnMut(u32));
}

/// The objects listed by leaf. Emptied and refilled every frame; all memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    regions: Regions,
    /// The cell of each leaf.
    cells: Vec<Aabb>,
    /// The depth of each leaf: planes between it and the root.
    depths: Vec<u32>,
    /// The finite part of the union of all cells.
    root: Aabb,
    /// Nodes to visit, with the axes of their planes.
    stack: Vec<(usize, Axis)>,
    /// Whether the first leaf lists all objects, and the others none: in their leaves they would be too many for the limits.
    is_one_list: bool,
}

memory!(Leaves: regions, cells, depths, stack);

impl Leaves {
    /// Leaves in which boxes are compared one pair at a time.
    pub(crate) fn scalar() -> Self {
        Self { regions: Regions::scalar(), ..Self::default() }
    }

    /// Updates the cells after their borders have changed.
    pub(crate) fn reshape(&mut self, space: &impl Cells) {
        self.root = space.root();
        let leaves = space.leaves();
        if self.cells.capacity() < leaves {
            // Twice, so that a tree that grows by a few leaves does not allocate.
            self.cells.reserve(2 * leaves - self.cells.len());
            self.depths.reserve(2 * leaves - self.depths.len());
        }
        self.cells.resize(leaves, EVERYWHERE);
        self.depths.resize(leaves, 0);
        let Self { cells, depths, .. } = self;
        space.visit_leaves(&mut |leaf, cell, depth| {
            (cells[leaf], depths[leaf]) = (cell, depth);
        });
    }

    /// Lists every object in every leaf that it touches; absent ones in none. If that takes far more memory than the pairs
    /// that the frame may have, all objects are in [one list](Self::is_one_list).
    pub(crate) fn refill(&mut self, space: &mut impl Cells, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        let most = (frame.limits.most() / 4).saturating_add(LISTINGS_PER_OBJECT * boxes.len());
        self.is_one_list = !self.list(space, boxes, most);
        if self.is_one_list {
            self.regions.clear();
            for (object, _) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
                self.regions.list(object, |listing| listing.push(0, ALL_AXES));
            }
        }
        // Twice, so that a tree that grows by a few leaves does not allocate.
        self.regions.sort(space.leaves(), 2 * space.leaves(), boxes);
    }

    /// Whether the objects are not in the leaves that they touch.
    pub(crate) fn is_one_list(&self) -> bool {
        self.is_one_list
    }

    /// The objects of a range of leaves; an object of several leaves is repeated.
    pub(crate) fn objects_of(
        &self,
        leaves: Range<usize>,
    ) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.regions.objects_of(leaves)
    }

    /// Number of pairs that the search will test.
    pub(crate) fn tests_ahead(&self) -> u64 {
        self.regions.tests_ahead()
    }

    /// Lists every object. False once there are more than `most` listings.
    fn list(&mut self, space: &mut impl Cells, boxes: &[Aabb], most: usize) -> bool {
        let Self { regions, cells, stack, .. } = self;
        regions.clear();
        // At most one entry, the other side, for every plane on the path to a leaf.
        stack.reserve(DEEPEST as usize + 1);
        for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            regions.list(object, |listing| {
                space.enter(b, stack, |leaf| {
                    listing.push(leaf, begins(&cells[leaf as usize], b));
                });
            });
            if regions.listed() > most {
                return false;
            }
        }
        true
    }

    /// Appends every overlapping pair once, even if several leaves list both objects.
    pub(crate) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.regions.find_pairs(frame, pairs);
    }

    /// Counters of the last frame, with a node for each leaf.
    pub(crate) fn counters(&self) -> Counters {
        let depth = self.depths.iter().copied().max().unwrap_or(0);
        Counters { nodes: self.cells.len() as u64, depth, ..self.regions.counters() }
    }

    /// Panics unless the cells are those of the division, and every leaf lists exactly the objects that touch its cell, once
    /// each and with the current box. Without an object, space may be undivided.
    pub(crate) fn validate(&self, space: Option<&impl Cells>, boxes: &[Aabb]) {
        let Some(space) = space else {
            return assert!(Aabb::bounds(boxes).is_empty(), "there are objects, but no leaves");
        };
        assert_eq!(self.cells.len(), space.leaves(), "a leaf has no cell");
        assert_eq!(self.regions.len(), self.cells.len(), "a leaf has no list");
        space.visit_leaves(&mut |leaf, cell, depth| {
            let held = (self.cells[leaf], self.depths[leaf]);
            assert_eq!(held, (cell, depth), "leaf {leaf} is not where the division has it");
        });
        self.regions.validate(boxes, |object, b, visit| {
            if self.is_one_list {
                return visit(0, ALL_AXES);
            }
            let mut owners = 0;
            for (leaf, cell) in (0..).zip(&self.cells) {
                if b.min.cmplt(cell.max).all() && cell.min.cmple(b.max).all() {
                    visit(leaf, begins(cell, b));
                    owners += u32::from(begins(cell, b) == ALL_AXES);
                }
            }
            assert_eq!(owners, 1, "the lowest corner of object {object} lies in {owners} leaves");
        });
    }
}

/// A bit for each axis on which a box that touches a cell begins there, or below.
#[inline]
fn begins(cell: &Aabb, b: &Aabb) -> u32 {
    cell.min.cmple(b.min).bitmask()
}

impl Inspect for Leaves {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay == Overlay::Regions {
            for (leaf, cell) in self.cells.iter().enumerate().take(self.regions.len()) {
                let objects: Vec<u32> = self.objects_of(leaf..leaf + 1).collect();
                let bounds = Aabb::new(cell.min.max(self.root.min), cell.max.min(self.root.max));
                visit(Mark::Region(RegionMark::new(leaf, bounds, self.depths[leaf], &objects)));
            }
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.regions.tests_within(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::PlaneTree;

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
        leaves.validate(Some(&tree), &boxes);
        let mut pairs = Vec::new();
        leaves.find_pairs(&Frame::new(&boxes), &mut pairs);
        assert_eq!(pairs, [Pair::new(1, 2)]);
        let counters = leaves.counters();
        assert_eq!((counters.listings, counters.straddlers), (1 + 8 + 8 + 1, 2));
        assert_eq!(counters.duplicates, 7);
    }

    #[test]
    #[should_panic(expected = "object 4 is missing from region")]
    fn validate_catches_an_object_missing_from_a_leaf() {
        let (tree, mut leaves, mut boxes) = filled();
        boxes[4] = Aabb::new(Vec3::splat(3.0), Vec3::splat(101.0));
        // With this box, but where it was.
        leaves.regions.sort(8, 0, &boxes);
        leaves.validate(Some(&tree), &boxes);
    }

    #[test]
    #[should_panic(expected = "lies in 0 leaves")]
    fn validate_catches_a_gap_between_leaves() {
        /// A tree whose lowest leaf begins too late.
        struct Gap(PlaneTree);

        impl Cells for Gap {
            fn root(&self) -> Aabb {
                self.0.root()
            }

            fn leaves(&self) -> usize {
                self.0.leaves()
            }

            fn visit_leaves(&self, visit: &mut dyn FnMut(usize, Aabb, u32)) {
                self.0.visit_leaves(&mut |leaf, mut cell, depth| {
                    cell.min.x = cell.min.x.max(1.5);
                    visit(leaf, cell, depth);
                });
            }

            fn enter(&mut self, b: &Aabb, stack: &mut Vec<(usize, Axis)>, visit: impl FnMut(u32)) {
                self.0.enter(b, stack, visit);
            }
        }
        let (tree, mut leaves, boxes) = filled();
        let mut gap = Gap(tree);
        leaves.reshape(&gap);
        leaves.refill(&mut gap, &Frame::new(&boxes));
        leaves.validate(Some(&gap), &boxes);
    }

    #[test]
    #[should_panic(expected = "leaf 0 is not where the division has it")]
    fn validate_catches_regions_out_of_date() {
        let (mut tree, leaves, boxes) = filled();
        // The plane passes no object, so that the lists stay right.
        let (low, _) = tree.split(0, tree.root());
        tree.place(1, low, 4.25);
        leaves.validate(Some(&tree), &boxes);
    }
}
