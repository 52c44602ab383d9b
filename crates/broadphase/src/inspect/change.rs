//! Changes of a structure in its last update, which no mark of a single frame shows.

use crate::{Aabb, Axis};

/// A change of a structure in its last update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// An object escaped from its fat AABB.
    Escape(u32),
    /// Two subtrees changed places, and no later change of the tree undid it. At most the last
    /// [`Rotation::MAX_REPORTED`].
    Rotation(Rotation),
    /// Two ends changed places, by which the update sorted a list; none in a full sort.
    Exchange(Exchange),
}

/// A rotation of a tree: two subtrees below a node changed places, one of them a child of the node, the other a
/// grandchild under its other child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// Bounds of the node.
    pub node: Aabb,
    /// Its depth; the subtree that is now higher is a level below it, the other one two levels.
    pub depth: u32,
    /// Bounds of the subtree that is now a level lower.
    pub lowered: Aabb,
    /// Bounds of the subtree that is now a level higher.
    pub raised: Aabb,
    /// The share of its surface that the box above the lowered subtree lost, 0 to 1.
    pub saved: f32,
}

impl Rotation {
    /// Most rotations of an update that are reported: the last ones.
    pub const MAX_REPORTED: usize = 64;
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
