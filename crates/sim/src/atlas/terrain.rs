//! A ground of static triangles, and bodies above it.

use super::cell::TERRAIN_BODIES;
use super::kinds::Sizes;
use super::random::draw_index;
use super::sizes::{draw_half, draw_lines};
use crate::random::draw_vec3;
use broadphase::{Aabb, Layer};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Height of each of the two waves of the ground, in usual sides.
const HEIGHT: f32 = 2.0;
/// Wave numbers of the ground, in radians per usual side, lowest and highest.
const WAVES: [f32; 2] = [0.05, 0.3];
/// Heights of bodies above the ground at the start, in usual sides.
const ABOVE: f32 = 1.0;

/// Centres, half sides and layers: the triangles are static, the bodies may move.
#[derive(Debug, Default)]
pub(super) struct Terrain {
    pub(super) centers: Vec<Vec3>,
    pub(super) halves: Vec<Vec3>,
    pub(super) layers: Vec<Layer>,
}

/// A terrain of `n` objects, triangles and bodies in random order.
pub(super) fn draw_terrain(n: usize, sizes: Sizes, rng: &mut ChaCha8Rng) -> Terrain {
    let mut bodies = ((n as f32 * TERRAIN_BODIES).round() as usize).clamp(1.min(n), n);
    let quads = (n - bodies).div_ceil(2).max(1);
    let columns = ((quads as f64).sqrt().round() as usize).max(1);
    let rows = quads.div_ceil(columns);
    let (xs, ys) = (draw_lines(sizes, columns, 0, rng), draw_lines(sizes, rows, 1, rng));
    let [low, high] = WAVES;
    let numbers: [f32; 4] = std::array::from_fn(|_| low + (high - low) * rng.random::<f32>());
    let waves = |place: f32, of: [f32; 2]| libm::sinf(of[0] * place) + libm::cosf(of[1] * place);
    let ground_x: Vec<f32> = xs.iter().map(|&x| waves(x, [numbers[0], numbers[1]])).collect();
    let ground_y: Vec<f32> = ys.iter().map(|&y| waves(y, [numbers[2], numbers[3]])).collect();
    let vertex =
        |x: usize, y: usize| Vec3::new(xs[x], ys[y], HEIGHT * 0.5 * (ground_x[x] + ground_y[y]));
    let extent = Vec3::new(xs[columns], ys[rows], 0.0);
    let mut terrain = Terrain::default();
    let mut next = 0;
    for left in (1..=n).rev() {
        if draw_index(left, rng) < bodies {
            bodies -= 1;
            let place = draw_vec3(rng) * extent;
            let ground = HEIGHT
                * 0.5
                * (waves(place.x, [numbers[0], numbers[1]])
                    + waves(place.y, [numbers[2], numbers[3]]));
            let above = Vec3::new(0.0, 0.0, ground + ABOVE * rng.random::<f32>());
            terrain.centers.push(place + above);
            terrain.halves.push(draw_half(sizes, rng));
            terrain.layers.push(Layer::ALL);
        } else {
            let (x, y) = (next / 2 % columns, next / 2 / columns);
            let third = vertex(x + next % 2, y + next % 2);
            let shared = [vertex(x + 1, y), vertex(x, y + 1)];
            let points = [third, shared[0], shared[1]];
            let b = points.iter().fold(Aabb::EMPTY, |all, &p| all.union(&Aabb::new(p, p)));
            terrain.centers.push(b.center());
            terrain.halves.push(b.size() * 0.5);
            terrain.layers.push(Layer::STATIC);
            next += 1;
        }
    }
    terrain
}
