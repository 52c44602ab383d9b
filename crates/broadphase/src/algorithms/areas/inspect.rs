//! The areas as regions.

use super::Areas;
use crate::Aabb;
use crate::inspect::{Inspect, Region};
use crate::inspect::{add_tests_within, first_lists, visit_others_within};

impl Areas {
    /// The objects of each area.
    fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.areas.iter().map(|area| &self.objects[area.run.clone()])
    }

    fn region(&self, index: usize) -> Region {
        let area = &self.areas[index];
        let (region, world) = (&area.region, &self.world);
        Region {
            index: index as u32,
            bounds: Aabb::new(region.min.max(world.min), region.max.min(world.max)),
            depth: 0,
            objects: area.run.len() as u32,
        }
    }
}

impl Inspect for Areas {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        (0..self.areas.len()).for_each(|index| visit(self.region(index)));
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        for (index, listed) in self.lists().enumerate() {
            // Objects are listed in ascending order.
            if listed.binary_search(&object).is_ok() {
                visit(self.region(index));
            }
        }
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        first_lists(self.lists().map(|list| list.iter().copied()), regions);
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        add_tests_within(self.lists().map(|list| list.iter().copied()), tests);
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        visit_others_within(self.lists().map(|list| list.iter().copied()), object, visit);
    }
}
