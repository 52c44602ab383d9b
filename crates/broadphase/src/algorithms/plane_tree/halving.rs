//! The tree with which `bsp` and `kd-tree` begin.

use super::{Leaves, PlaneTree};
use crate::Aabb;

/// A halving tree over the world, or over the first boxes where the world is not known yet. `None`
/// before the first object.
pub(crate) fn lay_tree(world: &mut Aabb, depth: u32, boxes: &[Aabb]) -> Option<PlaneTree> {
    if world.is_empty() {
        *world = Aabb::bounds(boxes);
    }
    (!world.is_empty()).then(|| PlaneTree::halving(*world, depth))
}

/// Panics unless the planes lie in their cells and the objects in their leaves.
pub(crate) fn validate_tree(tree: Option<&PlaneTree>, leaves: &Leaves, boxes: &[Aabb]) {
    match tree {
        Some(tree) => {
            tree.validate();
            leaves.validate(tree, boxes);
        }
        None => assert!(Aabb::bounds(boxes).is_empty(), "there are objects, but no tree"),
    }
}
