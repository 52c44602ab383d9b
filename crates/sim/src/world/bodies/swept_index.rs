//! Which bodies are near a region within a step, while paths change.

use super::super::box_grid::BoxGrid;
use broadphase::Aabb;

/// Boxes that changed since the grid was built, at most; then it is built again. Each region is compared with all of them,
/// which takes as long as a grid of as many cells does.
const MAX_CHANGED: usize = 256;

/// A grid over the boxes of all bodies, and a list of those that changed since.
#[derive(Clone, Debug, Default)]
pub(super) struct SweptIndex {
    boxes: Vec<Aabb>,
    grid: BoxGrid,
    changed: Vec<u32>,
    is_changed: Vec<bool>,
}

impl SweptIndex {
    pub(super) fn rebuild(&mut self, boxes: impl Iterator<Item = Aabb>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.build_grid();
    }

    fn build_grid(&mut self) {
        self.grid.rebuild(&self.boxes);
        self.changed.clear();
        self.is_changed.clear();
        self.is_changed.resize(self.boxes.len(), false);
    }

    /// Gives a body another box.
    pub(super) fn set(&mut self, object: usize, bounds: Aabb) {
        self.boxes[object] = bounds;
        if !self.is_changed[object] {
            if self.changed.len() == MAX_CHANGED {
                return self.build_grid();
            }
            self.is_changed[object] = true;
            self.changed.push(object as u32);
        }
    }

    /// Appends all bodies whose boxes overlap that of `object`, this one included, in any order.
    pub(super) fn append_near(&self, object: usize, near: &mut Vec<u32>) {
        let region = &self.boxes[object];
        self.grid.for_each_near(region, |other| {
            if !self.is_changed[other] {
                near.push(other as u32);
            }
        });
        let changed = self.changed.iter().copied();
        near.extend(changed.filter(|other| self.boxes[*other as usize].overlaps(region)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn changed_box_is_found_at_its_new_place_only() {
        let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.4);
        let count = 3 * MAX_CHANGED;
        let mut index = SweptIndex::default();
        index.rebuild((0..count).map(|i| at(i as f32)));
        let near = |index: &SweptIndex, object: usize| {
            let mut near = Vec::new();
            index.append_near(object, &mut near);
            near.sort_unstable();
            near
        };
        assert_eq!(near(&index, 5), [5]);
        index.set(5, at(9.0));
        index.set(5, at(7.0));
        assert_eq!((near(&index, 7), near(&index, 9)), (vec![5, 7], vec![9]));
        // More than are kept apart: everything is moved to the place of one of the others.
        (0..count).for_each(|object| index.set(object, at((object / 2 * 2) as f32)));
        for object in 0..count as u32 {
            let first = object / 2 * 2;
            assert_eq!(near(&index, object as usize), [first, first + 1]);
        }
    }
}
