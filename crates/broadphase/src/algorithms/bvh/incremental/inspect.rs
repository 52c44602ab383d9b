//! The tests of each object, reinsertions and rotations, fat AABBs.

use super::super::search;
use super::edit::Rotated;
use super::{IncrementalBvh, NONE};
use crate::Aabb;
use crate::inspect::{
    BoxMark, CacheState, Change, Inspect, Mark, Overlay, Rotation, Visited, Work, counted,
};

impl Inspect for IncrementalBvh {
    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        search::tests(&self.tree, visit);
    }

    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        self.search.way(&self.tree, object, visit);
    }

    fn work(&self, report: &mut dyn FnMut(Work)) {
        let meaning =
            "Objects that left their leaf's fat AABB and were inserted again; none in a rebuild";
        let count = if self.is_rebuilt { 0 } else { self.inserted };
        report(Work { name: "reinsertions", meaning, count, changes: None });
        let meaning = "Two subtrees swapped, one of them a level below the other, where that made a box smaller";
        report(Work {
            name: "rotations",
            meaning,
            count: self.rotations.len() as u64,
            changes: Some(Overlay::TreeBoxes),
        });
        self.search.work(report);
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::TreeBoxes => self.tree.visit_boxes(visit, |_, _, _| ()),
            Overlay::FatBoxes => {
                let role = CacheState::Slow as usize;
                for (object, leaf) in (0..).zip(&self.leaf_of) {
                    if let Some(leaf) = self.tree.nodes.get(*leaf as usize) {
                        visit(Mark::Box(BoxMark { object, bounds: leaf.bounds, role }));
                    }
                }
            }
            _ => {}
        }
    }

    /// Objects whose leaf was inserted, be it by a rebuild, and rotations.
    fn changes(&self, visit: &mut dyn FnMut(Change)) {
        let known = |object: &&u32| self.leaf_of.get(**object as usize).is_some_and(|l| *l != NONE);
        self.misfits.iter().filter(known).for_each(|object| visit(Change::Escape(*object)));
        let last = self.rotations.len().saturating_sub(Rotation::MAX_REPORTED);
        for &Rotated { nodes, saved } in &self.rotations[last..] {
            let [node, lowered, raised] = nodes;
            let above = |node: u32| self.parents.get(node as usize).copied().unwrap_or(NONE);
            let is_kept = above(raised) == node && above(above(lowered)) == node;
            let ancestors = std::iter::successors(Some(above(node)), |node| Some(above(*node)));
            let depth = ancestors.take_while(|node| *node != NONE).count() as u32;
            let [node, lowered, raised] = nodes.map(|node| self.tree.node(node).bounds);
            // They may have been removed or moved since.
            if is_kept && ![node, lowered, raised].iter().any(Aabb::is_empty) {
                visit(Change::Rotation(Rotation { node, depth, lowered, raised, saved }));
            }
        }
    }

    fn remarks(&self, report: &mut dyn FnMut(String)) {
        let (arriving, inserted) = (self.arriving, self.inserted);
        if inserted == 0 {
            return;
        }
        report(match self.is_rebuilt {
            false => {
                let objects = counted(inserted, "object");
                let rotations = counted(self.rotations.len() as u64, "rotation");
                format!("{objects} reinserted where the boxes grow least, and {rotations}.")
            }
            true if arriving as f64 > self.rebuild_share * inserted as f64 => format!(
                "Rebuilt in this step: {arriving} of {inserted} objects escaped or appeared, a share \
                 above {}.",
                self.rebuild_share
            ),
            true => {
                "Rebuilt in this step: a branch had become too deep, or most objects have vanished."
                    .to_owned()
            }
        });
    }
}
