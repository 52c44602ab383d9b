//! What a cache shows of itself.

use super::Caching;
use super::decide::Mode;
use super::policy::{self, Policy};
use crate::BroadPhase;
use crate::inspect::{CachedPair, FatBox, Inspect, Region, SweepBlock, Work, first_lists};

impl Caching {
    /// Whether its columns hold the objects by their own boxes. Columns of fat AABBs list absent objects, too.
    pub(crate) fn has_tight_columns(&self) -> bool {
        self.mode == Mode::Search || policy::ALL[self.cache.policy()].margin == 0.0
    }

    /// Whether there was a frame.
    pub(crate) fn has_begun(&self) -> bool {
        self.search > 0.0
    }

    /// The algorithm that answers a frame in the same way.
    pub(crate) fn chosen(&self) -> &'static str {
        match self.mode {
            Mode::Search => "sweep-grid",
            _ if self.has_tight_columns() => "rest-grid",
            _ => "neighbour-list",
        }
    }

    /// Why the frame was answered from the cache, or not, by the numbers of the decision.
    pub(crate) fn reason(&self) -> String {
        let moving = percent(1.0 - self.forecast.resting());
        let motion = format!("{moving} of {} sampled objects move", self.forecast.sampled());
        let of_search = |policy: usize| {
            format!("{} of a full search", percent(self.outlook(policy).mean / self.search))
        };
        let (best, _) = self.best();
        let used = self.cache.policy();
        let done = match self.mode {
            Mode::Search => {
                let cost = of_search(best);
                let best = margins(policy::ALL[best]);
                return format!(
                    "{motion}. The best cache ({best}) would cost {cost}: all boxes are searched."
                );
            }
            Mode::Build(_) => "It was rebuilt in this step.",
            Mode::Insert => "Escaped objects were inserted in this step.",
            Mode::Tighten => "Resting objects gave up their margins in this step.",
            Mode::Keep => "It was kept in this step.",
        };
        let cost = of_search(used);
        let used = margins(policy::ALL[used]);
        format!("{motion}. The cache ({used}) is predicted to cost {cost}. {done}")
    }
}

/// A policy in words.
fn margins(policy: Policy) -> String {
    let Policy { margin, frames, is_for_resting } = policy;
    if margin == 0.0 {
        return "resting objects only".to_owned();
    }
    let mut words = format!("margins of {:.0} % of the median side", 100.0 * margin);
    if frames > 0.0 {
        words += &format!(", swept {frames:.0} frames ahead");
    }
    if is_for_resting {
        words += ", for resting objects too";
    }
    words
}

/// A share in percent.
fn percent(share: f32) -> String {
    if share.is_finite() { format!("{:.0} %", 100.0 * share) } else { "an unknown part".to_owned() }
}

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

    fn fat_boxes(&self, visit: &mut dyn FnMut(FatBox)) {
        if self.mode != Mode::Search {
            self.cache.fat_boxes(visit);
        }
    }

    fn escapes(&self, visit: &mut dyn FnMut(u32)) {
        if self.mode != Mode::Search {
            self.cache.escapes(visit);
        }
    }

    fn cached_pairs(&self, visit: &mut dyn FnMut(CachedPair)) {
        if self.mode != Mode::Search {
            self.cache.cached_pairs(visit);
        }
    }

    fn blocks(&self, visit: &mut dyn FnMut(SweepBlock<'_>)) {
        if self.mode == Mode::Search {
            self.grid.inspect().blocks(visit);
        }
    }

    fn remarks(&self, report: &mut dyn FnMut(String)) {
        if self.has_begun() {
            report(self.reason());
        }
    }
}
