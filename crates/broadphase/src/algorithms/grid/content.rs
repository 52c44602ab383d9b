//! The objects of a grid with cells of one size.

use super::lattice::Cell;
use super::{CellRange, covers_too_many};
use crate::memory::memory;
use crate::outliers::{Bulk, Oversized};
use crate::parallel::SearchTasks;
use crate::regions::Regions;
use crate::{Aabb, Counters, Frame, Pair};

/// Objects in the lists of the cells that they touch, or in a separate list where these are too many. The grid
/// gives the cells of a box.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    present: Vec<u32>,
    cells: Regions,
    oversized: Oversized,
    tasks: SearchTasks,
}

memory!(Content: present, cells, oversized, tasks);

impl Content {
    /// Begins a frame: empties the lists, and describes most of the objects, if there are any.
    pub(super) fn begin(&mut self, boxes: &[Aabb], reach: f32) -> Option<Bulk> {
        self.cells.clear();
        self.oversized.clear();
        Bulk::of(boxes, reach, &mut self.present)
    }

    /// Number of present objects.
    pub(super) fn objects(&self) -> usize {
        self.present.len()
    }

    /// Lists every object. `range` gives the cells that a box touches, `number` the number of each.
    pub(super) fn list(
        &mut self,
        boxes: &[Aabb],
        range: impl Fn(&Aabb) -> CellRange,
        mut number: impl FnMut(Cell) -> u32,
    ) {
        for object in &self.present {
            let range = range(&boxes[*object as usize]);
            if covers_too_many(&range) {
                self.oversized.push(*object);
                continue;
            }
            self.cells.list(*object, |listing| {
                range.for_each(|cell, begins| listing.push(number(cell), begins));
            });
        }
    }

    /// Ends the listing: sorts the objects by cell.
    pub(super) fn sort(&mut self, cells: usize, boxes: &[Aabb]) {
        // Room for further cells that moving objects may touch.
        self.cells.sort(cells, 3 * boxes.len(), boxes);
        self.oversized.fill(&self.present, boxes);
    }

    /// The objects of every cell.
    pub(super) fn cells(&self) -> &Regions {
        &self.cells
    }

    /// Appends every pair of overlapping boxes.
    pub(super) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.cells.find_pairs(frame, &mut self.tasks, pairs);
        self.cells.add(self.oversized.find_pairs(frame, &mut self.tasks, pairs));
    }

    pub(super) fn counters(&self) -> Counters {
        self.cells.counters()
    }

    /// Calls `visit` with both objects of every test.
    pub(super) fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.cells.replay(visit);
        self.oversized.replay(visit);
    }

    /// Panics unless every object is in the cells that it touches and in no other, or in the list of
    /// oversized ones. `number` gives that of a cell, if it exists.
    pub(super) fn validate(
        &self,
        boxes: &[Aabb],
        range: impl Fn(&Aabb) -> CellRange,
        number: impl Fn(Cell) -> Option<u32>,
    ) {
        let mut oversized = Vec::new();
        self.cells.validate(boxes, |object, b, visit| {
            let range = range(b);
            if covers_too_many(&range) {
                return oversized.push(object);
            }
            range.for_each(|cell, begins| {
                let number = number(cell).unwrap_or_else(|| {
                    panic!("object {object} touches cell {cell:?}, which does not exist")
                });
                visit(number, begins);
            });
        });
        self.oversized.validate(&oversized, boxes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::grid::Lattice;
    use glam::Vec3;

    /// A grid of cells of side 1, numbered by their place along x only.
    fn filled(boxes: &[Aabb]) -> (Content, Lattice) {
        let lattice = Lattice::new(Vec3::ZERO, [1.0; 3]);
        let mut content = Content::default();
        content.begin(boxes, 0.0).unwrap();
        content.list(boxes, |b| lattice.range(b), |cell| cell[0] as u32);
        content.sort(8, boxes);
        (content, lattice)
    }

    fn row() -> Vec<Aabb> {
        let at = |i: usize| Vec3::new(i as f32, 0.5, 0.5);
        let mut boxes: Vec<_> =
            (0..5).map(|i| Aabb::new(at(i) + 0.25, at(i) + Vec3::new(1.25, 0.4, 0.4))).collect();
        boxes.push(Aabb::new(Vec3::splat(-99.0), Vec3::splat(99.0)));
        boxes
    }

    fn number(cell: Cell) -> Option<u32> {
        (0..8).contains(&cell[0]).then_some(cell[0] as u32)
    }

    #[test]
    fn object_in_too_many_cells_is_tested_against_all() {
        let boxes = row();
        let (mut content, lattice) = filled(&boxes);
        content.validate(&boxes, |b| lattice.range(b), number);
        let mut pairs = Vec::new();
        content.find_pairs(&Frame::new(&boxes), &mut pairs);
        pairs.sort_unstable();
        let expected = [(0, 1), (0, 5), (1, 2), (1, 5), (2, 3), (2, 5), (3, 4), (3, 5), (4, 5)];
        assert_eq!(pairs, expected.map(|(a, b)| Pair { a, b }));
        let counters = content.counters();
        assert_eq!((counters.listings, counters.straddlers, counters.tests), (10, 5, 4 + 5));
    }
}
