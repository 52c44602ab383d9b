//! Start positions, sizes and velocities of each kind.

use super::bodies::{Bodies, draw_velocity};
use super::kind::GeneratedKind;
use crate::placing::{Placing, PlacingEnded};
use crate::random::{draw_normal, draw_vec3};
use glam::Vec3;
use rand_chacha::ChaCha8Rng;

/// How many others a box overlaps on average, in the kinds of equal boxes.
const OVERLAPS: f32 = 0.5;

/// The same for the boxes of `statics`, pairs of two static ones counted too.
const STATICS_OVERLAPS: f32 = 10.0;

/// Share of the moving objects of `brownian` that get a new velocity in a frame.
const TURNING: f32 = 0.1;

/// Approximate number of objects of a cluster.
const CLUSTER_OBJECTS: u32 = 500;
/// Standard deviation of a cluster along each axis.
const CLUSTER_SPREAD: f32 = 0.08;
/// Standard deviation of the logarithm of a size: the middle 95 % (1.96 of it on either side) span
/// a ratio of 10 to 1.
const SIZE_DEVIATION: f32 = std::f32::consts::LN_10 / (2.0 * 1.96);

/// `n` boxes of a kind at their start; all can move.
pub(super) fn bodies(
    kind: GeneratedKind,
    n: u32,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<Bodies, PlacingEnded> {
    let mut equal = |overlaps, axes, solid| equal(n, overlaps, axes, solid, rng, placing);
    match kind {
        GeneratedKind::Cluster => clusters(n, rng, placing),
        GeneratedKind::Stadium => stadium(n, rng, placing),
        GeneratedKind::Brownian => {
            Ok(Bodies { turning: TURNING, ..equal(OVERLAPS, Vec3::ONE, true)? })
        }
        GeneratedKind::Jitter => {
            let bodies = equal(OVERLAPS, Vec3::ONE, true)?;
            Ok(Bodies { homes: bodies.centers.clone(), ..bodies })
        }
        GeneratedKind::Plane => equal(OVERLAPS, Vec3::new(1.0, 1.0, 0.0), false),
        GeneratedKind::Line => equal(OVERLAPS, Vec3::X, false),
        GeneratedKind::SameX => equal(OVERLAPS, Vec3::new(0.0, 1.0, 1.0), true),
        GeneratedKind::Statics => equal(STATICS_OVERLAPS, Vec3::ONE, true),
        GeneratedKind::Gas | GeneratedKind::Terdiman => equal(OVERLAPS, Vec3::ONE, true),
    }
}

/// Equal boxes uniform in the cube, each of which overlaps `overlaps` others on average. `axes` is 1 on the
/// axes along which they are spread and move. It is 0 on the others, on which they have no thickness unless
/// they are `solid`.
fn equal(
    n: u32,
    overlaps: f32,
    axes: Vec3,
    solid: bool,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<Bodies, PlacingEnded> {
    let n = n as usize;
    let half = equal_half(n as u32, overlaps, axes.element_sum() as u32);
    let halves = if solid { Vec3::splat(half) } else { axes * half };
    let mut centers = Vec::with_capacity(n);
    for id in 0..n {
        // The velocities take the other half of the time.
        placing.reached(id / 2)?;
        centers.push(draw_vec3(rng) * (1.0 - half) * axes);
    }
    let mut velocities = Vec::with_capacity(n);
    for id in 0..n {
        placing.reached((n + id) / 2)?;
        velocities.push(draw_velocity(rng) * axes);
    }
    Ok(Bodies { centers, halves: vec![halves; n], velocities, ..Bodies::default() })
}

/// The half side with which each of `n` equal boxes overlaps `overlaps` others on average.
///
/// For two centres uniform in an interval of length L = 2 - 2h, let u = 2h / L. They lie within 2h of each
/// other with the chance 2u - u². Over all axes that chance is to be overlaps / (n - 1).
fn equal_half(n: u32, overlaps: f32, axes: u32) -> f32 {
    let chance = (overlaps / n.saturating_sub(1).max(1) as f32).min(1.0);
    let on_one_axis = match axes {
        1 => chance,
        2 => chance.sqrt(),
        _ => libm::cbrtf(chance),
    };
    let u = 1.0 - (1.0 - on_one_axis).sqrt();
    u / (1.0 + u)
}

fn clusters(
    n: u32,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<Bodies, PlacingEnded> {
    let count = n.div_ceil(CLUSTER_OBJECTS);
    let centers: Vec<Vec3> = (0..count).map(|_| draw_vec3(rng) * 0.7).collect();
    let drifts: Vec<Vec3> = (0..count).map(|_| draw_velocity(rng)).collect();
    let per_cluster = (n / count).max(1) as f32;
    // Two points of a Gaussian lie within 2h of each other along an axis with the chance
    // 2h / (spread √π), for a small h: two overlaps for a box of the middle size.
    let middle = CLUSTER_SPREAD * 0.886 * libm::cbrtf(2.0 / per_cluster).min(1.0);
    let mut bodies = Bodies::default();
    for id in 0..n {
        placing.reached(id as usize)?;
        let cluster = (id % count) as usize;
        let half = (middle * libm::expf(SIZE_DEVIATION * draw_normal(rng))).min(0.5);
        let offset = Vec3::from(std::array::from_fn(|_| draw_normal(rng))) * CLUSTER_SPREAD;
        let limit = Vec3::splat(1.0 - half);
        bodies.centers.push((centers[cluster] + offset).clamp(-limit, limit));
        bodies.halves.push(Vec3::splat(half));
        // The cluster moves on as a whole; its boxes swarm slowly in it.
        bodies.velocities.push(drifts[cluster] + draw_velocity(rng) * 0.05);
    }
    Ok(bodies)
}

fn stadium(
    n: u32,
    rng: &mut ChaCha8Rng,
    placing: &mut Placing<'_>,
) -> Result<Bodies, PlacingEnded> {
    let large = (n / 10).min(10);
    let tiny = equal_half(n, OVERLAPS, 3) / 2.0;
    let mut bodies = Bodies::default();
    for id in 0..n {
        placing.reached(id as usize)?;
        let (half, speed) = match id {
            0 => (1.0, 0.0),
            _ if id <= large => (0.2, 0.0),
            _ => (tiny, 1.0),
        };
        bodies.centers.push(draw_vec3(rng) * (1.0 - half));
        bodies.halves.push(Vec3::splat(half));
        bodies.velocities.push(draw_velocity(rng) * speed);
    }
    Ok(bodies)
}
