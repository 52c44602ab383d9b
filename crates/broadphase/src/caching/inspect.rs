//! What a cache shows of itself.

use super::Caching;
use super::decide::Mode;
use crate::BroadPhase;
use crate::inspect::{Inspect, Region, Work, first_lists};

impl Inspect for Caching {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        if self.mode == Mode::Search {
            return self.grid.inspect().regions(visit);
        }
        self.cache.regions().into_iter().for_each(|(region, _)| visit(region));
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        if self.mode == Mode::Search {
            return self.grid.inspect().regions_of(object, visit);
        }
        let listing = self.cache.regions().into_iter();
        let listing = listing.filter(|(_, objects)| objects.contains(&object));
        listing.for_each(|(region, _)| visit(region));
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        if self.mode == Mode::Search {
            return self.grid.inspect().region_by_object(regions);
        }
        let regions_of = self.cache.regions();
        first_lists(regions_of.into_iter().map(|(_, objects)| objects), regions);
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        match self.mode {
            Mode::Keep | Mode::Tighten | Mode::Insert => tests.fill(0),
            Mode::Build(_) | Mode::Search => self.grid.inspect().tests_by_object(tests),
        }
        if self.mode != Mode::Search {
            self.cache.add_tests(tests);
        }
    }

    fn work(&self, report: &mut dyn FnMut(Work)) {
        if self.mode == Mode::Search {
            return;
        }
        for (name, meaning, count) in [
            (
                "cached pairs",
                "Candidate pairs and pairs of resting objects, cached while their fat AABBs hold",
                self.cache.pairs(),
            ),
            (
                "escaped objects",
                "Objects outside of their fat AABB, which are searched for in each frame",
                self.cache.escaped(),
            ),
        ] {
            report(Work { name, meaning, count: count as u64 });
        }
    }
}
