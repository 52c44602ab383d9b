//! Which of many boxes that never move are near a moving object.

use broadphase::Aabb;
use glam::{IVec3, Vec3};

/// Cells along the longest side of the boxes' bounds, at first.
const CELLS: f32 = 32.0;

/// Most listings: this many cells for each box on average, and `LISTINGS_FREE` more. Cells are enlarged
/// until their listings are no more than that.
const LISTINGS_PER_OBJECT: usize = 16;
const LISTINGS_FREE: usize = 100_000;

/// Boxes, listed in every cell of a uniform grid that they touch.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxGrid {
    boxes: Vec<Aabb>,
    bounds: Aabb,
    /// Side of a cell.
    side: f32,
    /// Cells per axis.
    size: IVec3,
    /// The boxes of each cell, cell after cell, and where each cell's begin.
    listed: Vec<u32>,
    starts: Vec<usize>,
}

impl BoxGrid {
    pub(super) fn new(boxes: Vec<Aabb>) -> Self {
        let mut grid = Self { bounds: Aabb::bounds(&boxes), boxes, ..Self::default() };
        if grid.bounds.is_empty() {
            return grid;
        }
        let most = LISTINGS_PER_OBJECT * grid.boxes.len() + LISTINGS_FREE;
        let mut along = CELLS;
        while grid.divide(along) > most && along > 1.0 {
            along /= 2.0;
        }
        let mut listings = Vec::new();
        for (index, bounds) in (0..).zip(&grid.boxes) {
            for_each_between(grid.range(bounds), |at| listings.push((grid.index(at), index)));
        }
        listings.sort_unstable();
        let cells = grid.size.as_usizevec3().element_product();
        let start = |cell| listings.partition_point(|(listed, _)| *listed < cell);
        grid.starts = (0..=cells).map(start).collect();
        grid.listed = listings.into_iter().map(|(_, index)| index).collect();
        grid
    }

    /// Lays cells over the bounds, `along` the longest side; returns the number of their listings.
    fn divide(&mut self, along: f32) -> usize {
        // A single point has no extent to divide.
        self.side = (self.bounds.size().max_element() / along).max(f32::MIN_POSITIVE);
        self.size = (self.bounds.size() / self.side).ceil().as_ivec3().max(IVec3::ONE);
        let touched = |bounds: &Aabb| {
            let (low, high) = self.range(bounds);
            (high - low + 1).as_usizevec3().element_product()
        };
        self.boxes.iter().map(touched).sum()
    }

    /// Calls `visit` once with the index of every box that overlaps `region`.
    pub(super) fn for_each_near(&self, region: &Aabb, mut visit: impl FnMut(usize)) {
        if self.boxes.is_empty() || !region.overlaps(&self.bounds) {
            return;
        }
        let (low, high) = self.range(region);
        if (high - low + 1).as_usizevec3().element_product() > self.boxes.len() {
            // A long path among few boxes.
            let near = self.boxes.iter().enumerate().filter(|(_, bounds)| bounds.overlaps(region));
            return near.for_each(|(index, _)| visit(index));
        }
        for_each_between((low, high), |at| {
            let cell = self.index(at);
            for index in &self.listed[self.starts[cell]..self.starts[cell + 1]] {
                let index = *index as usize;
                let bounds = &self.boxes[index];
                // A box in several of these cells is visited in the first of them.
                if self.cell_of(bounds.min).max(low) == at && bounds.overlaps(region) {
                    visit(index);
                }
            }
        });
    }

    /// The lowest and the highest cell that a region touches.
    fn range(&self, region: &Aabb) -> (IVec3, IVec3) {
        (self.cell_of(region.min), self.cell_of(region.max))
    }

    /// The cell of a point, or the nearest cell if it is outside the grid. It is monotonic in each
    /// coordinate, so overlapping boxes share a cell however coordinates are rounded.
    fn cell_of(&self, point: Vec3) -> IVec3 {
        // The cast saturates.
        let cell = ((point - self.bounds.min) / self.side).floor().as_ivec3();
        cell.clamp(IVec3::ZERO, self.size - 1)
    }

    fn index(&self, at: IVec3) -> usize {
        let (at, size) = (at.as_usizevec3(), self.size.as_usizevec3());
        (at.z * size.y + at.y) * size.x + at.x
    }
}

fn for_each_between((low, high): (IVec3, IVec3), mut visit: impl FnMut(IVec3)) {
    for z in low.z..=high.z {
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                visit(IVec3::new(x, y, z));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_all_are_visited_once(boxes: &[Aabb], regions: &[Aabb]) {
        let grid = BoxGrid::new(boxes.to_vec());
        assert!(grid.listed.len() <= LISTINGS_PER_OBJECT * boxes.len() + LISTINGS_FREE);
        for region in regions {
            let mut seen = Vec::new();
            grid.for_each_near(region, |index| seen.push(index));
            seen.sort_unstable();
            let near = (0..boxes.len()).filter(|index| boxes[*index].overlaps(region));
            assert!(near.eq(seen), "{region:?}");
        }
    }

    #[test]
    fn every_overlapping_box_is_visited_once() {
        // Walls normal to x in two rows. Far from the origin coordinates are coarse, and the outermost walls stand on the
        // faces of the grid.
        for shift in [0.0, 1e4, 1e6] {
            let wall = |i: i32| {
                let corner = Vec3::new(shift + i as f32 * 0.37 - 9.0, (i % 7) as f32, -1.0);
                Aabb::new(corner, corner + Vec3::new(0.0, 0.3, 2.0))
            };
            let walls: Vec<Aabb> = (0..60).map(wall).collect();
            let region = |step: i32| {
                let s = step as f32;
                let (x, y) = ((s * 0.61) % 24.0 - 12.0, (s * 0.37) % 9.0 - 1.0);
                let center = Vec3::new(shift + x, y, s % 3.0 - 1.5);
                Aabb::around_sphere(center, 0.1 + (s % 5.0) * 0.3)
            };
            let regions = (0..200).map(region).chain(walls.iter().copied());
            assert_all_are_visited_once(&walls, &regions.collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_large_boxes_take_larger_cells() {
        let plane = |i: i32| {
            let corner = Vec3::new(-1.0, -1.0, i as f32 * 1e-4);
            Aabb::new(corner, corner + Vec3::new(2.0, 2.0, 0.0))
        };
        let boxes: Vec<_> = (0..20_000).map(plane).collect();
        assert_all_are_visited_once(&boxes, &[Aabb::around_sphere(Vec3::splat(0.5), 0.01)]);
        let everywhere = [Aabb::around_sphere(Vec3::ZERO, 1e30)];
        assert_all_are_visited_once(&[], &everywhere);
        assert_all_are_visited_once(&[Aabb::new(Vec3::ONE, Vec3::ONE)], &everywhere);
    }
}
