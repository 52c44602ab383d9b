//! Grids: space is cut into cells, and only objects that share a cell are tested.
//!
//! Code that the grids share:
//!
//! - **From floats to integers once.** A `Lattice` turns a coordinate into the number of its cell,
//!   by a function that never decreases. So boxes that overlap have ranges of cells that overlap,
//!   however coordinates are rounded. All further work is done with integers.
//! - **One owner per pair.** Two objects may meet in several cells. The pair belongs to the cell
//!   that holds the lowest corner of their intersection: on each axis the higher of the two lowest
//!   cells. So it is the cell in which, on every axis, one of the two begins. Three bits for each
//!   object and cell mark the axes on which it begins there (`CellRange::for_each`). The cell owns the
//!   pair where the bits of both objects together are all three.
//! - **Lists by a counting sort**, all in one array (`CellLists`).
//! - **Cells from the sizes of most objects** (`Bulk`), so that a few that are far larger, or far
//!   away, do not degrade the grid. Objects far larger than a cell go to a separate list, which is tested
//!   against all objects (`Oversized`).

mod cell_lists;
mod cell_table;
mod content;
pub mod hashed;
pub mod hierarchical;
mod lattice;
pub mod uniform;

use cell_lists::CellLists;
use cell_table::{CellKey, CellTable};
use content::Content;
use lattice::{CellRange, Lattice};

/// An object in more cells than this is tested against all others instead. More cells cost about as much,
/// and the bound keeps the listings a bounded multiple of the number of objects.
const MAX_CELLS: u64 = 64;

/// Most bytes of a pair. A crowd at a corner of cells is listed in all eight, and their tasks find each pair. The lists
/// of other tasks are left over from scattered frames (measured: at most 275).
const PAIR_MEMORY: u64 = 8 * 36;
