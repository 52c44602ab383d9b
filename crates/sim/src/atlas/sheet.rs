//! A sheet of triangles with moving vertices.

use super::bodies::{Bodies, Walls};
use super::kinds::Sizes;
use super::sizes::draw_lines;
use crate::random::draw_vec3;
use broadphase::Aabb;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How far vertices move from their places, in usual sides: within the sheet and across it.
const FREEDOM: Vec3 = Vec3::new(0.5, 0.5, 3.0);
/// Largest displacement of a vertex within the sheet at the start, in usual sides on each axis.
const IRREGULARITY: Vec3 = Vec3::new(0.25, 0.25, 0.0);
/// Amplitude of the two waves together, in usual sides.
const AMPLITUDE: f32 = 1.5;
/// Lengths of a wave, in usual sides.
const WAVELENGTH: [f32; 2] = [12.0, 40.0];

/// The grid of a sheet: two triangles for each rectangle of four neighbouring vertices.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    xs: Vec<f32>,
    ys: Vec<f32>,
    triangles: usize,
    /// The waves that run through it.
    waves: [Wave; 2],
}

/// A wave: its wave number on each axis, and the cosine and sine of each column's phase, which are the same
/// in all frames.
#[derive(Clone, Debug)]
struct Wave {
    along: [f32; 2],
    columns: Vec<[f32; 2]>,
}

impl Sheet {
    /// A sheet of `triangles` triangles, about as many columns as rows.
    pub(super) fn draw(triangles: usize, sizes: Sizes, rng: &mut ChaCha8Rng) -> Self {
        let quads = triangles.div_ceil(2).max(1);
        let columns = ((quads as f64).sqrt().round() as usize).max(1);
        let rows = quads.div_ceil(columns);
        let (xs, ys) = (draw_lines(sizes, columns, 0, rng), draw_lines(sizes, rows, 1, rng));
        let wave = |_| {
            let [short, long] = WAVELENGTH;
            let length = short + (long - short) * rng.random::<f32>();
            let angle = std::f32::consts::TAU * rng.random::<f32>();
            let number = std::f32::consts::TAU / length;
            let along = [libm::cosf(angle) * number, libm::sinf(angle) * number];
            let phase = |x: &f32| [libm::cosf(along[0] * x), libm::sinf(along[0] * x)];
            Wave { along, columns: xs.iter().map(phase).collect() }
        };
        let waves = [0, 1].map(wave);
        Self { xs, ys, triangles, waves }
    }

    /// The vertices along the first and the second axis.
    pub(super) fn vertices(&self) -> [usize; 2] {
        [self.xs.len(), self.ys.len()]
    }

    /// How many triangles it has.
    pub(super) fn triangles(&self) -> usize {
        self.triangles
    }

    /// Displacements of the vertices at the start: small ones within the sheet, waves across it.
    pub(super) fn displacements(&self, rng: &mut ChaCha8Rng) -> Vec<Vec3> {
        let vertices = self.xs.len() * self.ys.len();
        let mut displacements: Vec<Vec3> =
            (0..vertices).map(|_| draw_vec3(rng) * IRREGULARITY).collect();
        let all: Vec<u32> = (0..displacements.len() as u32).collect();
        self.wave(&mut displacements, &all, 0.0, AMPLITUDE);
        displacements
    }

    /// The bounds of displacements.
    pub(super) fn walls(&self) -> Walls {
        Walls { low: -FREEDOM, high: FREEDOM }
    }

    /// The space of all vertices.
    pub(super) fn space(&self) -> Walls {
        let corner = |place: fn(&[f32]) -> Option<&f32>| {
            let of = |lines: &[f32]| place(lines).copied().unwrap_or_default();
            Vec3::new(of(&self.xs), of(&self.ys), 0.0)
        };
        Walls { low: corner(<[f32]>::first), high: corner(<[f32]>::last) }.widened(FREEDOM)
    }

    /// Advances the waves by a frame; `speed` is their highest velocity.
    pub(super) fn advance_waves(
        &self,
        displacements: &mut [Vec3],
        listed: &[u32],
        speed: f32,
        frame: u32,
    ) {
        // The derivative of a wave is the same wave a quarter of a period later.
        let frequency = speed / AMPLITUDE;
        let phase = frequency * frame as f32 + std::f32::consts::FRAC_PI_2;
        self.wave(displacements, listed, phase, speed);
    }

    fn wave(&self, displacements: &mut [Vec3], listed: &[u32], phase: f32, amplitude: f32) {
        let columns = self.xs.len();
        let mut row = usize::MAX;
        let mut rows = [[0.0; 2]; 2];
        for &vertex in listed {
            let vertex = vertex as usize;
            if vertex / columns != row {
                row = vertex / columns;
                for (row_phase, wave) in rows.iter_mut().zip(&self.waves) {
                    let angle = wave.along[1] * self.ys[row] - phase;
                    *row_phase = [libm::cosf(angle), libm::sinf(angle)];
                }
            }
            let mut height = 0.0;
            for (wave, [row_cos, row_sin]) in self.waves.iter().zip(rows) {
                let [cos, sin] = wave.columns[vertex % columns];
                // The sine of the sum of the two angles.
                height += sin * row_cos + cos * row_sin;
            }
            let z = &mut displacements[vertex].z;
            *z = (*z + 0.5 * amplitude * height).clamp(-FREEDOM.z, FREEDOM.z);
        }
    }

    /// Appends the boxes of the triangles.
    pub(super) fn boxes(&self, vertices: &Bodies, boxes: &mut Vec<Aabb>) {
        let columns = self.xs.len();
        let rows = self.ys.windows(2).zip(vertices.centers.windows(2 * columns).step_by(columns));
        let mut left = self.triangles;
        for (ys, displacements) in rows {
            let (near, far) = displacements.split_at(columns);
            let quads = self.xs.windows(2).zip(near.windows(2).zip(far.windows(2)));
            for (xs, (near, far)) in quads {
                let corner =
                    |x: usize, y: usize, row: &[Vec3]| row[x] + Vec3::new(xs[x], ys[y], 0.0);
                let shared = [corner(1, 0, near), corner(0, 1, far)];
                let (low, high) = (shared[0].min(shared[1]), shared[0].max(shared[1]));
                for third in [corner(0, 0, near), corner(1, 1, far)].iter().take(left) {
                    boxes.push(Aabb::new(low.min(*third), high.max(*third)));
                }
                left = left.saturating_sub(2);
            }
        }
    }
}
