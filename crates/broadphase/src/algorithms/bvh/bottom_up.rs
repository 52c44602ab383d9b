//! Builds from the leaves up: the nearest boxes are joined repeatedly, until one is left.
//!
//! Near means that the box around both has a small surface. A search of all boxes for the nearest would be slow.
//! So the boxes are sorted along the Morton curve. Each finds its nearest among a few to its left and right, and all
//! mutual nearest neighbours are joined in one round (Meister, Bittner 2018: parallel locally-ordered
//! clustering). A joined box replaces the first of the two.

use super::tree::{Node, Tree, half_area, join};
use crate::Aabb;
use crate::curve::Curve;
use crate::memory::memory;

/// Boxes on each side along the curve among which the nearest is searched.
const RADIUS: usize = 8;

/// A round in which fewer than 1/`JOINED_DIVISOR` of the boxes would be joined joins neighbours instead.
const JOINED_DIVISOR: usize = 16;

/// The builder. Keeps its scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct BottomUp {
    /// Subtrees without a parent, in the order of the curve.
    clusters: Vec<Cluster>,
    nearest: Vec<Nearest>,
}

memory!(BottomUp: clusters, nearest);

#[derive(Clone, Copy, Debug)]
struct Cluster {
    bounds: Aabb,
    node: u32,
}

/// The nearest of a cluster: the surface of the box around both, and the exclusive or of their indices.
///
/// The latter gives the index of the nearest. It also makes choices mutual where many are equally near: the
/// clusters 2k and 2k + 1 choose each other, instead of all choosing the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Nearest(u64);

impl Nearest {
    const NONE: Nearest = Nearest(u64::MAX);

    #[inline]
    fn new(surface: f32, i: usize, j: usize) -> Self {
        // Floats that are not negative have the order of their bits.
        Self(u64::from(surface.to_bits()) << 32 | (i ^ j) as u64)
    }

    #[inline]
    fn of(self, i: usize) -> usize {
        i ^ self.0 as u32 as usize
    }
}

impl BottomUp {
    /// Builds the tree: leaves first, in the order of the curve, then the nodes in the order of their
    /// creation. O(n log n).
    pub(super) fn build(&mut self, curve: &mut Curve, leaves: &[Node], tree: &mut Tree) {
        tree.reset(leaves.len());
        if leaves.is_empty() {
            return;
        }
        let sorted = &mut tree.nodes[..leaves.len()];
        curve.sort(leaves, sorted, Node::place);
        let Self { clusters, nearest } = self;
        clusters.clear();
        let ordered = (0..).zip(&*sorted);
        clusters.extend(ordered.map(|(node, leaf)| Cluster { bounds: leaf.bounds, node }));
        nearest.clear();
        let mut next = leaves.len();
        while clusters.len() > 1 {
            choose(clusters, nearest);
            next = join_mutual(clusters, nearest, &mut tree.nodes, next);
        }
        tree.root = clusters[0].node;
    }
}

/// Finds the nearest of each of two or more clusters.
fn choose(clusters: &[Cluster], nearest: &mut Vec<Nearest>) {
    nearest.clear();
    nearest.resize(clusters.len(), Nearest::NONE);
    for (i, cluster) in clusters.iter().enumerate() {
        let mut own = nearest[i];
        let after = clusters.iter().enumerate().skip(i + 1).take(RADIUS);
        for (j, other) in after {
            let choice = Nearest::new(half_area(&join(&cluster.bounds, &other.bounds)), i, j);
            own = own.min(choice);
            nearest[j] = nearest[j].min(choice);
        }
        nearest[i] = own;
    }
    // Each of nested boxes, for example, has its nearest in the next smaller one, and only one choice is
    // mutual. Then neighbours are joined, so that the rounds stay few.
    let mutual = (0..clusters.len()).filter(|i| is_mutual(nearest, *i)).count();
    if mutual < clusters.len().div_ceil(JOINED_DIVISOR) {
        for (i, nearest) in nearest.iter_mut().enumerate() {
            let neighbor = (i ^ 1).min(clusters.len() - 1);
            *nearest = Nearest::new(0.0, i, neighbor);
        }
    }
}

fn is_mutual(nearest: &[Nearest], i: usize) -> bool {
    let j = nearest[i].of(i);
    j != i && nearest[j].of(j) == i
}

/// Joins the clusters that have chosen each other. The new nodes get the indices from `next` on. Returns the
/// index after them.
fn join_mutual(
    clusters: &mut Vec<Cluster>,
    nearest: &[Nearest],
    nodes: &mut [Node],
    mut next: usize,
) -> usize {
    let mut kept = 0;
    for i in 0..clusters.len() {
        let mut cluster = clusters[i];
        if is_mutual(nearest, i) {
            let j = nearest[i].of(i);
            if j < i {
                continue;
            }
            let other = clusters[j];
            cluster.bounds = join(&cluster.bounds, &other.bounds);
            nodes[next] = Node::inner([cluster.node, other.node], cluster.bounds);
            cluster.node = next as u32;
            next += 1;
        }
        clusters[kept] = cluster;
        kept += 1;
    }
    clusters.truncate(kept);
    next
}

#[cfg(test)]
mod tests {
    use super::super::tree::gather;
    use super::*;
    use glam::Vec3;

    fn built(boxes: &[Aabb]) -> Tree {
        let (mut tree, mut leaves) = (Tree::default(), Vec::new());
        gather(boxes, &mut leaves);
        BottomUp::default().build(&mut Curve::default(), &leaves, &mut tree);
        tree.validate(boxes, Aabb::eq);
        tree
    }

    fn depth(tree: &Tree) -> u32 {
        let mut deepest = 0;
        tree.visit(|_, _, depth| deepest = deepest.max(depth));
        deepest
    }

    #[test]
    fn nearest_are_joined_first() {
        let boxes = [0.0, 1.0, 1.5, 6.0, 6.1].map(|x| Aabb::around_sphere(Vec3::X * x, 0.1));
        let tree = built(&boxes);
        let hull = |first: usize, last: usize| Aabb::bounds(&boxes[first..=last]);
        let mut bounds = Vec::new();
        tree.visit(|_, node, _| bounds.extend((!node.is_leaf()).then_some(node.bounds)));
        assert_eq!(bounds, [hull(0, 4), hull(0, 2), hull(1, 2), hull(3, 4)]);
    }

    #[test]
    fn equal_boxes_give_a_tree_of_least_depth() {
        assert_eq!(depth(&built(&[Aabb::new(Vec3::ZERO, Vec3::ONE); 256])), 8);
    }

    #[test]
    fn nested_boxes_do_not_give_a_chain() {
        let boxes: Vec<_> =
            (0..2000).map(|i| Aabb::around_sphere(Vec3::ZERO, 1.0 + i as f32)).collect();
        let depth = depth(&built(&boxes));
        assert!(depth < 60, "{depth}");
    }
}
