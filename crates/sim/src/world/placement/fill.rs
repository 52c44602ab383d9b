//! Filling one source with spheres that do not overlap.

use super::lattice::Sites;
use super::occupancy::Occupancy;
use crate::placing::{Placing, PlacingEnded};
use crate::scene::Source;
use broadphase::Aabb;
use glam::Vec3;
use rand::RngExt;
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
    let for_all = inside(source, largest).filter(|_| method == Method::Lattice);
    let mut sites = for_all.map(|inside| Sites::new(&inside, largest, radii.len(), rng));
    let tries = if method == Method::Lattice { usize::MAX } else { DARTS };
    let (mark, mut missing) = (occupancy.len(), 0);
    let mut positions = vec![Vec3::ZERO; radii.len()];
    'spheres: for (placed, &sphere) in order.iter().enumerate() {
        placing.reached(mark + placed)?;
        let (radius, position) = (radii[sphere], &mut positions[sphere]);
        let inside = inside(source, radius);
        let places = std::iter::from_fn(|| match method {
            Method::Lattice => sites.as_mut()?.pop(),
            Method::Darts | Method::Crowd => Some(point_in(&inside?, rng)),
        });
        for place in places.take(tries) {
            let is_free = occupancy.is_free(place, radius);
            placing.worked(occupancy.take_work())?;
            if is_free {
                occupancy.add(place, radius);
                *position = place;
                continue 'spheres;
            }
        }
        missing += 1;
        if method != Method::Crowd {
            break;
        }
        *position =
            inside.map_or_else(|| source.bounds().center(), |inside| point_in(&inside, rng));
    }
    Ok((positions, missing))
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
