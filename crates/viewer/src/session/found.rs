//! The figures of one search.

use super::history::FrameFigures;

/// What a search of some boxes found, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Pairs of objects examined.
    pub tests: u64,
    /// Candidates: pairs of overlapping boxes.
    pub pairs: u64,
    /// Real collisions among them.
    pub hits: u64,
    /// Points of the contact sets of bodies; `None` where all objects are spheres.
    pub contact_points: Option<u64>,
    /// Nanoseconds: bringing the structure up to date.
    pub update_ns: u64,
    /// Nanoseconds: finding the pairs.
    pub pairs_ns: u64,
}

impl From<&FrameFigures> for Found {
    fn from(frame: &FrameFigures) -> Self {
        Self {
            tests: frame.tests,
            pairs: frame.pairs,
            hits: frame.hits,
            contact_points: None,
            update_ns: frame.update_ns,
            pairs_ns: frame.pairs_ns,
        }
    }
}
