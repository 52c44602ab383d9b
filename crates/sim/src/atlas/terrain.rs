//! A ground of static triangles, and bodies above it.

use super::body::Body;
use super::cell::TERRAIN_BODIES;
use super::grid::Grid;
use super::kinds::Sizes;
use super::random::draw_index;
use super::sizes::draw_half;
use crate::random::draw_vec3;
use broadphase::Layer;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Height of each of the two waves of the ground, in usual sides.
const HEIGHT: f32 = 2.0;
/// Wave numbers of the ground, in radians per usual side, lowest and highest.
const WAVES: [f32; 2] = [0.05, 0.3];
/// Heights of bodies above the ground at the start, in usual sides.
const ABOVE: f32 = 1.0;

/// Triangles that are static, and bodies that may move, in random order.
pub(super) struct Terrain {
    pub(super) bodies: Vec<Body>,
    pub(super) layers: Vec<Layer>,
}

/// A terrain of `n` objects.
pub(super) fn draw_terrain(n: usize, sizes: Sizes, rng: &mut ChaCha8Rng) -> Terrain {
    let mut above = ((n as f32 * TERRAIN_BODIES).round() as usize).max(1);
    let grid = Grid::draw(n - above, sizes, rng);
    let [low, high] = WAVES;
    let numbers: [f32; 4] = std::array::from_fn(|_| low + (high - low) * rng.random::<f32>());
    let wave = |a: f32, b: f32| libm::sinf(a) + libm::cosf(b);
    let height = |x: f32, y: f32| {
        let along_x = wave(numbers[0] * x, numbers[1] * x);
        HEIGHT * 0.5 * (along_x + wave(numbers[2] * y, numbers[3] * y))
    };
    let vertex = |x: usize, y: usize| {
        let (x, y) = (grid.xs[x], grid.ys[y]);
        Vec3::new(x, y, height(x, y))
    };
    let extent = grid.corner();
    let mut triangles = grid.boxes(vertex);
    let mut object = |left: usize| {
        if draw_index(left, rng) >= above
            && let Some(b) = triangles.next()
        {
            return (Body::at_rest(b.center(), b.size() * 0.5), Layer::STATIC);
        }
        above -= 1;
        let place = draw_vec3(rng) * extent;
        let ground = height(place.x, place.y);
        let center = place + Vec3::new(0.0, 0.0, ground + ABOVE * rng.random::<f32>());
        (Body::at_rest(center, draw_half(sizes, rng)), Layer::ALL)
    };
    let (bodies, layers) = (1..=n).rev().map(&mut object).unzip();
    Terrain { bodies, layers }
}
