//! Grids of triangles: a sheet with moving vertices, and a static ground.

use super::body::{Body, THICKNESS, draw_half, draw_side, widened};
use super::cell::TERRAIN_BODIES;
use super::kinds::{Motion, Sizes};
use super::motion::Steps;
use super::random::draw_index;
use crate::random::draw_vec3;
use broadphase::{Aabb, Layer};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::f32::consts::{FRAC_PI_2, TAU};

/// How far vertices move from their places, in usual sides: within the sheet and across it.
pub(super) const FREEDOM: Vec3 = Vec3::new(0.5, 0.5, 3.0);
/// Largest displacement of a vertex within the sheet at the start, in usual sides on each axis.
const IRREGULARITY: Vec3 = Vec3::new(0.25, 0.25, 0.0);
/// Amplitude of the two waves together, in usual sides.
const AMPLITUDE: f32 = 1.5;
/// Lengths of a wave, in usual sides.
const WAVELENGTH: [f32; 2] = [12.0, 40.0];
/// Height of each of the two waves of the ground, in usual sides.
const HEIGHT: f32 = 2.0;
/// Wave numbers of the ground, in radians per usual side, lowest and highest.
const WAVES: [f32; 2] = [0.05, 0.3];
/// Heights of bodies above the ground at the start, in usual sides.
const ABOVE: f32 = 1.0;

/// Coordinates of the lines of a grid on the first and the second axis, each with 0 in their middle.
#[derive(Clone, Debug)]
struct Grid {
    xs: Vec<f32>,
    ys: Vec<f32>,
}

impl Grid {
    /// A grid of at least this number of triangles, about as many columns as rows.
    fn draw(triangles: usize, sizes: Sizes, rng: &mut ChaCha8Rng) -> Self {
        let quads = triangles.div_ceil(2).max(1);
        let columns = (quads as f64).sqrt().round() as usize;
        let rows = quads.div_ceil(columns);
        let xs = lines(columns, || draw_side(sizes, rng));
        let ys = lines(rows, || match sizes {
            Sizes::Flat => THICKNESS,
            _ => draw_side(sizes, rng),
        });
        Self { xs, ys }
    }

    /// The vertex of the highest coordinates; that of the lowest ones is opposite.
    fn corner(&self) -> Vec3 {
        let last = |lines: &[f32]| lines.last().copied().unwrap_or_default();
        Vec3::new(last(&self.xs), last(&self.ys), 0.0)
    }

    /// The boxes of the triangles row by row, from the vertex on a column's and a row's line.
    fn boxes(&self, vertex: impl Fn(usize, usize) -> Vec3) -> impl Iterator<Item = Aabb> {
        let (columns, rows) = (self.xs.len() - 1, self.ys.len() - 1);
        let quads = (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)));
        quads.flat_map(move |(x, y)| {
            let (a, b) = (vertex(x + 1, y), vertex(x, y + 1));
            let (low, high) = (a.min(b), a.max(b));
            let box_with = |third: Vec3| Aabb::new(low.min(third), high.max(third));
            [vertex(x, y), vertex(x + 1, y + 1)].map(box_with)
        })
    }
}

/// The lines between and around this number of intervals.
fn lines(intervals: usize, mut length: impl FnMut() -> f32) -> Vec<f32> {
    let mut place = 0.0;
    let mut lines = vec![place];
    for _ in 0..intervals {
        place += length();
        lines.push(place);
    }
    lines.iter().map(|line| line - place / 2.0).collect()
}

