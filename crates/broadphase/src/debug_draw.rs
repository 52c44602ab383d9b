//! What an algorithm can show of itself, without knowing how it is drawn.

use crate::Aabb;

/// One of the three coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Planes normal to it are y-z planes.
    X,
    /// Planes normal to it are x-z planes.
    Y,
    /// Planes normal to it are x-y planes.
    Z,
}

impl Axis {
    /// All axes, in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// 0, 1 or 2: the component of a vector along this axis.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The axis after this one, cyclically.
    #[inline]
    pub fn next(self) -> Self {
        match self {
            Axis::X => Axis::Y,
            Axis::Y => Axis::Z,
            Axis::Z => Axis::X,
        }
    }
}

/// A splitting plane as a cell of a tree sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitPlane {
    /// The axis it is normal to.
    pub axis: Axis,
    /// Where it cuts that axis.
    pub position: f32,
    /// The finite part of the cell that it divides.
    pub cell: Aabb,
    /// Depth of the node in its tree; the root's plane has depth 0.
    pub depth: u32,
    /// Whether the last update moved it.
    pub moved: bool,
}

/// Receives the parts of a structure that are worth seeing.
pub trait DebugDraw {
    /// A plane that divides a cell in two.
    fn plane(&mut self, plane: SplitPlane);
}
