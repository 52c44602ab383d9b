//! The occupied places: nested uniform grids. A sphere is listed in few cells of the grid that suits its size.

use crate::scene::Scene;
use broadphase::Aabb;
use glam::{DVec3, IVec3, Vec3};

/// The end of a cell's list.
const END: u32 = u32::MAX;

/// Most cells of the finest grid: enough for about a million spheres.
const MAX_CELLS: f64 = 2e6;

/// Most cells that list one sphere. One as wide as a cell touches two along each axis.
const MAX_LISTINGS: usize = 8;

/// Spheres by the cells that they touch. The cells of the finest grid have the size that suits the number of
/// spheres, whatever their radii: cells for the largest would crowd the small ones into a few.
///
/// Memory is linear in the number of spheres, however large they are and however many overlap.
#[derive(Debug)]
pub(super) struct Occupancy {
    /// The finest first; cells are twice as wide from one to the next.
    grids: Vec<Grid>,
    /// First listing of each cell, grid by grid.
    heads: Vec<u32>,
    listings: Vec<Listing>,
    spheres: Vec<Sphere>,
}

#[derive(Debug)]
struct Grid {
    origin: Vec3,
    cell: f32,
    size: IVec3,
    /// Index of its first cell.
    first: usize,
    /// How many spheres it lists.
    spheres: usize,
}

#[derive(Debug)]
struct Listing {
    sphere: u32,
    /// Of the same cell.
    next: u32,
}

#[derive(Debug)]
struct Sphere {
    center: Vec3,
    radius: f32,
    /// Index of the grid that lists it.
    grid: u32,
}

impl Sphere {
    fn is_clear_of(&self, center: Vec3, radius: f32) -> bool {
        let reach = radius + self.radius;
        center.distance_squared(self.center) >= reach * reach
    }
}

impl Grid {
    /// The lowest and the highest cell that a sphere may touch, and the number of cells between them.
    fn cells_of(&self, center: Vec3, radius: f32) -> (IVec3, IVec3, usize) {
        let (low, high) = (self.cell_of(center - radius), self.cell_of(center + radius));
        (low, high, (high - low + 1).as_usizevec3().element_product())
    }

    /// The cell of a point, or the nearest one. It is monotonic in each coordinate.
    fn cell_of(&self, point: Vec3) -> IVec3 {
        let cell = ((point - self.origin) / self.cell).as_ivec3();
        cell.clamp(IVec3::ZERO, self.size - 1)
    }

