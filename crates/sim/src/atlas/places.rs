//! Where the objects of a cell start, and how large the space is in which they overlap as often as
//! the cell says.

use super::body::{Body, draw_half, overlapping_side, root};
use super::cell::{Cell, LONGEST_LINE};
use super::kinds::Placement;
use super::random::{draw_index, draw_log_uniform};
use crate::random::{draw_direction, draw_normal, draw_vec3};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Distance between two layers, in usual sides.
const LAYER_DISTANCE: f32 = 2.5;

/// How far a resting box sinks into the one below, as physics engines let it.
const CONTACT_DEPTH: f32 = 0.01;

/// Boxes of a column, fewest and most.
const COLUMN: [usize; 2] = [3, 16];

/// Smallest square of the distance from its middle of a point in the unit sphere that gives a direction.
const SHORTEST: f32 = 0.01f32.next_up();

/// The axes along which objects may move: 1, or 0 on an axis on which all stay where they are.
pub(super) fn axes(placement: Placement) -> Vec3 {
    match placement {
        Placement::Plane | Placement::Layers => Vec3::new(1.0, 1.0, 0.0),
        Placement::Line => Vec3::X,
        _ => Vec3::ONE,
    }
}

/// The `n` bodies of a cell at their places.
pub(super) fn draw_bodies(cell: &Cell, n: usize, rng: &mut ChaCha8Rng) -> Vec<Body> {
    let unplaced = |_| Body::at_rest(Vec3::ZERO, draw_half(cell.sizes, rng));
    let mut bodies: Vec<Body> = (0..n).map(unplaced).collect();
    let centers = draw_centers(cell, &bodies, rng);
    for (body, center) in bodies.iter_mut().zip(centers) {
        *body = Body::at_rest(center, body.half);
    }
    bodies
}

/// Centres for bodies of these half sides.
fn draw_centers(cell: &Cell, bodies: &[Body], rng: &mut ChaCha8Rng) -> Vec<Vec3> {
    let (n, axes) = (bodies.len(), axes(cell.placement));
    let uniform = |n: usize| {
        let half = extent(cell.overlaps, n, bodies, axes.element_sum() as u32) / 2.0;
        move |rng: &mut ChaCha8Rng| draw_vec3(rng) * half * axes
    };
    match cell.placement {
        Placement::Shell => {
            let radius = shell_radius(cell.overlaps, bodies);
            (0..n).map(|_| draw_direction(SHORTEST, rng) * radius).collect()
        }
        Placement::Clusters => clusters(cell.overlaps, bodies, rng),
        Placement::Stack => columns(cell.overlaps, bodies, rng),
        Placement::Layers => {
            let layers = 2 + draw_index(7, rng);
            let place = uniform(n.div_ceil(layers));
            let height = |layer: usize| (layer as f32 - (layers - 1) as f32 / 2.0) * LAYER_DISTANCE;
            let in_a_layer = |_| place(rng) + Vec3::new(0.0, 0.0, height(draw_index(layers, rng)));
            (0..n).map(in_a_layer).collect()
        }
        _ => {
            let place = uniform(n);
            (0..n).map(|_| place(rng)).collect()
        }
    }
}

/// The side of the space in which `n` boxes overlap this number of others each, on average.
///
/// For two centres uniform in an interval of length L, let u = w / L. They lie within w of each other with
/// the chance 2u - u². Over all axes that chance is to be overlaps / (n - 1).
fn extent(overlaps: f32, n: usize, bodies: &[Body], axes: u32) -> f32 {
    let chance = (overlaps / n.saturating_sub(1).max(1) as f32).clamp(1e-9, 0.9);
    let on_one_axis = root(chance.into(), axes) as f32;
    // 1 - sqrt(1 - c), without the cancellation.
    let u = on_one_axis / (1.0 + (1.0 - on_one_axis).sqrt());
    (overlapping_side(bodies, axes) / u).min(LONGEST_LINE)
}

/// The radius of the sphere on whose surface bodies overlap this number of others each, on average.
///
/// On a sphere a box has a cross-section of about 1.5 times a face, the mean over its directions.
pub(super) fn shell_radius(overlaps: f32, bodies: &[Body]) -> f32 {
    let side = overlapping_side(bodies, 2);
    let area = 1.5 * 4.0 * side * side * bodies.len() as f32 / overlaps.max(1e-3);
    (area / (4.0 * std::f32::consts::PI)).sqrt()
}

fn clusters(overlaps: f32, bodies: &[Body], rng: &mut ChaCha8Rng) -> Vec<Vec3> {
    let n = bodies.len();
    let size = draw_log_uniform(50.0, 2000.0, rng).min(n as f64) as f32;
    let count = (n as f32 / size).ceil().max(1.0) as usize;
    // Two points of a Gaussian lie within w of each other along an axis with the chance
    // w / (spread √π), for a small w.
    let chance = libm::cbrtf(overlaps / size).clamp(1e-3, 0.9);
    let spread = overlapping_side(bodies, 3) / (chance * 1.772);
    let half = 2.5 * spread * libm::cbrtf(count as f32);
    let middles: Vec<Vec3> = (0..count).map(|_| draw_vec3(rng) * half).collect();
    let place = |_| {
        let offset = Vec3::from(std::array::from_fn(|_| draw_normal(rng))) * spread;
        middles[draw_index(count, rng)] + offset
    };
    (0..n).map(place).collect()
}

/// Columns on a ground. A column that overlaps another one gives each box about two pairs there, and
/// each box has two in its own column.
fn columns(overlaps: f32, bodies: &[Body], rng: &mut ChaCha8Rng) -> Vec<Vec3> {
    let [low, high] = COLUMN;
    let columns = bodies.len().div_ceil(low.midpoint(high));
    let half = extent(((overlaps - 2.0) / 2.0).max(0.05), columns, bodies, 2) / 2.0;
    let mut centers = Vec::with_capacity(bodies.len());
    while centers.len() < bodies.len() {
        let base = draw_vec3(rng) * half;
        let mut top = 0.0;
        for _ in 0..low + draw_index(high - low + 1, rng) {
            let Some(body) = bodies.get(centers.len()) else { break };
            let sway = 0.1 * (rng.random::<f32>() - 0.5);
            let z = top + body.half.z - CONTACT_DEPTH;
            centers.push(Vec3::new(base.x + sway, base.y - sway, z));
            top = z + body.half.z;
        }
    }
    centers
}
