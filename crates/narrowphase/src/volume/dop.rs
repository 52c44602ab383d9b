//! Discrete oriented polytopes: slabs on fixed axes.

use glam::{DMat3, DQuat, DVec3};

use super::outline::{intersection, volume_of};
use super::{Outline, Placed, Volume};
use crate::pair::ROUNDING;
use crate::shape::Shape;

/// A k-DOP on `N` axes for each shape. Numbers of a placed one: the lower bounds, then the upper
/// bounds.
pub(super) struct Dops<const N: usize, Project> {
    /// The coordinates of a point on the axes. The axes are no unit vectors, so that these are
    /// sums.
    project: Project,
    axes: [DVec3; N],
    /// The lengths of the axes.
    lengths: [f64; N],
    shapes: Vec<Shape>,
}

/// 14-DOPs.
pub(super) fn dop14(shapes: &[Shape]) -> Box<dyn Volume> {
    Box::new(Dops::new(shapes, |p| {
        let ([x, y, z], [a, b, c, d]) = (p.to_array(), on_space_diagonals(p));
        [x, y, z, a, b, c, d]
    }))
}

/// 18-DOPs.
pub(super) fn dop18(shapes: &[Shape]) -> Box<dyn Volume> {
    Box::new(Dops::new(shapes, |p| {
        let ([x, y, z], [a, b, c, d, e, f]) = (p.to_array(), on_face_diagonals(p));
        [x, y, z, a, b, c, d, e, f]
    }))
}

/// 26-DOPs.
pub(super) fn dop26(shapes: &[Shape]) -> Box<dyn Volume> {
    Box::new(Dops::new(shapes, |p| {
        let [x, y, z] = p.to_array();
        let ([a, b, c, d], [e, f, g, h, i, j]) = (on_space_diagonals(p), on_face_diagonals(p));
        [x, y, z, a, b, c, d, e, f, g, h, i, j]
    }))
}

fn on_space_diagonals(p: DVec3) -> [f64; 4] {
    let (sum, difference) = (p.x + p.y, p.x - p.y);
    [sum + p.z, sum - p.z, difference + p.z, difference - p.z]
}

fn on_face_diagonals(p: DVec3) -> [f64; 6] {
    [p.x + p.y, p.x - p.y, p.y + p.z, p.y - p.z, p.z + p.x, p.z - p.x]
}

impl<const N: usize, Project: Fn(DVec3) -> [f64; N]> Dops<N, Project> {
    fn new(shapes: &[Shape], project: Project) -> Self {
        let [x, y, z] = DVec3::AXES.map(&project);
        let axes: [DVec3; N] = std::array::from_fn(|k| DVec3::new(x[k], y[k], z[k]));
        Self { project, axes, lengths: axes.map(DVec3::length), shapes: shapes.to_vec() }
    }

    fn faces(&self, placed: &Placed) -> Vec<Vec<DVec3>> {
        let (low, high) = placed.numbers.split_at(N);
        let slab = |k: usize| {
            let (axis, length) = (self.axes[k] / self.lengths[k], self.lengths[k]);
            [(axis, high[k] / length), (-axis, -low[k] / length)]
        };
        let half_spaces: Vec<_> = (0..N).flat_map(slab).collect();
        intersection(&half_spaces)
    }
}

impl<const N: usize, Project> Volume for Dops<N, Project>
where
    Project: Fn(DVec3) -> [f64; N] + Send + Sync,
{
    fn width(&self) -> usize {
        2 * N
    }

    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        let shape = &self.shapes[shape];
        let matrix = DMat3::from_quat(rotation) * scale;
        let [mut low, mut high] = [[f64::MAX; N], [f64::MIN; N]];
        for part in shape.parts() {
            let [mut part_low, mut part_high] = [[f64::MAX; N], [f64::MIN; N]];
            for &vertex in part.core().vertices() {
                let along = (self.project)(matrix * vertex);
                // One instruction each, unlike `f64::min`, which handles not-a-number.
                for k in 0..N {
                    part_low[k] = if along[k] < part_low[k] { along[k] } else { part_low[k] };
                    part_high[k] = if along[k] > part_high[k] { along[k] } else { part_high[k] };
                }
            }
            let around = (part.radius() + ROUNDING * shape.bounding_radius()) * scale;
            for k in 0..N {
                low[k] = low[k].min(part_low[k] - around * self.lengths[k]);
                high[k] = high[k].max(part_high[k] + around * self.lengths[k]);
            }
        }
        numbers[..N].copy_from_slice(&low);
        numbers[N..2 * N].copy_from_slice(&high);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        let between = (self.project)(b.position - a.position);
        let [[low_a, high_a], [low_b, high_b]] = [a, b].map(halves::<N>);
        (0..N).all(|k| low_b[k] + between[k] <= high_a[k] && low_a[k] <= high_b[k] + between[k])
    }

    fn volume(&self, placed: &Placed) -> Option<f64> {
        Some(volume_of(&self.faces(placed)))
    }

    fn outline(&self, placed: &Placed) -> Outline {
        let mut faces = self.faces(placed);
        faces.iter_mut().flatten().for_each(|corner| *corner += placed.position);
        Outline::Faces(faces)
    }
}

fn halves<'a, const N: usize>(placed: &Placed<'a>) -> [&'a [f64; N]; 2] {
    let message = "numbers of a volume of another width";
    let (low, rest) = placed.numbers.split_first_chunk().expect(message);
    [low, rest.first_chunk().expect(message)]
}
