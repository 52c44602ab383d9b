//! Where the objects of a cell start, and how large the space is in which they overlap as often as
//! the cell says.

use super::bodies::Walls;
use super::cell::{Cell, LONGEST_LINE};
use super::kinds::Placement;
use super::random::{draw_direction, draw_index, draw_log_uniform};
use super::sizes::overlapping_side;
use crate::random::{draw_normal, draw_vec3};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Distance between two layers, in usual sides.
const LAYER_DISTANCE: f32 = 2.5;

/// How far a resting box sinks into the one below, as physics engines let it.
const CONTACT_DEPTH: f32 = 0.01;

/// Boxes of a column, fewest and most.
const COLUMN: [usize; 2] = [3, 16];

/// Centres at the start, and the axes along which objects may move: 1, or 0 on an axis on which
/// all stay where they are.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) centers: Vec<Vec3>,
    pub(super) axes: Vec3,
    /// The radius of the sphere on which objects stay.
    pub(super) radius: Option<f32>,
}

impl Places {
    /// The walls around that sphere.
    pub(super) fn walls(&self) -> Option<Walls> {
        self.radius.map(|radius| Walls { low: Vec3::splat(-radius), high: Vec3::splat(radius) })
    }
}

/// Places for boxes of these half sides.
pub(super) fn draw_places(cell: &Cell, halves: &[Vec3], rng: &mut ChaCha8Rng) -> Places {
    let n = halves.len();
    let (flat, line) = (Vec3::new(1.0, 1.0, 0.0), Vec3::X);
    let (axes, radius) = match cell.placement {
        Placement::Plane | Placement::Layers => (flat, None),
        Placement::Line => (line, None),
        Placement::Shell => (Vec3::ONE, Some(shell_radius(cell.overlaps, halves))),
        _ => (Vec3::ONE, None),
    };
    let uniform = |axes: Vec3, n: usize| {
        let half = extent(cell.overlaps, n, halves, axes.element_sum() as u32) / 2.0;
        move |rng: &mut ChaCha8Rng| draw_vec3(rng) * half * axes
    };
    let centers = match (cell.placement, radius) {
        (_, Some(radius)) => (0..n).map(|_| draw_direction(rng) * radius).collect(),
        (Placement::Clusters, _) => clusters(cell.overlaps, halves, rng),
        (Placement::Stack, _) => columns(cell.overlaps, halves, rng),
        (Placement::Layers, _) => {
            let layers = 2 + draw_index(7, rng);
            let place = uniform(flat, n.div_ceil(layers));
            let height = |layer: usize| (layer as f32 - (layers - 1) as f32 / 2.0) * LAYER_DISTANCE;
            let in_a_layer = |_| place(rng) + Vec3::new(0.0, 0.0, height(draw_index(layers, rng)));
            (0..n).map(in_a_layer).collect()
        }
        _ => {
            let place = uniform(axes, n);
            (0..n).map(|_| place(rng)).collect()
        }
    };
    Places { centers, axes, radius }
}

/// The side of the space in which `n` boxes overlap this number of others each, on average.
///
/// For two centres uniform in an interval of length L, let u = w / L. They lie within w of each other with
/// the chance 2u - u². Over all axes that chance is to be overlaps / (n - 1).
pub(super) fn extent(overlaps: f32, n: usize, halves: &[Vec3], axes: u32) -> f32 {
    let chance = (overlaps / n.saturating_sub(1).max(1) as f32).clamp(1e-9, 0.9);
    let on_one_axis = match axes {
        1 => chance,
        2 => chance.sqrt(),
        _ => libm::cbrtf(chance),
    };
    // 1 - sqrt(1 - c), without the cancellation.
    let u = on_one_axis / (1.0 + (1.0 - on_one_axis).sqrt());
    (overlapping_side(halves, axes) / u).min(LONGEST_LINE)
}

/// On a sphere a box has a cross-section of about 1.5 times a face, the mean over its directions.
fn shell_radius(overlaps: f32, halves: &[Vec3]) -> f32 {
    let side = overlapping_side(halves, 2);
    let area = 1.5 * 4.0 * side * side * halves.len() as f32 / overlaps.max(1e-3);
    (area / (4.0 * std::f32::consts::PI)).sqrt()
}

fn clusters(overlaps: f32, halves: &[Vec3], rng: &mut ChaCha8Rng) -> Vec<Vec3> {
    let n = halves.len();
    let size = draw_log_uniform(50.0, 2000.0, rng).min(n as f64) as f32;
    let count = (n as f32 / size).ceil().max(1.0) as usize;
    // Two points of a Gaussian lie within w of each other along an axis with the chance
    // w / (spread √π), for a small w.
    let chance = libm::cbrtf(overlaps / size).clamp(1e-3, 0.9);
    let spread = overlapping_side(halves, 3) / (chance * 1.772);
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
fn columns(overlaps: f32, halves: &[Vec3], rng: &mut ChaCha8Rng) -> Vec<Vec3> {
    let [low, high] = COLUMN;
    let columns = halves.len().div_ceil(low.midpoint(high));
    let half = extent(((overlaps - 2.0) / 2.0).max(0.05), columns, halves, 2) / 2.0;
    let mut centers = Vec::with_capacity(halves.len());
    while centers.len() < halves.len() {
        let base = draw_vec3(rng) * half;
        let mut top = 0.0;
        for _ in 0..low + draw_index(high - low + 1, rng) {
            let Some(h) = halves.get(centers.len()) else { break };
            let sway = 0.1 * (rng.random::<f32>() - 0.5);
            let z = top + h.z - CONTACT_DEPTH;
            centers.push(Vec3::new(base.x + sway, base.y - sway, z));
            top = z + h.z;
        }
    }
    centers
}
