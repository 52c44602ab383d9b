//! Filling one source with spheres that do not overlap.

use super::super::obstacle_grid::ObstacleGrid;
use super::lattice::Sites;
use super::occupancy::Occupancy;
use crate::placing::{Placing, PlacingEnded};
use crate::scene::Source;
use broadphase::Aabb;
use glam::Vec3;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;

/// Places tried for a sphere before its source is filled from the lattice.
const DARTS: usize = 200;

/// The space that is already occupied.
pub(super) struct Space<'a> {
    pub(super) occupancy: Occupancy,
    pub(super) obstacles: &'a ObstacleGrid,
    /// What the search for free places has taken since it was last reported, in objects and cells visited.
    pub(super) work: Cell<usize>,
}

impl Space<'_> {
    fn is_free(&self, center: Vec3, radius: f32) -> bool {
        let mut work = self.work.take();
        let is_free = self.is_clear_of_obstacles(center, radius, &mut work)
            && self.occupancy.is_free(center, radius, &mut work);
        self.work.set(work);
        is_free
    }

    fn is_clear_of_obstacles(&self, center: Vec3, radius: f32, work: &mut usize) -> bool {
        let mut clear = true;
        self.obstacles.for_each_near(&Aabb::around_sphere(center, radius), |obstacle| {
            *work += 1;
            let b = obstacle.bounds();
            let nearest = center.clamp(b.min, b.max);
            clear &= center.distance_squared(nearest) >= radius * radius;
        });
        clear
    }
}

/// Finds a free place for a sphere of a radius.
type Find<'a> =
    dyn FnMut(&Space<'_>, f32, &mut Placing<'_>) -> Result<Option<Vec3>, PlacingEnded> + 'a;

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
    let mut place_all = |space: &mut Space<'_>, placing: &mut Placing<'_>, find: &mut Find<'_>| {
        for (placed, &sphere) in order.iter().enumerate() {
            placing.reached(mark + placed)?;
            placing.worked(space.work.take())?;
            let Some(center) = find(space, radii[sphere], placing)? else { return Ok(false) };
            space.occupancy.add(center, radii[sphere]);
            positions[sphere] = center;
        }
        Ok(true)
    };
    let mut darts = |space: &Space<'_>, radius: f32, _: &mut Placing<'_>| {
        Ok(throw_darts(source, radius, space, rng))
    };
    if place_all(space, placing, &mut darts)? {
        return Ok((positions, 0));
    }
    space.occupancy.truncate(mark);
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let mut sites = inside(source, largest).map(|inside| Sites::new(&inside, largest, radii.len()));
    if let Some(sites) = &mut sites {
        sites.left.shuffle(rng);
    }
    let mut next_site = |space: &Space<'_>, radius: f32, placing: &mut Placing<'_>| {
        while let Some(site) = sites.as_mut().and_then(Sites::pop) {
            if space.is_free(site, radius) {
                return Ok(Some(site));
            }
            placing.worked(space.work.take())?;
        }
        Ok(None)
    };
    if place_all(space, placing, &mut next_site)? {
        return Ok((positions, 0));
    }
    space.occupancy.truncate(mark);
    crowd(source, radii, &order, space, rng, placing)
}

/// Fills a source that is too small: spheres without a free place overlap others. Returns as [`fill`].
fn crowd(
    source: &Source,
    radii: &[f32],
    order: &[usize],
    space: &mut Space<'_>,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<(Vec<Vec3>, usize), PlacingEnded> {
    let mark = space.occupancy.len();
    let mut positions = vec![Vec3::ZERO; radii.len()];
    let mut crowded = 0;
    for (placed, &sphere) in order.iter().enumerate() {
        placing.reached(mark + placed)?;
        placing.worked(space.work.take())?;
        let radius = radii[sphere];
        let free = throw_darts(source, radius, space, rng);
        positions[sphere] = free.unwrap_or_else(|| match inside(source, radius) {
            Some(inside) => point_in(&inside, rng),
            None => source.bounds().center(),
        });
        match free {
            Some(center) => space.occupancy.add(center, radius),
            None => crowded += 1,
        }
    }
    Ok((positions, crowded))
}

/// A free place for a sphere in a source, among some random ones.
fn throw_darts(
    source: &Source,
    radius: f32,
    space: &Space<'_>,
    rng: &mut ChaCha8Rng,
) -> Option<Vec3> {
    let inside = inside(source, radius)?;
    (0..DARTS).map(|_| point_in(&inside, rng)).find(|center| space.is_free(*center, radius))
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
