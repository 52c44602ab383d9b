//! Shapes by their sizes. Where a shape has an axis, it is y.

use glam::DVec3;

use super::{Core, LENGTHS, Part, Shape, ShapeError};

/// The sides of a cylinder or cone.
const SIDES: std::ops::RangeInclusive<usize> = 3..=64;

impl Shape {
    /// A ball of radius `radius`.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`].
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        let radius = length("radius", radius)?;
        Ok(Self::from_parts(vec![Part::new(Core::point(DVec3::ZERO), radius)]))
    }

    /// A box with edges of these lengths: `cuboid(DVec3::ONE)` is the unit cube.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], and [`ShapeError::Core`] if one length is less than about 1e-9 of another.
    pub fn cuboid(lengths: DVec3) -> Result<Self, ShapeError> {
        let half = DVec3::new(
            length("length in x", lengths.x)?,
            length("length in y", lengths.y)?,
            length("length in z", lengths.z)?,
        ) / 2.0;
        let base = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]]
            .map(|[x, z]| [x * half.x, z * half.z]);
        prism(&base, half.y)
    }

    /// All points within `radius` of a segment along y of length `segment`. A segment of length 0 gives a
    /// sphere.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Length`].
    pub fn capsule(radius: f64, segment: f64) -> Result<Self, ShapeError> {
        if segment == 0.0 {
            return Self::sphere(radius);
        }
        let radius = length("radius", radius)?;
        if !LENGTHS.contains(&segment) {
            return Err(ShapeError::Length(segment));
        }
        let end = DVec3::Y * (segment / 2.0);
        Ok(Self::from_parts(vec![Part::new(Core::segment(-end, end), radius)]))
    }

    /// A prism of `height` along y over a regular polygon of `sides` corners at distance `radius` from the axis: what is
    /// drawn as a cylinder is what is tested. The first corner is on the x axis.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Sides`], and [`ShapeError::Core`] if the sizes differ too much.
    pub fn cylinder(radius: f64, height: f64, sides: usize) -> Result<Self, ShapeError> {
        let radius = length("radius", radius)?;
        let height = length("height", height)?;
        prism(&regular_polygon(radius, sides)?, height / 2.0)
    }

    /// A pyramid of `height` along y over a regular polygon of `sides` corners at distance `radius` from the axis. The apex
    /// is at the top. The origin of the author's frame is in the middle of the height.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Sides`], and [`ShapeError::Core`] if the sizes differ too much.
    pub fn cone(radius: f64, height: f64, sides: usize) -> Result<Self, ShapeError> {
        let radius = length("radius", radius)?;
        let half = length("height", height)? / 2.0;
        let base = regular_polygon(radius, sides)?;
        let mut vertices: Vec<DVec3> = base.iter().map(|&[x, z]| DVec3::new(x, -half, z)).collect();
        vertices.push(DVec3::Y * half);
        let sides = sides as u8;
        let next = |i: u8| (i + 1) % sides;
        let mut loops: Vec<Vec<u8>> = (0..sides).map(|i| vec![i, next(i), sides]).collect();
        loops.push((0..sides).rev().collect());
        sharp(vertices, &loops)
    }

    /// A regular tetrahedron with edges of length `side`. One face is below, parallel to the x-z plane.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`].
    pub fn tetrahedron(side: f64) -> Result<Self, ShapeError> {
        let side = length("side", side)?;
        // About the centre: the base is at a quarter of the height.
        let height = side * (2.0_f64 / 3.0).sqrt();
        let circumradius = side / 3.0_f64.sqrt();
        let (low, half, back) = (-height / 4.0, side / 2.0, -circumradius / 2.0);
        let vertices = vec![
            DVec3::new(0.0, low, circumradius),
            DVec3::new(half, low, back),
            DVec3::new(-half, low, back),
            DVec3::new(0.0, 0.75 * height, 0.0),
        ];
        sharp(vertices, &[vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3], vec![0, 2, 1]])
    }
}

/// A length within [`LENGTHS`].
pub(super) fn length(what: &'static str, found: f64) -> Result<f64, ShapeError> {
    if LENGTHS.contains(&found) { Ok(found) } else { Err(ShapeError::Size { what, found }) }
}

/// A polyhedron without rounding.
pub(super) fn sharp(vertices: Vec<DVec3>, loops: &[Vec<u8>]) -> Result<Shape, ShapeError> {
    Ok(Shape::from_parts(vec![Part::new(Core::polyhedron(vertices, loops)?, 0.0)]))
}

/// The prism from `-half` to `half` on y over a polygon of `[x, z]`, counterclockwise seen from above.
pub(super) fn prism(base: &[[f64; 2]], half: f64) -> Result<Shape, ShapeError> {
    let ring = |y: f64| base.iter().map(move |&[x, z]| DVec3::new(x, y, z));
    let vertices: Vec<DVec3> = ring(-half).chain(ring(half)).collect();
    let sides = base.len() as u8;
    let next = |i: u8| (i + 1) % sides;
    let mut loops: Vec<Vec<u8>> =
        (0..sides).map(|i| vec![i, next(i), next(i) + sides, i + sides]).collect();
    loops.push((0..sides).rev().collect());
    loops.push((sides..2 * sides).collect());
    sharp(vertices, &loops)
}

/// Counterclockwise seen from above, from the x axis towards -z.
fn regular_polygon(radius: f64, sides: usize) -> Result<Vec<[f64; 2]>, ShapeError> {
    if !SIDES.contains(&sides) {
        return Err(ShapeError::Sides(sides));
    }
    let corner = |i: usize| {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * i as f64 / sides as f64);
        [radius * cosine, -radius * sine]
    };
    Ok((0..sides).map(corner).collect())
}
