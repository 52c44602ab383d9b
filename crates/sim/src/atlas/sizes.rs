//! How large the objects of a cell are.

use super::kinds::Sizes;
use super::random::draw_index;
use crate::random::draw_normal;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Standard deviation of the logarithm of a side: the middle 95 % span a ratio of 10 to 1.
const DEVIATION: f32 = std::f32::consts::LN_10 / (2.0 * 1.96);

/// Smallest and largest log-normal side. One side in a million lies beyond.
const SIDES: [f32; 2] = [0.06, 16.0];

/// Thickness of flat boxes, in usual sides.
const THICKNESS: f32 = 0.1;

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

/// Coordinates of the lines of a grid with `quads` columns or rows, with 0 in their middle.
pub(super) fn draw_lines(
    sizes: Sizes,
    quads: usize,
    axis: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<f32> {
    let mut place = 0.0;
    let mut lines = vec![place];
    for _ in 0..quads {
        place += match (sizes, axis) {
            (Sizes::Flat, 1) => THICKNESS,
            _ => draw_side(sizes, rng),
        };
        lines.push(place);
    }
    let middle = place / 2.0;
    lines.iter_mut().for_each(|line| *line -= middle);
    lines
}

/// The side of the cubes that overlap as often as boxes of these half sides, on the first `axes` axes.
///
/// Two boxes with centres uniform in a space overlap in proportion to the product over the axes of
/// the sum of their half sides. The mean product is taken over neighbours in the list.
pub(super) fn overlapping_side(halves: &[Vec3], axes: u32) -> f32 {
    let product = |pair: &[Vec3]| {
        let sum = pair[0] + pair[1];
        let sums = [sum.x, sum.y, sum.z];
        sums[..axes as usize].iter().map(|&s| f64::from(s)).product::<f64>()
    };
    let products: f64 = halves.windows(2).map(product).sum();
    let mean = products / (halves.len().max(2) - 1) as f64;
    let side = match axes {
        1 => mean,
        2 => mean.sqrt(),
        _ => libm::cbrt(mean),
    };
    if side > 0.0 { side as f32 } else { 1.0 }
}
