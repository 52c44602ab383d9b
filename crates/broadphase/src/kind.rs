//! The kinds of algorithms, by which long lists of them are divided.

use crate::Algorithm;

/// How an algorithm keeps the number of tests low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Not at all.
    AllPairs,
    /// By sorting the objects along axes.
    Sorting,
    /// By cells of a fixed arrangement.
    Grid,
    /// By dividing space in halves or octants, again and again.
    SpaceTree,
    /// By boxes around groups of objects, and around groups of those.
    BoxTree,
    /// In another way.
    Other,
}

impl Kind {
    /// All of them, in the order in which they are taught.
    pub const ALL: [Kind; 6] =
        [Kind::AllPairs, Kind::Sorting, Kind::Grid, Kind::SpaceTree, Kind::BoxTree, Kind::Other];

    /// Its name in the plural.
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

impl Algorithm {
    /// Its kind, which the first word of its id tells.
    pub fn kind(&self) -> Kind {
        match self.family().split('-').next() {
            Some("brute") => Kind::AllPairs,
            Some("sap" | "box") => Kind::Sorting,
            Some("grid" | "areas" | "sweep" | "rest") => Kind::Grid,
            Some("bsp" | "kd" | "octree") => Kind::SpaceTree,
            Some("bvh") => Kind::BoxTree,
            _ => Kind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_of_an_id_tells_the_kind_whatever_the_variant() {
        let kind = |id| Algorithm { id, ..crate::algorithms::brute_force::ROW }.kind();
        assert_eq!(kind("areas+4x4"), Kind::Grid);
        assert_eq!(kind("kd-sap"), Kind::SpaceTree);
        assert_eq!(kind("bvh-top-down+sah"), Kind::BoxTree);
        assert_eq!(kind("sapling"), Kind::Other);
        assert_eq!(kind(""), Kind::Other);
    }
}
