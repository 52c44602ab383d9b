//! The stages after the broad phase: do two bodies whose boxes overlap touch, where, and how deep?
//!
//! A [`Shape`] is one convex [`Part`] or several. A [`Body`] is a shape at a [`Pose`], scaled. A
//! [`NarrowPhase`] answers whether two bodies touch, with a witness of its [`Answer`]. Lengths have the
//! caller's unit. All computations are in `f64`, relative to one of the two bodies, so that the distance
//! of a pair from the origin costs no digits.
//!
//! The crate knows no scene, clock, screen or file.

mod answer;
mod body;
mod bounds;
pub mod contact;
pub mod impact;
pub mod narrow;
mod pair;
pub mod random_pairs;
mod reference;
pub mod registry;
pub mod shape;
pub mod volume;

pub use answer::{Answer, NarrowPhase, PairCache};
pub use body::{Body, Pose};
pub use bounds::{Bounds, BoxKind};
pub use pair::{BAND, rounding_of, size_of_pair};
pub use reference::{PartVerdict, Reference, Verdict, face_planes};
pub use shape::{Part, Shape};
