//! Broad phases that a Rust developer could pick today, behind the trait of ours: they are measured in
//! the same run, by the same clock, on the same boxes, and their pairs are compared like any other's.
//!
//! The crate is empty unless its feature `all` is on, which takes minutes to build.
//!
//! What is timed: all that a user of the other crate would have to do in every frame to get from his
//! boxes the exact pairs. So the conversion into its own type of box is timed where it keeps boxes
//! itself; so is telling which boxes have changed, which a program may know for free, but which costs
//! little; and so is the test of candidates by the real boxes, where it keeps enlarged ones. Each
//! adapter says what it does and why. All run on one thread: their sequential builds are measured.
//!
//! Since rapier3d is at hand, the crate also makes what a physics engine gives its broad phase to do:
//! a pile of bodies, falling or at rest, as a trace.

#[cfg(feature = "all")]
mod adapters;
#[cfg(feature = "all")]
mod pile;
#[cfg(feature = "all")]
mod registry;

#[cfg(feature = "all")]
pub use pile::{Pile, PileOptions};
#[cfg(feature = "all")]
pub use registry::{PEERS, VERSIONS, find};
