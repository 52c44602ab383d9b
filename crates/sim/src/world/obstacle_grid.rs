//! Which obstacles a moving sphere may meet.

use crate::scene::Obstacle;
use broadphase::Aabb;
use glam::{IVec3, Vec3};

/// Cells along the longest side of the obstacles' bounds, at first.
const CELLS: f32 = 32.0;

/// Most listings: this many cells for each obstacle on average, and `LISTINGS_FREE` more. Cells are enlarged
/// until their listings are no more than that.
const LISTINGS_PER_OBJECT: usize = 16;
const LISTINGS_FREE: usize = 100_000;

/// The obstacles, listed in every cell of a uniform grid that they touch.
#[derive(Clone, Debug)]
pub(super) struct ObstacleGrid {
    obstacles: Vec<Obstacle>,
    bounds: Aabb,
    cell: f32,
    /// Cells per axis.
    size: IVec3,
    /// Where each cell's obstacles start in `listed`; one more entry than cells.
    starts: Vec<usize>,
    /// Obstacles, cell by cell.
    listed: Vec<u32>,
}

impl ObstacleGrid {
    pub(super) fn new(obstacles: &[Obstacle]) -> Self {
        let bounds = obstacles.iter().fold(Aabb::EMPTY, |all, o| all.union(&o.bounds()));
        let mut grid = Self {
            obstacles: obstacles.to_vec(),
            bounds,
            cell: 1.0,
            size: IVec3::ZERO,
            starts: vec![0],
            listed: Vec::new(),
        };
        if bounds.is_empty() {
            return grid;
        }
        let most = LISTINGS_PER_OBJECT * obstacles.len() + LISTINGS_FREE;
        let mut cells = CELLS;
        while grid.divide(cells) > most && cells > 1.0 {
            cells /= 2.0;
        }
        grid.list();
        grid
    }

    /// Lays cells over the bounds; returns the number of their listings.
    fn divide(&mut self, cells: f32) -> usize {
        // A single point has no extent to divide.
        self.cell = (self.bounds.size().max_element() / cells).max(f32::MIN_POSITIVE);
        self.size = (self.bounds.size() / self.cell).ceil().as_ivec3().max(IVec3::ONE);
        let touched = |obstacle: &Obstacle| {
            let (low, high) = self.range(&obstacle.bounds());
            (high - low + 1).as_usizevec3().element_product()
        };
        self.obstacles.iter().map(touched).sum()
    }

    fn list(&mut self) {
        let mut cells = vec![Vec::new(); self.size.as_usizevec3().element_product()];
        for (index, obstacle) in (0..).zip(&self.obstacles) {
            let (low, high) = self.range(&obstacle.bounds());
            for_each_between(low, high, |at| cells[self.index(at)].push(index));
        }
        self.starts.clear();
        for cell in cells {
            self.starts.push(self.listed.len());
            self.listed.extend(cell);
        }
        self.starts.push(self.listed.len());
    }

    /// Calls `visit` once with every obstacle whose box overlaps `region`.
    pub(super) fn for_each_near(&self, region: &Aabb, mut visit: impl FnMut(&Obstacle)) {
        if !region.overlaps(&self.bounds) {
            return;
        }
        let (low, high) = self.range(region);
        for_each_between(low, high, |at| {
            let cell = self.index(at);
            for index in &self.listed[self.starts[cell]..self.starts[cell + 1]] {
                let obstacle = &self.obstacles[*index as usize];
                let bounds = obstacle.bounds();
                // An obstacle in several of these cells is visited in the first of them.
                if self.cell_of(bounds.min).max(low) == at && bounds.overlaps(region) {
                    visit(obstacle);
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
        let cell = ((point - self.bounds.min) / self.cell).floor().as_ivec3();
        cell.clamp(IVec3::ZERO, self.size - 1)
    }

    fn index(&self, at: IVec3) -> usize {
        let (at, size) = (at.as_usizevec3(), self.size.as_usizevec3());
        (at.z * size.y + at.y) * size.x + at.x
    }
}

fn for_each_between(low: IVec3, high: IVec3, mut visit: impl FnMut(IVec3)) {
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
    use broadphase::Axis;

    /// Walls normal to x in two rows, `shift` away from the origin.
    fn walls(shift: f32) -> Vec<Obstacle> {
        let wall = |i: i32| Obstacle {
            corner: Vec3::new(shift + i as f32 * 0.37 - 9.0, (i % 7) as f32, -1.0),
            size: Vec3::new(0.0, 0.3, 2.0),
            normal: Axis::X,
        };
        (0..60).map(wall).collect()
    }

    #[track_caller]
    fn assert_all_are_visited_once(obstacles: &[Obstacle], region: &Aabb) {
        let grid = ObstacleGrid::new(obstacles);
        let mut seen = Vec::new();
        grid.for_each_near(region, |obstacle| seen.push(obstacle.corner.to_array()));
        let near = obstacles.iter().filter(|o| o.bounds().overlaps(region));
        let mut expected: Vec<_> = near.map(|o| o.corner.to_array()).collect();
        seen.sort_by(|a, b| a.partial_cmp(b).unwrap());
        expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(seen, expected, "{region:?}");
    }

    #[test]
    fn every_overlapping_obstacle_is_visited_once() {
        // Far from the origin coordinates are coarse, and the outermost walls stand on the faces of
        // the grid.
        for shift in [0.0, 1e4, 1e6] {
            let obstacles = walls(shift);
            for step in 0..200 {
                let s = step as f32;
                let (x, y) = ((s * 0.61) % 24.0 - 12.0, (s * 0.37) % 9.0 - 1.0);
                let center = Vec3::new(shift + x, y, s % 3.0 - 1.5);
                let region = Aabb::around_sphere(center, 0.1 + (s % 5.0) * 0.3);
                assert_all_are_visited_once(&obstacles, &region);
            }
            for wall in &obstacles {
                assert_all_are_visited_once(&obstacles, &wall.bounds());
            }
        }
    }

    #[test]
    fn many_large_obstacles_take_larger_cells() {
        let plane = |i: i32| Obstacle {
            corner: Vec3::new(-1.0, -1.0, i as f32 * 1e-4),
            size: Vec3::new(2.0, 2.0, 0.0),
            normal: Axis::Z,
        };
        let obstacles: Vec<_> = (0..20_000).map(plane).collect();
        let grid = ObstacleGrid::new(&obstacles);
        assert!(grid.listed.len() <= 16 * 20_000 + 100_000, "{} listings", grid.listed.len());
        assert_all_are_visited_once(&obstacles, &Aabb::around_sphere(Vec3::splat(0.5), 0.01));
    }

    #[test]
    fn no_obstacle_and_a_point_like_one_are_fine() {
        let everywhere = Aabb::around_sphere(Vec3::ZERO, 1e30);
        ObstacleGrid::new(&[]).for_each_near(&everywhere, |_| panic!("there is none"));
        let point = Obstacle { corner: Vec3::ONE, size: Vec3::ZERO, normal: Axis::Z };
        let mut seen = 0;
        ObstacleGrid::new(&[point]).for_each_near(&everywhere, |_| seen += 1);
        assert_eq!(seen, 1);
    }
}
