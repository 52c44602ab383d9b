//! Parts of a structure that an algorithm can draw, independent of a renderer.

use crate::{Aabb, Axis};
use glam::Vec3;

/// The splitting plane of a tree node, cut off at the node's cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitPlane {
    /// The axis that is normal to it.
    pub axis: Axis,
    /// Its coordinate on that axis.
    pub position: f32,
    /// The finite part of the cell that it divides.
    pub cell: Aabb,
    /// Depth of the node in its tree; the root's plane has depth 0.
    pub depth: u32,
    /// Whether the last update moved it.
    pub moved: bool,
}

impl SplitPlane {
    /// The two parts of the cell: below the plane, and above it.
    pub fn sides(&self) -> [Aabb; 2] {
        let (mut low, mut high) = (self.cell, self.cell);
        let axis = self.axis.index();
        (low.max[axis], high.min[axis]) = (self.position, self.position);
        [low, high]
    }

    /// The part of it within the cell, as a box that is flat.
    pub fn within(&self) -> Aabb {
        let mut flat = self.cell;
        let axis = self.axis.index();
        (flat.min[axis], flat.max[axis]) = (self.position, self.position);
        flat
    }
}

/// A node of a bounding volume hierarchy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBox {
    /// The bounds of its objects.
    pub bounds: Aabb,
    /// Depth of the node in its tree; the root has depth 0.
    pub depth: u32,
    /// Whether its children are objects instead of nodes.
    pub is_leaf: bool,
    /// The step of the build that made it, from 1, in a tree that is divided or joined one node after the
    /// other. `None` in other trees, and for leaves.
    pub step: Option<u32>,
    /// The axis of which its two children have the lower and the upper part, in a tree that is read off a space-filling
    /// curve. `None` in other trees, for leaves, and where the curve does not distinguish the objects.
    pub axis: Option<Axis>,
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

/// An endpoint of an object's interval in a sorted list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endpoint {
    /// The axis of the list.
    pub axis: Axis,
    /// Its coordinate on that axis.
    pub position: f32,
    /// Id of the object.
    pub object: u32,
    /// Whether it is the interval's lower end.
    pub is_lower: bool,
}

impl Endpoint {
    /// Both endpoints of an object's interval.
    pub(crate) fn ends(axis: Axis, object: u32, low: f32, high: f32) -> [Self; 2] {
        let end = |position, is_lower| Self { axis, position, object, is_lower };
        [end(low, true), end(high, false)]
    }
}

/// A kind of drawing. Each registry entry declares those of its algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlay {
    /// Planes that divide space: [`DebugDraw::plane`].
    Planes,
    /// Leaves or cells with the objects listed in them:
    /// [`Inspect::regions`](super::Inspect::regions).
    Regions,
    /// The nodes of a bounding volume hierarchy, by depth: [`DebugDraw::tree_box`].
    TreeBoxes,
    /// Sorted lists: [`DebugDraw::endpoint`].
    Endpoints,
    /// The order of the objects along a curve: [`DebugDraw::curve`].
    Curve,
    /// Fat AABBs, and how each object is cached: [`Inspect::fat_boxes`](super::Inspect::fat_boxes).
    FatBoxes,
    /// Pairs that are not searched for: [`Inspect::cached_pairs`](super::Inspect::cached_pairs).
    CachedPairs,
    /// The order of a sweep in blocks of sixteen: [`Inspect::blocks`](super::Inspect::blocks).
    Blocks,
    /// A counter for each pair: [`Inspect::matrix`](super::Inspect::matrix).
    Matrix,
}

impl Overlay {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Overlay; 9] = [
        Overlay::Planes,
        Overlay::Regions,
        Overlay::TreeBoxes,
        Overlay::Endpoints,
        Overlay::Curve,
        Overlay::FatBoxes,
        Overlay::CachedPairs,
        Overlay::Blocks,
        Overlay::Matrix,
    ];
}

/// Receives the parts of a structure that [`BroadPhase::debug_draw`](crate::BroadPhase::debug_draw)
/// draws. The default methods ignore them.
pub trait DebugDraw {
    /// A plane that divides a cell in two.
    fn plane(&mut self, _plane: SplitPlane) {}

    /// A node of a bounding volume hierarchy, depth first: a node, then all nodes below its first child.
    fn tree_box(&mut self, _tree_box: TreeBox) {}

    /// An endpoint of a sorted list.
    fn endpoint(&mut self, _endpoint: Endpoint) {}

    /// The next point of a curve through the objects.
    fn curve(&mut self, _point: Vec3) {}
}
