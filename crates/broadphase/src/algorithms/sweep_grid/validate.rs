//! The invariants.

use super::SweepGrid;
use super::cells::{Away, Entry};
use crate::Aabb;
use crate::simd::level;
use fearless_simd::dispatch;
use std::collections::HashSet;

impl SweepGrid {
    pub(super) fn validate_cells(&self, boxes: &[Aabb]) {
        let Some(layout) = &self.layout else {
            assert!(boxes.iter().all(Aabb::is_empty), "there are objects, but no cells");
            return;
        };
        let (mut cells, mut ordered) = (0, vec![false; boxes.len()]);
        let mut listed = HashSet::new();
        let mut list = |cell: usize, entry: &Entry| {
            let (object, held) = (entry.object as usize, boxes.get(entry.object as usize));
            assert_eq!(Some(&entry.bounds), held, "object {object}: another box in cell {cell}");
            assert!(listed.insert((cell, object)), "object {object} is in cell {cell} twice");
            let range = dispatch!(level(), simd => layout.finder(simd).range(&entry.bounds));
            let away = layout.away(cell, &range);
            assert_eq!(Some(entry.away), away, "object {object}: wrong bits in cell {cell}");
        };
        for range in &self.ranges {
            assert_eq!(range.first, cells, "a range begins at another cell");
            cells += range.cells.len();
            let mut place = 0;
            for (number, cell) in range.cells.iter().enumerate() {
                assert_eq!(cell.start, place, "places of cell {number} overlap or are lost");
                assert!((cell.start..=cell.end).contains(&cell.fill), "cell {number} overflows");
                place = cell.end;
                let boxes = range.cell(cell);
                (0..boxes.len).for_each(|at| list(range.first + number, &boxes.get(at)));
            }
            for spilled in &range.spilled {
                let number = (spilled.cell as usize).wrapping_sub(range.first);
                assert!(number < range.cells.len(), "an entry spilled from another range");
                list(spilled.cell as usize, &spilled.entry);
            }
            for object in &range.order {
                let twice = std::mem::replace(&mut ordered[*object as usize], true);
                assert!(!twice, "object {object} stands in the order twice");
            }
        }
        assert_eq!(cells, layout.cells(), "a cell is in no range");
        assert!(ordered.iter().all(|ordered| *ordered), "an object is missing from the order");
        let mut expected = 0;
        for (object, b) in boxes.iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            let range = dispatch!(level(), simd => layout.finder(simd).range(b));
            if range.is_large() {
                let is_held = |(entry, cells): &&(Entry, _)| {
                    entry.object as usize == object && entry.bounds == *b && *cells == range
                };
                let held = self.large.iter().filter(is_held).count();
                assert_eq!(held, 1, "large object {object} is held so often");
                continue;
            }
            for z in range.low[2]..=range.high[2] {
                for y in range.low[1]..=range.high[1] {
                    for x in range.low[0]..=range.high[0] {
                        let cell = layout.index([x, y, z]);
                        assert!(
                            listed.contains(&(cell, object)),
                            "object {object} is missing from cell {cell}"
                        );
                        expected += 1;
                    }
                }
            }
        }
        assert_eq!(listed.len(), expected, "an object is listed where it is not");
        assert!(
            self.large.iter().all(|(entry, _)| entry.away == Away::HOME),
            "a large one is away"
        );
    }
}
