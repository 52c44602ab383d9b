//! Grids: space is cut into cells, and only objects that share a cell are tested.
//!
//! Code that the grids share:
//!
//! - **From floats to integers once.** A `Lattice` turns a coordinate into the number of its cell,
//!   by a function that never decreases. So boxes that overlap have ranges of cells that overlap,
//!   however coordinates are rounded. All further work is done with integers.
//! - **Lists and search** are those of `regions`. On each axis, the lowest cell of an object is where it begins
//!   (`CellRange::for_each`).
//! - **Cells from the sizes of most objects** (`Bulk`), so that a few that are far larger, or far
//!   away, do not degrade the grid. Objects far larger than a cell are in none, and so tested against all
//!   objects.

mod cell_sides;
mod cell_table;
pub mod hashed;
pub mod hierarchical;
mod levels;
pub mod uniform;

use crate::regions::{Cell, CellRange};
use cell_table::{CellKey, CellTable};

/// An object in more cells than this is tested against all others instead. More cells cost about as much,
/// and the bound keeps the listings a bounded multiple of the number of objects.
const MAX_CELLS: u64 = 64;

/// Calls `visit` with every cell of a range, and the bits there; with none if they are too many to list an object in them.
#[inline]
fn for_each_of_few(range: &CellRange, visit: impl FnMut(Cell, u32)) {
    if range.count() <= MAX_CELLS {
        range.for_each(visit);
    }
}
