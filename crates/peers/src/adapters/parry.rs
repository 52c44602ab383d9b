//! Shared by both adapters of parry3d.

use super::has_threads;
use broadphase::Aabb;
use parry3d::bounding_volume::Aabb as ParryAabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

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

/// Calls `visit` with the pairs of leaves that overlap; with change detection, those with a changed leaf. On several threads
/// parry3d collects the pairs first.
pub(super) fn traverse<const CHANGE_DETECTION: bool>(
    tree: &Bvh,
    workspace: &mut BvhWorkspace,
    visit: &mut impl FnMut(u32, u32),
) {
    if has_threads() {
        let pairs = tree.traverse_bvtt_single_tree_parallel::<CHANGE_DETECTION>();
        pairs.into_iter().for_each(|(a, b)| visit(a, b));
    } else {
        tree.traverse_bvtt_single_tree::<CHANGE_DETECTION>(workspace, visit);
    }
}

/// Refits the whole tree.
pub(super) fn refit(tree: &mut Bvh, workspace: &mut BvhWorkspace) {
    if has_threads() { tree.refit_parallel(workspace) } else { tree.refit(workspace) }
}