/// The grid of a sheet, whose vertices are bodies.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    grid: Grid,
    pub(super) triangles: usize,
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
    /// A sheet of `triangles` triangles, and its vertices: with small displacements within the sheet,
    /// and waves across it.
    pub(super) fn draw(triangles: usize, sizes: Sizes, rng: &mut ChaCha8Rng) -> (Self, Vec<Body>) {
        let grid = Grid::draw(triangles, sizes, rng);
        let wave = |_| {
            let [short, long] = WAVELENGTH;
            let length = short + (long - short) * rng.random::<f32>();
            let angle = TAU * rng.random::<f32>();
            let number = TAU / length;
            let along = [libm::cosf(angle) * number, libm::sinf(angle) * number];
            let columns = grid.xs.iter().map(|x| cos_sin(along[0] * x)).collect();
            Wave { along, columns }
        };
        let waves = [0, 1].map(wave);
        let vertices = grid.xs.len() * grid.ys.len();
        let vertex = |_| Body::at_rest(draw_vec3(rng) * IRREGULARITY, Vec3::ZERO);
        let mut vertices: Vec<Body> = (0..vertices).map(vertex).collect();
        let all: Vec<u32> = (0..vertices.len() as u32).collect();
        let sheet = Self { grid, triangles, waves };
        sheet.wave(&mut vertices, &all, |vertex| &mut vertex.center, 0.0, AMPLITUDE);
        vertices.iter_mut().for_each(|vertex| vertex.home = vertex.center);
        (sheet, vertices)
    }

    /// The vertices along the first and the second axis.
    pub(super) fn vertices(&self) -> [usize; 2] {
        [self.grid.xs.len(), self.grid.ys.len()]
    }

    /// The space of all vertices.
    pub(super) fn space(&self) -> Aabb {
        let corner = self.grid.corner();
        widened(Aabb::new(-corner, corner), FREEDOM)
    }

    /// Advances the waves by a frame; the speed of the steps is their highest velocity.
    pub(super) fn advance_waves(
        &self,
        vertices: &mut [Body],
        listed: &[u32],
        steps: &Steps,
        frame: u32,
    ) {
        // The derivative of a wave is the same wave a quarter of a period later.
        let phase = steps.speed / AMPLITUDE * frame as f32 + FRAC_PI_2;
        let place: fn(&mut Body) -> &mut Vec3 = match steps.motion {
            // Most vertices rest.
            Motion::Fall | Motion::Teleports => return,
            Motion::Jitter => |vertex| &mut vertex.home,
            _ => |vertex| &mut vertex.center,
        };
        self.wave(vertices, listed, place, phase, steps.speed);
    }

    /// Adds the waves of a phase to a place of the listed vertices.
    fn wave(
        &self,
        vertices: &mut [Body],
        listed: &[u32],
        place: fn(&mut Body) -> &mut Vec3,
        phase: f32,
        amplitude: f32,
    ) {
        let columns = self.grid.xs.len();
        let row = |vertex: u32| vertex as usize / columns;
        for listed in listed.chunk_by(|&a, &b| row(a) == row(b)) {
            let y = self.grid.ys[row(listed[0])];
            let of_row = self.waves.each_ref().map(|wave| cos_sin(wave.along[1] * y - phase));
            for &vertex in listed {
                let vertex = vertex as usize;
                let mut height = 0.0;
                for (wave, [row_cos, row_sin]) in self.waves.iter().zip(of_row) {
                    let [cos, sin] = wave.columns[vertex % columns];
                    // The sine of the sum of the two angles.
                    height += sin * row_cos + cos * row_sin;
                }
                let z = &mut place(&mut vertices[vertex]).z;
                *z = (*z + 0.5 * amplitude * height).clamp(-FREEDOM.z, FREEDOM.z);
            }
        }
    }

    /// The boxes of the triangles.
    pub(super) fn boxes(&self, vertices: &[Body]) -> impl Iterator<Item = Aabb> {
        let Grid { xs, ys } = &self.grid;
        let vertex = move |x: usize, y: usize| {
            vertices[y * xs.len() + x].center + Vec3::new(xs[x], ys[y], 0.0)
        };
        self.grid.boxes(vertex).take(self.triangles)
    }
}

fn cos_sin(angle: f32) -> [f32; 2] {
    [libm::cosf(angle), libm::sinf(angle)]
}

/// A terrain of `n` objects with their layers: triangles that are static, and bodies that may move, in random order.
pub(super) fn draw_terrain(
    n: usize,
    sizes: Sizes,
    rng: &mut ChaCha8Rng,
) -> (Vec<Body>, Vec<Layer>) {
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
    (1..=n).rev().map(&mut object).unzip()
}
