//! Convex polygons, extruded.

use glam::{DVec2, DVec3, Vec3Swizzles};

use super::primitives::{length, prism};
use super::shape_error::count;
use super::surface::{PLANE_TOLERANCE, size_of};
use super::{FromPoints, LENGTHS, MAX_VERTICES, Rounding, ShapeError};
use crate::shape::Shape;

/// The corners of a polygon.
const CORNERS: [usize; 2] = [3, MAX_VERTICES / 2];

impl Shape {
    /// A convex polygon in the x-z plane, extruded along y from `-depth / 2` to `depth / 2`.
    /// Corners are `[x, z]`, in either direction around it. Those in the middle of a straight side
    /// are left out.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Coordinate`], [`ShapeError::Count`],
    /// [`ShapeError::NotConvex`], and [`ShapeError::Sizes`] if the depth is too small.
    pub fn polygon(depth: f64, corners: &[[f64; 2]]) -> Result<FromPoints, ShapeError> {
        Self::extruded(depth, corners, 0.0)
    }

    /// [`polygon`](Self::polygon) whose coordinates were rounded to `f32`: corners that rounding moved off a straight side are
    /// left out.
    ///
    /// # Errors
    ///
    /// As [`polygon`](Self::polygon).
    pub fn polygon_f32(depth: f32, corners: &[[f32; 2]]) -> Result<FromPoints, ShapeError> {
        let corners: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
        let points: Vec<DVec3> = corners.iter().map(|&[x, z]| DVec3::new(x, 0.0, z)).collect();
        let rounding = Rounding::of_f32(&points).along(DVec3::ONE);
        Self::extruded(depth.into(), &corners, rounding)
    }

    /// `rounding` is how far corners of a straight side may be from it.
    fn extruded(depth: f64, corners: &[[f64; 2]], rounding: f64) -> Result<FromPoints, ShapeError> {
        let half = length("depth", depth)? / 2.0;
        let is_good = |x: &f64| x.abs() <= *LENGTHS.end();
        if let Some(at) = corners.iter().position(|corner| !corner.iter().all(is_good)) {
            return Err(ShapeError::Coordinate(at));
        }
        let at = |&[x, z]: &[f64; 2]| DVec3::new(x, 0.0, z);
        let size = size_of(&corners.iter().map(at).collect::<Vec<_>>());
        let tolerance = PLANE_TOLERANCE * size + rounding;
        let placed = corners.iter().map(|&corner| corner.into()).enumerate();
        let mut outline: Vec<Corner> = placed.map(|(index, at)| Corner { index, at }).collect();
        drop_duplicates(&mut outline, tolerance);
        let duplicates = corners.len() - outline.len();
        count("corners", CORNERS, outline.len())?;
        if signed_area(&outline) > 0.0 {
            // Counterclockwise in x and z is clockwise seen from the tip of y.
            outline.reverse();
        }
        let base = turning_corners(&outline, tolerance)?;
        count("corners", CORNERS, base.len())?;
        Ok(FromPoints { shape: prism(&base, DVec3::Y * half)?, duplicates })
    }
}

/// A corner, and its place in the input.
#[derive(Clone, Copy)]
struct Corner {
    index: usize,
    at: DVec2,
}

/// Keeps the first of consecutive equal corners.
fn drop_duplicates(outline: &mut Vec<Corner>, tolerance: f64) {
    outline.dedup_by(|b, a| a.at.distance(b.at) <= tolerance);
    while outline.len() > 1 && outline[outline.len() - 1].at.distance(outline[0].at) <= tolerance {
        outline.pop();
    }
}

fn signed_area(outline: &[Corner]) -> f64 {
    let base = outline[0].at;
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    edges.map(|(a, b)| (a.at - base).perp_dot(b.at - base)).sum::<f64>() / 2.0
}

/// The corners but those in the middle of a straight side. They turn to the right, by one full turn.
fn turning_corners(outline: &[Corner], tolerance: f64) -> Result<Vec<DVec3>, ShapeError> {
    let (mut corners, mut turned) = (Vec::new(), 0.0);
    let ring = || outline.iter().cycle();
    for ((corner, last), next) in
        outline.iter().zip(ring().skip(outline.len() - 1)).zip(ring().skip(1))
    {
        let (before, after) = (corner.at - last.at, next.at - corner.at);
        let (turn, forward) = (before.perp_dot(after), before.dot(after));
        let longest = before.length().max(after.length());
        let is_straight = forward > 0.0 && turn.abs() <= tolerance * longest;
        turned += libm::atan2(turn.abs(), forward);
        // A star turns to the right only too, but more than once.
        if (turn >= 0.0 && !is_straight) || turned > 1.5 * std::f64::consts::TAU {
            return Err(ShapeError::NotConvex(corner.index));
        }
        if !is_straight {
            corners.push(corner.at.extend(0.0).xzy());
        }
    }
    Ok(corners)
}
