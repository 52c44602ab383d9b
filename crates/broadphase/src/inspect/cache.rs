//! What a structure caches of its objects: fat AABBs and pairs.

use crate::{Aabb, Pair};

/// How a cache treats an object in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheState {
    /// It rested when it was cached, and still does: its fat AABB is its own box.
    Resting,
    /// It moves within its fat AABB.
    Slow,
    /// It is not cached: every frame searches for its pairs.
    Moving,
    /// The same, while its entry from when it was cached is still there. Searches skip the entry.
    Stale,
}

impl CacheState {
    /// All states, from the least to the most expensive.
    pub const ALL: [CacheState; 4] = [Self::Resting, Self::Slow, Self::Moving, Self::Stale];
}

/// An object of a structure with fat AABBs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FatBox {
    /// Id of the object.
    pub object: u32,
    /// Its fat AABB: it contains the object's box while the object rests or is slow. That of a moving
    /// object is empty; that of a stale one is where it was cached, or empty.
    pub bounds: Aabb,
    /// How it is treated.
    pub state: CacheState,
}

/// A pair that is not searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachedPair {
    /// Both objects: their fat AABBs overlap.
    pub pair: Pair,
    /// Both rest: the pair is copied from frame to frame. Else the frame's boxes are tested.
    pub is_resting: bool,
}
