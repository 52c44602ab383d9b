//! The boxes of a tree, by level.

use super::MAX_BOXES;
use crate::view::Levels;
use broadphase::inspect::{Inspect, Mark, Overlay, TreeBox};

/// Most boxes of a tree that is kept whole, for a diagram. More nodes are too close to be distinguished.
const MAX_WHOLE_TREE: usize = 127;

/// Calls a function with each node of a tree, depth first.
type Nodes<'a> = dyn Fn(&mut dyn FnMut(TreeBox)) + 'a;

/// The boxes of a tree.
#[derive(Default)]
pub(super) struct TreeBoxes {
    /// Boxes of the requested levels, parents before children, with their level as depth. Above [`MAX_BOXES`], the
    /// first levels are kept whole, and an even share of the first that does not fit.
    pub(super) kept: Vec<TreeBox>,
    /// The number of boxes on the requested levels.
    pub(super) wanted: usize,
    /// The number of boxes on each level of the whole tree.
    pub(super) levels: Vec<u32>,
    /// The first boxes, depth first, with their depths below the root: one more than fit a diagram at most.
    first: Vec<TreeBox>,
}

impl TreeBoxes {
    /// The last level of the tree.
    pub(super) fn deepest(&self) -> u32 {
        self.levels.len().saturating_sub(1) as u32
    }

    /// The last level of which a box is kept.
    pub(super) fn deepest_kept(&self) -> u32 {
        self.kept.iter().map(|tree_box| tree_box.depth).max().unwrap_or(0)
    }

    /// All boxes of a small tree, depth first, with their depths below the root.
    pub(super) fn whole(&self) -> Option<&[TreeBox]> {
        (self.first.len() <= MAX_WHOLE_TREE).then_some(&self.first)
    }

    /// The boxes of the wanted levels. Levels are depths below the root, or heights above the leaves.
    pub(super) fn of(inspect: &dyn Inspect, wanted: Levels, from_leaves: bool) -> Self {
        let nodes = |each: &mut dyn FnMut(TreeBox)| {
            inspect.marks(Overlay::TreeBoxes, &mut |mark| {
                if let Mark::Node(node) = mark {
                    each(node);
                }
            });
        };
        Self::of_nodes(&nodes, wanted, from_leaves)
    }

    /// Walks over the nodes twice: all of them at once may take much memory.
    fn of_nodes(nodes: &Nodes<'_>, wanted: Levels, from_leaves: bool) -> Self {
        let mut depths = Vec::new();
        nodes(&mut |node| depths.push(node.depth));
        if from_leaves {
            measure_heights(&mut depths);
        }
        let mut levels: Vec<u32> = Vec::new();
        for level in depths.iter().map(|depth| *depth as usize) {
            levels.resize(levels.len().max(level + 1), 0);
            levels[level] += 1;
        }
        let is_wanted = |(depth, _): &(u32, &u32)| wanted.contains(*depth);
        let number = (0..).zip(&levels).filter(is_wanted).map(|(_, number)| *number as usize).sum();
        // By level: every n-th box is kept; 0 keeps none.
        let mut room = MAX_BOXES as u32;
        let strides = (0..).zip(&levels).map(|level| {
            if !is_wanted(&level) || room == 0 {
                return 0;
            }
            let stride = level.1.div_ceil(room).max(1);
            room = if stride == 1 { room - level.1 } else { 0 };
            stride
        });
        let strides: Vec<u32> = strides.collect();
        let mut passed = vec![0u32; levels.len()];
        let (mut first, mut kept, mut depths) = (Vec::new(), Vec::new(), depths.into_iter());
        nodes(&mut |mut node| {
            if first.len() <= MAX_WHOLE_TREE {
                first.push(node);
            }
            node.depth = depths.next().unwrap_or_default();
            let level = node.depth as usize;
            passed[level] += 1;
            if strides[level] > 0 && (passed[level] - 1).is_multiple_of(strides[level]) {
                kept.push(node);
            }
        });
        Self { kept, wanted: number, levels, first }
    }
}

/// Turns the depths of all nodes, which come depth first, into heights.
fn measure_heights(depths: &mut [u32]) {
    // Of the nodes after the present one, by depth: 1 + the height of the highest without a parent yet.
    let mut below: Vec<u32> = Vec::new();
    for depth in depths.iter_mut().rev() {
        let place = *depth as usize;
        below.resize(below.len().max(place + 2), 0);
        *depth = std::mem::take(&mut below[place + 1]);
        below[place] = below[place].max(*depth + 1);
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
        TreeBoxes::of_nodes(&|each| boxes().for_each(each), wanted, false)
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
        let boxes = |each: &mut dyn FnMut(TreeBox)| boxes().into_iter().for_each(each);
        let tree = TreeBoxes::of_nodes(&boxes, Levels { depth: 1, only: false }, true);
        assert_eq!((tree.levels.as_slice(), tree.wanted), (&[4, 1, 1, 1][..], 5));
        let heights: Vec<u32> = tree.kept.iter().map(|tree_box| tree_box.depth).collect();
        assert_eq!(heights, [0, 0, 1, 0, 0]);
    }

    #[test]
    fn upper_levels_are_kept_whole_and_the_next_one_evenly() {
        let tree = tree(17, Levels { depth: 16, only: false });
        assert_eq!((tree.wanted, tree.kept.len() <= MAX_BOXES), (131_071, true));
        let at = |depth| tree.kept.iter().filter(|b| b.depth == depth).count();
        assert_eq!((at(12), at(13), at(14)), (4096, 8192usize.div_ceil(5), 0));
    }
}
