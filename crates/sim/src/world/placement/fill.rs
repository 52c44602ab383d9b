//! Filling one source with spheres that do not overlap.

use super::super::obstacle_grid::ObstacleGrid;
use super::lattice;
use super::occupancy::Occupancy;
use crate::placing::{Placing, PlacingEnded};
use crate::scene::Source;
use broadphase::Aabb;
use glam::Vec3;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Places tried for a sphere before its source is filled from the lattice.
const DARTS: usize = 200;

/// The space that is already occupied.
pub(super) struct Space<'a> {
    pub(super) occupancy: Occupancy,
    pub(super) obstacles: &'a ObstacleGrid,
}

impl Space<'_> {
    fn is_free(&self, center: Vec3, radius: f32) -> bool {
        self.is_clear_of_obstacles(center, radius) && self.occupancy.is_free(center, radius)
    }

    fn is_clear_of_obstacles(&self, center: Vec3, radius: f32) -> bool {
        let mut clear = true;
        self.obstacles.for_each_near(&Aabb::around_sphere(center, radius), |obstacle| {
            let b = obstacle.bounds();
            let nearest = center.clamp(b.min, b.max);
            clear &= center.distance_squared(nearest) >= radius * radius;
        });
        clear
    }
}

/// Fills a source with spheres of the given radii. Returns their centres, and how many found no
/// free place.
pub(super) fn fill(
    source: &Source,
    radii: &[f32],
    space: &mut Space<'_>,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<(Vec<Vec3>, usize), PlacingEnded> {
    // The largest first: small ones still find room between large ones, not the other way round.
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|a, b| radii[*b].total_cmp(&radii[*a]));
    let mark = space.occupancy.len();
    let mut positions = vec![Vec3::ZERO; radii.len()];
    // Whether all found a place.
    let mut place_all =
        |space: &mut Space<'_>,
         placing: &mut Placing<'_>,
         find: &mut dyn FnMut(&Space<'_>, f32) -> Option<Vec3>| {
            for (placed, &sphere) in order.iter().enumerate() {
                placing.reached(mark + placed)?;
                let Some(center) = find(space, radii[sphere]) else { return Ok(false) };
                space.occupancy.add(center, radii[sphere]);
                positions[sphere] = center;
            }
            Ok(true)
        };
    let darts = |space: &Space<'_>, radius: f32, rng: &mut ChaCha8Rng| {
        let inside = inside(source, radius)?;
        (0..DARTS).map(|_| point_in(&inside, rng)).find(|center| space.is_free(*center, radius))
    };
    if place_all(space, placing, &mut |space, radius| darts(space, radius, rng))? {
        return Ok((positions, 0));
    }
    space.occupancy.truncate(mark);
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let mut sites = inside(source, largest)
        .map_or(Vec::new(), |inside| lattice::sites(&inside, largest, radii.len()));
    sites.shuffle(rng);
    let mut next_site = |space: &Space<'_>, radius: f32| {
        while let Some(site) = sites.pop() {
            if space.is_free(site, radius) {
                return Some(site);
            }
        }
        None
    };
    if place_all(space, placing, &mut next_site)? {
        return Ok((positions, 0));
    }
    space.occupancy.truncate(mark);
    let mut crowded = 0;
    for (placed, &sphere) in order.iter().enumerate() {
        placing.reached(mark + placed)?;
        let radius = radii[sphere];
        let inside = inside(source, radius);
        let free = darts(space, radius, rng);
        crowded += usize::from(free.is_none());
        let center = free.unwrap_or_else(|| {
            let bounds = source.bounds();
            inside.map_or(bounds.center(), |inside| point_in(&inside, rng))
        });
        if free.is_some() {
            space.occupancy.add(center, radius);
        }
        positions[sphere] = center;
    }
    Ok((positions, crowded))
}

/// The box in which the centre of a sphere may lie to be inside the source; `None` if it does not fit.
fn inside(source: &Source, radius: f32) -> Option<Aabb> {
    let bounds = source.bounds();
    let inside = Aabb::new(bounds.min + radius, bounds.max - radius);
    (!inside.is_empty()).then_some(inside)
}

fn point_in(b: &Aabb, rng: &mut ChaCha8Rng) -> Vec3 {
    let share = Vec3::from(std::array::from_fn(|_| rng.random::<f32>()));
    b.min + (b.max - b.min) * share
}
