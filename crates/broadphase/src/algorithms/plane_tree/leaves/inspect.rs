//! The leaves as regions.

use super::Leaves;
use crate::Aabb;
use crate::inspect::{Inspect, Region};
use crate::inspect::{add_tests_within, first_lists, visit_others_within};

impl Leaves {
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
        for (leaf, listed) in self.lists.iter().enumerate() {
            visit(self.region(leaf, listed));
        }
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        for (leaf, listed) in self.lists.iter().enumerate() {
            if listed.contains(&object) {
                visit(self.region(leaf, listed));
            }
        }
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        first_lists(self.lists.iter().map(|list| list.iter().copied()), regions);
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        add_tests_within(self.lists.iter().map(|list| list.iter().copied()), tests);
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        visit_others_within(self.lists.iter().map(|list| list.iter().copied()), object, visit);
    }
}
