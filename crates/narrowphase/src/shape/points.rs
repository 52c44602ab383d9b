//! Convex hulls of points, given or random.

use glam::{DVec3, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::convex_hull::convex_hull;
use super::{MAX_VERTICES, Part, Rounding, Shape, ShapeError};

/// A shape, and what is worth a warning about the points that it was built of.
#[derive(Clone, Debug, PartialEq)]
pub struct FromPoints {
    /// The shape.
    pub shape: Shape,
    /// How many points equal an earlier one, to 1e-9 of the size.
    pub duplicates: usize,
}

impl Shape {
    /// The convex hull of points. Points inside it, on its faces or edges are left out. Others that are in one plane to 1e-10
    /// of the size are moved into it.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Count`], [`ShapeError::Coordinate`], [`ShapeError::Size`] if the points
    /// are too close together, [`ShapeError::Flat`], [`ShapeError::VertexCount`],
    /// [`ShapeError::Hull`], [`ShapeError::Inertia`].
    pub fn points(points: &[DVec3]) -> Result<FromPoints, ShapeError> {
        Self::hull_of(points, Rounding::EXACT)
    }

    /// [`points`](Self::points) whose coordinates were rounded to `f32`. Those that are then nearly in one plane are taken
    /// as in one plane: a turned box has six faces. The hull contains the points to 8 roundings of the largest coordinate.
    ///
    /// # Errors
    ///
    /// As [`points`](Self::points).
    pub fn points_f32(points: &[Vec3]) -> Result<FromPoints, ShapeError> {
        let points: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
        Self::hull_of(&points, Rounding::of_f32(&points))
    }

    fn hull_of(points: &[DVec3], rounding: Rounding) -> Result<FromPoints, ShapeError> {
        let (core, duplicates) = convex_hull(points, rounding)?;
        Ok(FromPoints { shape: Self::with_inertia(vec![Part::new(core, 0.0)])?, duplicates })
    }

    /// The convex hull of `count` random points on the unit sphere, all of which are its vertices.
    /// `seed` gives the same shape on every machine.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Count`] unless `count` is 4 to 128. [`ShapeError::Hull`] if the points
    /// of this seed are nearly flat, which happens for few seeds in a billion.
    pub fn hull(count: usize, seed: u64) -> Result<Self, ShapeError> {
        super::shape_error::count("random points", [4, MAX_VERTICES], count)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let points: Vec<DVec3> = (0..count).map(|_| draw_on_sphere(&mut rng)).collect();
        Ok(Self::points(&points)?.shape)
    }
}

/// A point uniform on the unit sphere, without trigonometry (Marsaglia 1972).
fn draw_on_sphere(rng: &mut ChaCha8Rng) -> DVec3 {
    loop {
        let [x, y] = [0, 1].map(|_| 2.0 * rng.random::<f64>() - 1.0);
        let square = x * x + y * y;
        if square < 1.0 {
            let factor = 2.0 * (1.0 - square).sqrt();
            return DVec3::new(x * factor, y * factor, 1.0 - 2.0 * square);
        }
    }
}
