//! Which bodies are near a region within a step, while paths change.

use broadphase::Aabb;
use broadphase::query::{Query, QueryTree};
use std::ops::ControlFlow;

/// Boxes that changed since the tree was brought up to date, at most. Each region is compared with all of them, which takes as
/// long as a search of the tree.
const MAX_CHANGED: usize = 256;

/// The boxes of all bodies, and a tree of them in which some are stale.
#[derive(Clone, Debug, Default)]
pub(super) struct SweptIndex {
    boxes: Vec<Aabb>,
    tree: QueryTree,
    /// Bodies whose boxes have changed since, some more than once.
    changed: Vec<u32>,
}

impl SweptIndex {
    pub(super) fn rebuild(&mut self, boxes: impl Iterator<Item = Aabb>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.update();
    }

    fn update(&mut self) {
        self.tree.update(&self.boxes);
        self.changed.clear();
    }

    /// Gives a body another box.
    pub(super) fn set(&mut self, object: usize, bounds: Aabb) {
        self.boxes[object] = bounds;
        self.changed.push(object as u32);
        if self.changed.len() > MAX_CHANGED {
            self.update();
        }
    }

    /// Lists all bodies whose boxes overlap that of `object`, this one included, rising.
    pub(super) fn near(&self, object: usize, near: &mut Vec<u32>) {
        let region = &self.boxes[object];
        near.clear();
        near.extend_from_slice(&self.changed);
        self.tree.each(region, &mut |hit| {
            near.push(hit.object);
            ControlFlow::Continue(())
        });
        near.retain(|other| self.boxes[*other as usize].overlaps(region));
        near.sort_unstable();
        near.dedup();
    }
}
