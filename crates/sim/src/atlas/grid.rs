//! A grid of triangles: two for each rectangle between neighbouring lines.

use super::kinds::Sizes;
use super::sizes::{THICKNESS, draw_side};
use broadphase::Aabb;
use glam::Vec3;
use rand_chacha::ChaCha8Rng;

/// Coordinates of the lines of a grid on the first and the second axis, each with 0 in their middle.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) xs: Vec<f32>,
    pub(super) ys: Vec<f32>,
}

impl Grid {
    /// A grid of at least this number of triangles, about as many columns as rows.
    pub(super) fn draw(triangles: usize, sizes: Sizes, rng: &mut ChaCha8Rng) -> Self {
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
    pub(super) fn corner(&self) -> Vec3 {
        let last = |lines: &[f32]| lines.last().copied().unwrap_or_default();
        Vec3::new(last(&self.xs), last(&self.ys), 0.0)
    }

    /// The boxes of the triangles row by row, from the vertex on a column's and a row's line.
    pub(super) fn boxes(
        &self,
        vertex: impl Fn(usize, usize) -> Vec3,
    ) -> impl Iterator<Item = Aabb> {
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
