//! Leaves or cells of a structure, the tests of each object, and what else it shows on request.

use super::{CachedPair, Exchange, FatBox, MatrixCell, Rotation, SweepBlock, SweptList};
use crate::Aabb;

/// A leaf or cell of a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Its number in the structure, from 0.
    pub index: u32,
    /// Its finite part: the outermost cells of a tree are infinite.
    pub bounds: Aabb,
    /// Its depth below the root; 0 in a structure without a root.
    pub depth: u32,
    /// Number of objects listed in it.
    pub objects: u32,
}

/// The region of an object that is in none.
pub const NO_REGION: u32 = u32::MAX;

/// A count of an algorithm's own kind of work in its last frame, where tests of boxes do not describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// What is counted, in the plural.
    pub name: &'static str,
    /// What that is, in a sentence.
    pub meaning: &'static str,
    /// How many there were.
    pub count: u64,
}

/// A way in which an algorithm that chooses could have answered its last frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The name of the algorithm that always answers in this way.
    pub name: &'static str,
    /// Its predicted cost of a frame, in full searches by a grid of sweeps; `None` where it was not predicted.
    pub cost: Option<f64>,
    /// What it searches for, in a few words: why it costs that much.
    pub why: String,
    /// Whether it answered.
    pub is_chosen: bool,
}

/// An occupied slot of a hash table of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashSlot {
    /// Its number, from 0.
    pub slot: usize,
    /// The slot that the hash of the cell names. It differs where that one was taken: a collision.
    pub home: usize,
    /// The [region](Region) of the cell.
    pub region: u32,
}

/// What a search did with a node or cell that it reached on behalf of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It holds the object: the object's leaf, or a node above it.
    Holds,
    /// The search went on in it, or tested it, if it is a leaf: it overlaps the object's box or that of a node above. Of
    /// cells: the object was compared with what it holds.
    Searched,
    /// It was rejected: its box does not overlap, or it is empty. Nothing in it was compared.
    Rejected,
}

/// A node or cell that a search reached on behalf of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visited {
    /// Its box.
    pub bounds: Aabb,
    /// Its depth below the root, or its level.
    pub depth: u32,
    /// What was done with it.
    pub outcome: Outcome,
}

/// Regions, tests and other parts of a structure, as its last update and search left them.
///
/// Never timed: a method may allocate, and take as long as the search. Each computes what it shows from the
/// structure, so that a frame in which none is called costs no more. The default methods are those
/// of a structure that has no such part.
///
/// Values by object are written to a slice, index = id. Entries beyond the frame's objects get
/// [`NO_REGION`] or 0. Objects beyond the slice are skipped.
pub trait Inspect {
    /// Visits every region, in the order of their indices.
    fn regions(&self, _visit: &mut dyn FnMut(Region)) {}

    /// Visits the regions that list an object, in the order of their indices.
    fn regions_of(&self, _object: u32, _visit: &mut dyn FnMut(Region)) {}

    /// Visits the larger bounds of the regions that list an object, where objects may reach out of their regions.
    fn loose_bounds_of(&self, _object: u32, _visit: &mut dyn FnMut(Aabb)) {}

    /// Writes for each object the index of the first region that lists it, or [`NO_REGION`].
    fn region_by_object(&self, regions: &mut [u32]) {
        regions.fill(NO_REGION);
    }

