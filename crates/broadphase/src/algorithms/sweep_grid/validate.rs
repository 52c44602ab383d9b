//! The invariants.

use super::SweepGrid;
use super::bins::for_each_entry;
use crate::Aabb;
use crate::simd::level;
use fearless_simd::dispatch;
use std::collections::HashMap;

impl SweepGrid {
    pub(super) fn validate_columns(&self, boxes: &[Aabb]) {
        let Some(columns) = self.columns else {
            panic!("no columns, though there was a frame");
        };
        assert_eq!(
            self.bins().is_empty(),
            boxes.is_empty(),
            "bins without boxes, or none for them"
        );
        let mut listed = HashMap::new();
        for column in 0..columns.len() {
            let mut len = 0;
            for (_, entries) in self.bins().iter().flat_map(|bins| bins.chunks(column)) {
                len += entries.len();
                for entry in entries {
                    let before = listed.insert((column, entry.object), *entry);
                    assert!(before.is_none(), "object {} is in a column twice", entry.object);
                }
            }
            assert_eq!(len, self.len(column), "column {column}: a wrong length");
        }
        for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            dispatch!(level(), simd => for_each_entry(simd, &columns, object, b, |column, entry| {
                let held = listed.remove(&(column, object));
                assert_eq!(held.as_ref(), Some(entry), "object {object} in column {column}");
            }));
        }
        assert!(listed.is_empty(), "listed where it is not: {:?}", listed.keys().next());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BroadPhase, Frame};
    use glam::Vec3;

    /// Spoils a sound structure over 8,000 boxes, of which two are absent.
    fn validated(spoil: impl FnOnce(&mut SweepGrid, &mut Vec<Aabb>)) {
        let at = |i: usize| Vec3::from([i % 20, i / 20 % 20, i / 400].map(|place| place as f32));
        let mut boxes: Vec<_> = (0..8000).map(|i| Aabb::around_sphere(at(i), 0.7)).collect();
        (boxes[7], boxes[20]) = (Aabb::EMPTY, Aabb::new(Vec3::ONE, Vec3::ZERO));
        let mut algorithm = SweepGrid::default();
        algorithm.update(&Frame::new(&boxes, 0.1));
        assert!(algorithm.counters().nodes > 4, "too few columns to spoil");
        algorithm.validate_columns(&boxes);
        spoil(&mut algorithm, &mut boxes);
        algorithm.validate_columns(&boxes);
    }

    #[test]
    #[should_panic(expected = "object 99 in column")]
    fn an_old_box_is_noticed() {
        validated(|_, boxes| boxes[99].max.z += 0.01);
    }

    #[test]
    #[should_panic(expected = "listed where it is not")]
    fn an_absent_object_is_noticed() {
        validated(|_, boxes| boxes[99] = Aabb::EMPTY);
    }

    #[test]
    #[should_panic(expected = "in column")]
    fn other_columns_are_noticed() {
        validated(|algorithm, _| {
            let columns = algorithm.columns.as_mut().unwrap();
            columns.origin[0] += 0.5 / columns.per_unit[0];
        });
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn a_box_that_is_listed_twice_is_noticed() {
        validated(|algorithm, boxes| {
            let columns = algorithm.columns.unwrap();
            algorithm.bins.resize_with(2, Default::default);
            algorithm.used = 2;
            let bins = &mut algorithm.bins[1];
            dispatch!(level(), simd => bins.fill(simd, &columns, (0..).zip(&boxes[..1]), 9));
        });
    }
}
