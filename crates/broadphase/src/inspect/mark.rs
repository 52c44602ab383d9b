//! Marks: what a structure shows, independent of a renderer.

use super::SweepBlock;
use crate::{Aabb, Axis, Pair};
use glam::Vec3;

/// Something that a structure shows. Each [`Overlay`](super::Overlay) has marks of one shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark<'a> {
    /// A plane that divides a cell in two. A plane comes before those of its two sides.
    Plane(SplitPlane),
    /// A leaf or cell, in the order of their indices.
    Region(RegionMark<'a>),
    /// A node of a tree, depth first: a node, then all nodes below its first child.
    Node(TreeBox),
    /// An endpoint of a sorted list.
    End(Endpoint),
    /// The next block of a sweep, by region and place.
    Block(SweepBlock<'a>),
    /// The next point of a curve through the objects.
    Point(Vec3),
    /// A box of an object.
    Box(BoxMark),
    /// A pair of objects, each once.
    Pair(PairMark),
}

/// A box of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxMark {
    /// Id of the object.
    pub object: u32,
    /// The box; it may be empty.
    pub bounds: Aabb,
    /// Its role: the place among the [roles](super::Caption::roles) of the caption.
    pub role: usize,
}

/// A pair of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairMark {
    /// Both objects.
    pub pair: Pair,
    /// Its role: the place among the [roles](super::Caption::roles) of the caption.
    pub role: usize,
}

/// A leaf or cell of a structure, with its list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionMark<'a> {
    /// The leaf or cell.
    pub region: Region,
    /// The objects listed in it; by their lower bounds on the axis, if each region has one of its own.
    pub objects: &'a [u32],
    /// The axis on which its list is swept.
    pub axis: Option<Axis>,
    /// The axis that is normal to the plane of an inner node, which all its objects straddle; `None` for a leaf or cell.
    pub plane: Option<Axis>,
    /// Its larger bounds, where objects may reach out of it.
    pub loose: Option<Aabb>,
    /// Its slot in a hash table of cells.
    pub slot: Option<HashSlot>,
}

impl<'a> RegionMark<'a> {
    /// A leaf or cell at a depth, with its objects.
    pub(crate) fn new(index: usize, bounds: Aabb, depth: u32, objects: &'a [u32]) -> Self {
        let region = Region { index: index as u32, bounds, depth, objects: objects.len() as u32 };
        Self { region, objects, axis: None, plane: None, loose: None, slot: None }
    }
}

/// A leaf or cell of a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Its number in the structure, from 0.
    pub index: u32,
    /// Its finite part: the outermost cells of a tree are infinite.
    pub bounds: Aabb,
    /// Its depth below the root; 0 in a structure without a root.
    pub depth: u32,
    /// Number of objects listed in it.
    pub objects: u32,
}

/// The slot of a cell in a hash table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashSlot {
    /// The coordinates of the cell.
    pub cell: [i32; 3],
    /// The number of the slot, from 0.
    pub slot: usize,
    /// The slot that the hash of the cell names. It differs where that one was taken: a collision.
    pub home: usize,
    /// The number of all slots.
    pub slots: usize,
}

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
    /// Visits both endpoints of an object's interval.
    pub(crate) fn visit_both(
        axis: Axis,
        object: u32,
        low: f32,
        high: f32,
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        for (position, is_lower) in [(low, true), (high, false)] {
            visit(Mark::End(Self { axis, position, object, is_lower }));
        }
    }
}
