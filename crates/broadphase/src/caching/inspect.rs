//! What a cache shows of itself.

use super::Caching;
use super::decide::Mode;
use super::pair_cache::PairCache;
use crate::inspect::{add_tests, first_lists};
use crate::{BroadPhase, Inspect, Region};

impl Caching {
    fn cached_regions(&self) -> Vec<(Region, Vec<u32>)> {
        self.cache.columns.regions(|object| self.cache.entry(object))
    }
}

impl Inspect for Caching {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        if self.mode == Mode::Search {
            return self.grid.inspect().regions(visit);
        }
        self.cached_regions().into_iter().for_each(|(region, _)| visit(region));
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        if self.mode == Mode::Search {
            return self.grid.inspect().regions_of(object, visit);
        }
        let listing = self.cached_regions().into_iter();
        let listing = listing.filter(|(_, objects)| objects.contains(&object));
        listing.for_each(|(region, _)| visit(region));
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        if self.mode == Mode::Search {
            return self.grid.inspect().region_by_object(regions);
        }
        let regions_of = self.cached_regions();
        first_lists(regions_of.into_iter().map(|(_, objects)| objects), regions);
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        match self.mode {
            Mode::Keep | Mode::Tighten | Mode::Insert => tests.fill(0),
            Mode::Build(_) | Mode::Search => self.grid.inspect().tests_by_object(tests),
        }
        if self.mode == Mode::Search {
            return;
        }
        let mut test = |a: u32, b: u32| [a, b].into_iter().for_each(|at| add_tests(tests, at, 1));
        let PairCache { candidates, columns, .. } = &self.cache;
        candidates.iter().for_each(|pair| test(pair.a, pair.b));
        columns.replay_for(self.cache.newly_inserted(), &mut test);
        columns.replay(&mut test);
    }
}
