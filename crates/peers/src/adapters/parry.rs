//! What both uses of parry3d share.

use broadphase::{Aabb, Frame};
use parry3d::bounding_volume::Aabb as ParryAabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};

/// The box in parry's own type.
pub(super) fn convert(b: &Aabb) -> ParryAabb {
    ParryAabb { mins: b.min.to_array().into(), maxs: b.max.to_array().into() }
}

/// A tree of these boxes, by object.
///
/// Binned: the strategy that its documentation names for scenes that move.
pub(super) fn build(boxes: impl Iterator<Item = (usize, ParryAabb)> + Clone) -> Bvh {
    // Of one and of two leaves it takes the ids for 0 and 1, whatever they are.
    if boxes.clone().take(3).count() < 3 {
        let mut tree = Bvh::new();
        boxes.for_each(|(object, b)| tree.insert(b, object as u32));
        return tree;
    }
    Bvh::from_iter(BvhBuildStrategy::Binned, boxes)
}

/// The present boxes of a frame, by object.
pub(super) fn present<'a>(
    frame: &Frame<'a>,
) -> impl Iterator<Item = (usize, &'a Aabb)> + Clone + use<'a> {
    frame.boxes.iter().enumerate().filter(|(_, b)| !b.is_empty())
}
