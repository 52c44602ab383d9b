//! The areas as regions.

use super::Areas;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark};
use crate::inspect::{add_tests_within, visit_others_within};

impl Areas {
    /// The objects of each area.
    fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.areas.iter().map(|area| &self.objects[area.run.clone()])
    }
}

impl Inspect for Areas {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay == Overlay::Regions {
            for (index, (area, objects)) in self.areas.iter().zip(self.lists()).enumerate() {
                let (region, world) = (&area.region, &self.world);
                let bounds = Aabb::new(region.min.max(world.min), region.max.min(world.max));
                visit(Mark::Region(RegionMark::new(index, bounds, 0, objects)));
            }
        }
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        add_tests_within(self.lists().map(|list| list.iter().copied()), tests);
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        visit_others_within(self.lists().map(|list| list.iter().copied()), object, visit);
    }
}
