//! One area: its part of space, and its run of the list of objects.

use crate::Aabb;
use glam::Vec3;
use std::ops::Range;

/// An area, and the positions of its objects in the list of all areas.
#[derive(Clone, Debug)]
pub(super) struct Area {
    /// Half open: it holds its lower faces, not its upper ones, so every point lies in one area.
    pub(super) region: Aabb,
    /// Its run of the list.
    pub(super) run: Range<usize>,
}

impl Area {
    /// `counts` are the areas of a world along x and y. They come row by row in ascending y, each in ascending x.
    pub(super) fn divide(world: &Aabb, counts: [usize; 2]) -> Vec<Area> {
        let [columns, rows] = [0, 1].map(|axis| borders(world, axis, counts[axis]));
        let mut areas = Vec::with_capacity(counts[0] * counts[1]);
        for y in rows.windows(2) {
            for x in columns.windows(2) {
                let min = Vec3::new(x[0], y[0], f32::NEG_INFINITY);
                let max = Vec3::new(x[1], y[1], f32::INFINITY);
                areas.push(Area { region: Aabb::new(min, max), run: 0..0 });
            }
        }
        areas
    }

    /// Whether a part of a box lies in the area.
    #[inline]
    pub(super) fn is_touched_by(&self, b: &Aabb) -> bool {
        !b.is_empty() && b.min.cmplt(self.region.max).all() && self.region.min.cmple(b.max).all()
    }

    /// Whether a point lies in the area.
    #[inline]
    pub(super) fn holds(&self, point: Vec3) -> bool {
        self.region.min.cmple(point).all() && point.cmplt(self.region.max).all()
    }
}

/// The borders of the areas along an axis. The outermost are infinite: no object is outside.
fn borders(world: &Aabb, axis: usize, count: usize) -> Vec<f32> {
    let (low, high) = (f64::from(world.min[axis]), f64::from(world.max[axis]));
    // In f64, so that rounding keeps their order in the smallest world.
    let border = |k| (low + (high - low) * k as f64 / count as f64) as f32;
    let mut borders: Vec<_> = (0..=count).map(border).collect();
    (borders[0], borders[count]) = (f32::NEG_INFINITY, f32::INFINITY);
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_is_in_one_area() {
        let areas = Area::divide(&Aabb::new(Vec3::ZERO, Vec3::new(4.0, 8.0, 1.0)), [4, 4]);
        assert_eq!(areas.len(), 16);
        for (point, owner) in [(Vec3::new(1.0, 1.9, 0.5), 1), (Vec3::new(-99.0, 2.0, 77.0), 4)] {
            let owners: Vec<_> = (0..16).filter(|area| areas[*area].holds(point)).collect();
            assert_eq!(owners, [owner], "{point}");
        }
    }

    #[test]
    fn borders_of_degenerate_worlds_are_sorted() {
        for corner in [0.0, 1e7 + 1.0, -3e38, 1e-45] {
            for world in [
                Aabb::new(Vec3::splat(corner), Vec3::splat(corner)),
                Aabb::new(Vec3::splat(corner), Vec3::splat(corner.next_up())),
                Aabb::new(Vec3::splat(-f32::MAX), Vec3::splat(f32::MAX)),
            ] {
                let borders = borders(&world, 0, 4);
                assert!(borders.is_sorted(), "{borders:?}");
                assert!(borders[1..4].iter().all(|border| border.is_finite()), "{borders:?}");
            }
        }
    }
}
