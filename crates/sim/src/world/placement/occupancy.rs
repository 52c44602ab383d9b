//! Where spheres already stand: a uniform grid of linked lists.

use crate::Scene;
use broadphase::Aabb;
use glam::{IVec3, Vec3};

/// No next sphere in a cell.
const END: u32 = u32::MAX;

/// Cells at the most, whatever the sizes: enough for a few spheres in each of a million.
const MAX_CELLS: f64 = 2e6;

/// Spheres by the grid cell of their centre.
#[derive(Debug)]
pub(super) struct Occupancy {
    origin: Vec3,
    /// At least the largest diameter, so that a sphere's neighbours lie in the cells around it.
    cell: f32,
    size: IVec3,
    heads: Vec<u32>,
    spheres: Vec<Placed>,
}

#[derive(Debug)]
struct Placed {
    center: Vec3,
    radius: f32,
    cell: usize,
    next: u32,
}

impl Occupancy {
    /// For `n` spheres of a scene.
    pub(super) fn new(scene: &Scene, n: usize) -> Self {
        let balls = scene.balls.iter().map(|b| Aabb::new(b.center, b.center));
        let bounds = balls.fold(scene.bounds(), |all, b| all.union(&b));
        let balls = scene.balls.iter().filter_map(|b| b.radius);
        let largest = balls.fold(scene.radius.largest(), f32::max);
        let size = if bounds.is_empty() { Vec3::ZERO } else { bounds.size() };
        let cells = (n as f64).clamp(1.0, MAX_CELLS);
        let extent = size.max(Vec3::splat(largest)).as_dvec3();
        let mut cell = (extent.element_product() / cells).cbrt().max(2.0 * f64::from(largest));
        let per_axis = |cell: f64| (size.as_dvec3() / cell).floor() + 1.0;
        // A flat or thin space has more cells than its volume tells.
        while per_axis(cell).element_product() > 2.0 * MAX_CELLS {
            cell *= 1.5;
        }
        let size = per_axis(cell).as_ivec3();
        Self {
            origin: if bounds.is_empty() { Vec3::ZERO } else { bounds.min },
            cell: cell as f32,
            size,
            heads: vec![END; size.as_usizevec3().element_product()],
            spheres: Vec::with_capacity(n),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Adds a sphere, free or not.
    pub(super) fn add(&mut self, center: Vec3, radius: f32) {
        let cell = self.index(self.cell_of(center));
        let next = std::mem::replace(&mut self.heads[cell], self.spheres.len() as u32);
        self.spheres.push(Placed { center, radius, cell, next });
    }

    /// Takes out the last spheres until `len` are left.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.spheres.len() > len
            && let Some(last) = self.spheres.pop()
        {
            self.heads[last.cell] = last.next;
        }
    }

    /// Whether a sphere would touch no other.
    pub(super) fn is_free(&self, center: Vec3, radius: f32) -> bool {
        let middle = self.cell_of(center);
        let (low, high) = ((middle - 1).max(IVec3::ZERO), (middle + 1).min(self.size - 1));
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let mut next = self.heads[self.index(IVec3::new(x, y, z))];
                    while let Some(other) = self.spheres.get(next as usize) {
                        let reach = radius + other.radius;
                        if center.distance_squared(other.center) < reach * reach {
                            return false;
                        }
                        next = other.next;
                    }
                }
            }
        }
        true
    }

    fn cell_of(&self, point: Vec3) -> IVec3 {
        let cell = ((point - self.origin) / self.cell).as_ivec3();
        cell.clamp(IVec3::ZERO, self.size - 1)
    }

    fn index(&self, cell: IVec3) -> usize {
        let (cell, size) = (cell.as_usizevec3(), self.size.as_usizevec3());
        (cell.z * size.y + cell.y) * size.x + cell.x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Radius, Source};

    #[test]
    fn a_vast_flat_space_takes_few_cells() {
        let source = Source {
            corner: Vec3::ZERO,
            size: Vec3::new(1e6, 1e6, 0.01),
            percent: 100.0,
            floor: true,
        };
        let radius = Radius::Equal(1e-3);
        let scene = Scene { radius, sources: vec![source], ..Scene::default() };
        let occupancy = Occupancy::new(&scene, 1000);
        assert!(occupancy.heads.len() < 5_000_000, "{} cells", occupancy.heads.len());
    }

    #[test]
    fn a_place_is_free_again_when_its_sphere_is_taken_out() {
        let scene = Scene::default();
        let mut occupancy = Occupancy::new(&scene, 10);
        assert!(occupancy.is_free(Vec3::ZERO, 0.02));
        occupancy.add(Vec3::ZERO, 0.02);
        occupancy.add(Vec3::X, 0.02);
        assert!(!occupancy.is_free(Vec3::new(0.03, 0.0, 0.0), 0.02));
        occupancy.truncate(0);
        assert!(occupancy.is_free(Vec3::new(0.03, 0.0, 0.0), 0.02));
        assert_eq!(occupancy.len(), 0);
    }
}
