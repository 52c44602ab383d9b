//! The occupied places: a uniform grid, in which a sphere is listed in every cell that it may touch.

use crate::scene::Scene;
use broadphase::Aabb;
use glam::{DVec3, IVec3, Vec3};

/// The end of a cell's list.
const END: u32 = u32::MAX;

/// Most cells: enough for about a million spheres.
const MAX_CELLS: f64 = 2e6;

/// A sphere over more cells than this is listed in none of them, but in a separate list.
const MAX_CELLS_OF_ONE: usize = 1 << 15;

/// Spheres by the cells that they touch. The cells have the size that suits the number of spheres,
/// whatever their radii: cells for the largest would crowd the small ones into a few.
#[derive(Debug)]
pub(super) struct Occupancy {
    origin: Vec3,
    cell: f32,
    size: IVec3,
    /// First listing of each cell.
    heads: Vec<u32>,
    listings: Vec<Listing>,
    spheres: Vec<Sphere>,
    /// Spheres over very many cells.
    vast: Vec<u32>,
}

#[derive(Debug)]
struct Listing {
    sphere: u32,
    cell: u32,
    next: u32,
}

#[derive(Debug)]
struct Sphere {
    center: Vec3,
    radius: f32,
}

impl Sphere {
    fn is_clear_of(&self, center: Vec3, radius: f32) -> bool {
        let reach = radius + self.radius;
        center.distance_squared(self.center) >= reach * reach
    }
}

impl Occupancy {
    /// For `n` spheres of a scene.
    pub(super) fn new(scene: &Scene, n: usize) -> Self {
        let balls = scene.balls.iter().map(|ball| ball.center);
        let bodies = scene.placed_bodies.iter().map(|body| body.center);
        let points = balls.chain(bodies).map(|center| Aabb::new(center, center));
        let bounds = points.fold(scene.bounds(), |all, b| all.union(&b));
        let bounds = if bounds.is_empty() { Aabb::new(Vec3::ZERO, Vec3::ZERO) } else { bounds };
        let extent = bounds.max.as_dvec3() - bounds.min.as_dvec3();
        let per_axis = |cell: f64| (extent / cell).floor() + DVec3::ONE;
        // From one cell for all, a quarter smaller each time, until there is about one for each sphere. Flat
        // and thin spaces have their cells along their long sides; a point has one.
        let wanted = (n as f64).clamp(1.0, MAX_CELLS);
        let mut cell = extent.max_element().max(f64::from(f32::MIN_POSITIVE));
        while extent != DVec3::ZERO && per_axis(cell * 0.75).element_product() <= wanted {
            cell *= 0.75;
        }
        let size = per_axis(cell).as_ivec3();
        Self {
            origin: bounds.min,
            cell: cell as f32,
            size,
            heads: vec![END; size.as_usizevec3().element_product()],
            listings: Vec::with_capacity(n),
            spheres: Vec::with_capacity(n),
            vast: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Adds a sphere, free or not.
    pub(super) fn add(&mut self, center: Vec3, radius: f32) {
        let sphere = self.spheres.len() as u32;
        self.spheres.push(Sphere { center, radius });
        let (low, high) = self.cells_of(center, radius);
        if (high - low + 1).as_usizevec3().element_product() > MAX_CELLS_OF_ONE {
            self.vast.push(sphere);
            return;
        }
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let cell = self.index(IVec3::new(x, y, z));
                    let next = std::mem::replace(&mut self.heads[cell], self.listings.len() as u32);
                    self.listings.push(Listing { sphere, cell: cell as u32, next });
                }
            }
        }
    }

    /// Removes the last spheres until `len` are left.
    pub(super) fn truncate(&mut self, len: usize) {
        self.spheres.truncate(len);
        self.vast.retain(|sphere| (*sphere as usize) < len);
        while let Some(last) = self.listings.pop_if(|last| last.sphere as usize >= len) {
            self.heads[last.cell as usize] = last.next;
        }
    }

    /// Whether a sphere would touch no other.
    pub(super) fn is_free(&self, center: Vec3, radius: f32) -> bool {
        let clear = |sphere: u32| self.spheres[sphere as usize].is_clear_of(center, radius);
        if !self.vast.iter().all(|sphere| clear(*sphere)) {
            return false;
        }
        let (low, high) = self.cells_of(center, radius);
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let mut next = self.heads[self.index(IVec3::new(x, y, z))];
                    while let Some(listing) = self.listings.get(next as usize) {
                        if !clear(listing.sphere) {
                            return false;
                        }
                        next = listing.next;
                    }
                }
            }
        }
        true
    }

    /// The lowest and the highest cell that a sphere may touch.
    fn cells_of(&self, center: Vec3, radius: f32) -> (IVec3, IVec3) {
        (self.cell_of(center - radius), self.cell_of(center + radius))
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
    fn spheres_of_all_sizes_are_found() {
        let source =
            Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true };
        let scene = Scene { sources: vec![source], ..Scene::default() };
        let mut occupancy = Occupancy::new(&scene, 500_000);
        occupancy.add(Vec3::ZERO, 0.3);
        occupancy.add(Vec3::new(0.9, 0.9, 0.9), 1e-3);
        for (x, free) in [(0.29, false), (0.32, true)] {
            assert_eq!(occupancy.is_free(Vec3::X * x, 0.01), free, "{x}");
        }
        assert!(!occupancy.is_free(Vec3::splat(0.9005), 1e-3));
        assert!(!occupancy.is_free(Vec3::new(0.8, 0.9, 0.9), 0.11));
        // So large that it would be listed in most cells.
        occupancy.add(Vec3::new(0.0, 0.0, -1000.0), 1000.8);
        assert_eq!(occupancy.vast, [2]);
        assert!(!occupancy.is_free(Vec3::new(0.0, 0.0, 0.75), 0.01));
        assert!(occupancy.is_free(Vec3::new(0.0, 0.0, 0.85), 0.01));
    }

    #[test]
    fn place_is_free_again_when_its_sphere_is_removed() {
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
