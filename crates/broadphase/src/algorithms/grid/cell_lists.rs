//! The objects of every cell, in one array.

use super::{CellTable, MAX_CELLS};
use crate::box_set::BoxSet;
use crate::inspect::{HashSlot, Mark, RegionMark, replay_within};
use crate::lists::Lists;
use crate::memory::memory;
use crate::parallel::{Rows, SearchTasks, Work, threads_for};
use crate::{Aabb, Frame, Pair};
use std::ops::Range;

/// Time to search for the pairs of an object in a cell, in nanoseconds (measured for a few in each).
pub(super) const NANOS_PER_LISTING: usize = 50;

/// An object in a cell, with a bit for each axis on which it begins there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListedObject(u32);

impl ListedObject {
    const AXES: u32 = 3;

    /// All bits: in such a cell, one of two objects begins on every axis.
    const OWNER: u32 = 0b111;

    #[inline]
    pub(super) fn new(object: u32, begins: u32) -> Self {
        Self(object << Self::AXES | begins)
    }

    #[inline]
    pub(super) fn object(self) -> u32 {
        self.0 >> Self::AXES
    }

    /// Whether this is the lowest cell of the object. Each object has one.
    #[inline]
    pub(super) fn is_lowest(self) -> bool {
        self.owns_pair(0)
    }

    /// Whether the cell owns the pair of this object and one with these bits there.
    #[inline]
    pub(super) fn owns_pair(self, begins: u32) -> bool {
        (self.0 | begins) & Self::OWNER == Self::OWNER
    }
}

/// The objects of each cell. Cells are numbered from 0. Refilled every frame.
#[derive(Clone, Debug, Default)]
pub(super) struct CellLists {
    /// Objects by cell, in ascending order within each.
    lists: Lists<ListedObject>,
    /// Their boxes, in the same order.
    boxes: BoxSet,
}

memory!(CellLists: lists, boxes);

impl CellLists {
    /// Most objects: their ids share 32 bits with those of the axes.
    const MAX_OBJECTS: usize = 1 << (32 - ListedObject::AXES);

    /// Begins a frame.
    pub(super) fn clear(&mut self) {
        self.lists.clear();
    }

    /// Adds an object to a cell. Objects come in ascending order.
    #[inline]
    pub(super) fn push(&mut self, cell: u32, object: u32, begins: u32) {
        self.lists.push(cell, ListedObject::new(object, begins));
    }

    /// Sorts the objects by cell, and copies their boxes.
    pub(super) fn sort(&mut self, cells: usize, boxes: &[Aabb]) {
        assert!(boxes.len() <= Self::MAX_OBJECTS, "more objects than 29 bits can number");
        // Room for further cells that moving objects may touch.
        self.lists.sort(cells, 3 * boxes.len());
        // Boxes are scattered over memory. A loop that only copies them has many cache misses in flight at
        // once.
        self.boxes.resize(self.lists.items().len());
        for (position, entry) in self.lists.items().iter().enumerate() {
            self.boxes.set(position, &boxes[entry.object() as usize]);
        }
    }

    /// Number of cells, empty ones included.
    pub(super) fn cells(&self) -> usize {
        self.lists.len()
    }

    /// The objects in a cell.
    pub(super) fn entries(&self, cell: usize) -> &[ListedObject] {
        self.lists.list(cell)
    }

    /// Positions of the objects of a cell.
    #[inline]
    pub(super) fn run(&self, cell: usize) -> Range<usize> {
        self.lists.run(cell..cell + 1)
    }

    /// The object at a position.
    #[inline]
    pub(super) fn entry(&self, position: usize) -> ListedObject {
        self.lists.items()[position]
    }

    /// The box of the object at a position.
    #[inline]
    pub(super) fn bounds(&self, position: usize) -> Aabb {
        self.boxes.get(position)
    }

    /// The boxes of all listed objects.
    pub(super) fn boxes(&self) -> &BoxSet {
        &self.boxes
    }

    /// Number of listings: each object counts once in each of its cells.
    pub(super) fn listings(&self) -> usize {
        self.lists.items().len()
    }

    /// Appends every pair of objects that share a cell and overlap, each once.
    pub(super) fn find_pairs(
        &self,
        frame: &Frame<'_>,
        tasks: &mut SearchTasks,
        pairs: &mut Vec<Pair>,
    ) -> Work {
        let listings = self.listings();
        let threads = threads_for(listings, NANOS_PER_LISTING);
        tasks.run(listings, threads, pairs, |task, pairs, part| {
            for cell in self.cells_starting_in(part) {
                let run = self.run(cell);
                if run.len() < 2 {
                    continue;
                }
                let rows = Rows::Within(run.clone(), run.end);
                task.find(&self.boxes, rows, frame, pairs, |i, j| {
                    let (a, b) = (self.entry(i), self.entry(j));
                    a.owns_pair(b.0).then(|| Pair::new(a.object(), b.object()))
                });
            }
        })
    }

