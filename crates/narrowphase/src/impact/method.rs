//! The part that all methods share: checks of the input, and counts.

use super::moving_pair::MovingPair;
use super::{Impact, ImpactCounters, Motion, TimeOfImpact};
use crate::answer::PairCache;
use crate::body::Body;

/// A search for the first contact, given numbers that are finite and a limit above 0.
pub(super) trait Search {
    /// When do the bodies first touch?
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact;
}

/// A search as a method of the registry.
#[derive(Clone, Debug, Default)]
pub(super) struct Method<S> {
    search: S,
    counters: ImpactCounters,
}

impl<S: Search + Send + 'static> Method<S> {
    /// A method without work so far.
    pub(super) fn boxed(search: S) -> Box<dyn TimeOfImpact + Send> {
        Box::new(Self { search, counters: ImpactCounters::default() })
    }
}

impl<S: Search> TimeOfImpact for Method<S> {
    fn find(
        &mut self,
        a: (&Body, &Motion),
        b: (&Body, &Motion),
        limit: f64,
        _cache: &mut PairCache,
    ) -> Impact {
        let Self { search, counters } = self;
        counters.tests += 1;
        let moving = MovingPair::new(a, b, limit);
        let impact = moving.map_or(Impact::Failed, |moving| search.search(&moving, counters));
        counters.failures += u64::from(impact == Impact::Failed);
        impact
    }

    fn counters(&self) -> ImpactCounters {
        self.counters
    }
}