    /// The indices of the cells from `low` to `high`.
    fn each_between(&self, low: IVec3, high: IVec3) -> impl Iterator<Item = usize> {
        let (low, high) = (low.as_usizevec3(), high.as_usizevec3());
        let (size, first) = (self.size.as_usizevec3(), self.first);
        let row = move |z, y| (low.x..=high.x).map(move |x| first + (z * size.y + y) * size.x + x);
        (low.z..=high.z).flat_map(move |z| (low.y..=high.y).flat_map(move |y| row(z, y)))
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
        let (mut grids, mut cells) = (Vec::new(), 0);
        loop {
            let size = per_axis(cell).as_ivec3();
            let (origin, first) = (bounds.min, cells);
            grids.push(Grid { origin, cell: cell as f32, size, first, spheres: 0 });
            cells += size.as_usizevec3().element_product();
            // Any sphere touches few cells of the coarsest.
            if size.as_usizevec3().element_product() <= MAX_LISTINGS {
                break;
            }
            cell *= 2.0;
        }
        Self {
            grids,
            heads: vec![END; cells],
            listings: Vec::with_capacity(n),
            spheres: Vec::with_capacity(n),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Adds a sphere, free or not.
    pub(super) fn add(&mut self, center: Vec3, radius: f32) {
        let sphere = self.spheres.len() as u32;
        let touched = |grid: &Grid| grid.cells_of(center, radius).2;
        let suits = |grid: &Grid| touched(grid) <= MAX_LISTINGS;
        let at = self.grids.iter().position(suits).unwrap_or(self.grids.len() - 1);
        self.spheres.push(Sphere { center, radius, grid: at as u32 });
        let grid = &mut self.grids[at];
        grid.spheres += 1;
        let (low, high, _) = grid.cells_of(center, radius);
        for cell in grid.each_between(low, high) {
            let next = std::mem::replace(&mut self.heads[cell], self.listings.len() as u32);
            self.listings.push(Listing { sphere, next });
        }
    }

    /// Removes the last spheres until `len` are left.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.spheres.len() > len
            && let Some(Sphere { center, radius, grid }) = self.spheres.pop()
        {
            let grid = &mut self.grids[grid as usize];
            grid.spheres -= 1;
            let (low, high, cells) = grid.cells_of(center, radius);
            // It was the last that was added, so it is the first of each cell.
            for cell in grid.each_between(low, high) {
                self.heads[cell] = self.listings[self.heads[cell] as usize].next;
            }
            self.listings.truncate(self.listings.len() - cells);
        }
    }

    /// Whether a sphere would touch no other. Adds the number of steps that this took to `work`.
    pub(super) fn is_free(&self, center: Vec3, radius: f32, work: &mut usize) -> bool {
        // Large spheres first: they are most likely in the way.
        for grid in self.grids.iter().rev().filter(|grid| grid.spheres > 0) {
            let (low, high, cells) = grid.cells_of(center, radius);
            if cells > self.spheres.len() {
                *work += self.spheres.len();
                return self.spheres.iter().all(|sphere| sphere.is_clear_of(center, radius));
            }
            for cell in grid.each_between(low, high) {
                *work += 1;
                let mut next = self.heads[cell];
                while let Some(listing) = self.listings.get(next as usize) {
                    *work += 1;
                    if !self.spheres[listing.sphere as usize].is_clear_of(center, radius) {
                        return false;
                    }
                    next = listing.next;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Radius, Source};
    use rand::{RngExt, SeedableRng};

    fn is_free(occupancy: &Occupancy, center: Vec3, radius: f32) -> bool {
        occupancy.is_free(center, radius, &mut 0)
    }

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
        // Along a line, half as many from one grid to the next.
        let line = Source { size: Vec3::new(1e6, 0.0, 0.0), ..source };
        let occupancy = Occupancy::new(&Scene { sources: vec![line], ..scene }, 1000);
        assert!(occupancy.heads.len() < 3000, "{} cells", occupancy.heads.len());
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
            assert_eq!(is_free(&occupancy, Vec3::X * x, 0.01), free, "{x}");
        }
        assert!(!is_free(&occupancy, Vec3::splat(0.9005), 1e-3));
        assert!(!is_free(&occupancy, Vec3::new(0.8, 0.9, 0.9), 0.11));
        // So large that it touches most cells of the finest grid.
        occupancy.add(Vec3::new(0.0, 0.0, -1000.0), 1000.8);
        assert!(!is_free(&occupancy, Vec3::new(0.0, 0.0, 0.75), 0.01));
        assert!(is_free(&occupancy, Vec3::new(0.0, 0.0, 0.85), 0.01));
    }

    #[test]
    fn place_is_free_again_when_its_sphere_is_removed() {
        let scene = Scene::default();
        let mut occupancy = Occupancy::new(&scene, 10);
        assert!(is_free(&occupancy, Vec3::ZERO, 0.02));
        occupancy.add(Vec3::ZERO, 0.02);
        occupancy.add(Vec3::X, 0.02);
        assert!(!is_free(&occupancy, Vec3::new(0.03, 0.0, 0.0), 0.02));
        occupancy.truncate(0);
        assert!(is_free(&occupancy, Vec3::new(0.03, 0.0, 0.0), 0.02));
        assert_eq!(occupancy.len(), 0);
    }

    #[test]
    fn spheres_over_all_cells_take_little_memory() {
        let source =
            Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true };
        let scene = Scene { sources: vec![source], ..Scene::default() };
        let n = 33_000;
        let mut occupancy = Occupancy::new(&scene, n);
        for sphere in 0..n {
            occupancy.add(Vec3::ZERO, [9.0, 0.5, 0.1, 0.01][sphere % 4]);
        }
        assert!(occupancy.listings.capacity() <= MAX_LISTINGS * n);
        assert!(!is_free(&occupancy, Vec3::ONE, 0.01));
        occupancy.truncate(0);
        assert!(is_free(&occupancy, Vec3::ONE, 0.01));
    }

    #[test]
    fn free_places_are_those_that_touch_no_sphere() {
        let source =
            Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true };
        let scene = Scene { sources: vec![source], ..Scene::default() };
        let mut occupancy = Occupancy::new(&scene, 2000);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut sphere = |largest: f32| {
            let center = 1.2 * crate::random::draw_vec3(&mut rng);
            (center, largest * libm::powf(1e-3, rng.random()))
        };
        let (mut free, mut tried) = (0, 0);
        for added in 0..400 {
            let (center, radius) = sphere(if added % 50 == 0 { 0.7 } else { 0.1 });
            occupancy.add(center, radius);
            for _ in 0..10 {
                let (center, radius) = sphere(1.0);
                let mut all = occupancy.spheres.iter();
                let expected = all.all(|sphere| sphere.is_clear_of(center, radius));
                assert_eq!(is_free(&occupancy, center, radius), expected, "{center}, {radius}");
                (free, tried) = (free + usize::from(expected), tried + 1);
            }
            if added == 300 {
                occupancy.truncate(100);
            }
        }
        assert!(free > tried / 10 && free < tried / 10 * 9, "{free} of {tried}");
    }
}
