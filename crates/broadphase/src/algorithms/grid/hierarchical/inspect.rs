//! The cells of all levels as regions.

use super::HierarchicalGrid;
use crate::inspect::{HashSlot, Inspect, Region, add_test, visit_other};

impl HierarchicalGrid {
    /// The depth of a region counts the coarser levels that hold objects.
    fn visit_regions(&self, object: Option<u32>, visit: &mut dyn FnMut(Region)) {
        let place = |cell: usize| {
            let key = self.table.keys()[cell];
            let level = key.level as usize;
            let coarser = self.occupied.iter().take_while(|coarser| **coarser > level);
            (self.levels[level].lattice.bounds(key.cell), coarser.count() as u32)
        };
        self.lists.regions(object, place, visit);
    }

    /// Calls `visit` with both objects of every test against coarser levels.
    fn replay_coarser(&self, visit: &mut dyn FnMut(u32, u32)) {
        for (cell, key) in self.table.keys().iter().enumerate().take(self.lists.cells()) {
            for position in self.lists.run(cell) {
                let entry = self.lists.entry(position);
                if entry.is_lowest() {
                    self.look_up(key.level as usize, position, |run, _| {
                        run.for_each(|other| {
                            visit(entry.object(), self.lists.entry(other).object());
                        });
                    });
                }
            }
        }
    }
}

impl Inspect for HierarchicalGrid {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        self.visit_regions(None, visit);
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        self.visit_regions(Some(object), visit);
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        self.lists.region_by_object(regions);
    }

    fn place_of(&self, region: u32) -> Option<String> {
        let (cell, _) = self.lists.occupied().nth(region as usize)?;
        let key = self.table.keys()[cell];
        let [x, y, z] = key.cell;
        let [slot, slots] = self.table.place_of(key);
        Some(format!("cell ({x}, {y}, {z}), hash slot {slot} of {slots}"))
    }

    fn hash_slots(&self, visit: &mut dyn FnMut(HashSlot)) -> usize {
        self.table.visit_slots(self.lists.occupied().map(|(cell, _)| cell), visit)
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        self.lists.add_tests(tests);
        self.replay_coarser(&mut add_test(tests));
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        self.lists.tested_with(object, visit);
        self.replay_coarser(&mut visit_other(object, visit));
    }
}
