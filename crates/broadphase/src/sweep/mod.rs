//! Sort and sweep, sixteen boxes at a time: what the fast algorithms share.
//!
//! [Blocks](blocks::Block) hold sixteen boxes each, bound by bound, in the order of their lower bounds
//! on one axis. [`sweep`](search::sweep) compares each box with its run: the boxes after it that begin
//! before it ends. Four boxes are compared with a block at a time.
//! [`SortedBoxes`] sweeps all boxes of a frame on one axis.

pub(crate) mod axis;
pub(crate) mod blocks;
pub(crate) mod search;
mod sorted_boxes;

pub(crate) use axis::AxisChoice;
pub(crate) use blocks::{Away, Block, Row, Sorted, axes_from, bounds_along, greatest};
pub(crate) use search::{Counted, sweep};
pub(crate) use sorted_boxes::SortedBoxes;