    /// Writes for each object the number of pair tests that it is part of.
    ///
    /// A test has two objects, so the sum is twice [`Counters::tests`](crate::Counters::tests), unless
    /// the frame was stopped.
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
    }

    /// Visits the other object of every pair test of the last search that `object` is part of, as often as it was
    /// tested: as many visits as [`tests_by_object`](Self::tests_by_object) counts. In any order.
    ///
    /// The object itself is visited twice for a test against an outdated entry of its own in a cache.
    fn tested_with(&self, _object: u32, _visit: &mut dyn FnMut(u32)) {}

    /// Reports the algorithm's own kinds of work, unlike the other methods in constant time. None where
    /// [`Counters`](crate::Counters) describe the work.
    fn work(&self, _report: &mut dyn FnMut(Work)) {}

    /// Visits every object that has a fat AABB or is searched for without one. None where nothing is cached.
    fn fat_boxes(&self, _visit: &mut dyn FnMut(FatBox)) {}

    /// Visits the objects that escaped from their fat AABBs in the last update.
    fn escapes(&self, _visit: &mut dyn FnMut(u32)) {}

    /// Visits the pairs that are not searched for, each once.
    fn cached_pairs(&self, _visit: &mut dyn FnMut(CachedPair)) {}

    /// Visits the rotations of the last update that a later change of the tree did not undo; only the last ones if there were many.
    fn rotations(&self, _visit: &mut dyn FnMut(Rotation)) {}

    /// Visits the blocks of all sweeps, by region and place.
    fn blocks(&self, _visit: &mut dyn FnMut(SweepBlock<'_>)) {}

    /// Visits the exchanges of ends by which the last update sorted its lists; none after a full sort.
    fn exchanges(&self, _visit: &mut dyn FnMut(Exchange)) {}

    /// Visits the lists of regions that are swept on an axis of their own, by region.
    fn swept_lists(&self, _visit: &mut dyn FnMut(SweptList<'_>)) {}

    /// Visits the lists that are swept with an object: those that hold it, and those whose objects are compared with
    /// it. Each has the axis on which the object is compared; its objects may be in any order.
    fn sweeps_of(&self, object: u32, visit: &mut dyn FnMut(SweptList<'_>)) {
        self.swept_lists(&mut |list| {
            if list.objects.contains(&object) {
                visit(list);
            }
        });
    }

    /// Visits the nodes or cells that the last search reached on behalf of an object, each once: trees of boxes compare
    /// them with the object's leaf, or with a node above it. Those that hold the object come first. None where the
    /// search of an object is that of its [regions](Self::regions_of).
    fn visited_by(&self, _object: u32, _visit: &mut dyn FnMut(Visited)) {}

    /// Where a region is in the structure, in words: the coordinates of a cell, the slot of a hash table. `None` where
    /// there is no more to say than the [`Region`] does.
    fn place_of(&self, _region: u32) -> Option<String> {
        None
    }

    /// Visits the occupied slots of a hash table of cells, by region. Returns the number of all slots: 0 without a table.
    fn hash_slots(&self, _visit: &mut dyn FnMut(HashSlot)) -> usize {
        0
    }

    /// Visits the counters above 0, as the last search left them. Takes n² bytes for n objects.
    fn matrix(&self, _visit: &mut dyn FnMut(MatrixCell)) {}

    /// Reports the ways in which the last frame could have been answered, always in the same order. In constant time.
    /// None where there is no choice.
    fn alternatives(&self, _report: &mut dyn FnMut(Alternative)) {}

    /// Reports in sentences what the last update decided, and why. In constant time.
    fn remarks(&self, _report: &mut dyn FnMut(String)) {}
}

/// Adds tests to an object, unless it is beyond the slice.
#[inline]
pub(crate) fn add_tests(tests: &mut [u32], object: u32, more: usize) {
    if let Some(tests) = tests.get_mut(object as usize) {
        *tests = tests.saturating_add(more as u32);
    }
}

/// Adds to each object the tests of a search of all pairs within each list.
pub(crate) fn add_tests_within(
    lists: impl Iterator<Item: IntoIterator<Item = u32, IntoIter: ExactSizeIterator>>,
    tests: &mut [u32],
) {
    for list in lists {
        let list = list.into_iter();
        let others = list.len().saturating_sub(1);
        list.for_each(|object| add_tests(tests, object, others));
    }
}

/// Adds each test that it is called with to both of its objects.
pub(crate) fn add_test(tests: &mut [u32]) -> impl FnMut(u32, u32) {
    |a, b| {
        add_tests(tests, a, 1);
        add_tests(tests, b, 1);
    }
}

/// Of each test that it is called with, visits the object that is not `object`, if `object` is one of the two.
pub(crate) fn visit_other(object: u32, visit: &mut dyn FnMut(u32)) -> impl FnMut(u32, u32) {
    move |a, b| {
        if a == object {
            visit(b);
        }
        if b == object {
            visit(a);
        }
    }
}

/// Visits the objects that an object is tested against in a search of all pairs within each list.
pub(crate) fn visit_others_within(
    lists: impl Iterator<Item: IntoIterator<Item = u32, IntoIter: Clone>>,
    object: u32,
    visit: &mut dyn FnMut(u32),
) {
    for list in lists {
        let list = list.into_iter();
        if list.clone().any(|listed| listed == object) {
            list.filter(|other| *other != object).for_each(&mut *visit);
        }
    }
}

/// Writes for each object the index of the first list that contains it, or [`NO_REGION`].
pub(crate) fn first_lists(
    lists: impl Iterator<Item: IntoIterator<Item = u32>>,
    regions: &mut [u32],
) {
    regions.fill(NO_REGION);
    for (index, list) in (0..).zip(lists) {
        for object in list {
            if let Some(first) = regions.get_mut(object as usize) {
                *first = index.min(*first);
            }
        }
    }
}

/// A number of things in words: `1 node`, `2 nodes`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The [`Inspect`] of an algorithm without regions and tests.
pub(crate) struct Opaque;

impl Inspect for Opaque {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_helpers_skip_objects_beyond_the_slice() {
        let lists = || [vec![2, 9], vec![], vec![0, 2, 4]].into_iter();
        let (mut regions, mut tests) = ([7; 4], [1; 4]);
        first_lists(lists(), &mut regions);
        assert_eq!(regions, [2, NO_REGION, 0, NO_REGION]);
        add_tests_within(lists(), &mut tests);
        assert_eq!(tests, [3, 1, 4, 1]);
        add_test(&mut tests)(3, 9);
        assert_eq!(tests, [3, 1, 4, 2]);
    }

    #[test]
    fn visits_are_of_the_other_objects() {
        let lists = [vec![2, 9], vec![], vec![0, 4, 2], vec![1]];
        for (object, expected) in [(2, vec![9, 0, 4]), (1, vec![]), (7, vec![])] {
            let mut others = Vec::new();
            visit_others_within(lists.iter().cloned(), object, &mut |other| others.push(other));
            assert_eq!(others, expected, "{object}");
        }
        let mut others = Vec::new();
        let mut visit = |other| others.push(other);
        let mut test = visit_other(2, &mut visit);
        [(2, 5), (5, 7), (6, 2), (2, 5)].into_iter().for_each(|(a, b)| test(a, b));
        drop(test);
        assert_eq!(others, [5, 6, 5]);
    }

    #[test]
    fn opaque_structure_has_no_regions_and_no_tests() {
        let (mut regions, mut tests) = ([7; 3], [7; 3]);
        Opaque.region_by_object(&mut regions);
        Opaque.tests_by_object(&mut tests);
        assert_eq!((regions, tests), ([NO_REGION; 3], [0; 3]));
        Opaque.tested_with(0, &mut |other| panic!("{other}"));
        Opaque.regions(&mut |region| panic!("{region:?}"));
        Opaque.regions_of(0, &mut |region| panic!("{region:?}"));
    }
}
