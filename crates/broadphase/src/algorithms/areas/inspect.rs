//! The areas as regions.

use super::Areas;
use crate::{Aabb, Inspect, NO_REGION, Region};

impl Areas {
    /// The objects of each area.
    fn lists(&self) -> impl DoubleEndedIterator<Item = &[u32]> + ExactSizeIterator {
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
            // Objects are listed in their order.
            if listed.binary_search(&object).is_ok() {
                visit(self.region(index));
            }
        }
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        regions.fill(NO_REGION);
        // The first area of an object has the last word.
        for (index, listed) in self.lists().enumerate().rev() {
            for object in listed {
                if let Some(region) = regions.get_mut(*object as usize) {
                    *region = index as u32;
                }
            }
        }
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        for listed in self.lists() {
            for object in listed {
                if let Some(tests) = tests.get_mut(*object as usize) {
                    *tests = tests.saturating_add(listed.len() as u32 - 1);
                }
            }
        }
    }
}
