//! parry3d's tree, rebuilt in every frame.
//!
//! Timed: the conversion of the boxes, the build, and the tree's self-traversal. The boxes are exact, and so
//! are the pairs.
//!
//! On several threads: its traversal. The build runs on one.

use super::parry::{build, convert, traverse};
use super::present;
use broadphase::registry::{Algorithm, Kind};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use parry3d::partitioning::{Bvh, BvhWorkspace};

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "parry3d, rebuilt",
    summary: "parry3d's bounding volume hierarchy (binned), rebuilt in every frame",
    source: "crate parry3d, partitioning::Bvh",
    memory: |n| n * 150,
    peer: true,
    ..Algorithm::new("parry3d-bvh-rebuilt", Kind::BoxTree, |_| Box::<Rebuilt>::default())
};

#[derive(Default)]
struct Rebuilt {
    tree: Bvh,
    workspace: BvhWorkspace,
    found: u64,
}

impl BroadPhase for Rebuilt {
    fn update(&mut self, frame: &Frame<'_>) {
        self.tree = build(present(frame).map(|(object, b)| (object, convert(b))));
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.found = 0;
        if frame.is_stopped() {
            return;
        }
        let found = &mut self.found;
        traverse::<false>(&self.tree, &mut self.workspace, &mut |i, j| {
            *found += 1;
            if frame.admits(i, j) {
                pairs.push(Pair::new(i, j));
            }
        });
    }

    fn counters(&self) -> Counters {
        Counters { tests: self.found, rebuilds: 1, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        self.tree.heap_memory_size()
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(self.tree.leaf_count() as usize, present(frame).count());
        self.tree.assert_well_formed();
    }
}
