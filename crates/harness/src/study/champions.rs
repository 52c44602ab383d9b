//! The algorithms that stand for the registry.

/// The algorithm that chooses among the others.
pub(crate) const AUTO: &str = "auto";

/// The fast family: what `auto` chooses from, and `auto` itself.
pub(crate) const CHAMPIONS: [&str; 5] =
    ["box-pruning", FULL_SEARCH, "rest-grid", "neighbour-list", AUTO];

/// The fastest algorithm that keeps nothing between frames: one of its frames is a full search.
pub(crate) const FULL_SEARCH: &str = "sweep-grid";
