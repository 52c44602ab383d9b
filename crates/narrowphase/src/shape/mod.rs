//! Shapes: convex parts, alone or together.

mod convex_core;
mod part;
mod shape_type;

pub use convex_core::{Core, CoreError, Face};
pub use part::Part;
pub use shape_type::Shape;
