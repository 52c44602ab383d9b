//! Why a shape could not be built.

use super::MAX_VERTICES;

/// The most points that a hull is computed of.
pub const MAX_POINTS: usize = 4096;
/// The most parts of a compound.
pub const MAX_PARTS: usize = 32;

/// Least and greatest length of a shape. Its moments of inertia, fifth powers of lengths, and their
/// inverses stay far within the range of `f64`. 1e-9 is within it as `f32` too, which is a little less.
pub const LENGTHS: std::ops::RangeInclusive<f64> = 0.999_999e-9..=1e9;

/// `found`, if it is within a range.
pub(super) fn count(
    what: &'static str,
    [least, most]: [usize; 2],
    found: usize,
) -> Result<usize, ShapeError> {
    let is_allowed = (least..=most).contains(&found);
    if is_allowed { Ok(found) } else { Err(ShapeError::Count { what, least, most, found }) }
}

/// Why a shape could not be built: what was expected, and what was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is not within [`LENGTHS`], or not a number.
    #[error("expected a {what} from 1e-9 to 1e9, found {found}")]
    Size {
        /// Which length: `radius`.
        what: &'static str,
        /// Its value.
        found: f64,
    },
    /// Too few sides of a cylinder or a cone, random points, different points or corners of a polygon, or too many.
    #[error("expected {least} to {most} {what}, found {found}")]
    Count {
        /// The counted thing: `sides`.
        what: &'static str,
        /// The least number allowed.
        least: usize,
        /// The greatest number allowed.
        most: usize,
        /// Their number.
        found: usize,
    },
    /// A coordinate of a point is too large, or not a number.
    #[error("expected coordinates from -1e9 to 1e9, found another in point {}", .0 + 1)]
    Coordinate(usize),
    /// All points lie in one plane.
    #[error("expected points that enclose a volume, found all in one plane")]
    Flat,
    /// The hull has too many vertices.
    #[error("expected a hull of at most {MAX_VERTICES} vertices, found {0}")]
    VertexCount(usize),
    /// No hull was found that encloses all points to 1e-9 of their size.
    #[error(
        "the points are so nearly in planes or lines that rounding hides their hull; leave some out"
    )]
    Hull,
    /// A corner of a polygon is reflex, or its edges cross.
    #[error("expected a convex polygon, found that it is not at corner {}", .0 + 1)]
    NotConvex(usize),
    /// The number of parts of a compound.
    #[error("expected 1 to {MAX_PARTS} parts, found {0}")]
    PartCount(usize),
    /// A part of a compound is a compound.
    #[error("expected parts of one convex piece, found a compound as part {}", .0 + 1)]
    NestedCompound(usize),
    /// The position of a part is too far from the origin, or its rotation is no unit quaternion.
    #[error("expected part {} at -1e9 to 1e9, rotated by a unit quaternion", .0 + 1)]
    PartPose(usize),
    /// The shape is so thin a needle, or its parts are so far apart, that a moment of inertia is lost to rounding.
    #[error("the shape is too thin for its length: a moment of inertia is lost to rounding")]
    Inertia,
    /// The faces that follow from the sizes do not enclose a volume: sizes differ too much.
    #[error("the sizes differ too much: expected each to be at least about 1e-9 of the others")]
    Sizes,
}
