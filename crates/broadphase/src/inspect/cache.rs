//! How a cache treats its objects.

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