    /// The cells whose lists start in a part of all entries. Empty cells may be missing.
    pub(super) fn cells_starting_in(&self, part: Range<usize>) -> Range<usize> {
        let starts = self.lists.starts();
        let first_from = |position| starts.partition_point(|start| (*start as usize) < position);
        first_from(part.start)..first_from(part.end)
    }

    /// The cells with objects, in ascending order.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (usize, &[ListedObject])> {
        self.lists.iter().enumerate().filter(|(_, entries)| !entries.is_empty())
    }

    /// Visits the occupied cells as regions. `place` gives the space of a cell, its depth and its slot.
    pub(super) fn regions(
        &self,
        place: impl Fn(usize) -> (Aabb, u32, Option<HashSlot>),
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        for (index, (cell, entries)) in self.occupied().enumerate() {
            let objects: Vec<u32> = entries.iter().map(|entry| entry.object()).collect();
            let (bounds, depth, slot) = place(cell);
            visit(Mark::Region(RegionMark {
                slot,
                ..RegionMark::new(index, bounds, depth, &objects)
            }));
        }
    }

    /// Calls `visit` with both objects of every test within a cell.
    pub(super) fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        for (_, entries) in self.occupied() {
            replay_within(entries.iter().map(|entry| entry.object()), visit);
        }
    }

    /// Panics unless the lists cover all entries, are sorted, name no object twice, and hold its box.
    pub(super) fn validate(&self, boxes: &[Aabb]) {
        self.lists.validate();
        for (position, entry) in self.lists.items().iter().enumerate() {
            let object = entry.object();
            assert_eq!(
                self.boxes.get(position),
                boxes[object as usize],
                "an outdated box of object {object} is tested"
            );
        }
        for (cell, entries) in self.occupied() {
            assert!(
                entries.is_sorted_by_key(|entry| entry.object()),
                "the objects of cell {cell} are not in ascending order"
            );
            assert!(
                entries.windows(2).all(|two| two[0].object() != two[1].object()),
                "an object is in cell {cell} twice"
            );
        }
    }

    /// Panics unless the cells are those of a table, and none of them is empty.
    pub(super) fn validate_cells(&self, table: &CellTable) {
        assert_eq!(self.cells(), table.keys().len(), "a cell has no list");
        assert_eq!(self.occupied().count(), self.cells(), "a cell without objects exists");
    }

    /// Panics unless an object is in a cell with these bits. The lists must be valid.
    pub(super) fn validate_listing(&self, cell: u32, object: u32, begins: u32) {
        let entry = ListedObject::new(object, begins);
        assert!(
            self.entries(cell as usize).binary_search(&entry).is_ok(),
            "object {object} is missing from cell {cell}, or begins there on other axes"
        );
    }
}

/// Whether an object covers too many cells to be listed in them.
#[inline]
pub(super) fn covers_too_many(range: &super::CellRange) -> bool {
    range.count() > MAX_CELLS
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    const BOXES: [Aabb; 6] = [Aabb::new(Vec3::ZERO, Vec3::ONE); 6];

    fn filled() -> CellLists {
        let mut lists = CellLists::default();
        lists.clear();
        for (cell, object, begins) in [(3, 0, 7), (1, 2, 7), (3, 2, 0), (1, 5, 7), (3, 5, 3)] {
            lists.push(cell, object, begins);
        }
        lists.sort(5, &BOXES);
        lists
    }

    #[test]
    fn cells_have_their_objects_and_tasks_their_cells() {
        let lists = filled();
        lists.validate(&BOXES);
        let objects =
            |cell| lists.entries(cell).iter().map(|entry| entry.object()).collect::<Vec<_>>();
        assert_eq!(
            (0..5).map(objects).collect::<Vec<_>>(),
            [vec![], vec![2, 5], vec![], vec![0, 2, 5], vec![]]
        );
        for parts in 1..9 {
            let of =
                |part: usize| lists.cells_starting_in(part * 5 / parts..(part + 1) * 5 / parts);
            let taken: Vec<_> =
                (0..parts).flat_map(of).filter(|c| !lists.entries(*c).is_empty()).collect();
            assert_eq!(taken, [1, 3], "{parts} parts");
        }
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn validate_catches_an_object_listed_twice() {
        let mut lists = filled();
        let entries = lists.lists.items_mut();
        entries[1] = entries[0];
        lists.validate(&BOXES);
    }

    #[test]
    #[should_panic(expected = "begins there on other axes")]
    fn validate_catches_a_wrong_beginning() {
        filled().validate_listing(3, 2, 1);
    }
}
