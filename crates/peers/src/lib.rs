//! Broad phases that a Rust developer could choose today, behind our trait. They are measured in the same
//! run, by the same clock and on the same boxes, and their pairs are compared like any other's.
//!
//! The crate is empty unless its feature `all` is on, which takes minutes to build, or its feature `parry`, which has the
//! tests of bodies alone.
//!
//! Timed is everything that a user of the other crate would have to do in every frame to get the exact pairs
//! of the boxes:
//!
//! - the conversion into its own type of box, if it stores boxes itself;
//! - finding which boxes changed, which a program may know for free, but which costs little;
//! - the test of candidates by the exact boxes, if it stores fat AABBs.
//!
//! Each adapter states what it does and why. In a pool of one thread, their sequential functions are measured. In a larger
//! one, `THREADED` use the parallel functions of their crates: traversal and refit of parry3d, the build of
//! packed_spatial_index.
//!
//! With rapier3d, the crate also records the load that a physics engine puts on its broad phase: a pile of
//! bodies, falling or at rest, as a trace.

#[cfg(feature = "all")]
mod adapters;
#[cfg(feature = "parry")]
pub mod bodies;
#[cfg(feature = "all")]
mod pile;
#[cfg(feature = "all")]
mod registry;

#[cfg(feature = "all")]
pub use pile::Pile;
#[cfg(feature = "all")]
pub use registry::{PEERS, THREADED, VERSIONS};
