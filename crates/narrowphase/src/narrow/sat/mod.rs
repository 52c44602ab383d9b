//! Separating axes: face normals and cross products of edges.

mod arcs;
mod best_axis;
mod cuboids;
mod faces;
mod features;
mod naive;
mod search;

use glam::DVec3;

use super::{PartAnswer, test_parts};
use crate::answer::{Answer, NarrowCounters, NarrowPhase, PairCache};
use crate::body::Body;

pub(crate) use best_axis::{NEARLY_PARALLEL, perpendicular_to_both};
pub(crate) use cuboids::Cuboids;
pub(crate) use faces::lowest_above;
pub(crate) use search::AxisSearch;

/// `sat`, `sat+naive`, `sat+climbing` and `sat+cached`: two convex bodies are apart if their projections on some
/// axis are disjoint, and finitely many axes are enough.
///
/// These are the face normals of both and the cross products of their edges. Rounded parts have one
/// more, that of the nearest vertex and edge. The first axis with a gap ends the test. `sat+cached`
/// begins with the axis that separated the pair last.
#[derive(Clone, Debug, Default)]
pub struct Sat {
    variant: Variant,
    search: AxisSearch,
    counters: NarrowCounters,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Variant {
    #[default]
    Plain,
    Cached,
    Naive,
}

impl Sat {
    /// Tests the axes in their order.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tests the axis that separated the pair last before all others.
    #[must_use]
    pub fn cached() -> Self {
        Self { variant: Variant::Cached, ..Self::default() }
    }

    /// Finds extreme vertices from neighbour to neighbour (000 §2.2).
    #[must_use]
    pub fn climbing() -> Self {
        Self { search: AxisSearch::climbing(), ..Self::default() }
    }

    /// Projects all vertices of both bodies on every axis (000 algorithms 2.6, 2.7, 2.10).
    #[must_use]
    pub fn naive() -> Self {
        Self { variant: Variant::Naive, ..Self::default() }
    }
}

impl NarrowPhase for Sat {
    fn test(&mut self, a: &Body, b: &Body, cache: &mut PairCache) -> Answer {
        let Self { variant, search, counters } = self;
        test_parts([a, b], cache, counters, |pair, axis, counters| {
            if *variant == Variant::Cached && *axis != DVec3::ZERO {
                counters.steps += 1;
                if pair.gap(*axis) > pair.radius {
                    counters.cached += 1;
                    return PartAnswer::Separated(Some(*axis));
                }
            }
            let best = match variant {
                Variant::Naive => naive::separating_axis(search, &pair),
                Variant::Plain | Variant::Cached => search.separating_axis(&pair),
            };
            counters.steps += best.tested;
            if best.gap <= pair.radius {
                return PartAnswer::Touching(None);
            }
            *axis = best.axis;
            PartAnswer::Separated(Some(best.axis))
        })
    }

    fn counters(&self) -> NarrowCounters {
        self.counters
    }
}
