//! Shapes: convex parts, alone or together.

mod convex_core;
mod convex_hull;
mod exact_hull;
mod flatten;
mod mass;
mod merge_faces;
mod part;
mod points;
mod polygon;
mod primitives;
mod rounding;
mod shape_error;
mod shape_type;
mod surface;

pub use convex_core::{Core, Face, MAX_VERTICES};
pub(crate) use convex_hull::convex_hull;
pub use mass::MassProperties;
pub use part::Part;
pub use points::FromPoints;
pub(crate) use rounding::Rounding;
pub use shape_error::{LENGTHS, MAX_PARTS, MAX_POINTS, ShapeError};
pub use shape_type::Shape;

#[cfg(test)]
mod tests;
