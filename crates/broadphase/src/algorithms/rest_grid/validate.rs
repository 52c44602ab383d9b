//! The invariants.

use super::RestGrid;
use crate::algorithms::sweep_grid::bins::Entry;
use crate::simd::level;
use crate::sweep::{Away, LANES};
use crate::{Aabb, Frame, Pair};
use fearless_simd::dispatch;
use std::collections::{HashMap, HashSet};

impl RestGrid {
    pub(super) fn validate_resting(&self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        assert_eq!(self.last.len(), boxes.len(), "boxes of other objects are kept");
        for (object, (b, last)) in boxes.iter().zip(&self.last).enumerate() {
            let is_last = bytemuck::bytes_of(b) == bytemuck::bytes_of(last);
            assert!(is_last, "object {object}: its last box is another one");
        }
        let moving: HashSet<_> = self.moving.iter().copied().collect();
        assert_eq!(moving.len(), self.moving.len(), "an object moves twice");
        for (object, is_moving) in (0..).zip(&self.is_moving) {
            assert_eq!(moving.contains(&object), *is_moving, "object {object} moves (left)");
        }
        self.validate_columns(boxes);
        self.validate_pairs(frame);
    }

    /// Every resting object stands in its columns, and nothing else does.
    fn validate_columns(&self, boxes: &[Aabb]) {
        let Some(columns) = self.resting.columns() else { return };
        let mut listed = HashMap::new();
        for column in 0..columns.len() {
            for shelf in self.resting.shelves(column) {
                let (mut begin, mut end) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
                for ((block, away), ends) in shelf.blocks.iter().zip(shelf.away).zip(shelf.ends) {
                    for lane in 0..LANES {
                        assert!(begin <= block.min[0][lane], "column {column} is not in order");
                        begin = block.min[0][lane];
                        end = end.max(block.max[0][lane]);
                        let (min, max) =
                            (block.min.map(|of| of[lane]), block.max.map(|of| of[lane]));
                        let object = block.objects[lane];
                        if object == u32::MAX {
                            assert_eq!(max[0], f32::NEG_INFINITY, "a hole has an extent");
                            continue;
                        }
                        let away = Away(away.0 >> lane & (1 | 1 << LANES));
                        let entry = Entry { min, max, object, away };
                        let before = listed.insert((column, object), entry);
                        assert!(before.is_none(), "object {object} is in column {column} twice");
                    }
                    assert!(*ends >= end, "column {column}: a box ends later than is noted");
                }
            }
        }
        for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            if self.is_moving[object as usize] {
                continue;
            }
            let entry = Entry::new(b, object, columns.axis);
            let span = dispatch!(level(), simd => columns.finder(simd).span(entry.across()));
            for v in span.low[1]..=span.high[1] {
                for u in span.low[0]..=span.high[0] {
                    let expected = Entry { away: span.away([u, v]), ..entry };
                    let held = listed.remove(&(columns.index([u, v]), object));
                    assert_eq!(held, Some(expected), "object {object} in column {u}, {v}");
                }
            }
        }
        assert!(listed.is_empty(), "kept where it is not: {:?}", listed.keys().next());
    }

    /// The kept pairs are those of resting objects.
    fn validate_pairs(&self, frame: &Frame<'_>) {
        let mut kept = self.pairs.clone();
        kept.sort_unstable();
        let mut expected = Vec::new();
        let resting = |object: &u32| !self.is_moving[*object as usize];
        for i in (0..frame.boxes.len() as u32).filter(resting) {
            for j in (i + 1..frame.boxes.len() as u32).filter(resting) {
                let [a, b] = [i, j].map(|object| &frame.boxes[object as usize]);
                if a.overlaps(b) && frame.admits(i, j) {
                    expected.push(Pair::new(i, j));
                }
            }
        }
        assert!(kept == expected, "the kept pairs are others than those of what rests");
    }
}
