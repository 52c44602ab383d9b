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
        let listed = self.leaves.objects_of(0..self.tree.leaves()).len();
        match (self.tree.leaves(), self.adjuster.changes()) {
            (1, _) if listed <= most => report(format!(
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
        if let Some(worst) = self.adjuster.worst() {
            let limit = self.adjuster.imbalance();
            report(format!(
                "A plane is checked again when it causes {limit:.2} times the share of tests that it caused when it was chosen. \
                 The worst before this step: {worst:.2} times."
            ));
        }
    }
}
