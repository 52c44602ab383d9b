//! A grid of sweeps in which what rests is kept.
//!
//! In many scenes most objects rest: walls, ground, what has fallen and lies. Their boxes stand in the
//! sorted columns of a [`SweepGrid`] that are kept while they rest, and so are their pairs. In a frame
//! only the objects that move are listed and sorted; each column's are swept among themselves, and
//! against those that rest there. So a frame costs a look at each object, the search of those that move,
//! and the copy of the pairs of those that rest; how far they move does not matter.
//!
//! What begins to move drops its pairs; the box that it had stays in its columns, and is passed over. What
//! comes to rest is carried among the moving until that has cost as much as to sort all anew, which is
//! done then, on one thread: so what comes to rest costs no more than twice what it must.
//!
//! Where most objects move, nothing is kept, and a [`SweepGrid`] answers.

mod cross;
mod inspect;
mod rest;
mod validate;

use super::sweep_grid::SweepGrid;
use crate::{Algorithm, BroadPhase, Counters, Frame, Inspect, Overlay, Pair};
pub(super) use rest::Rest;

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "rest-grid",
    name: "Rest grid",
    summary: "a grid of sweeps that keeps what rests sorted; only what moves is searched for",
    source: "our own; the columns are those of sweep-grid",
    overlays: &[Overlay::Regions],
    memory: |n| n * 90,
    build: |_| Box::<RestGrid>::default(),
};

/// Time O(n + m + t / 16) for m objects that move and t pairs of one of them and another that overlap on
/// the sweep axis and share a column; memory about 120 bytes an object on one thread, and 8 a kept pair.
#[derive(Debug, Default)]
pub struct RestGrid {
    rest: Rest,
    search: SweepGrid,
}

impl BroadPhase for RestGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        self.rest.update(&mut self.search, frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.rest.find_pairs(&mut self.search, frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.rest.counters(&self.search)
    }

    fn heap_bytes(&self) -> usize {
        self.rest.heap_bytes() + self.search.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.rest.validate(&self.search, frame);
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}
