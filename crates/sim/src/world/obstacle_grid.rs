//! Which obstacles a moving sphere may meet.

use crate::scene::Obstacle;
use broadphase::Aabb;
use glam::{IVec3, Vec3};

/// Cells along the longest side of the obstacles' bounds.
const CELLS: f32 = 32.0;

/// The obstacles, listed in every cell of a uniform grid that they touch.
#[derive(Clone, Debug, Default)]
pub(super) struct ObstacleGrid {
    obstacles: Vec<Obstacle>,
    origin: Vec3,
    cell: f32,
    /// Cells per axis; zero where there is no obstacle.
    size: IVec3,
    /// Where each cell's obstacles start in `listed`; one more entry than cells.
    starts: Vec<u32>,
    listed: Vec<u32>,
}

impl ObstacleGrid {
    pub(super) fn new(obstacles: &[Obstacle]) -> Self {
        let bounds = obstacles.iter().fold(Aabb::EMPTY, |all, o| all.union(&o.bounds()));
        if bounds.is_empty() {
            return Self::default();
        }
        // A single point has no extent to divide.
        let cell = (bounds.size().max_element() / CELLS).max(f32::MIN_POSITIVE);
        let size = (bounds.size() / cell).ceil().as_ivec3().max(IVec3::ONE);
        let mut grid = Self {
            obstacles: obstacles.to_vec(),
            origin: bounds.min,
            cell,
            size,
            starts: Vec::new(),
            listed: Vec::new(),
        };
        let mut cells = vec![Vec::new(); size.as_usizevec3().element_product()];
        for (index, obstacle) in obstacles.iter().enumerate() {
            grid.for_each_cell(&obstacle.bounds(), |cell| cells[cell].push(index as u32));
        }
        for cell in cells {
            grid.starts.push(grid.listed.len() as u32);
            grid.listed.extend(cell);
        }
        grid.starts.push(grid.listed.len() as u32);
        grid
    }

    /// Calls `visit` with every obstacle whose box overlaps `region`, perhaps several times.
    pub(super) fn for_each_near(&self, region: &Aabb, mut visit: impl FnMut(&Obstacle)) {
        self.for_each_cell(region, |cell| {
            let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
            for index in &self.listed[start..end] {
                let obstacle = &self.obstacles[*index as usize];
                if obstacle.bounds().overlaps(region) {
                    visit(obstacle);
                }
            }
        });
    }

    /// Calls `visit` with the index of every cell that `region` touches.
    fn for_each_cell(&self, region: &Aabb, mut visit: impl FnMut(usize)) {
        // The float-to-integer cast saturates, so that a region far away is far away here too. The
        // outermost cells also take what rounding has put just outside them.
        let to_cell = |point: Vec3| ((point - self.origin) / self.cell).floor().as_ivec3();
        let slack = Vec3::splat(self.cell * 1e-3);
        let low = to_cell(region.min - slack).max(IVec3::ZERO);
        let high = to_cell(region.max + slack).min(self.size - 1);
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    visit(((z * self.size.y + y) * self.size.x + x) as usize);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Axis;

    #[test]
    fn every_overlapping_obstacle_is_visited() {
        let obstacle = |x: f32, y: f32| Obstacle {
            corner: Vec3::new(x, y, -1.0),
            size: Vec3::new(0.0, 0.3, 2.0),
            normal: Axis::X,
        };
        let obstacles: Vec<_> =
            (0..60).map(|i| obstacle(i as f32 * 0.37 - 9.0, (i % 7) as f32)).collect();
        let grid = ObstacleGrid::new(&obstacles);
        for step in 0..400 {
            let s = step as f32;
            let center = Vec3::new((s * 0.61) % 24.0 - 12.0, (s * 0.37) % 9.0 - 1.0, s % 3.0 - 1.5);
            let region = Aabb::around_sphere(center, 0.1 + (s % 5.0) * 0.3);
            let mut seen = Vec::new();
            grid.for_each_near(&region, |o| {
                if !seen.contains(o) {
                    seen.push(*o);
                }
            });
            let expected =
                obstacles.iter().filter(|o| o.bounds().overlaps(&region)).collect::<Vec<_>>();
            assert_eq!(seen.len(), expected.len(), "{region:?}");
            assert!(expected.iter().all(|o| seen.contains(o)));
        }
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
