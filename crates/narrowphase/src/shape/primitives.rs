//! Shapes by their sizes. Where a shape has an axis, it is y, along which polygons are extruded as well: flat scenes
//! are seen along it.

use std::f64::consts::TAU;

use glam::DVec3;

use super::shape_error::count;
use super::{Core, LENGTHS, MAX_VERTICES, Part, Shape, ShapeError};

impl Shape {
    /// A ball of radius `radius`.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`].
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        let radius = length("radius", radius)?;
        Self::with_inertia(vec![Part::new(Core::point(DVec3::ZERO), radius)])
    }

    /// A box with edges of these lengths: `cuboid(DVec3::ONE)` is the unit cube.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], and [`ShapeError::Sizes`] if one length is less than about 1e-9 of
    /// another.
    pub fn cuboid(lengths: DVec3) -> Result<Self, ShapeError> {
        let x = length("length in x", lengths.x)? / 2.0;
        let y = length("length in y", lengths.y)? / 2.0;
        let z = length("length in z", lengths.z)? / 2.0;
        prism(
            &[[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| DVec3::new(x, y, 0.0)),
            DVec3::Z * z,
        )
    }

    /// All points within `radius` of a segment along y of length `segment`. A segment of length 0
    /// gives a sphere.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], and [`ShapeError::Inertia`] if the sizes differ too much.
    pub fn capsule(radius: f64, segment: f64) -> Result<Self, ShapeError> {
        if segment == 0.0 {
            return Self::sphere(radius);
        }
        let radius = length("radius", radius)?;
        let end = DVec3::Y * (length("length of 0, or", segment)? / 2.0);
        Self::with_inertia(vec![Part::new(Core::segment(-end, end), radius)])
    }

    /// A prism of `height` along y over a regular polygon of `sides` corners, at distance `radius`
    /// from the axis: what is drawn as a cylinder is what is tested. The first corner is on the x
    /// axis.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Count`], and [`ShapeError::Sizes`] if the sizes differ
    /// too much.
    pub fn cylinder(radius: f64, height: f64, sides: usize) -> Result<Self, ShapeError> {
        let radius = length("radius", radius)?;
        let height = length("height", height)?;
        prism(&regular_polygon(radius, sides)?, DVec3::Y * (height / 2.0))
    }

    /// A pyramid of `height` along y over a regular polygon of `sides` corners, at distance
    /// `radius` from the axis. The apex is at the top. The author's origin is in the middle of the
    /// height.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Count`], and [`ShapeError::Sizes`] if the sizes differ
    /// too much.
    pub fn cone(radius: f64, height: f64, sides: usize) -> Result<Self, ShapeError> {
        let radius = length("radius", radius)?;
        let half = DVec3::Y * (length("height", height)? / 2.0);
        let mut vertices = regular_polygon(radius, sides)?;
        vertices.iter_mut().for_each(|corner| *corner -= half);
        vertices.push(half);
        let sides = sides as u8;
        let next = |i: u8| (i + 1) % sides;
        let mut loops: Vec<Vec<u8>> = (0..sides).map(|i| vec![i, next(i), sides]).collect();
        loops.push((0..sides).rev().collect());
        sharp(vertices, &loops)
    }

    /// A regular tetrahedron with edges of length `side`. One face is below, parallel to the x-y
    /// plane.
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
            DVec3::new(0.0, circumradius, low),
            DVec3::new(-half, back, low),
            DVec3::new(half, back, low),
            DVec3::new(0.0, 0.0, 0.75 * height),
        ];
        sharp(vertices, &[vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3], vec![0, 2, 1]])
    }
}

/// A length within [`LENGTHS`].
pub(super) fn length(what: &'static str, found: f64) -> Result<f64, ShapeError> {
    if LENGTHS.contains(&found) { Ok(found) } else { Err(ShapeError::Size { what, found }) }
}

/// A polyhedron without rounding.
fn sharp(vertices: Vec<DVec3>, loops: &[Vec<u8>]) -> Result<Shape, ShapeError> {
    Shape::with_inertia(vec![Part::new(
        Core::polyhedron(vertices, loops).ok_or(ShapeError::Sizes)?,
        0.0,
    )])
}

/// The prism between a polygon moved by `-half` and by `half`. The polygon is counterclockwise seen
/// from the tip of `half`.
pub(super) fn prism(polygon: &[DVec3], half: DVec3) -> Result<Shape, ShapeError> {
    let [below, above] = [-half, half].map(|by| polygon.iter().map(move |corner| *corner + by));
    let sides = polygon.len() as u8;
    let next = |i: u8| (i + 1) % sides;
    let mut loops: Vec<Vec<u8>> =
        (0..sides).map(|i| vec![i, next(i), next(i) + sides, i + sides]).collect();
    loops.push((0..sides).rev().collect());
    loops.push((sides..2 * sides).collect());
    sharp(below.chain(above).collect(), &loops)
}

/// Counterclockwise seen from the tip of y.
fn regular_polygon(radius: f64, sides: usize) -> Result<Vec<DVec3>, ShapeError> {
    count("sides", [3, MAX_VERTICES / 2], sides)?;
    let corner = |i: usize| {
        let (sine, cosine) = libm::sincos(TAU * i as f64 / sides as f64);
        DVec3::new(radius * cosine, 0.0, -radius * sine)
    };
    Ok((0..sides).map(corner).collect())
}
