//! The precision of the points that a hull is built of.

use glam::DVec3;

/// How far a point may be from where its author meant it, in roundings of a coordinate. Four points in a plane, each
/// rounded, are apart by some five where the fourth is far from the others.
const ROUNDINGS: f64 = 8.0;

/// Rounding of coordinates: half a unit in the last place of the largest, for each axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rounding(DVec3);

impl Rounding {
    /// Coordinates are meant to the last digit.
    pub(crate) const EXACT: Self = Self(DVec3::ZERO);

    /// Coordinates were rounded to `f32`.
    pub(crate) fn of_f32(points: &[DVec3]) -> Self {
        let largest = points.iter().fold(DVec3::ZERO, |largest, point| largest.max(point.abs()));
        Self(largest * (0.5 * f64::from(f32::EPSILON)))
    }

    pub(super) fn is_exact(&self) -> bool {
        self.0 == DVec3::ZERO
    }

    /// How far points of a plane with this unit normal may be from it.
    pub(super) fn along(&self, normal: DVec3) -> f64 {
        ROUNDINGS * normal.abs().dot(self.0)
    }

    /// Whether the difference of two points may be nothing but rounding.
    pub(super) fn may_be(&self, difference: DVec3) -> bool {
        difference.abs().cmple(self.0 * ROUNDINGS).all()
    }
}
