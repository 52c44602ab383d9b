//! How far parry3d's refitted tree has degraded, and when a rebuild pays.

use parry3d::partitioning::{Bvh, TraversalAction};

/// The tree is rebuilt once its wear, summed over the traversals since the last rebuild and weighted by
/// objects and candidates, reaches this per object. Half or twice of it gives the same means.
const WORN: f64 = 4.0;

/// The cost of the traversals since the last rebuild beyond those of a fresh tree.
#[derive(Default)]
pub(super) struct Wear {
    /// The least [extent] of the tree since it was built.
    best: f64,
    /// The sum over the traversals of the excess over `best`, as a share of it.
    sum: f64,
}

impl Wear {
    /// No wear yet, for a tree of this extent.
    pub(super) fn new(extent: f64) -> Self {
        Self { best: extent, sum: 0.0 }
    }

    /// Adds a traversal of a tree of this extent; returns whether a rebuild pays.
    pub(super) fn add(&mut self, extent: f64, leaves: f64, leaf_pairs: f64) -> bool {
        self.best = self.best.min(extent);
        // A tree of two leaves has no inner node that could degrade.
        if self.best > 0.0 {
            self.sum += extent / self.best - 1.0;
        }
        self.sum * (leaves + leaf_pairs) > WORN * leaves
    }
}

/// The cost to expect of a traversal: the sum of the volumes of all inner nodes, in cubic units. Each is enlarged
/// by the side of a typical box, so that flat nodes count too.
pub(super) fn extent(tree: &Bvh, side: f32) -> f64 {
    let mut sum = 0.0;
    tree.traverse(|node| {
        if node.is_leaf() {
            return TraversalAction::Prune;
        }
        let [x, y, z] = (node.maxs() - node.mins()).to_array().map(|size| f64::from(size + side));
        sum += x * y * z;
        TraversalAction::Continue
    });
    sum
}
