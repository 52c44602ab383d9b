//! The leaves, and why they are not divided further.

use super::BspSemiAdjusting;
use crate::inspect::{Inspect, Mark, Overlay, counted};
use crate::regions::Cells;

impl Inspect for BspSemiAdjusting {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(&self.leaves)
    }

    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::Planes => self.tree.visit_planes(visit),
            _ => self.leaves.marks(overlay, visit),
        }
    }

    fn remarks(&self, report: &mut dyn FnMut(String)) {
        if self.tree.is_empty() {
            return;
        }
        let most = self.adjuster.leaf_size();
        let listed = self.leaves.counters().listings;
        match (self.tree.leaves(), self.adjuster.changes()) {
            (1, _) if listed <= most as u64 => report(format!(
                "One leaf: a leaf is divided from {} objects on, and there are {listed}.",
                most + 1
            )),
            (1, _) => report(format!(
                "One leaf: no plane divides these {listed} objects at less cost than testing all pairs."
            )),
            (_, 0) => report("No plane moved in this step.".to_owned()),
            (_, changes) => {
                report(format!(
                    "{} moved, set or removed in this step.",
                    counted(changes, "plane")
                ));
            }
        }
        self.adjuster.remark().into_iter().for_each(report);
    }
}
