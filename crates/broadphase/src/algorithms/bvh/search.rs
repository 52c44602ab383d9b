//! The pairs of a tree, searched against itself: the children of every inner node are descended together, so that two
//! leaves are compared at most once.

use super::tree::{Tree, meet};
use crate::inspect::{Outcome, Visited, Work};
use crate::memory::memory;
use crate::parallel::{OrderedTasks, threads_for};
use crate::{Aabb, Counters, Frame, Pair};
use std::ops::Range;

/// Time to search from a node, in nanoseconds (measured for a few thousand objects).
const NANOS_PER_NODE: usize = 70;

/// Tasks for each thread: many, since nodes near the root take longer than those below.
const TASKS_PER_THREAD: usize = 16;

/// Steps of a traversal between two checks of the limits: a tenth of a millisecond. Each finds at most two pairs.
const STEPS_PER_CHECK: u32 = 1 << 14;

/// Pairs of a task that are counted together.
const PAIRS_PER_COUNT: usize = 1 << 10;

/// The search for pairs. Keeps its scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    tasks: OrderedTasks<Task>,
    /// Comparisons of two objects' leaves in the last frame.
    tests: u64,
    /// Comparisons of two nodes, leaves included.
    node_pairs: u64,
}

memory!(Search: tasks);

/// The scratch of a task, and its work.
#[derive(Clone, Debug, Default)]
struct Task {
    stack: Vec<[u32; 2]>,
    tests: u64,
    node_pairs: u64,
}

memory!(Task: stack);

impl Search {
    /// Appends every pair whose boxes overlap and whose layers match. A leaf's box may be larger than its
    /// object's: a hit of leaves is a candidate, and the frame's boxes decide.
    pub(super) fn find_pairs(&mut self, tree: &Tree, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let nodes = tree.nodes.len();
        let tasks = match threads_for(nodes, NANOS_PER_NODE) {
            1 => 1,
            threads => threads * TASKS_PER_THREAD,
        };
        self.tasks.resize(tasks);
        self.tasks.run(pairs, |number, task, pairs| {
            let range = nodes * number / tasks..nodes * (number + 1) / tasks;
            task.search(tree, range, frame, pairs);
        });
        self.tests = self.tasks.sum(|task| task.tests);
        self.node_pairs = self.tasks.sum(|task| task.node_pairs);
    }

    /// Counters of the last frame and of the tree.
    pub(super) fn counters(&self, tree: &Tree) -> Counters {
        let (mut nodes, mut listings, mut deepest) = (0, 0, 0);
        tree.visit(|_, node, depth| {
            nodes += 1;
            listings += u64::from(node.is_leaf());
            deepest = depth.max(deepest);
        });
        Counters { tests: self.tests, nodes, depth: deepest, listings, ..Counters::default() }
    }

    /// Visits the nodes above an object's leaf, then those that the last search compared with one of these or the leaf,
    /// by repeating it.
    pub(super) fn way(&self, tree: &Tree, object: u32, visit: &mut dyn FnMut(Visited)) {
        let mut depths = vec![0; tree.nodes.len()];
        let mut outcomes = vec![None; tree.nodes.len()];
        let mut above = Vec::new();
        tree.visit(|index, node, depth| {
            depths[index as usize] = depth;
            above.truncate(depth as usize);
            above.push(index);
            if node.is_leaf() && node.object() == object {
                above.iter().for_each(|index| outcomes[*index as usize] = Some(Outcome::Holds));
            }
        });
        let (all, frame) = (0..tree.nodes.len(), Frame::new(&[]));
        traverse(tree, all, &frame, &mut Vec::new(), |[a, b], overlap| {
            for [own, other] in [[a, b], [b, a]].map(|nodes| nodes.map(|index| index as usize)) {
                // It may be compared with several of the nodes above, each smaller than the last.
                if outcomes[own] == Some(Outcome::Holds)
                    && !matches!(outcomes[other], Some(Outcome::Holds | Outcome::Rejected))
                {
                    let outcome = if overlap { Outcome::Searched } else { Outcome::Rejected };
                    outcomes[other] = Some(outcome);
                }
            }
        });
        for is_above in [true, false] {
            for ((node, depth), outcome) in tree.nodes.iter().zip(&depths).zip(&outcomes) {
                if let Some(outcome) = outcome.filter(|o| (*o == Outcome::Holds) == is_above) {
                    visit(Visited { bounds: node.bounds, depth: *depth, outcome });
                }
            }
        }
    }

    /// Reports the comparisons of nodes in the last search.
    pub(super) fn work(&self, report: &mut dyn FnMut(Work)) {
        let meaning = "Pairs of nodes of the tree whose boxes were compared, leaves included";
        report(Work { name: "node pairs", meaning, count: self.node_pairs, changes: None });
    }
}

