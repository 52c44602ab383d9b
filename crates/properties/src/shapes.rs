//! Shapes and poses from bytes, as a scene may have them.

use crate::frames::coordinate;
use arbitrary::{Result, Unstructured};
use glam::{DQuat, DVec3};
use narrowphase::shape::{MAX_PARTS, ShapeError};
use narrowphase::{Pose, Shape};

/// Most points, corners and parts. The oracle compares all features of both bodies.
const MAX_VERTICES: usize = 8;
const MAX_OF_COMPOUND: usize = 3;

/// The distance of two places of the lattice.
const STEP: f64 = 0.125;

/// Largest coordinate of a position.
const FARTHEST: DVec3 = DVec3::splat(1e9);

/// Largest coordinate of a part of a compound.
const FARTHEST_PART: DVec3 = DVec3::splat(100.0);

/// Lengths at the ends of the range, beyond them, and no lengths at all.
const LENGTHS: [f32; 16] = [
    1e-9,
    1e-6,
    1e-4,
    1e-2,
    1e2,
    1e4,
    1e6,
    1e9,
    1.000_001,
    0.999_999,
    2e9,
    1e-10,
    0.0,
    -1.0,
    f32::NAN,
    f32::INFINITY,
];

/// A shape, or why there is none.
pub(crate) fn shape(bytes: &mut Unstructured<'_>) -> Result<Result<Shape, ShapeError>> {
    let kind: u8 = bytes.arbitrary()?;
    if kind < 240 {
        return convex(kind, bytes);
    }
    let count = usize::from(kind) % MAX_OF_COMPOUND + 1;
    let mut parts = Vec::new();
    for _ in 0..count {
        let kind = bytes.arbitrary()?;
        match convex(kind, bytes)? {
            Ok(part) => {
                // A part far from the others loses digits when it is placed, and its faces are no longer planes.
                let Pose { position, rotation } = pose(bytes)?;
                let position = position.clamp(-FARTHEST_PART, FARTHEST_PART);
                parts.push((part, Pose { position, rotation }));
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    // Rarely as many parts as there may be: then all are in one place.
    if kind == 255 {
        parts.resize(MAX_PARTS + 1, parts[0].clone());
    }
    let parts: Vec<_> = parts.iter().map(|(shape, pose)| (shape, *pose)).collect();
    Ok(Shape::compound(&parts))
}

fn convex(kind: u8, bytes: &mut Unstructured<'_>) -> Result<Result<Shape, ShapeError>> {
    let sides = usize::from(kind / 9) % MAX_VERTICES;
    Ok(match kind % 9 {
        0 => Shape::sphere(length(bytes)?),
        1 => Shape::cuboid(DVec3::new(length(bytes)?, length(bytes)?, length(bytes)?)),
        2 => Shape::capsule(length(bytes)?, length(bytes)?),
        3 => Shape::cylinder(length(bytes)?, length(bytes)?, sides),
        4 => Shape::cone(length(bytes)?, length(bytes)?, sides),
        5 => Shape::tetrahedron(length(bytes)?),
        6 => Shape::hull(sides + 3, bytes.arbitrary::<u8>()?.into()),
        7 => {
            let points = (0..sides + 3).map(|_| place(bytes)).collect::<Result<Vec<_>>>()?;
            Shape::points(&points).map(|built| built.shape)
        }
        _ => {
            let depth = length(bytes)?;
            let corner = |bytes: &mut _| Ok([place_of(bytes)?, place_of(bytes)?]);
            let corners = (0..sides).map(|_| corner(bytes)).collect::<Result<Vec<_>>>()?;
            Shape::polygon(depth, &corners).map(|built| built.shape)
        }
    })
}

/// A length: often on the lattice, else extreme, or any.
fn length(bytes: &mut Unstructured<'_>) -> Result<f64> {
    let byte: u8 = bytes.arbitrary()?;
    match byte {
        0..200 => Ok(f64::from(byte % 16 + 1) * STEP),
        200..248 => Ok(LENGTHS[usize::from(byte) % LENGTHS.len()].into()),
        _ => Ok(coordinate(bytes)?.abs().into()),
    }
}

/// Whether a part is thinner than a millionth of its length.
pub(crate) fn is_thin(shape: &Shape) -> bool {
    shape.parts().iter().any(|part| {
        let extent = |normal: DVec3| {
            let along = part.core().vertices().iter().map(|vertex| normal.dot(*vertex));
            let (low, high) = along.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        let thickness = part.core().faces().iter().map(|face| extent(face.normal));
        let thickness = thickness.fold(f64::INFINITY, f64::min);
        let thickness = if thickness.is_finite() { thickness } else { 0.0 } + 2.0 * part.radius();
        thickness < 1e-6 * part.reach_from(part.center())
    })
}

/// A factor of a body's lengths: its bounding radius is then in the range of scenes.
pub(crate) fn body_scale(radius: f64, bytes: &mut Unstructured<'_>) -> Result<f64> {
    let scale = length(bytes)?;
    let is_usable = scale > 0.0 && (1e-12..=1e12).contains(&(radius * scale));
    Ok(if is_usable { scale } else { 1.0 })
}

/// A pose on the lattice, near it, or any. Bodies that are further apart than shapes can be large are no candidates, and
/// products of their distances leave the range of numbers.
pub(crate) fn pose(bytes: &mut Unstructured<'_>) -> Result<Pose> {
    let position = place(bytes)?.clamp(-FARTHEST, FARTHEST);
    let byte: u8 = bytes.arbitrary()?;
    let rotation = if byte < 160 {
        // Halves of quarters about the axes.
        let turn = |axis: DVec3, steps: u8| {
            let (sine, cosine) = libm::sincos(f64::from(steps) * std::f64::consts::FRAC_PI_8);
            DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
        };
        turn(DVec3::X, byte % 4) * turn(DVec3::Y, byte / 4 % 5) * turn(DVec3::Z, byte / 20)
    } else {
        let [x, y, z, w]: [i8; 4] = bytes.arbitrary()?;
        DQuat::from_xyzw(x.into(), y.into(), z.into(), f64::from(w) + 0.5)
    };
    Ok(Pose { position, rotation: rotation.normalize() })
}

fn place(bytes: &mut Unstructured<'_>) -> Result<DVec3> {
    Ok(DVec3::new(place_of(bytes)?, place_of(bytes)?, place_of(bytes)?))
}

/// A coordinate: of the lattice, a little beside it, or any.
fn place_of(bytes: &mut Unstructured<'_>) -> Result<f64> {
    let byte: u8 = bytes.arbitrary()?;
    let on_lattice = |byte: u8| f64::from(i16::from(byte % 33) - 16) * STEP;
    match byte {
        0..160 => Ok(on_lattice(byte)),
        160..240 => {
            // From 1e-1 to 1e-15.
            let beside = libm::exp10(-f64::from(bytes.arbitrary::<u8>()? % 15 + 1));
            Ok(on_lattice(byte) + if byte < 200 { beside } else { -beside })
        }
        _ => Ok(coordinate(bytes)?.into()),
    }
}
