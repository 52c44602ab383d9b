//! The invariants.

use super::Grid;
use super::bins::{Bins, ListedBox, for_each_entry};
use super::cached::{CachedColumns, Origin};
use super::shelves::Shelf;
use crate::Aabb;
use crate::sweep::{Away, LANES};
use std::collections::HashMap;

impl Grid {
    pub(super) fn validate_columns(&self, boxes: &[Aabb]) {
        let Some(columns) = self.columns() else {
            panic!("there was a frame, but there are no columns");
        };
        assert_eq!(
            self.lists.bins().is_empty(),
            boxes.is_empty(),
            "there are bins without boxes, or boxes without bins"
        );
        let mut listed = HashMap::new();
        for column in 0..columns.len() {
            for entry in self.lists.entries(column) {
                let before = listed.insert((column, entry.object), *entry);
                assert!(before.is_none(), "object {} is in a column twice", entry.object);
            }
            let len = self.lists.entries(column).count();
            assert_eq!(len, self.lists.len(column), "column {column}: a wrong length");
        }
        for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            for_each_entry(&columns, object, b, |column, entry| {
                let held = listed.remove(&(column, object));
                assert_eq!(held.as_ref(), Some(entry), "object {object} in column {column}");
            });
        }
        assert!(listed.is_empty(), "listed where it is not: {:?}", listed.keys().next());
    }
}

impl CachedColumns {
    /// Panics unless the columns hold every cached box, as built or inserted, without a stale entry, and no
    /// other box. The escaped objects must be listed by their boxes.
    pub(crate) fn validate(
        &self,
        cached: &[Aabb],
        escaped: &[u32],
        boxes: &[Aabb],
        entry: impl Fn(u32) -> Option<Origin>,
    ) {
        let Some(columns) = self.columns() else {
            panic!("boxes are cached without columns");
        };
        for origin in [Origin::Built, Origin::Inserted] {
            let mut listed = HashMap::new();
            for column in 0..columns.len() {
                for shelf in self.shelves(origin, column) {
                    validate_shelf(column, shelf, &mut listed);
                }
            }
            listed.retain(|(_, object), _| entry(*object) == Some(origin));
            for (object, b) in (0..).zip(cached).filter(|(_, b)| !b.is_empty()) {
                if entry(object) != Some(origin) {
                    continue;
                }
                let check = |column, expected: &ListedBox| {
                    let held = listed.remove(&(column, object));
                    assert_eq!(held.as_ref(), Some(expected), "object {object} in column {column}");
                };
                for_each_entry(&columns, object, b, check);
            }
            assert!(listed.is_empty(), "cached where it is not: {:?}", listed.keys().next());
        }
        let mut objects = escaped.iter().map(|object| (*object, &boxes[*object as usize]));
        let expected = Bins::of(&columns, &mut objects);
        for column in 0..columns.len() {
            let listed: Vec<_> = self.escaped().entries(column).collect();
            let expected: Vec<_> = expected.entries(column).collect();
            assert_eq!(listed, expected, "escaped objects in column {column}");
        }
    }
}

/// Panics unless the boxes of a shelf are sorted, and its ends are right; adds its entries to `listed`.
fn validate_shelf(column: usize, shelf: Shelf<'_>, listed: &mut HashMap<(usize, u32), ListedBox>) {
    let (mut begin, mut end) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for ((block, away), ends) in shelf.blocks.iter().zip(shelf.away).zip(shelf.ends) {
        for lane in 0..LANES {
            assert!(begin <= block.min[0][lane], "column {column} is not sorted");
            begin = block.min[0][lane];
            end = end.max(block.max[0][lane]);
            let (min, max) = (block.min.map(|of| of[lane]), block.max.map(|of| of[lane]));
            let object = block.objects[lane];
            if object == u32::MAX {
                continue;
            }
            let away = Away(away.0 >> lane & (1 | 1 << LANES));
            let before = listed.insert((column, object), ListedBox { min, max, object, away });
            assert!(before.is_none(), "object {object} is in column {column} twice");
        }
        assert!(*ends >= end, "column {column}: a box ends later than noted");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;
    use crate::managed::Structure;
    use glam::Vec3;

    /// Spoils a sound structure over 8,000 boxes, of which two are absent.
    fn validated(spoil: impl FnOnce(&mut Grid, &mut Vec<Aabb>)) {
        let at = |i: usize| Vec3::from([i % 20, i / 20 % 20, i / 400].map(|place| place as f32));
        let mut boxes: Vec<_> = (0..8000).map(|i| Aabb::around_sphere(at(i), 0.7)).collect();
        (boxes[7], boxes[20]) = (Aabb::EMPTY, Aabb::new(Vec3::ONE, Vec3::ZERO));
        let mut algorithm = Grid::default();
        algorithm.update(&Frame::new(&boxes));
        assert!(algorithm.counters().nodes > 4, "too few columns to spoil");
        algorithm.validate_columns(&boxes);
        spoil(&mut algorithm, &mut boxes);
        algorithm.validate_columns(&boxes);
    }

    #[test]
    #[should_panic(expected = "object 99 in column")]
    fn outdated_box_is_detected() {
        validated(|_, boxes| boxes[99].max.z += 0.01);
    }

    #[test]
    #[should_panic(expected = "listed where it is not")]
    fn absent_object_is_detected() {
        validated(|_, boxes| boxes[99] = Aabb::EMPTY);
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn box_listed_twice_is_detected() {
        validated(|algorithm, boxes| {
            let columns = algorithm.columns().unwrap();
            let mut objects = (0..).zip(&*boxes).chain([(9, &boxes[9])]);
            *algorithm.lists.lend() = Bins::of(&columns, &mut objects);
        });
    }
}
