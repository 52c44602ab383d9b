//! What a cache shows of itself.

use super::PairCache;
use crate::inspect::Region;
use crate::inspect::add_tests;

impl PairCache {
    /// The columns as regions, each with the objects in it.
    pub(in crate::caching) fn regions(&self) -> Vec<(Region, Vec<u32>)> {
        self.columns.regions(|object| self.entry(object))
    }

    /// Adds to each object the tests of this frame that it takes part in, without those of a build.
    pub(in crate::caching) fn add_tests(&self, tests: &mut [u32]) {
        let mut test = |a: u32, b: u32| [a, b].into_iter().for_each(|at| add_tests(tests, at, 1));
        self.pairs.candidates().iter().for_each(|pair| test(pair.a, pair.b));
        let inserted = self.inserted[self.settled..].iter();
        let inserted = inserted.map(|object| (*object, &self.fat[*object as usize]));
        self.columns.replay_for(inserted, &mut test);
        self.columns.replay(&mut test);
    }
}
