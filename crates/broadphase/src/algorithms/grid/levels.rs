//! Grids whose occupied cells are in a hash table: one, or one for each class of sizes.

use super::cell_sides::{self, CellSides};
use super::{CellKey, CellTable, for_each_of_few};
use crate::inspect::{Inspect, Mark, Outcome, Overlay, Visited};
use crate::managed::Structure;
use crate::memory::memory;
use crate::outliers::Bulk;
use crate::regions::{Lattice, NANOS_PER_LISTING, Neighbours, Regions};
use crate::{Aabb, Counters, Frame, Pair};
use std::ops::Range;

/// Cells for each object, for which there is room from the first frame on: moving objects may touch further ones.
const ROOM: usize = 3;

/// Objects in the cells of the grid of their size.
#[derive(Clone, Debug)]
pub(super) struct LevelGrid {
    sides: CellSides,
    present: Vec<u32>,
    levels: Levels,
    cells: Regions,
}

memory!(LevelGrid: present, levels, cells);

/// The levels, and the numbers of their cells.
#[derive(Clone, Debug, Default)]
struct Levels {
    /// The grids of all levels, the finest first; none before the first frame with an object.
    all: Vec<Lattice>,
    /// The finest that this frame uses.
    finest: usize,
    /// A bit for each level with objects.
    occupied: u128,
    table: CellTable,
}

memory!(Levels: all, table);

impl Levels {
    /// Creates the levels for the boxes of a frame, all empty.
    fn create(&mut self, bulk: Option<&Bulk>, sides: CellSides) {
        self.all.clear();
        self.occupied = 0;
        let Some(bulk) = bulk else { return };
        let lattice = |side| Lattice::new(bulk.centers.min, [side; 3]);
        match sides {
            CellSides::Equal(sides) => self.all.push(lattice(cell_sides::equal_side(bulk, sides))),
            CellSides::ByClass => {
                let numbers = 0..cell_sides::LEVELS;
                self.all.extend(numbers.map(|number| lattice(cell_sides::side(number))));
                self.finest = cell_sides::finest(bulk);
            }
        }
    }

    /// The level of an object. There must be a level.
    #[inline]
    fn level_of(&self, b: &Aabb) -> usize {
        cell_sides::level_of(b).max(self.finest).min(self.all.len() - 1)
    }

    /// The bits of the levels with objects that are coarser than one.
    fn above(&self, level: usize) -> u128 {
        self.occupied >> level >> 1 << 1 << level
    }

    /// Number of levels with objects that are coarser than one.
    fn depth(&self, level: usize) -> u32 {
        self.above(level).count_ones()
    }

    /// The levels with objects that are coarser than one, from the finest of them on.
    fn coarser(&self, level: usize) -> impl Iterator<Item = usize> + use<> {
        let mut rest = self.above(level);
        std::iter::from_fn(move || {
            let next = (rest != 0).then_some(rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            next
        })
    }
}

impl Neighbours for Levels {
    /// Each object looks up the cells of coarser levels that it touches, once: in its lowest cell.
    fn visit(
        &self,
        cells: &Regions,
        cell: usize,
        rows: Range<usize>,
        visit: &mut dyn FnMut(Range<usize>, Range<usize>, u32),
    ) {
        let level = self.table.keys[cell].level as usize;
        for position in rows.filter(|position| cells.entry(*position).is_lowest()) {
            let b = cells.bounds(position);
            for coarser in self.coarser(level) {
                self.all[coarser].range(&b).for_each(|cell, begins| {
                    if let Some(number) = self.table.find(CellKey { cell, level: coarser as i32 }) {
                        let listed = cells.run(number as usize..number as usize + 1);
                        visit(position..position + 1, listed, begins);
                    }
                });
            }
        }
    }
}

impl LevelGrid {
    /// A grid without objects.
    pub(super) fn new(sides: CellSides) -> Self {
        Self { sides, present: Vec::new(), levels: Levels::default(), cells: Regions::default() }
    }

