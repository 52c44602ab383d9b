//! The areas as regions.

use super::Areas;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Overlay, RegionMark, replay_within};

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

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.lists().for_each(|list| replay_within(list.iter().copied(), visit));
    }
}
