//! Convex polygons, extruded.

use glam::{DVec2, DVec3, Vec3Swizzles};

use super::primitives::{length, prism};
use super::surface::PLANE_TOLERANCE;
use super::{FromPoints, LENGTHS, MAX_VERTICES, Rounding, ShapeError};
use crate::shape::Shape;

impl Shape {
    /// A convex polygon in the x-z plane, extruded along y from `-depth / 2` to `depth / 2`.
    /// Corners are `[x, z]`, in either direction around it. Those in the middle of a straight side
    /// are left out.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Size`], [`ShapeError::Coordinate`], [`ShapeError::CornerCount`],
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
        let corners: Vec<DVec2> = corners.iter().map(|&corner| corner.into()).collect();
        let center = corners.iter().sum::<DVec2>() / corners.len().max(1) as f64;
        let size = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f64::max);
        let mut outline: Vec<Corner> =
            corners.iter().enumerate().map(|(index, &at)| Corner { index, at }).collect();
        let tolerance = PLANE_TOLERANCE * size + rounding;
        drop_duplicates(&mut outline, tolerance);
        let duplicates = corners.len() - outline.len();
        let count = outline.len();
        if count < 3 {
            return Err(ShapeError::CornerCount(count));
        }
        if signed_area(&outline) > 0.0 {
            // Counterclockwise in x and z is clockwise seen from the tip of y.
            outline.reverse();
        }
        let straight = check_turns(&outline, tolerance)?;
        let kept = outline.iter().zip(straight).filter(|(_, straight)| !straight);
        let base: Vec<DVec3> = kept.map(|(corner, _)| corner.at.extend(0.0).xzy()).collect();
        if !(3..=MAX_VERTICES / 2).contains(&base.len()) {
            return Err(ShapeError::CornerCount(base.len()));
        }
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

/// Whether each corner is in the middle of a straight side. All others turn to the right, by one
/// full turn.
fn check_turns(outline: &[Corner], tolerance: f64) -> Result<Vec<bool>, ShapeError> {
    let count = outline.len();
    let mut straight = Vec::with_capacity(count);
    let mut turned = 0.0;
    for (i, corner) in outline.iter().enumerate() {
        let before = corner.at - outline[(i + count - 1) % count].at;
        let after = outline[(i + 1) % count].at - corner.at;
        let (turn, forward) = (before.perp_dot(after), before.dot(after));
        let longest = before.length().max(after.length());
        let is_straight = forward > 0.0 && turn.abs() <= tolerance * longest;
        if turn >= 0.0 && !is_straight {
            return Err(ShapeError::NotConvex(corner.index));
        }
        turned += libm::atan2(turn.abs(), forward);
        // A star turns to the right only too, but more than once.
        if turned > 1.5 * std::f64::consts::TAU {
            return Err(ShapeError::NotConvex(corner.index));
        }
        straight.push(is_straight);
    }
    Ok(straight)
}
