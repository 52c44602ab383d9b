//! packed_spatial_index' packed Hilbert R-tree.
//!
//! It is static: the tree is rebuilt whenever a box has changed. The pairs come from its join of a tree with itself.
//! It stores boxes in double precision, closed, so that the pairs are exact. Its trees of single precision round outwards,
//! and report more.
//!
//! Timed: comparing the boxes with the previous ones, their conversion, building and the join.
//!
//! Its node size is the default one. In a pool of several threads its build uses them, as far as the crate finds that this
//! pays; its join runs on one. Tried instead: its trees with
//! vector code (`SimdIndex3D`) took 0.9 to 1.2 times as long to build and join.

use super::changes::{Change, Changes};
use super::{has_threads, present};
use broadphase::registry::{Algorithm, Kind};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};
use packed_spatial_index::{Box3D, Index3D, Index3DBuilder};
use std::ops::ControlFlow;

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "packed_spatial_index",
    summary: "packed_spatial_index' Hilbert R-tree, rebuilt when a box has changed; joined with itself",
    source: "crate packed_spatial_index, Index3D",
    memory: |n| n * 120,
    peer: true,
    keeps_state: true,
    ..Algorithm::new("packed", Kind::BoxTree, |_| Box::<Packed>::default())
};

#[derive(Default)]
struct Packed {
    changes: Changes,
    /// `None` while all objects are absent.
    tree: Option<Index3D>,
    /// The objects in the tree, in its order of insertion.
    objects: Vec<u32>,
    found: u64,
}

fn convert(b: &Aabb) -> Box3D {
    let [min, max] = [b.min, b.max].map(|corner| corner.as_dvec3());
    Box3D::new(min.x, min.y, min.z, max.x, max.y, max.z)
}

impl BroadPhase for Packed {
    fn update(&mut self, frame: &Frame<'_>) {
        if let Change::Few([]) = self.changes.note(frame.boxes) {
            return;
        }
        self.objects.clear();
        self.objects.extend(present(frame).map(|(object, _)| object as u32));
        let mut builder = Index3DBuilder::new(self.objects.len()).parallel(has_threads());
        for object in &self.objects {
            builder.add(convert(&frame.boxes[*object as usize]));
        }
        // It refuses boxes that are empty, of which there are none.
        self.tree = builder.finish().ok();
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.found = 0;
        let Some(tree) = &self.tree else { return };
        let _ = tree.pairs_each(|i, j| {
            if frame.is_stopped() {
                return ControlFlow::Break(());
            }
            self.found += 1;
            let (i, j) = (self.objects[i], self.objects[j]);
            if frame.admits(i, j) {
                pairs.push(Pair::new(i, j));
            }
            ControlFlow::Continue(())
        });
    }

    /// Its tests are unknown: these are the pairs before the filter.
    fn counters(&self) -> Counters {
        Counters { tests: self.found, ..Counters::default() }
    }

    /// The tree's own memory is estimated: it does not report it.
    fn heap_bytes(&self) -> usize {
        // Boxes and their numbers; each level above has one in sixteen.
        let tree = self.objects.len() * (size_of::<Box3D>() + size_of::<usize>()) * 16 / 15;
        tree + self.objects.capacity() * size_of::<u32>() + self.changes.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(self.objects.len(), present(frame).count());
    }
}
