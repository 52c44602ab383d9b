//! Filling one source with spheres that do not overlap.

use super::lattice::Sites;
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

/// How the places of a source's spheres are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Random places.
    Darts,
    /// Sites of a lattice, in random order.
    Lattice,
    /// Random places; spheres without a free one overlap others.
    Crowd,
}

/// Fills a source with spheres of the given radii. Returns their centres, and how many found no
/// free place.
pub(super) fn fill(
    source: &Source,
    radii: &[f32],
    occupancy: &mut Occupancy<'_>,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<(Vec<Vec3>, usize), PlacingEnded> {
    let mark = occupancy.len();
    for method in [Method::Darts, Method::Lattice] {
        let (positions, missing) = fill_by(method, source, radii, occupancy, rng, placing)?;
        if missing == 0 {
            return Ok((positions, 0));
        }
        occupancy.truncate(mark);
    }
    fill_by(Method::Crowd, source, radii, occupancy, rng, placing)
}

/// Places all spheres by one method, which but for [`Method::Crowd`] ends at the first sphere without a free place. Returns as
/// [`fill`].
fn fill_by(
    method: Method,
    source: &Source,
    radii: &[f32],
    occupancy: &mut Occupancy<'_>,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<(Vec<Vec3>, usize), PlacingEnded> {
    // The largest first: small ones still find room between large ones, not the other way round.
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|a, b| radii[*b].total_cmp(&radii[*a]));
    let largest = order.first().map_or(0.0, |sphere| radii[*sphere]);
    let inside_all = inside(source, largest).filter(|_| method == Method::Lattice);
    let mut sites = inside_all.map(|inside| Sites::new(&inside, largest, radii.len()));
    if let Some(sites) = &mut sites {
        sites.left.shuffle(rng);
    }
    let (mark, mut missing) = (occupancy.len(), 0);
    let mut positions = vec![Vec3::ZERO; radii.len()];
    for (placed, &sphere) in order.iter().enumerate() {
        placing.reached(mark + placed)?;
        placing.worked(occupancy.take_work())?;
        let radius = radii[sphere];
        let free = match method {
            Method::Lattice => free_site(&mut sites, radius, occupancy, placing)?,
            Method::Darts | Method::Crowd => throw_darts(source, radius, occupancy, rng),
        };
        if let Some(center) = free {
            occupancy.add(center, radius);
            positions[sphere] = center;
            continue;
        }
        missing += 1;
        if method != Method::Crowd {
            break;
        }
        let inside = inside(source, radius);
        positions[sphere] =
            inside.map_or_else(|| source.bounds().center(), |inside| point_in(&inside, rng));
    }
    Ok((positions, missing))
}

/// The next site at which a sphere is free.
fn free_site(
    sites: &mut Option<Sites>,
    radius: f32,
    occupancy: &Occupancy<'_>,
    placing: &mut Placing<'_>,
) -> Result<Option<Vec3>, PlacingEnded> {
    while let Some(site) = sites.as_mut().and_then(Sites::pop) {
        if occupancy.is_free(site, radius) {
            return Ok(Some(site));
        }
        placing.worked(occupancy.take_work())?;
    }
    Ok(None)
}

/// A free place for a sphere in a source, among some random ones.
fn throw_darts(
    source: &Source,
    radius: f32,
    occupancy: &Occupancy<'_>,
    rng: &mut ChaCha8Rng,
) -> Option<Vec3> {
    let inside = inside(source, radius)?;
    (0..DARTS).map(|_| point_in(&inside, rng)).find(|center| occupancy.is_free(*center, radius))
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
