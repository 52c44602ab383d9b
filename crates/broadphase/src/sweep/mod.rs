//! Sort and sweep, sixteen boxes at a time: what the fast algorithms share.
//!
//! Boxes in the order of their lower bounds on one axis stand in [blocks](blocks::Block) of sixteen,
//! bound by bound. [`sweep`](search::sweep) compares each with the run of those after it that begin
//! before it ends, four of them with a block at a time.

pub(crate) mod axis;
pub(crate) mod blocks;
pub(crate) mod search;

pub(crate) use axis::AxisChoice;
pub(crate) use blocks::{Away, Block, LANES, axes_from, bounds_along};
pub(crate) use search::{Found, Sorted, greatest, sweep};
