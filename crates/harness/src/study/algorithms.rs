//! The algorithms that every study measures.

/// The algorithm that chooses among the others.
pub(crate) const AUTO: &str = "auto";

/// The fast algorithms: `auto` and those that it chooses from.
pub(crate) const CHAMPIONS: [&str; 5] =
    ["box-pruning", FULL_SEARCH, "rest-grid", "neighbour-list", AUTO];

/// The fastest algorithm that caches nothing: each of its frames is a full search.
pub(crate) const FULL_SEARCH: &str = "sweep-grid";
