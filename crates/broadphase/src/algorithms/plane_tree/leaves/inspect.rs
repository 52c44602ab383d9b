//! The leaves as regions.

use super::Leaves;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark, replay_within};

impl Inspect for Leaves {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay == Overlay::Regions {
            for (leaf, objects) in self.lists.iter().enumerate() {
                let (region, root) = (&self.regions[leaf], &self.root);
                let bounds = Aabb::new(region.min.max(root.min), region.max.min(root.max));
                visit(Mark::Region(RegionMark::new(leaf, bounds, self.depths[leaf], objects)));
            }
        }
    }

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.lists.iter().for_each(|list| replay_within(list.iter().copied(), visit));
    }
}
