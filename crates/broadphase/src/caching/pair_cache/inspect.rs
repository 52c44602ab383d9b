//! The boxes, pairs and tests that a cache of pairs reports.

use super::PairCache;
use crate::Aabb;
use crate::inspect::{BoxMark, CacheState, Change, Mark, PairMark};

impl PairCache {
    /// The columns with boxes: their numbers, bounds and objects.
    pub(in crate::caching) fn regions(&self) -> Vec<(usize, Aabb, Vec<u32>)> {
        self.columns.regions(|object| self.entry(object))
    }

    /// Visits the fat AABB and state of each object, absent ones left out.
    pub(in crate::caching) fn fat_boxes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        for (object, (state, fat)) in (0..).zip(self.states.iter().zip(&self.fat)) {
            // An object without a fat AABB may have rested when its entry was made.
            let has_entry = !fat.is_empty() || state.was_resting();
            let cached = match (state.has_escaped(), state.was_resting()) {
                (false, true) => CacheState::Resting,
                (false, false) if fat.is_empty() => continue,
                (false, false) => CacheState::Slow,
                (true, _) if has_entry => CacheState::Stale,
                (true, _) => CacheState::Moving,
            };
            visit(Mark::Box(BoxMark { object, bounds: *fat, role: cached as usize }));
        }
    }

    /// Visits the objects that escaped in this frame.
    pub(in crate::caching) fn escapes(&self, visit: &mut dyn FnMut(Change)) {
        let now = self.escaped.iter().filter(|escaped| escaped.since == self.frame);
        now.for_each(|escaped| visit(Change::Escape(escaped.object)));
    }

    /// Visits the candidate pairs and the pairs of resting objects.
    pub(in crate::caching) fn cached_pairs(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        for (role, pairs) in [&self.pairs.candidates, &self.pairs.resting].iter().enumerate() {
            pairs.iter().for_each(|pair| visit(Mark::Pair(PairMark { pair: *pair, role })));
        }
    }

    /// Calls `visit` with both objects of every test of this frame, with those of a build if it `is_new`, and the column in
    /// which they met. Candidate pairs are tested without one.
    pub(in crate::caching) fn tests(
        &self,
        is_new: bool,
        visit: &mut dyn FnMut(u32, u32, Option<usize>),
    ) {
        if is_new {
            self.columns.tests_of_build(&mut |a, b, column| visit(a, b, Some(column)));
        }
        let inserted = self.inserted[self.settled..].iter();
        let inserted = inserted.map(|object| (*object, &self.fat[*object as usize]));
        self.columns.tests_for(inserted, &mut |a, b, column| visit(a, b, Some(column)));
        self.pairs.candidates.iter().for_each(|pair| visit(pair.a, pair.b, None));
        self.columns.tests_of_escaped(&mut |a, b, column| visit(a, b, Some(column)));
    }
}
