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

/// The view into an algorithm that shows nothing of itself.
pub(crate) struct Opaque;

impl Inspect for Opaque {}

#[cfg(test)]
mod tests {
    use super::*;

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
