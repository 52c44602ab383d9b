//! Columns side by side, the boxes of each sorted along one axis and swept.
//!
//! Shared by `sweep-grid`, [`caching`](crate::caching) and [`join`](crate::join). The former searches the frame's boxes. The latter
//! searches fat AABBs once, caches the sorted columns, and compares escaped objects with them.
//!
//! A sweep of all boxes along one axis compares each with all that overlap it there, wherever they are on
//! the other two axes. So space is cut into columns along the axis. Each box is listed in every column
//! that it touches, and each column is swept by itself. A column is a few times as wide as a box, so that
//! most boxes are in one. It holds hundreds to thousands of boxes, so that its data stay in the nearer
//! caches.
//!
//! Did not pay: cells on three axes. Scattered writes to thousands of cells took 40 ns an object at 100,000, the
//! search 15; gas 1,000,000 took 70 to 80 ms, with columns 33. Objects visited in the order of the last frame's
//! cells took 220 ms, since each read waits for the last.
//!
//! A pair that shares several columns is reported in the first of them: the one in which, on both
//! axes perpendicular to the sweep, at least one of the two boxes begins. Each entry has a bit for
//! each axis across on which its box begins earlier. A pair is skipped where both have the same
//! bit. No coordinate is compared again (the flags of Terdiman's box pruning in cells).

mod bins;
mod cached;
mod checks;
mod choose;
mod cross;
mod grid;
mod inspect;
mod joined;
mod layout;
mod lists;
mod shelves;
mod sweeper;
mod tasks;
mod validate;

pub(crate) use cached::{CachedColumns, Origin};
pub(crate) use grid::Grid;
pub(crate) use joined::JoinedColumns;
