//! Start positions, sizes and velocities of each named kind.

use super::body::Body;
use super::kinds::GeneratedKind;
use super::named::draw_velocity;
use super::sizes::{DEVIATION, root};
use super::terdiman;
use crate::placing::{Placing, PlacingEnded};
use crate::random::{draw_normal, draw_vec3};
use glam::Vec3;
use rand_chacha::ChaCha8Rng;

/// How many others a box overlaps on average, in the kinds of equal boxes.
const OVERLAPS: f32 = 0.5;

/// The same for the boxes of `statics`, pairs of two static ones counted too.
const STATICS_OVERLAPS: f32 = 10.0;

/// Approximate number of objects of a cluster.
const CLUSTER_OBJECTS: u32 = 500;
/// Standard deviation of a cluster along each axis.
const CLUSTER_SPREAD: f32 = 0.08;

/// Bodies at their start, with the velocities that they have if they move, in units/s.
pub(super) type Placed = Result<Vec<Body>, PlacingEnded>;

/// `n` boxes of a kind.
pub(super) fn bodies(
    kind: GeneratedKind,
    n: u32,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Placed {
    let (flat, upright) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 1.0));
    let mut equal = |overlaps, axes, thick| equal(n, overlaps, axes, thick, rng, placing);
    match kind {
        GeneratedKind::Cluster => clusters(n, rng, placing),
        GeneratedKind::Stadium => stadium(n, rng, placing),
        GeneratedKind::Terdiman => terdiman::bodies(n, placing),
        GeneratedKind::Plane => equal(OVERLAPS, flat, flat),
        GeneratedKind::Line => equal(OVERLAPS, Vec3::X, Vec3::X),
        GeneratedKind::SameX => equal(OVERLAPS, upright, Vec3::ONE),
        GeneratedKind::Statics => equal(STATICS_OVERLAPS, Vec3::ONE, Vec3::ONE),
        GeneratedKind::Gas | GeneratedKind::Brownian | GeneratedKind::Jitter => {
            equal(OVERLAPS, Vec3::ONE, Vec3::ONE)
        }
    }
}

/// Equal boxes uniform in the cube, each of which overlaps `overlaps` others on average. `axes` is 1 on the
/// axes along which they are spread and move, `thick` on those on which they have a thickness; else 0.
fn equal(
    n: u32,
    overlaps: f32,
    axes: Vec3,
    thick: Vec3,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Placed {
    let half = equal_half(n, overlaps, axes.element_sum() as u32);
    let n = n as usize;
    let mut bodies = Vec::with_capacity(n);
    for id in 0..n {
        // The velocities take the other half of the time.
        placing.reached(id / 2)?;
        bodies.push(Body::at_rest(draw_vec3(rng) * (1.0 - half) * axes, thick * half));
    }
    for (id, body) in bodies.iter_mut().enumerate() {
        placing.reached((n + id) / 2)?;
        body.velocity = draw_velocity(rng) * axes;
    }
    Ok(bodies)
}

/// The half side with which each of `n` equal boxes overlaps `overlaps` others on average.
///
/// For two centres uniform in an interval of length L = 2 - 2h, let u = 2h / L. They lie within 2h of each
/// other with the chance 2u - u². Over all axes that chance is to be overlaps / (n - 1).
fn equal_half(n: u32, overlaps: f32, axes: u32) -> f32 {
    let chance = (overlaps / n.saturating_sub(1).max(1) as f32).min(1.0);
    let u = 1.0 - (1.0 - root(chance.into(), axes) as f32).sqrt();
    u / (1.0 + u)
}

fn clusters(n: u32, rng: &mut ChaCha8Rng, placing: &mut Placing<'_>) -> Placed {
    let count = n.div_ceil(CLUSTER_OBJECTS);
    let centers: Vec<Vec3> = (0..count).map(|_| draw_vec3(rng) * 0.7).collect();
    let drifts: Vec<Vec3> = (0..count).map(|_| draw_velocity(rng)).collect();
    let per_cluster = (n / count).max(1) as f32;
    // Two points of a Gaussian lie within 2h of each other along an axis with the chance
    // 2h / (spread √π), for a small h: two overlaps for a box of the middle size.
    let middle = CLUSTER_SPREAD * 0.886 * libm::cbrtf(2.0 / per_cluster).min(1.0);
    let place = |id: u32| {
        placing.reached(id as usize)?;
        let cluster = (id % count) as usize;
        let half = (middle * libm::expf(DEVIATION * draw_normal(rng))).min(0.5);
        let offset = Vec3::from(std::array::from_fn(|_| draw_normal(rng))) * CLUSTER_SPREAD;
        let limit = Vec3::splat(1.0 - half);
        let center = (centers[cluster] + offset).clamp(-limit, limit);
        // The cluster moves on as a whole; its boxes swarm slowly in it.
        let velocity = drifts[cluster] + draw_velocity(rng) * 0.05;
        Ok(Body { velocity, ..Body::at_rest(center, Vec3::splat(half)) })
    };
    (0..n).map(place).collect()
}

fn stadium(n: u32, rng: &mut ChaCha8Rng, placing: &mut Placing<'_>) -> Placed {
    let large = (n / 10).min(10);
    let tiny = equal_half(n, OVERLAPS, 3) / 2.0;
    let place = |id: u32| {
        placing.reached(id as usize)?;
        let (half, speed) = match id {
            0 => (1.0, 0.0),
            _ if id <= large => (0.2, 0.0),
            _ => (tiny, 1.0),
        };
        let body = Body::at_rest(draw_vec3(rng) * (1.0 - half), Vec3::splat(half));
        Ok(Body { velocity: draw_velocity(rng) * speed, ..body })
    };
    (0..n).map(place).collect()
}
