//! Generated boxes: inputs that need no file.
//!
//! The atlas is a seeded random family of inputs that were not chosen by hand. A [`Cell`] is one input:
//! how many objects there are, where they start, how large they are and how they move. [`Cell::draw`]
//! draws all of it from a seed and a number. Its lengths are in usual sides: the side of a box of usual
//! size is 1. A [`GeneratedSpec`] is an input that is named by a word and a number.
//!
//! [`GeneratedBoxes`] are the boxes of either, frame by frame. They are exactly repeatable on every
//! machine: ChaCha8 and an integer hash, additions, multiplications, divisions and square roots, and
//! what else is needed from `libm`. A box that does not move in a frame keeps every bit of its
//! coordinates.

mod body;
mod boxes;
mod cell;
mod kinds;
mod motion;
mod movers;
mod named;
mod places;
mod random;
mod triangles;

pub use boxes::{GeneratedBoxes, TIME_STEP};
pub use cell::Cell;
pub use kinds::{GeneratedKind, Motion, Placement, Sizes};
pub use named::{BoxesNameError, GeneratedSpec};
