//! Generated boxes: inputs that are named by a word and a number.
//!
//! Seeded and exactly repeatable on every machine: ChaCha8, additions, multiplications and square
//! roots, and what else is needed from `libm`.

mod bodies;
mod boxes;
mod kind;
mod layout;
mod spec;
mod terdiman;

pub use boxes::{GeneratedBoxes, TIME_STEP};
pub use kind::GeneratedKind;
pub use spec::{GeneratedSpec, GeneratedSpecError};
