//! Builds the linear tree: objects sorted by Morton code, and a node for each common prefix.
//!
//! Neighbours along the curve are neighbours in space, so the sorted codes define a tree: the binary radix tree,
//! in which each node holds the objects whose codes begin with the same bits. The range and the split of each
//! inner node are found independently, in parallel (Karras 2012). Boxes are then computed from the leaves up.

use super::tree::{Node, Tree, join};
use crate::Aabb;
use crate::curve::Curve;
use crate::parallel::{self, for_each_chunk, threads_for};

/// Time to find the children of a node, in nanoseconds (measured).
const NANOS_PER_NODE: usize = 50;

/// Time to compute the box of a node, in nanoseconds (measured).
pub(super) const NANOS_PER_BOX: usize = 20;

/// Builds the tree. Of m leaves, the inner nodes have the indices 0 to m - 2, and the leaves follow
/// in the order of the curve.
pub(super) fn build(curve: &mut Curve, leaves: &[Node], tree: &mut Tree) {
    tree.reset(leaves.len());
    if leaves.is_empty() {
        return;
    }
    let (inner, sorted) = tree.nodes.split_at_mut(leaves.len() - 1);
    let codes = curve.sort(leaves, sorted, Node::place);
    if inner.is_empty() {
        return;
    }
    for_each_chunk(threads_for(inner.len(), NANOS_PER_NODE), inner, |first, nodes| {
        for (i, node) in (first..).zip(nodes) {
            *node = Node::inner(children(codes, i), Aabb::EMPTY);
        }
    });
    let total = inner.len();
    fill_boxes(inner, sorted, Side::Right, 0, total);
}

/// Length of the common prefix of two leaves' codes in bits, -1 beyond the ends. For equal codes it goes on with
/// the indices of the leaves.
fn common_bits(codes: &[u64], i: usize, j: i64) -> i32 {
    let Some(other) = usize::try_from(j).ok().and_then(|j| codes.get(j)) else {
        return -1;
    };
    match (codes[i] ^ other).leading_zeros() {
        64 => 64 + (i as u64 ^ j as u64).leading_zeros() as i32,
        bits => bits as i32,
    }
}

/// The children of inner node i (Karras 2012, figure 4), whose leaves begin or end with leaf i.
fn children(codes: &[u64], i: usize) -> [u32; 2] {
    let common = |j: i64| common_bits(codes, i, j);
    let at = i as i64;
    // Towards the neighbour with the longer common prefix.
    let step = if common(at + 1) > common(at - 1) { 1 } else { -1 };
    // Its other neighbour is in another node.
    let outside = common(at - step);
    let mut reach = 2;
    while common(at + reach * step) > outside {
        reach *= 2;
    }
    // The other end: the farthest leaf with a longer prefix than that neighbour.
    let mut length = 0;
    while reach > 1 {
        reach /= 2;
        if common(at + (length + reach) * step) > outside {
            length += reach;
        }
    }
    let end = at + length * step;
    // The split: the farthest leaf with a longer prefix than that of both ends.
    let here = common(end);
    let (mut split, mut reach) = (0, length);
    while reach > 1 {
        reach = (reach + 1) / 2;
        if common(at + (split + reach) * step) > here {
            split += reach;
        }
    }
    let last_left = at + split * step + step.min(0);
    let leaves = codes.len() as i64 - 1;
    let child = |index: i64, end: i64| if index == end { leaves + index } else { index } as u32;
    [child(last_left, at.min(end)), child(last_left + 1, at.max(end))]
}

/// Computes the boxes of a subtree, left and right ones in parallel, and returns that of its root.
///
/// The inner nodes of a subtree are contiguous. Its root is the first of them in a right child, the last in a
/// left one. `first` is the subtree's first leaf, `total` the number of inner nodes of the whole tree.
fn fill_boxes(inner: &mut [Node], leaves: &[Node], side: Side, first: usize, total: usize) -> Aabb {
    if inner.is_empty() {
        return leaves[0].bounds;
    }
    let threads = threads_for(inner.len(), NANOS_PER_BOX);
    let root = if side == Side::Right { 0 } else { inner.len() - 1 };
    let children = inner[root].children();
    // Indices of leaves follow those of inner nodes.
    let last_left = children[0] as usize % total;
    let lefts = last_left - first + 1;
    let (root, below) = if side == Side::Right {
        let (root, below) = inner.split_at_mut(1);
        (&mut root[0], below)
    } else {
        let (below, root) = inner.split_at_mut(inner.len() - 1);
        (&mut root[0], below)
    };
    let (left, right) = below.split_at_mut(lefts - 1);
    let (left_leaves, right_leaves) = leaves.split_at(lefts);
    let fill_left = || fill_boxes(left, left_leaves, Side::Left, first, total);
    let fill_right = || fill_boxes(right, right_leaves, Side::Right, first + lefts, total);
    let (left, right) = parallel::join(threads, fill_left, fill_right);
    let bounds = join(&left, &right);
    *root = Node::inner(children, bounds);
    bounds
}

/// Which child of its parent a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree by the definition: a run of leaves divides where its highest differing bit does.
    fn assert_divides(codes: &[u64], node: usize, run: std::ops::RangeInclusive<usize>) {
        let leaves = codes.len() - 1;
        let (first, last) = run.into_inner();
        if first == last {
            assert_eq!(node, leaves + first);
            return;
        }
        let here = common_bits(codes, first, last as i64);
        let split = (first..last).find(|i| common_bits(codes, *i, *i as i64 + 1) == here).unwrap();
        let [left, right] = children(codes, node).map(|child| child as usize);
        assert_divides(codes, left, first..=split);
        assert_divides(codes, right, split + 1..=last);
    }

    #[test]
    fn nodes_split_at_the_highest_differing_bit() {
        assert_divides(&[5, 9], 0, 0..=1);
        assert_divides(&[7; 13], 0, 0..=12);
        assert_divides(&[1, 2, 4, 5, 19, 24, 25, 30], 0, 0..=7);
        let powers: Vec<_> = (0..63).map(|bit| 1 << bit).collect();
        assert_divides(&powers, 0, 0..=62);
        let mut codes: Vec<_> = (0..500).map(|i| crate::mix::mix(i) >> (i % 3 * 20)).collect();
        codes[100] = codes[101];
        codes[102] = codes[101];
        codes.sort_unstable();
        assert_divides(&codes, 0, 0..=499);
    }
}
