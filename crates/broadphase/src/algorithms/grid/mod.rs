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
//!   away, do not degrade the grid. Objects far larger than a cell go to a separate list, which is tested
//!   against all objects (`Oversized`).

mod cell_table;
mod content;
pub mod hashed;
pub mod hierarchical;
mod lattice;
pub mod uniform;

use cell_table::{CellKey, CellTable};
use content::Content;
use lattice::{CellRange, Lattice};

/// An object in more cells than this is tested against all others instead. More cells cost about as much,
/// and the bound keeps the listings a bounded multiple of the number of objects.
const MAX_CELLS: u64 = 64;

/// Whether an object covers too many cells to be listed in them.
#[inline]
fn covers_too_many(range: &CellRange) -> bool {
    range.count() > MAX_CELLS
}
