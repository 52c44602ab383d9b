//! The boxes of a tree, by depth.

use crate::simulation::watch::Levels;
use broadphase::inspect::TreeBox;

/// Most boxes of a tree, and most leaves or cells, that are kept. More hide each other.
pub const MOST_BOXES: usize = 10_000;

/// The boxes of a tree.
#[derive(Clone, Debug, Default)]
pub struct TreeBoxes {
    /// Boxes of the requested depths, parents before children. Above [`MOST_BOXES`], the upper levels
    /// are kept whole, and an even share of the first level that does not fit.
    pub kept: Vec<TreeBox>,
    /// The number of boxes at the requested depths.
    pub wanted: usize,
    /// The number of boxes at each depth of the whole tree.
    pub levels: Vec<u32>,
    /// By depth: every n-th box is kept; 0 keeps none.
    strides: Vec<u32>,
    /// Boxes visited so far at each depth.
    visited: Vec<u32>,
}

impl TreeBoxes {
    /// The depth of the deepest box.
    pub fn deepest(&self) -> u32 {
        self.levels.len().saturating_sub(1) as u32
    }

    /// The depth of the deepest box that is kept.
    pub fn deepest_kept(&self) -> u32 {
        self.kept.iter().map(|tree_box| tree_box.depth).max().unwrap_or(0)
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.levels.clear();
        self.wanted = 0;
    }

    pub(super) fn count(&mut self, tree_box: &TreeBox) {
        let depth = tree_box.depth as usize;
        if depth >= self.levels.len() {
            self.levels.resize(depth + 1, 0);
        }
        self.levels[depth] += 1;
    }

    /// Chooses how many of the counted boxes are kept, from the root down.
    pub(super) fn choose_strides(&mut self, wanted: Levels) {
        let mut room = MOST_BOXES as u32;
        self.strides.clear();
        for (depth, number) in (0..).zip(&self.levels) {
            if !wanted.contains(depth) || room == 0 {
                self.strides.push(0);
            } else {
                let stride = number.div_ceil(room).max(1);
                room = if stride == 1 { room - number } else { 0 };
                self.strides.push(stride);
            }
            self.wanted += if wanted.contains(depth) { *number as usize } else { 0 };
        }
        self.visited.clear();
        self.visited.resize(self.levels.len(), 0);
    }

    pub(super) fn keep(&mut self, tree_box: TreeBox) {
        let depth = tree_box.depth as usize;
        let stride = self.strides[depth];
        if stride > 0 && self.visited[depth].is_multiple_of(stride) {
            self.kept.push(tree_box);
        }
        self.visited[depth] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;

    /// A tree of `levels` complete levels.
    fn tree(levels: u32, wanted: Levels) -> TreeBoxes {
        let boxes = || {
            (0..levels).flat_map(|depth| {
                let bounds = Aabb::EMPTY;
                let tree_box = TreeBox { bounds, depth, is_leaf: false, step: None };
                std::iter::repeat_n(tree_box, 1 << depth)
            })
        };
        let mut tree = TreeBoxes::default();
        boxes().for_each(|tree_box| tree.count(&tree_box));
        tree.choose_strides(wanted);
        boxes().for_each(|tree_box| tree.keep(tree_box));
        tree
    }

    #[test]
    fn boxes_are_kept_by_depth() {
        let tree_up_to = tree(5, Levels { depth: 2, only: false });
        assert_eq!((tree_up_to.kept.len(), tree_up_to.wanted, tree_up_to.deepest()), (7, 7, 4));
        let tree_only = tree(5, Levels { depth: 3, only: true });
        assert_eq!((tree_only.kept.len(), tree_only.wanted), (8, 8));
        assert!(tree_only.kept.iter().all(|b| b.depth == 3));
        assert!(tree(5, Levels { depth: 5, only: true }).kept.is_empty());
    }

    #[test]
    fn upper_levels_are_kept_whole_and_the_next_one_evenly() {
        let tree = tree(17, Levels { depth: 16, only: false });
        assert_eq!((tree.wanted, tree.kept.len() <= MOST_BOXES), (131_071, true));
        let at = |depth| tree.kept.iter().filter(|b| b.depth == depth).count();
        assert_eq!((at(12), at(13), at(14)), (4096, 8192usize.div_ceil(5), 0));
    }
}
