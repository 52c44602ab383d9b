//! A hashed grid: an unbounded lattice of equal cells, of which only those with objects exist.
//!
//! A hash table numbers the cells that objects touch, in the order of their first use. The rest is as in a
//! uniform grid. There is no block of space to cover, so cells may be small in a wide world: empty space
//! costs nothing.
//!
//! In the original, different cells with the same hash share their objects, and time stamps mark old
//! entries. Here cells are identified by their coordinates, since a shared list could not own a pair. The
//! time stamps are the same.
//!
//! Time O(n + Σ mᵢ²) expected, for mᵢ objects in cell i: linear wherever the objects are, as long as they have similar sizes
//! and are not crowded. Memory O(n).
//!
//! Teschner, Heidelberger, Müller, Pomeranets, Gross, "Optimized Spatial Hashing for Collision
//! Detection of Deformable Objects" (2003); Mirtich, "Impulse-based Dynamic Simulation of Rigid
//! Body Systems" (1996).

use super::cell_sides::CellSides;
use super::levels::LevelGrid;
use crate::entry::{Algorithm, Kind, Parameter};
use crate::inspect::Caption;
use crate::managed::Managed;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Hashed grid",
    summary: "an endless grid, whose occupied cells are in a hash table; objects in the same cell are compared with each other",
    source: "Teschner et al. 2003, Optimized Spatial Hashing; after Mirtich 1996",
    cost: "n + tests",
    watch_for: "crowds: all cells are equally large, so a crowd fills one, which costs the square of its objects",
    overlays: &[Caption::CELLS],
    memory: |n| n * 215,
    vectorised: true,
    parameters: &[CELL_SIDE],
    ..Algorithm::new("grid-hashed", Kind::Grid, |settings| {
        Managed::boxed(LevelGrid::new(CellSides::Equal(settings.value(&CELL_SIDE))))
    })
};

const CELL_SIDE: Parameter =
    Parameter::number("cell-side", 4.0, [0.5, 32.0], "Side of a cell, in sides of most objects");
