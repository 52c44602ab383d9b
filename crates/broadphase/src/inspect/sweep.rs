//! Blocks and lists of a sweep.

use crate::{Aabb, Axis};

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
    pub const LANES: usize = crate::simd::LANES;
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
