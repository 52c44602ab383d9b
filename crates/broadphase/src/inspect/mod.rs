//! What a structure shows of itself: the parts that it draws, its leaves or cells, and the tests of each object.
//!
//! [`BroadPhase::debug_draw`](crate::BroadPhase::debug_draw) draws into a [`DebugDraw`], independent of a
//! renderer. [`BroadPhase::inspect`](crate::BroadPhase::inspect) gives an [`Inspect`].

mod draw;
mod regions;

pub use draw::{DebugDraw, Endpoint, Overlay, SplitPlane, TreeBox};
pub use regions::{Inspect, NO_REGION, Region, Work};
pub(crate) use regions::{Opaque, add_tests, add_tests_within, first_lists};
