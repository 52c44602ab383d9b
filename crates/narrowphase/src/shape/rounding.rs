//! The precision of the points that a hull is built of.

use glam::DVec3;

/// How far a point may be from where its author meant it, in roundings of a coordinate. Four points in a plane, each
/// rounded, are apart by some five where the fourth is far from the others.
const ROUNDINGS: f64 = 8.0;

/// How far coordinates may be from what is meant, for each axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rounding(DVec3);

impl Rounding {
    /// Coordinates are meant to the last digit.
    pub(crate) const EXACT: Self = Self(DVec3::ZERO);

    /// Coordinates were rounded to `f32`: by half a unit in the last place of the largest.
    pub(crate) fn of_f32(points: &[DVec3]) -> Self {
        let largest = points.iter().fold(DVec3::ZERO, |largest, point| largest.max(point.abs()));
        Self(largest * (ROUNDINGS * 0.5 * f64::from(f32::EPSILON)))
    }

    /// This, or `least` for an axis whose coordinates are more precise.
    pub(super) fn at_least(self, least: f64) -> Self {
        Self(self.0.max(DVec3::splat(least)))
    }

    /// A share of this precision.
    pub(super) fn times(self, share: f64) -> Self {
        Self(self.0 * share)
    }

    pub(super) fn is_exact(&self) -> bool {
        self.0 == DVec3::ZERO
    }

    /// How far points of a plane with this unit normal may be from it.
    pub(super) fn along(&self, normal: DVec3) -> f64 {
        normal.abs().dot(self.0)
    }

    /// Whether the difference of two points may be nothing but rounding.
    pub(super) fn may_be(&self, difference: DVec3) -> bool {
        difference.abs().cmple(self.0).all()
    }
}
