//! Coordinates, sizes and places from bytes.

use arbitrary::{Result, Unstructured};
use glam::Vec3;

/// Bytes below this are places on a lattice, so that boxes touch, coincide and lie on planes of a tree.
const LATTICE: u8 = 200;

/// The distance of two places of the lattice.
const STEP: f32 = 0.125;

/// Numbers at which rounding, overflow and signs matter.
const EXTREMES: [f32; 24] = [
    -0.0,
    f32::MAX,
    -f32::MAX,
    3e38,
    -3e38,
    1.8e38,
    -1.8e38,
    1e19,
    -1e19,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-40,
    -1e-40,
    f32::from_bits(1),
    -f32::from_bits(1),
    1.0 + f32::EPSILON,
    1.0 - f32::EPSILON,
    16_777_216.0,
    16_777_218.0,
    -16_777_216.0,
    1e7,
    1e-7,
    1e12,
    0.1,
];

/// A coordinate: of the lattice, extreme, or of any bits that are finite.
pub(crate) fn coordinate(bytes: &mut Unstructured<'_>) -> Result<f32> {
    let byte: u8 = bytes.arbitrary()?;
    if byte < LATTICE {
        return Ok(f32::from(i16::from(byte) - i16::from(LATTICE / 2)) * STEP);
    }
    match EXTREMES.get(usize::from(byte - LATTICE)) {
        Some(&extreme) => Ok(extreme),
        None => {
            let any = f32::from_bits(bytes.arbitrary()?);
            Ok(if any.is_finite() { any } else { 0.0 })
        }
    }
}

/// A point.
pub(crate) fn point(bytes: &mut Unstructured<'_>) -> Result<Vec3> {
    Ok(Vec3::new(coordinate(bytes)?, coordinate(bytes)?, coordinate(bytes)?))
}

/// The sides of a box: often equal and small, else any. A negative one makes the box empty.
pub(crate) fn sides(bytes: &mut Unstructured<'_>) -> Result<Vec3> {
    let byte: u8 = bytes.arbitrary()?;
    if byte < LATTICE { Ok(Vec3::splat(f32::from(byte % 16) * STEP)) } else { point(bytes) }
}

/// A small step on the lattice, or any.
pub(crate) fn step(bytes: &mut Unstructured<'_>) -> Result<Vec3> {
    let byte: u8 = bytes.arbitrary()?;
    if byte >= LATTICE {
        return point(bytes);
    }
    let digit = |divisor: u8| f32::from(i16::from(byte / divisor % 5) - 2) * STEP / 4.0;
    Ok(Vec3::new(digit(1), digit(5), digit(25)))
}