impl Task {
    fn search(
        &mut self,
        tree: &Tree,
        range: Range<usize>,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        let Self { stack, tests, node_pairs } = self;
        *tests = 0;
        let boxes = frame.boxes;
        let mut counted = pairs.len();
        *node_pairs = traverse(tree, range, frame, stack, |nodes, overlap| {
            let [a, b] = nodes.map(|index| tree.node(index));
            if !(a.is_leaf() & b.is_leaf()) {
                return;
            }
            *tests += 1;
            let (a, b) = (a.object(), b.object());
            if overlap && meet(&boxes[a as usize], &boxes[b as usize]) && frame.admits(a, b) {
                pairs.push(Pair::new(a, b));
                if pairs.len() - counted == PAIRS_PER_COUNT {
                    frame.count(PAIRS_PER_COUNT);
                    counted = pairs.len();
                }
            }
        });
        frame.count(pairs.len() - counted);
    }
}

/// Visits both objects of every test of a search, with the place of the node below which they met among the
/// [boxes](Tree::visit_boxes).
pub(super) fn tests(tree: &Tree, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
    let (mut places, mut next) = (vec![0; tree.nodes.len()], 0..);
    tree.visit(|index, _, _| places[index as usize] = next.next().unwrap_or_default());
    for (number, place) in (0..).zip(&places) {
        traverse(tree, number..number + 1, &Frame::new(&[]), &mut Vec::new(), |nodes, _| {
            let [a, b] = nodes.map(|index| tree.node(index));
            if a.is_leaf() & b.is_leaf() {
                visit(a.object(), b.object(), Some(*place));
            }
        });
    }
}

/// Calls `compared` with every two nodes that are compared, leaves included, and whether their boxes overlap, for a range
/// of the tree's nodes; only with some of them once the frame is stopped. Returns the number of calls.
///
/// The children of each inner node are compared with each other. Where two boxes overlap, the larger one is replaced by its
/// children.
fn traverse(
    tree: &Tree,
    range: Range<usize>,
    frame: &Frame<'_>,
    stack: &mut Vec<[u32; 2]>,
    mut compared: impl FnMut([u32; 2], bool),
) -> u64 {
    let mut compare = |i: u32, j: u32, stack: &mut Vec<[u32; 2]>| {
        let (a, b) = (tree.node(i), tree.node(j));
        let overlap = meet(&a.bounds, &b.bounds);
        compared([i, j], overlap);
        if overlap && !(a.is_leaf() & b.is_leaf()) {
            stack.push([i, j]);
        }
    };
    let (mut comparisons, mut steps): (u64, u32) = (0, 0);
    for node in tree.nodes[range].iter().filter(|node| !node.is_leaf()) {
        if frame.is_stopped() {
            break;
        }
        stack.clear();
        let [left, right] = node.children();
        compare(left, right, stack);
        comparisons += 1;
        while let Some([i, j]) = stack.pop() {
            let (a, b) = (tree.node(i), tree.node(j));
            let (larger, other) =
                if b.is_leaf() || (!a.is_leaf() && is_larger(&a.bounds, &b.bounds)) {
                    (a, j)
                } else {
                    (b, i)
                };
            for child in larger.children() {
                compare(child, other, stack);
            }
            comparisons += 2;
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(STEPS_PER_CHECK) && frame.is_stopped() {
                break;
            }
        }
    }
    comparisons
}

/// Whether the sum of a box's sides is larger.
#[inline]
fn is_larger(a: &Aabb, b: &Aabb) -> bool {
    a.size().element_sum() > b.size().element_sum()
}

#[cfg(test)]
mod tests {
    use super::super::top_down::Split;
    use super::*;
    use glam::Vec3;

    /// The pairs and counters of a search in a tree of fat AABBs.
    fn searched(boxes: &[Aabb], fat: &[Aabb]) -> (Vec<Pair>, Counters) {
        let tree = Tree::divided(&Split::Median, fat);
        let (mut search, mut pairs) = (Search::default(), Vec::new());
        search.find_pairs(&tree, &Frame::new(boxes), &mut pairs);
        (pairs, search.counters(&tree))
    }

    #[test]
    fn each_two_leaves_are_compared_at_most_once() {
        let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 5];
        let (pairs, counters) = searched(&boxes, &boxes);
        assert_eq!((pairs.len(), counters.tests, counters.nodes), (10, 10, 9));
        assert_eq!((counters.depth, counters.listings), (3, 5));
    }

    #[test]
    fn overlap_of_loose_leaves_is_only_a_candidate() {
        let [boxes, fat] =
            [0.5, 0.6].map(|r| [0.0, 1.1].map(|x| Aabb::around_sphere(Vec3::X * x, r)));
        let (pairs, counters) = searched(&boxes, &fat);
        assert_eq!((pairs, counters.tests), (vec![], 1));
    }
}
