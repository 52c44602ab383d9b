//! The public golden case of P. Terdiman's box pruning, of which the numbers of pairs are published.

use super::body::Body;
use super::layout::Placed;
use crate::placing::Placing;
use broadphase::Aabb;
use glam::Vec3;

/// Seed of its generator. Fixed, since the published numbers belong to it.
pub(super) const PUBLISHED_SEED: u32 = 42;

/// The space of all its centres and half sides.
pub(super) const BOUNDS: Aabb =
    Aabb::new(Vec3::splat(-2048.0 - 127.0), Vec3::splat(2047.0 + 127.0));

/// The first `n` boxes.
pub(super) fn bodies(n: u32, placing: &mut Placing<'_>) -> Placed {
    let mut state = PUBLISHED_SEED;
    // Integers below 2^24 are exact.
    let mut draw = |mask: u32| {
        Vec3::from(std::array::from_fn(|_| {
            // The generator of the C library that it was written with.
            state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
            ((state >> 16) & 0x7fff & mask) as f32
        }))
    };
    let place = |id: u32| {
        placing.reached(id as usize)?;
        Ok(Body::at_rest(draw(4095) - 2048.0, draw(127)))
    };
    (0..n).map(place).collect()
}
