//! The invariants.

use super::Grid;
use super::bins::{Bins, ListedBox};
use super::cached::{CachedColumns, Origin};
use super::shelves::Shelf;
use crate::Aabb;
use crate::simd::LANES;
use crate::sweep::Away;

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
        let expected = Bins::of(&columns, &mut (0..).zip(boxes));
        for column in 0..columns.len() {
            let listed = self.lists.entries(column).copied();
            assert_listed(column, listed, expected.entries(column));
            assert_eq!(self.lists.len(column), expected.len(column), "a wrong length");
        }
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
        let Some(columns) = self.columns else {
            panic!("boxes are cached without columns");
        };
        for origin in [Origin::Built, Origin::Inserted] {
            let is_held = |object: u32| entry(object) == Some(origin);
            let mut held = (0..).zip(cached).filter(|(object, _)| is_held(*object));
            let expected = Bins::of(&columns, &mut held);
            for column in 0..columns.len() {
                let listed = self.shelves(origin, column).flat_map(|shelf| entries(column, shelf));
                let listed = listed.filter(|entry| is_held(entry.object));
                assert_listed(column, listed, expected.entries(column));
            }
        }
        let mut objects = escaped.iter().map(|object| (*object, &boxes[*object as usize]));
        let expected = Bins::of(&columns, &mut objects);
        for column in 0..columns.len() {
            let listed = self.grid.lists.entries(column).copied();
            assert_listed(column, listed, expected.entries(column));
        }
    }
}

/// Panics unless a column lists the expected boxes, each once, in any order.
fn assert_listed<'a>(
    column: usize,
    listed: impl Iterator<Item = ListedBox>,
    expected: impl Iterator<Item = &'a ListedBox>,
) {
    let [mut listed, mut expected] = [listed.collect::<Vec<_>>(), expected.copied().collect()];
    for list in [&mut listed, &mut expected] {
        list.sort_by_key(|entry| entry.object);
    }
    let same = listed.iter().zip(&expected).take_while(|(entry, other)| entry == other).count();
    let [listed, expected] = [listed.get(same), expected.get(same)];
    assert_eq!(listed, expected, "column {column}: listed and expected");
}

/// The entries of a shelf. Panics unless they are sorted, and their ends are right.
fn entries(column: usize, shelf: Shelf<'_>) -> Vec<ListedBox> {
    let (mut begin, mut end) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    let mut entries = Vec::new();
    for ((block, away), ends) in shelf.blocks.iter().zip(shelf.away).zip(shelf.ends) {
        for lane in 0..LANES {
            assert!(begin <= block.min[0][lane], "column {column} is not sorted");
            begin = block.min[0][lane];
            end = end.max(block.max[0][lane]);
            let (min, max) = (block.min.map(|of| of[lane]), block.max.map(|of| of[lane]));
            let away = Away(away.0 >> lane & (1 | 1 << LANES));
            entries.push(ListedBox { min, max, object: block.objects[lane], away });
        }
        assert!(*ends >= end, "column {column}: a box ends later than noted");
    }
    entries.retain(|entry| entry.object != u32::MAX);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;
    use crate::managed::{Fault, Structure, assert_faults_are_caught};
    use glam::Vec3;

    /// A grid of several columns over 8,000 boxes, of which two are absent.
    fn filled() -> (Grid, Vec<Aabb>) {
        let at = |i: usize| Vec3::from([i % 20, i / 20 % 20, i / 400].map(|place| place as f32));
        let mut boxes: Vec<_> = (0..8000).map(|i| Aabb::around_sphere(at(i), 0.7)).collect();
        (boxes[7], boxes[20]) = (Aabb::EMPTY, Aabb::new(Vec3::ONE, Vec3::ZERO));
        let mut algorithm = Grid::default();
        algorithm.update(&Frame::new(&boxes));
        assert!(algorithm.counters().nodes > 4, "too few columns to spoil");
        (algorithm, boxes)
    }

    #[test]
    fn validate_catches_each_fault() {
        let faults: [Fault<(Grid, Vec<Aabb>)>; 3] = [
            ("object: 99", |(_, boxes)| boxes[99].max.z += 0.01),
            ("object: 99", |(_, boxes)| boxes[99] = Aabb::EMPTY),
            ("object: 9", |(grid, boxes)| {
                let mut objects = (0..).zip(&*boxes).chain([(9, &boxes[9])]);
                *grid.lists.lend() = Bins::of(&grid.columns().unwrap(), &mut objects);
            }),
        ];
        assert_faults_are_caught(filled, |(grid, boxes)| grid.validate_columns(boxes), &faults);
    }
}
