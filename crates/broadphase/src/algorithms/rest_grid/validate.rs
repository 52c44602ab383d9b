//! The invariants.

use super::rest::Rest;
use crate::BroadPhase;
use crate::algorithms::sweep_grid::SweepGrid;
use crate::algorithms::sweep_grid::bins::{Bins, Entry, for_each_entry};
use crate::simd::level;
use crate::sweep::{Away, LANES};
use crate::{Aabb, Frame, Pair};
use fearless_simd::dispatch;
use std::collections::{HashMap, HashSet};

impl Rest {
    /// Panics unless the invariants hold for the frame of the last update.
    pub(in crate::algorithms) fn validate(&self, search: &SweepGrid, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        assert_eq!(self.last.len(), boxes.len(), "boxes of other objects are kept");
        for (object, (b, last)) in boxes.iter().zip(&self.last).enumerate() {
            let is_last = bytemuck::bytes_of(b) == bytemuck::bytes_of(last);
            assert!(is_last, "object {object}: its last box is another one");
        }
        assert!(self.have_same_layers(frame), "other layers are kept");
        if !self.is_kept() {
            search.validate(frame);
            return;
        }
        let moving: HashSet<_> = self.moving.iter().copied().collect();
        assert_eq!(moving.len(), self.moving.len(), "an object moves twice");
        for (object, is_moving) in (0..).zip(&self.is_moving) {
            assert_eq!(moving.contains(&object), *is_moving, "object {object} moves (left)");
        }
        self.validate_columns(boxes);
        self.validate_bins(boxes);
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
            dispatch!(level(), simd => for_each_entry(simd, &columns, object, b, |column, entry| {
                let held = listed.remove(&(column, object));
                assert_eq!(held.as_ref(), Some(entry), "object {object} in column {column}");
            }));
        }
        // What moved since then still stands where it was.
        listed.retain(|(_, object), _| !self.is_moving[*object as usize]);
        assert!(listed.is_empty(), "kept where it is not: {:?}", listed.keys().next());
    }

    /// What moves is listed where it is, and nothing else.
    fn validate_bins(&self, boxes: &[Aabb]) {
        let Some(columns) = self.resting.columns() else { return };
        let mut expected = Bins::default();
        let objects = self.moving.iter().map(|object| (*object, &boxes[*object as usize]));
        let all = u64::MAX;
        dispatch!(level(), simd => expected.fill(simd, &columns, objects, all));
        for column in 0..columns.len() {
            let listed = |bins: &Bins| -> Vec<Entry> {
                bins.chunks(column).flat_map(|(_, entries)| entries.iter().copied()).collect()
            };
            assert_eq!(listed(&self.bins), listed(&expected), "who moves in column {column}");
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Spoils what is kept of 1,000 boxes of which two move.
    fn validated(spoil: impl FnOnce(&mut Rest, &mut Vec<Aabb>)) {
        let at = |i: usize| Vec3::from([i % 10, i / 10 % 10, i / 100].map(|place| place as f32));
        let mut boxes: Vec<_> = (0..1000).map(|i| Aabb::around_sphere(at(i), 0.6)).collect();
        let (mut rest, mut search) = (Rest::default(), SweepGrid::default());
        for _ in 0..3 {
            boxes[5].max.x += 0.01;
            boxes[500].max.x += 0.01;
            rest.update(&mut search, &Frame::new(&boxes, 0.1));
        }
        assert_eq!(rest.moving.len(), 2);
        rest.validate(&search, &Frame::new(&boxes, 0.1));
        spoil(&mut rest, &mut boxes);
        rest.validate(&search, &Frame::new(&boxes, 0.1));
    }

    #[test]
    #[should_panic(expected = "its last box is another one")]
    fn a_box_that_changed_unseen_is_noticed() {
        validated(|_, boxes| boxes[99].max.z += 0.01);
    }

    #[test]
    #[should_panic(expected = "in column")]
    fn an_object_that_is_taken_for_one_that_rests_is_noticed() {
        validated(|rest, _| {
            rest.is_moving[500] = false;
            rest.moving.retain(|object| *object != 500);
        });
    }

    #[test]
    #[should_panic(expected = "moves (left)")]
    fn an_object_that_is_taken_for_one_that_moves_is_noticed() {
        validated(|rest, _| rest.is_moving[99] = true);
    }

    #[test]
    #[should_panic(expected = "ends later than is noted")]
    fn an_end_that_is_too_early_is_noticed() {
        validated(|rest, _| rest.resting.spoil_end());
    }

    #[test]
    #[should_panic(expected = "who moves in column")]
    fn a_moving_object_that_is_listed_as_it_was_is_noticed() {
        validated(|rest, boxes| {
            boxes[5].max.x += 0.01;
            rest.last[5] = boxes[5];
        });
    }

    #[test]
    #[should_panic(expected = "other layers")]
    fn other_layers_are_noticed() {
        validated(|rest, _| rest.spoil_layers());
    }

    #[test]
    #[should_panic(expected = "kept pairs are others")]
    fn a_lost_pair_is_noticed() {
        validated(|rest, _| assert!(rest.pairs.pop().is_some()));
    }
}
