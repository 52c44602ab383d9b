//! What a sweep shows: its blocks, its lists, exchanged ends, and the counters of a matrix.

use crate::{Aabb, Axis, Pair};

/// Boxes that follow each other in the order of a sweep and are compared together, by vector instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepBlock<'a> {
    /// The axis of the sweep.
    pub axis: Axis,
    /// The [region](super::Region) that is swept: 0 without regions.
    pub region: u32,
    /// Its place in the order of the sweep, from 0.
    pub place: u32,
    /// Objects by lane, at most [`SweepBlock::LANES`], by their lower bounds on the axis.
    pub objects: &'a [u32],
    /// Bounds of their boxes.
    pub bounds: Aabb,
}

impl SweepBlock<'_> {
    /// Boxes in a full block.
    pub const LANES: usize = crate::sweep::LANES;
}

/// A counter of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixCell {
    /// The row and the column.
    pub pair: Pair,
    /// Number of axes on which the two boxes overlap, 1 to 3.
    pub axes: u8,
}

/// A lower and an upper end that passed each other in a sorted list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exchange {
    /// The axis of the list.
    pub axis: Axis,
    /// The object with the lower end.
    pub lower: u32,
    /// The object with the upper end.
    pub upper: u32,
    /// Whether the two began to overlap on this axis. Else they ceased to.
    pub begun: bool,
}

/// The list of a leaf or inner node that is swept on its own axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptList<'a> {
    /// The [region](super::Region) that it is the list of.
    pub region: u32,
    /// The axis of the sweep.
    pub axis: Axis,
    /// The axis that is normal to the node's plane, which all these objects straddle; `None` for a leaf.
    pub plane: Option<Axis>,
    /// The objects, by their lower bounds on the axis.
    pub objects: &'a [u32],
}
