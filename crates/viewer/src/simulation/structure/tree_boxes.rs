//! The boxes of a tree, by level.

use crate::view::Levels;
use broadphase::inspect::{Inspect, Mark, Overlay, TreeBox};

/// Most boxes of a tree, and most leaves or cells, that are kept. More hide each other.
pub const MAX_BOXES: usize = 10_000;

/// Most boxes of a tree that is kept whole, for a diagram. More nodes are too close to be distinguished.
const MAX_WHOLE_TREE: usize = 127;

/// The boxes of a tree.
#[derive(Clone, Debug, Default)]
pub struct TreeBoxes {
    /// Boxes of the requested levels, parents before children, with their level as depth. Above [`MAX_BOXES`], the
    /// first levels are kept whole, and an even share of the first that does not fit.
    pub kept: Vec<TreeBox>,
    /// The number of boxes on the requested levels.
    pub wanted: usize,
    /// The number of boxes on each level of the whole tree.
    pub levels: Vec<u32>,
    /// Levels are heights above the leaves, which have height 0, instead of depths below the root.
    pub from_leaves: bool,
    /// With heights: the depths of all boxes in the order in which they are drawn, then their heights.
    heights: Vec<u32>,
    /// The first boxes, depth first: one more than fit a diagram at most.
    first: Vec<TreeBox>,
    /// Boxes drawn so far.
    drawn: usize,
    /// By level: every n-th box is kept; 0 keeps none.
    strides: Vec<u32>,
    /// Boxes visited so far on each level.
    visited: Vec<u32>,
}

impl TreeBoxes {
    /// The last level of the tree.
    pub fn deepest(&self) -> u32 {
        self.levels.len().saturating_sub(1) as u32
    }

    /// The last level of which a box is kept.
    pub fn deepest_kept(&self) -> u32 {
        self.kept.iter().map(|tree_box| tree_box.depth).max().unwrap_or(0)
    }

    /// All boxes of a small tree, depth first, with their depths below the root.
    pub fn whole(&self) -> Option<&[TreeBox]> {
        (self.first.len() <= MAX_WHOLE_TREE).then_some(&self.first)
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.first.clear();
        self.levels.clear();
        self.heights.clear();
        (self.wanted, self.drawn) = (0, 0);
    }

    pub(super) fn fill(&mut self, inspect: &dyn Inspect, wanted: Levels) {
        // Counting first lets the kept part be spread over the whole.
        inspect.marks(Overlay::TreeBoxes, &mut |mark| {
            if let Mark::Node(node) = mark {
                self.count(&node);
            }
        });
        self.choose_strides(wanted);
        inspect.marks(Overlay::TreeBoxes, &mut |mark| {
            if let Mark::Node(node) = mark {
                self.keep(node);
            }
        });
    }

    fn count(&mut self, tree_box: &TreeBox) {
        if self.first.len() <= MAX_WHOLE_TREE {
            self.first.push(*tree_box);
        }
        match self.from_leaves {
            true => self.heights.push(tree_box.depth),
            false => self.count_on(tree_box.depth),
        }
    }

    fn count_on(&mut self, level: u32) {
        let level = level as usize;
        if level >= self.levels.len() {
            self.levels.resize(level + 1, 0);
        }
        self.levels[level] += 1;
    }

    /// Turns the depths of all boxes, which are drawn depth first, into heights.
    fn measure_heights(&mut self) {
        // Of the boxes after the present one, by depth: 1 + the height of the highest without a parent yet.
        let mut below: Vec<u32> = Vec::new();
        for at in (0..self.heights.len()).rev() {
            let depth = self.heights[at] as usize;
            if below.len() < depth + 2 {
                below.resize(depth + 2, 0);
            }
            let height = std::mem::take(&mut below[depth + 1]);
            below[depth] = below[depth].max(height + 1);
            self.heights[at] = height;
            self.count_on(height);
        }
    }

    /// Chooses how many of the counted boxes are kept, from level 0 on.
    fn choose_strides(&mut self, wanted: Levels) {
        self.measure_heights();
        let mut room = MAX_BOXES as u32;
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

    fn keep(&mut self, tree_box: TreeBox) {
        let depth = if self.from_leaves { self.heights[self.drawn] } else { tree_box.depth };
        self.drawn += 1;
        let level = depth as usize;
        let stride = self.strides[level];
        if stride > 0 && self.visited[level].is_multiple_of(stride) {
            self.kept.push(TreeBox { depth, ..tree_box });
        }
        self.visited[level] += 1;
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
                let tree_box = TreeBox { bounds, depth, is_leaf: false, step: None, axis: None };
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
    fn levels_of_a_tree_built_from_the_leaves_are_heights() {
        // A root over a leaf and a chain of two nodes, each over two children.
        let depths = [0, 1, 1, 2, 2, 3, 3];
        let boxes = || {
            depths.map(|depth| TreeBox {
                bounds: Aabb::EMPTY,
                depth,
                is_leaf: false,
                step: None,
                axis: None,
            })
        };
        let mut tree = TreeBoxes { from_leaves: true, ..TreeBoxes::default() };
        boxes().iter().for_each(|tree_box| tree.count(tree_box));
        tree.choose_strides(Levels { depth: 1, only: false });
        boxes().into_iter().for_each(|tree_box| tree.keep(tree_box));
        assert_eq!((tree.levels.as_slice(), tree.wanted), (&[4, 1, 1, 1][..], 5));
        let heights: Vec<u32> = tree.kept.iter().map(|tree_box| tree_box.depth).collect();
        assert_eq!(heights, [0, 0, 1, 0, 0]);
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
        assert_eq!((tree.wanted, tree.kept.len() <= MAX_BOXES), (131_071, true));
        let at = |depth| tree.kept.iter().filter(|b| b.depth == depth).count();
        assert_eq!((at(12), at(13), at(14)), (4096, 8192usize.div_ceil(5), 0));
    }
}
