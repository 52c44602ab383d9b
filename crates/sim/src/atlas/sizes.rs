//! How large the objects of a cell are.

use super::body::Body;
use super::kinds::Sizes;
use super::random::draw_index;
use crate::random::draw_normal;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Standard deviation of the logarithm of a side: the middle 95 % span a ratio of 10 to 1.
pub(super) const DEVIATION: f32 = std::f32::consts::LN_10 / (2.0 * 1.96);

/// Smallest and largest log-normal side. One side in a million lies beyond.
const SIDES: [f32; 2] = [0.06, 16.0];

/// Thickness of flat boxes, in usual sides.
pub(super) const THICKNESS: f32 = 0.1;

/// Half sides of one object.
pub(super) fn draw_half(sizes: Sizes, rng: &mut ChaCha8Rng) -> Vec3 {
    let mut sides = Vec3::splat(draw_side(sizes, rng));
    if sizes == Sizes::Flat {
        sides[draw_index(3, rng)] = THICKNESS;
    }
    sides * 0.5
}

/// The side of one cube.
pub(super) fn draw_side(sizes: Sizes, rng: &mut ChaCha8Rng) -> f32 {
    match sizes {
        Sizes::Uniform => 0.5 + rng.random::<f32>(),
        Sizes::LogNormal => libm::expf(DEVIATION * draw_normal(rng)).clamp(SIDES[0], SIDES[1]),
        Sizes::Equal | Sizes::Flat | Sizes::OneGiant | Sizes::Ground => 1.0,
    }
}

/// The side of the cubes that overlap as often as these bodies, on the first `axes` axes.
///
/// Two boxes with centres uniform in a space overlap in proportion to the product over the axes of
/// the sum of their half sides. The mean product is taken over neighbours in the list.
pub(super) fn overlapping_side(bodies: &[Body], axes: u32) -> f32 {
    let product = |pair: &[Body]| {
        let sums = (pair[0].half + pair[1].half).to_array();
        sums[..axes as usize].iter().map(|&s| f64::from(s)).product::<f64>()
    };
    let products: f64 = bodies.windows(2).map(product).sum();
    let side = root(products / (bodies.len().max(2) - 1) as f64, axes);
    if side > 0.0 { side as f32 } else { 1.0 }
}

/// The edge of the interval, square or cube of this measure.
pub(super) fn root(measure: f64, axes: u32) -> f64 {
    match axes {
        1 => measure,
        2 => measure.sqrt(),
        _ => libm::cbrt(measure),
    }
}
