//! What an algorithm can show of itself, without knowing how it is drawn.

use crate::Aabb;
use glam::Vec3;

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

/// A box of a tree of boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBox {
    /// What it bounds.
    pub bounds: Aabb,
    /// Depth of the node in its tree; the root has depth 0.
    pub depth: u32,
    /// Whether objects hang on it instead of nodes.
    pub is_leaf: bool,
}

/// An end of an object's interval in a sorted list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endpoint {
    /// The axis of the list.
    pub axis: Axis,
    /// Where it lies on that axis.
    pub position: f32,
    /// The object.
    pub object: u32,
    /// Whether it is the interval's lower end.
    pub is_lower: bool,
}

impl Endpoint {
    /// Both ends of an object's interval.
    pub(crate) fn ends(axis: Axis, object: u32, low: f32, high: f32) -> [Self; 2] {
        let end = |position, is_lower| Self { axis, position, object, is_lower };
        [end(low, true), end(high, false)]
    }
}

/// A kind of thing that an algorithm can show of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlay {
    /// Planes that divide space: [`DebugDraw::plane`].
    Planes,
    /// Leaves or cells with the objects listed in them:
    /// [`Inspect::regions`](crate::Inspect::regions).
    Regions,
    /// The boxes of a tree, by depth: [`DebugDraw::tree_box`].
    TreeBoxes,
    /// Sorted lists: [`DebugDraw::endpoint`].
    Endpoints,
    /// The order of the objects along a curve: [`DebugDraw::curve`].
    Curve,
}

/// Receives the parts of a structure that are worth seeing. What a receiver does not draw, it leaves
/// to the methods given here.
pub trait DebugDraw {
    /// A plane that divides a cell in two.
    fn plane(&mut self, _plane: SplitPlane) {}

    /// A box of a tree, parents before children.
    fn tree_box(&mut self, _tree_box: TreeBox) {}

    /// An endpoint of a sorted list.
    fn endpoint(&mut self, _endpoint: Endpoint) {}

    /// The next point of a curve through the objects.
    fn curve(&mut self, _point: Vec3) {}
}
