//! A moving body, its size, and the walls that it stays within.

use super::kinds::Sizes;
use super::random::draw_index;
use crate::random::draw_normal;
use broadphase::Aabb;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Standard deviation of the logarithm of a side: the middle 95 % span a ratio of 10 to 1.
pub(super) const DEVIATION: f32 = std::f32::consts::LN_10 / (2.0 * 1.96);

/// Smallest and largest log-normal side. One side in a million lies beyond.
const SIDES: [f32; 2] = [0.06, 16.0];

/// Thickness of flat boxes, in usual sides.
pub(super) const THICKNESS: f32 = 0.1;

/// A box by its centre, half sides, velocity and home.
///
/// A vertex of a sheet is a body without half sides, relative to its place in the sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) center: Vec3,
    pub(super) half: Vec3,
    /// Displacement per frame, or other state of the motion.
    pub(super) velocity: Vec3,
    /// The place that it jitters about, orbits, lands on, or started at.
    pub(super) home: Vec3,
}

impl Body {
    /// A body at rest.
    pub(super) fn at_rest(center: Vec3, half: Vec3) -> Self {
        Self { center, half, velocity: Vec3::ZERO, home: center }
    }

    pub(super) fn aabb(&self) -> Aabb {
        Aabb::new(self.center - self.half, self.center + self.half)
    }

    /// Advances the centre by the velocity; a wall reflects both.
    pub(super) fn fly(&mut self, walls: Aabb) {
        let ahead = self.center + self.velocity;
        let (above, below) = (ahead.cmpgt(walls.max), ahead.cmplt(walls.min));
        let inside = Vec3::select(above, walls.max * 2.0 - ahead, ahead);
        let inside = Vec3::select(below, walls.min * 2.0 - ahead, inside);
        self.center = inside.clamp(walls.min, walls.max);
        self.velocity = Vec3::select(above | below, -self.velocity, self.velocity);
    }
}

/// The bounds of centres; the origin if there are none.
pub(super) fn bounds_of_centers<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> Aabb {
    let space =
        bodies.into_iter().fold(Aabb::EMPTY, |all, b| all.union(&Aabb::new(b.center, b.center)));
    if space.is_empty() { Aabb::new(Vec3::ZERO, Vec3::ZERO) } else { space }
}

/// Walls moved outwards by this distance on each axis.
pub(super) fn widened(walls: Aabb, by: Vec3) -> Aabb {
    Aabb::new(walls.min - by, walls.max + by)
}

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
