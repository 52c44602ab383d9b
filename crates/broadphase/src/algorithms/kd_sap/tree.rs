//! Nodes, and the node of an object.

use crate::{Aabb, Axis};
use glam::Vec3;
use std::ops::Range;

/// Most planes between the root and a leaf.
pub(super) const DEEPEST: u32 = 40;

/// A node with its own list: all objects of a leaf, or those that straddle the plane of an inner node.
///
/// Nodes and their lists are in the order low subtree, node, high subtree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Low and high child; `None` for a leaf.
    pub(super) children: Option<[u32; 2]>,
    pub(super) axis: Axis,
    pub(super) position: f32,
    pub(super) depth: u32,
    /// The half-open cell, infinite on the outside.
    pub(super) cell: Aabb,
    /// The sweep axis: the own list is sorted by the lower bounds on it.
    pub(super) sweep: Axis,
    /// First position of the own list.
    pub(super) start: u32,
    /// Objects of the own list.
    pub(super) len: u32,
    /// Bounds of the own list.
    pub(super) own: Aabb,
    /// Objects of the subtree, and their bounds.
    pub(super) population: u32,
    pub(super) bounds: Aabb,
}

impl Node {
    /// An empty leaf, whose cell is all of space.
    pub(super) const ALL: Node = Node {
        children: None,
        axis: Axis::X,
        position: 0.0,
        depth: 0,
        cell: Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
        sweep: Axis::X,
        start: 0,
        len: 0,
        own: Aabb::EMPTY,
        population: 0,
        bounds: Aabb::EMPTY,
    };

    /// Positions of the own list.
    pub(super) fn list(&self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    /// The two parts into which the plane divides the cell.
    pub(super) fn parts(&self) -> [Aabb; 2] {
        let (mut low, mut high, axis) = (self.cell, self.cell, self.axis.index());
        low.max[axis] = low.max[axis].min(self.position);
        high.min[axis] = high.min[axis].max(self.position);
        [low, high]
    }
}

/// The place of a box in relation to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Low,
    Across,
    High,
}

/// The side of a plane on which a box lies. The plane itself belongs to the high side.
#[inline]
pub(super) fn side(b: &Aabb, axis: Axis, position: f32) -> Side {
    if b.max[axis.index()] < position {
        Side::Low
    } else if b.min[axis.index()] >= position {
        Side::High
    } else {
        Side::Across
    }
}

/// The node to which a box belongs.
#[inline]
pub(super) fn descend(nodes: &[Node], root: usize, b: &Aabb) -> usize {
    let mut at = root;
    while let Some([low, high]) = nodes[at].children {
        at = match side(b, nodes[at].axis, nodes[at].position) {
            Side::Low => low as usize,
            Side::High => high as usize,
            Side::Across => break,
        };
    }
    at
}

/// Whether a plane is useful: it straddles not many more objects than it puts on either side, and divides
/// the others into comparable halves.
pub(super) fn is_useful([low, across, high]: [usize; 3]) -> bool {
    let smaller = low.min(high);
    2 * across <= 3 * smaller && 8 * smaller >= low + across + high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_from_the_plane_on_is_high_and_up_to_it_across() {
        let b = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let sides = [-1.0, 0.0, 0.5, 1.0, 1.5].map(|position| side(&b, Axis::Y, position));
        assert_eq!(sides, [Side::High, Side::High, Side::Across, Side::Across, Side::Low]);
    }
}
