//! Shared by both adapters of parry3d.

use broadphase::{Aabb, Frame};
use parry3d::bounding_volume::Aabb as ParryAabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};

/// The box in parry's own type.
pub(super) fn convert(b: &Aabb) -> ParryAabb {
    ParryAabb { mins: b.min.to_array().into(), maxs: b.max.to_array().into() }
}

/// A tree of these boxes, by object.
///
/// Binned: the strategy that its documentation names for moving scenes.
pub(super) fn build(boxes: impl Iterator<Item = (usize, ParryAabb)> + Clone) -> Bvh {
    // For one or two leaves, parry3d ignores the ids and uses 0 and 1.
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
