//! The cells as regions.

use super::SweepGrid;
use super::cells::Entry;
use super::search::Search;
use crate::{Aabb, Inspect, NO_REGION, Region};

impl SweepGrid {
    /// Calls `visit` with every cell that lists something, its number and its entries.
    fn for_each_cell(&self, visit: &mut dyn FnMut(usize, &[Entry])) {
        let mut entries = Vec::new();
        for range in &self.ranges {
            for (number, cell) in range.cells.iter().enumerate() {
                let boxes = range.cell(cell);
                entries.clear();
                entries.extend((0..boxes.len).map(|at| boxes.get(at)));
                let number = range.first + number;
                let spilled = range.spilled.iter().filter(|s| s.cell as usize == number);
                entries.extend(spilled.map(|spilled| spilled.entry));
                if !entries.is_empty() {
                    visit(number, &entries);
                }
            }
        }
    }

    /// Calls `visit` with the occupied cells as regions, numbered from 0.
    fn for_each_region(&self, visit: &mut dyn FnMut(Region, &[Entry])) {
        let Some(layout) = &self.layout else { return };
        let mut world = Aabb::EMPTY;
        self.for_each_cell(&mut |_, entries| {
            world = entries.iter().fold(world, |all, entry| all.union(&entry.bounds));
        });
        let mut index = 0;
        self.for_each_cell(&mut |number, entries| {
            let bounds = layout.bounds(number, &world);
            visit(Region { index, bounds, depth: 0, objects: entries.len() as u32 }, entries);
            index += 1;
        });
    }
}

impl Inspect for SweepGrid {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        self.for_each_region(&mut |region, _| visit(region));
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        self.for_each_region(&mut |region, entries| {
            if entries.iter().any(|entry| entry.object == object) {
                visit(region);
            }
        });
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        regions.fill(NO_REGION);
        self.for_each_region(&mut |region, entries| {
            for entry in entries {
                if let Some(first) = regions.get_mut(entry.object as usize) {
                    *first = (*first).min(region.index);
                }
            }
        });
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        let Some(layout) = &self.layout else { return };
        let mut test = |a: u32, b: u32| {
            for object in [a, b] {
                if let Some(tests) = tests.get_mut(object as usize) {
                    *tests += 1;
                }
            }
        };
        let mut search = Search::default();
        for range in &self.ranges {
            for cell in &range.cells {
                search.replay(&range.cell(cell), layout.sweep_axis, &mut test);
            }
            for (number, spilled) in range.spilled.iter().enumerate() {
                let object = spilled.entry.object;
                let boxes = range.cell(&range.cells[spilled.cell as usize - range.first]);
                (0..boxes.len).for_each(|at| test(object, boxes.get(at).object));
                let others = range.spilled[..number].iter();
                others
                    .filter(|other| other.cell == spilled.cell)
                    .for_each(|other| test(object, other.entry.object));
                for (large, cells) in &self.large {
                    if layout.away(spilled.cell as usize, cells).is_some() {
                        test(object, large.object);
                    }
                }
            }
            for (number, cell) in range.cells.iter().enumerate() {
                let boxes = range.cell(cell);
                for (large, cells) in &self.large {
                    if layout.away(range.first + number, cells).is_some() {
                        (0..boxes.len).for_each(|at| test(large.object, boxes.get(at).object));
                    }
                }
            }
        }
        if let Some(coarser) = &self.coarser
            && self.large.len() > 1
        {
            let mut among_large = vec![0; self.large.len()];
            coarser.tests_by_object(&mut among_large);
            for ((large, _), more) in self.large.iter().zip(among_large) {
                if let Some(tests) = tests.get_mut(large.object as usize) {
                    *tests += more;
                }
            }
        }
    }
}