    /// The space of a cell, and its depth, which counts the coarser levels that hold objects.
    fn place_of(&self, cell: usize) -> (Aabb, u32) {
        let key = self.levels.table.keys[cell];
        let level = key.level as usize;
        (self.levels.all[level].bounds(key.cell), self.levels.depth(level))
    }
}

impl Structure for LevelGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        let bulk = Bulk::of(frame.boxes, 0.0, &mut self.present);
        self.levels.create(bulk.as_ref(), self.sides);
        self.levels.table.renew(frame.boxes.len());
        self.cells.clear();
        for object in &self.present {
            let b = &frame.boxes[*object as usize];
            let number = self.levels.level_of(b);
            self.levels.occupied |= 1 << number;
            let range = self.levels.all[number].range(b);
            self.cells.list(*object, |list| {
                for_each_of_few(&range, |cell, begins| {
                    let key = CellKey { cell, level: number as i32 };
                    list(self.levels.table.insert(key), begins);
                });
            });
        }
        self.cells.reserve(ROOM * frame.boxes.len());
        self.cells.sort(self.levels.table.keys.len(), frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.cells.find_pairs(frame, pairs);
        if self.levels.occupied.count_ones() > 1 {
            self.cells.find_pairs_between(&self.levels, NANOS_PER_LISTING, frame, pairs);
        }
    }

    fn counters(&self) -> Counters {
        let depth = self.levels.occupied.count_ones().saturating_sub(1);
        Counters { depth, ..self.cells.counters() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        let Levels { all, occupied, table, .. } = &self.levels;
        table.validate();
        assert_eq!(self.cells.len(), table.keys.len(), "a cell has no list");
        assert_eq!(
            self.cells.occupied().count(),
            self.cells.len(),
            "a cell without objects exists"
        );
        let mut holds_objects = 0;
        self.cells.validate(frame.boxes, |object, b, visit| {
            let number = self.levels.level_of(b);
            holds_objects |= 1 << number;
            for_each_of_few(&all[number].range(b), |cell, begins| {
                let found = table.find(CellKey { cell, level: number as i32 });
                let found = found.unwrap_or_else(|| panic!("object {object}: no cell {cell:?}"));
                visit(found, begins);
            });
        });
        assert_eq!(
            *occupied, holds_objects,
            "a level is searched but empty, or occupied but skipped"
        );
    }
}

impl Inspect for LevelGrid {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if overlay == Overlay::Regions {
            let place = |cell| {
                let (bounds, depth) = self.place_of(cell);
                (bounds, depth, None, Some(self.levels.table.slot_of(cell)))
            };
            self.cells.visit_occupied(place, visit);
        }
    }

    /// Its own cells, then those of coarser levels that its search finds, or looks for without finding one. In a single grid the
    /// search of an object is that of its cells.
    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        if matches!(self.sides, CellSides::Equal(_)) {
            return;
        }
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
            let (b, level) = (self.cells.bounds(position), self.levels.table.keys[cell].level);
            for coarser in self.levels.coarser(level as usize) {
                let (lattice, depth) = (&self.levels.all[coarser], self.levels.depth(coarser));
                lattice.range(&b).for_each(|cell, _| {
                    let key = CellKey { cell, level: coarser as i32 };
                    let found = self.levels.table.find(key).is_some();
                    let outcome = if found { Outcome::Searched } else { Outcome::Rejected };
                    visit(Visited { bounds: lattice.bounds(cell), depth, outcome });
                });
            }
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.cells.tests(Some(&self.levels), visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn updated(boxes: &[Aabb]) -> LevelGrid {
        let mut grid = LevelGrid::new(CellSides::ByClass);
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
        assert_eq!(grid.levels.occupied.count_ones(), 2);
        assert!(grid.counters().listings <= 8 * 101, "{:?}", grid.counters());
    }

    #[test]
    #[should_panic(expected = "searched but empty, or occupied")]
    fn validate_catches_a_skipped_level() {
        let boxes = one_huge();
        let mut grid = updated(&boxes);
        grid.levels.occupied &= grid.levels.occupied - 1;
        grid.validate(&Frame::new(&boxes));
    }
}
