//! The cells of all levels as regions.

use super::super::CellKey;
use super::HierarchicalGrid;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Outcome, Overlay, Visited};

impl HierarchicalGrid {
    /// The space of a cell, and its depth, which counts the coarser levels that hold objects.
    fn place_of(&self, cell: usize) -> (Aabb, u32) {
        let key = self.table.keys()[cell];
        let level = key.level as usize;
        let coarser = self.occupied.iter().take_while(|coarser| **coarser > level);
        (self.levels[level].lattice.bounds(key.cell), coarser.count() as u32)
    }
}

impl Inspect for HierarchicalGrid {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay == Overlay::Regions {
            let place = |cell| {
                let (bounds, depth) = self.place_of(cell);
                (bounds, depth, Some(self.table.slot_of(cell)))
            };
            self.cells.visit_occupied(place, visit);
        }
    }

    /// Its own cells, then those of coarser levels that its search finds, or looks for without finding one.
    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        for (cell, entries) in self.cells.occupied() {
            if entries.iter().any(|entry| entry.object() == object) {
                let (bounds, depth) = self.place_of(cell);
                visit(Visited { bounds, depth, outcome: Outcome::Holds });
            }
        }
        let lists = (0..self.cells.len()).map(|cell| (cell, self.cells.run(cell..cell + 1)));
        let own = lists.flat_map(|(cell, run)| run.map(move |position| (cell, position)));
        let entry = |(_, position): &(usize, usize)| self.cells.entry(*position);
        let lowest = |at: &(usize, usize)| entry(at).object() == object && entry(at).is_lowest();
        for (cell, position) in own.filter(lowest) {
            let (b, level) = (self.cells.bounds(position), self.table.keys()[cell].level as usize);
            let coarser = self.occupied.iter().enumerate().take_while(|(_, of)| **of > level);
            for (depth, coarser) in coarser {
                let lattice = &self.levels[*coarser].lattice;
                lattice.range(&b).for_each(|cell, _| {
                    let key = CellKey { cell, level: *coarser as i32 };
                    let found = self.table.find(key).is_some();
                    let outcome = if found { Outcome::Searched } else { Outcome::Rejected };
                    visit(Visited { bounds: lattice.bounds(cell), depth: depth as u32, outcome });
                });
            }
        }
    }

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.cells.replay(visit);
        for (cell, key) in self.table.keys().iter().enumerate().take(self.cells.len()) {
            for position in self.cells.run(cell..cell + 1) {
                let entry = self.cells.entry(position);
                if entry.is_lowest() {
                    self.look_up(key.level as usize, position, |run, _| {
                        run.for_each(|other| {
                            visit(entry.object(), self.cells.entry(other).object());
                        });
                    });
                }
            }
        }
    }
}
