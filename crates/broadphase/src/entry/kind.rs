//! The kinds of algorithms, which group them in lists.

/// How an algorithm keeps the number of tests low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// It tests all pairs.
    AllPairs,
    /// By sorting the objects along axes.
    Sorting,
    /// By cells of a fixed arrangement.
    Grid,
    /// By dividing space recursively, in halves or octants.
    SpaceTree,
    /// By a hierarchy of bounding boxes.
    BoxTree,
    /// In another way.
    Other,
}

impl Kind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Kind; 6] =
        [Kind::AllPairs, Kind::Sorting, Kind::Grid, Kind::SpaceTree, Kind::BoxTree, Kind::Other];

    /// Its display name, in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AllPairs => "All pairs",
            Kind::Sorting => "Sorting",
            Kind::Grid => "Grids",
            Kind::SpaceTree => "Trees of space",
            Kind::BoxTree => "Trees of boxes",
            Kind::Other => "Others",
        }
    }
}
