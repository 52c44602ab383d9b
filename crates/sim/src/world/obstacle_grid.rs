//! Which obstacles a moving sphere may meet.

use super::box_grid::BoxGrid;
use crate::scene::Obstacle;
use broadphase::Aabb;

/// The obstacles, listed by where they are.
#[derive(Clone, Debug)]
pub(super) struct ObstacleGrid {
    obstacles: Vec<Obstacle>,
    grid: BoxGrid,
}

impl ObstacleGrid {
    pub(super) fn new(obstacles: &[Obstacle]) -> Self {
        let boxes: Vec<_> = obstacles.iter().map(Obstacle::bounds).collect();
        let grid = BoxGrid::new(&boxes);
        Self { obstacles: obstacles.to_vec(), grid }
    }

    /// Calls `visit` once with every obstacle whose box overlaps `region`.
    pub(super) fn for_each_near(&self, region: &Aabb, mut visit: impl FnMut(&Obstacle)) {
        self.grid.for_each_near(region, |index| visit(&self.obstacles[index]));
    }
}
