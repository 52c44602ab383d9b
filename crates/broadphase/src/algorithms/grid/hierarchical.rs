//! A hierarchical grid: a grid for each class of sizes, for objects of very different sizes.
//!
//! An object is listed in one level only: the finest whose cells are more than twice as long as its
//! longest side, so that it touches at most eight of them. Objects of one level are tested cell by
//! cell. For pairs of different levels the smaller object finds the cells that it touches in every coarser
//! level. It is tested against the objects listed there. The larger one never searches for the smaller:
//! it touches many cells of a finer level.
//!
//! All levels share one hash table. Only cells with objects exist, and only levels with objects are
//! searched.
//!
//! Ericson, "Real-Time Collision Detection" (2005), section 7.2, where an object is in the one cell of its
//! centre and neighbouring cells are searched; Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
//! Systems" (1996), where it is in all cells that it touches, as here.

mod inspect;
mod level;

use super::{CellKey, CellTable};
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::outliers::Bulk;
use crate::parallel::{Rows, Search, SearchTasks, threads_for};
use crate::regions::{NANOS_PER_LISTING, PAIR_MEMORY, Regions};
use crate::{Counters, Frame, Pair};
use level::{LEVELS, Level};
use std::ops::Range;

/// Its entry in the registry.
pub const ENTRY: Algorithm =
    Algorithm::new("grid-hierarchical", Kind::Grid, |_| Managed::boxed(HierarchicalGrid::default()))
        .name("Hierarchical grid")
        .summary("each object is in the grid of its size; it is compared there, and with larger objects in the coarser cells that it touches")
        .source("Ericson 2005, Real-Time Collision Detection, section 7.2; Mirtich 1996")
        .cost("n × levels + tests")
        .watch_for("a few large objects: every small one is compared in their coarse cells too")
        .overlays(&[Caption {
            meaning: "An object is in the level with the smallest cells that are more than twice as long as it.",
            longest: Some(0.5),
            ..Caption::CELLS
        }])
        .way(&Way {
            title: "Its search",
            meaning: "It is compared with the objects in its cells, and with larger ones in the coarser cells that it \
                      touches. Smaller ones find it in the same way.",
            holds: ["cell holds it", "cells hold it"],
            searched: ["coarser cell: searched", "coarser cells: searched"],
            rejected: ["cell empty: nothing to compare", "cells empty: nothing to compare"],
            hollow: None,
            explains: None,
            ..Way::BOXES
        })
        .memory(|n| n * 275)
        .pair_memory(PAIR_MEMORY)
        .vectorised(true);

/// A hierarchical grid. Time O(n l + t) expected, for l levels that hold objects and t tests: linear
/// for any mixture of sizes, as long as objects of one size are not crowded. Long and thin objects are in
/// the level of their length, where they may be tested against many objects beside them. Memory O(n).
#[derive(Clone, Debug, Default)]
pub(crate) struct HierarchicalGrid {
    /// All levels, the finest first; none before the first frame with an object.
    levels: Vec<Level>,
    /// Levels with objects, the coarsest first.
    occupied: Vec<usize>,
    present: Vec<u32>,
    table: CellTable,
    cells: Regions,
    tasks: SearchTasks,
}

memory!(HierarchicalGrid: levels, occupied, present, table, cells, tasks);

impl HierarchicalGrid {
    /// Creates the levels for the boxes of a frame, all empty.
    fn create_levels(&mut self, bulk: Option<&Bulk>) {
        self.levels.clear();
        if let Some(bulk) = bulk {
            self.levels.extend((0..LEVELS).map(|level| Level::new(level, bulk)));
        }
        self.occupied.clear();
        self.occupied.reserve(LEVELS);
    }

    /// Calls `visit` with the lists of coarser levels that the object at a position touches: the positions of
    /// each list, and the bits of the object in its cell.
    fn look_up(&self, level: usize, position: usize, mut visit: impl FnMut(Range<usize>, u32)) {
        let b = self.cells.bounds(position);
        for coarser in self.occupied.iter().copied().take_while(|coarser| *coarser > level) {
            self.levels[coarser].lattice.range(&b).for_each(|cell, begins| {
                if let Some(number) = self.table.find(CellKey { cell, level: coarser as i32 }) {
                    visit(self.cells.run(number as usize..number as usize + 1), begins);
                }
            });
        }
    }

    /// Tests the objects at these positions, each once, against those of coarser levels.
    fn find_in_coarser(
        &self,
        positions: Range<usize>,
        frame: &Frame<'_>,
        task: &mut Search,
        pairs: &mut Vec<Pair>,
    ) {
        for cell in self.cells.regions_in(positions.clone()) {
            let level = self.table.keys()[cell].level as usize;
            let run = self.cells.run(cell..cell + 1);
            for position in run.start.max(positions.start)..run.end.min(positions.end) {
                let entry = self.cells.entry(position);
                if frame.is_stopped() {
                    return;
                }
                if !entry.is_lowest() {
                    continue;
                }
                self.look_up(level, position, |run, begins| {
                    let rows = Rows::Between(position..position + 1, run);
                    task.find(self.cells.boxes(), rows, frame, pairs, |_, other| {
                        let other = self.cells.entry(other);
                        other.owns_pair(begins).then(|| Pair::new(entry.object(), other.object()))
                    });
                });
            }
        }
    }
}

