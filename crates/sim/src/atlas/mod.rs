//! The atlas: a seeded random family of inputs that were not chosen by hand.
//!
//! A [`Cell`] is one input: how many objects there are, where they start, how large they are and how
//! they move. [`Cell::draw`] draws all of it from a seed and a number. [`CellBoxes`] are its boxes,
//! frame by frame. Lengths are in usual sides: the side of a box of usual size is 1.
//!
//! Exactly repeatable on every machine: ChaCha8 and an integer hash, additions, multiplications,
//! divisions and square roots, and what else is needed from `libm`. A box that does not move in a
//! frame keeps every bit of its coordinates.

mod bodies;
mod boxes;
mod cell;
mod churn;
mod kinds;
mod movers;
mod places;
mod random;
mod sheet;
mod sizes;
mod start;
mod steps;
mod terrain;

pub use boxes::CellBoxes;
pub use cell::{Cell, CellNameError};
pub use kinds::{Motion, Placement, Sizes};
