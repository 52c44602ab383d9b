//! A grid of sweeps: columns side by side, the boxes of each sorted along it and swept.
//!
//! The columns, their lists and their search are those of `columns`.

use crate::columns::Grid;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Overlay};
use crate::managed::Managed;

/// Its entry in the registry.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "Grid of sweeps",
    summary: "boxes in columns, each sorted on one axis; a box is compared with those after it in its column that begin before it ends",
    source: "after P. Terdiman, Box Pruning Revisited (2017-2018), and his cells of sweeps",
    cost: "n + tests / 16",
    watch_for: "the reach of a picked object: it ends at the walls of its column",
    overlays: &[Caption::COLUMNS, Caption::of(Overlay::Blocks)],
    // Scratch for a column does not grow with the number of objects.
    memory: |n| n * 35 + (n * 15).min(200_000),
    vectorised: true,
    keeps_state: true,
    parameters: &[Grid::COLUMNS],
    ..Algorithm::new("sweep-grid", Kind::Grid, |settings| {
        Managed::boxed(Grid::of(settings.count(&Grid::COLUMNS)))
    })
};

/// Time O(n + t / 16) for t pairs that overlap on the sweep axis and share a column; memory 40 to
/// 72 bytes an object, room to spare included.
pub type SweepGrid = Managed<Grid>;