impl Structure for HierarchicalGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        let bulk = Bulk::of(frame.boxes, 0.0, &mut self.present);
        self.create_levels(bulk.as_ref());
        self.table.renew(frame.boxes.len());
        self.cells.clear();
        if let Some(bulk) = bulk {
            let finest = level::finest(&bulk);
            for object in &self.present {
                let b = &frame.boxes[*object as usize];
                let number = level::of(b, finest);
                let level = &mut self.levels[number];
                level.objects += 1;
                let range = level.lattice.range(b);
                self.cells.list(*object, |listing| {
                    range.for_each(|cell, begins| {
                        let key = CellKey { cell, level: number as i32 };
                        listing.push(self.table.insert(key), begins);
                    });
                });
            }
        }
        let holds_objects = |level: &usize| self.levels[*level].objects > 0;
        self.occupied.extend((0..self.levels.len()).rev().filter(holds_objects));
        // Room for further cells that moving objects may touch.
        self.cells.sort(self.table.keys().len(), 3 * frame.boxes.len(), frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.cells.find_pairs(frame, &mut self.tasks, pairs);
        if self.occupied.len() < 2 {
            return;
        }
        let mut tasks = std::mem::take(&mut self.tasks);
        let listings = self.cells.listings();
        let threads = threads_for(listings, NANOS_PER_LISTING);
        let work = tasks.run(listings, threads, pairs, |task, pairs, part| {
            self.find_in_coarser(part, frame, task, pairs);
        });
        self.cells.add(work);
        self.tasks = tasks;
    }

    fn counters(&self) -> Counters {
        let depth = self.occupied.len().saturating_sub(1) as u32;
        Counters { depth, ..self.cells.counters() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.table.validate();
        self.table.validate_cells(&self.cells);
        let mut objects = vec![0; self.levels.len()];
        let bulk = Bulk::of(frame.boxes, 0.0, &mut Vec::new());
        self.cells.validate(frame.boxes, |object, b, visit| {
            let number = level::of(b, level::finest(bulk.as_ref().expect("an object is present")));
            objects[number] += 1;
            self.levels[number].lattice.range(b).for_each(|cell, begins| {
                let cell = self.table.find(CellKey { cell, level: number as i32 });
                let cell = cell.unwrap_or_else(|| {
                    panic!("object {object} touches a cell of level {number} that does not exist")
                });
                visit(cell, begins);
            });
        });
        for (number, (level, objects)) in self.levels.iter().zip(&objects).enumerate() {
            assert_eq!(level.objects, *objects, "level {number} has a wrong count of objects");
            assert_eq!(
                self.occupied.contains(&number),
                *objects > 0,
                "level {number} is searched but empty, or occupied but skipped"
            );
        }
        assert!(
            self.occupied.is_sorted_by(|coarse, fine| coarse > fine),
            "the levels with objects are not in order"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use glam::Vec3;

    fn updated(boxes: &[Aabb]) -> HierarchicalGrid {
        let mut grid = HierarchicalGrid::default();
        grid.update(&Frame::new(boxes));
        grid
    }

    fn one_huge() -> Vec<Aabb> {
        let mut boxes: Vec<_> =
            (0..100).map(|i| Aabb::around_sphere(Vec3::splat(i as f32), 0.4)).collect();
        boxes.push(Aabb::around_sphere(Vec3::splat(50.0), 1000.0));
        boxes
    }

    #[test]
    fn small_objects_meet_the_huge_one_in_few_cells() {
        let boxes = one_huge();
        let frame = Frame::new(&boxes);
        let mut grid = updated(&boxes);
        grid.validate(&frame);
        let mut pairs = Vec::new();
        grid.find_pairs(&frame, &mut pairs);
        assert_eq!(pairs.len(), 100);
        assert_eq!(grid.occupied.len(), 2);
        assert!(grid.counters().listings <= 8 * 101, "{:?}", grid.counters());
    }

    #[test]
    #[should_panic(expected = "searched but empty, or occupied")]
    fn validate_catches_a_skipped_level() {
        let boxes = one_huge();
        let mut grid = updated(&boxes);
        grid.occupied.remove(0);
        grid.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "outdated box of object 100")]
    fn validate_catches_an_outdated_box() {
        let mut boxes = one_huge();
        let grid = updated(&boxes);
        boxes[100].max += 1.0;
        grid.validate(&Frame::new(&boxes));
    }
}
