//! What a structure shows of itself: the parts that it draws, its leaves or cells, what it caches, its sweeps, the
//! tests of each object, and remarks in words.
//!
//! [`BroadPhase::debug_draw`](crate::BroadPhase::debug_draw) draws into a [`DebugDraw`], independent of a
//! renderer. [`BroadPhase::inspect`](crate::BroadPhase::inspect) gives an [`Inspect`].

mod cache;
mod draw;
mod regions;
mod sweep;

pub use cache::{CacheState, CachedPair, FatBox};
pub use draw::{DebugDraw, Endpoint, Overlay, Rotation, SplitPlane, TreeBox};
pub use regions::{Alternative, HashSlot, Inspect, NO_REGION, Outcome, Region, Visited, Work};
pub(crate) use regions::{
    Opaque, add_test, add_tests, add_tests_within, counted, first_lists, visit_other,
    visit_others_within,
};
pub use sweep::{Exchange, MatrixCell, SweepBlock, SweptList};
