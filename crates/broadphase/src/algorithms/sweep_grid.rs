//! A grid of sweeps: columns side by side, the boxes of each sorted along it and swept.
//!
//! The columns, their lists and their search are those of `columns`.

use crate::columns::Grid;
use crate::entry::{Algorithm, Kind, Settings};
use crate::inspect::{Caption, Inspect, Overlay};
use crate::memory::copy;
use crate::{BroadPhase, Counters, Frame, Pair, Query};

/// Its entry in the registry.
pub const ENTRY: Algorithm =
    Algorithm::new("sweep-grid", Kind::Grid, |settings| Box::new(SweepGrid::new(settings)))
        .name("Grid of sweeps")
        .summary("boxes in columns, each sorted on one axis; a box is compared with those after it in its column that begin before it ends")
        .source("after P. Terdiman, Box Pruning Revisited (2017-2018), and his cells of sweeps")
        .cost("n + tests / 16")
        .watch_for("the reach of a picked object: it ends at the walls of its column")
        .overlays(&[Caption::COLUMNS, Caption::of(Overlay::Blocks)])
        // Scratch for a column does not grow with the number of objects.
        .memory(|n| n * 30 + (n * 15).min(200_000))
        .vectorised(true)
        .keeps_state(true)
        .parameters(&[Grid::COLUMNS]);

/// Time O(n + t / 16) for t pairs that overlap on the sweep axis and share a column; memory 45 to
/// 65 bytes an object, room to spare included.
#[derive(Clone, Debug)]
pub struct SweepGrid(Grid);

impl SweepGrid {
    /// A grid without objects.
    pub fn new(settings: &Settings) -> Self {
        Self(Grid::of(settings.count(&Grid::COLUMNS)))
    }
}

impl BroadPhase for SweepGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        self.0.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.0.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.0.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    fn try_clone(&self) -> Option<Box<dyn BroadPhase>> {
        Some(Box::new(Self(copy(&self.0))))
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.0.validate(frame);
    }

    fn query(&self) -> Option<&dyn Query> {
        self.0.query()
    }

    fn inspect(&self) -> &dyn Inspect {
        self.0.inspect()
    }
}
