//! The leaves as regions.

use super::Leaves;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark};
use crate::inspect::{add_tests_within, visit_others_within};

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

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        add_tests_within(self.lists.iter().map(|list| list.iter().copied()), tests);
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        visit_others_within(self.lists.iter().map(|list| list.iter().copied()), object, visit);
    }
}
