//! The leaves as regions.

use super::Leaves;
use crate::{Aabb, Inspect, NO_REGION, Region};

impl Leaves {
    /// The objects of each leaf.
    fn lists(&self) -> impl DoubleEndedIterator<Item = &[u32]> + ExactSizeIterator {
        self.starts.windows(2).map(|ends| &self.objects[ends[0] as usize..ends[1] as usize])
    }

    fn region(&self, leaf: usize, listed: &[u32]) -> Region {
        let (region, root) = (&self.regions[leaf], &self.root);
        Region {
            index: leaf as u32,
            bounds: Aabb::new(region.min.max(root.min), region.max.min(root.max)),
            depth: self.depths[leaf],
            objects: listed.len() as u32,
        }
    }
}

impl Inspect for Leaves {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        for (leaf, listed) in self.lists().enumerate() {
            visit(self.region(leaf, listed));
        }
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        for (leaf, listed) in self.lists().enumerate() {
            if listed.contains(&object) {
                visit(self.region(leaf, listed));
            }
        }
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        regions.fill(NO_REGION);
        // The first leaf of an object has the last word.
        for (leaf, listed) in self.lists().enumerate().rev() {
            for object in listed {
                if let Some(region) = regions.get_mut(*object as usize) {
                    *region = leaf as u32;
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
