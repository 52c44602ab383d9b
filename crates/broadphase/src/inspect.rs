//! Looking into a structure: which cells it has, and what it does with each object.

use crate::Aabb;

/// A leaf or cell of a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Its number in the structure, counted from 0.
    pub index: u32,
    /// Its finite part: the outermost cells of a tree reach further, without end.
    pub bounds: Aabb,
    /// Levels between it and the root; 0 where there is no root.
    pub depth: u32,
    /// How many objects are listed in it.
    pub objects: u32,
}

/// The region of an object that stands in none.
pub const NO_REGION: u32 = u32::MAX;

/// What can be seen of a structure after a frame, its update and its search.
///
/// Never timed: an answer may allocate, and take as long as the search. What an algorithm has
/// nothing of, it leaves to the methods given here.
///
/// Answers for all objects go into a slice, index = object. Entries beyond the frame's objects say
/// that there is nothing, and objects beyond the slice are passed over.
pub trait Inspect {
    /// Visits every region that has a place in space, in the order of their indices.
    fn regions(&self, _visit: &mut dyn FnMut(Region)) {}

    /// Visits the regions in which an object stands, in the order of their indices.
    fn regions_of(&self, _object: u32, _visit: &mut dyn FnMut(Region)) {}

    /// Tells for each object the index of the first region in which it stands, or [`NO_REGION`].
    fn region_by_object(&self, regions: &mut [u32]) {
        regions.fill(NO_REGION);
    }

    /// Tells for each object how many pair tests it takes part in.
    ///
    /// A test has two objects: the sum is twice [`Counters::tests`](crate::Counters::tests), unless
    /// the frame was stopped.
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
    }
}

/// Adds tests to an object, if its tests are asked for.
#[inline]
pub(crate) fn add_tests(tests: &mut [u32], object: u32, more: usize) {
    if let Some(tests) = tests.get_mut(object as usize) {
        *tests = tests.saturating_add(more as u32);
    }
}

/// Adds to each object the tests of a search that tests every list against itself.
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

/// Tells for each object the first of the lists in which it stands, or [`NO_REGION`].
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

/// The view into an algorithm that shows nothing of itself.
pub(crate) struct Opaque;

impl Inspect for Opaque {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_in_their_lists_and_those_not_asked_for_are_passed_over() {
        let lists = || [vec![2, 9], vec![], vec![0, 2, 4]].into_iter();
        let (mut regions, mut tests) = ([7; 4], [1; 4]);
        first_lists(lists(), &mut regions);
        assert_eq!(regions, [2, NO_REGION, 0, NO_REGION]);
        add_tests_within(lists(), &mut tests);
        assert_eq!(tests, [3, 1, 4, 1]);
    }

    #[test]
    fn what_shows_nothing_has_no_regions_and_no_tests() {
        let (mut regions, mut tests) = ([7; 3], [7; 3]);
        Opaque.region_by_object(&mut regions);
        Opaque.tests_by_object(&mut tests);
        assert_eq!((regions, tests), ([NO_REGION; 3], [0; 3]));
        Opaque.regions(&mut |region| panic!("{region:?}"));
        Opaque.regions_of(0, &mut |region| panic!("{region:?}"));
    }
}
