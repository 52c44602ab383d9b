//! The overlays: what a structure can show, with their names for command lines, panels and settings.

/// A kind of drawing. Each registry entry declares those of its algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlay {
    /// Planes that divide space: [`Mark::Plane`](super::Mark::Plane).
    Planes,
    /// Leaves or cells with the objects listed in them: [`Mark::Region`](super::Mark::Region).
    Regions,
    /// The nodes of a tree, by depth: [`Mark::Node`](super::Mark::Node).
    TreeBoxes,
    /// Sorted lists: [`Mark::End`](super::Mark::End).
    Endpoints,
    /// The order of the objects along a curve: [`Mark::Point`](super::Mark::Point).
    Curve,
    /// Fat AABBs, [`Mark::Box`](super::Mark::Box). The role is the place of the [`CacheState`](super::CacheState); every object
    /// that is searched for has a mark, too.
    FatBoxes,
    /// Pairs that are not searched for: [`Mark::Pair`](super::Mark::Pair). Role 0: the frame's boxes are tested. Role 1: both
    /// objects rest, and the pair is copied from frame to frame.
    CachedPairs,
    /// The order of a sweep in blocks of sixteen: [`Mark::Block`](super::Mark::Block).
    Blocks,
    /// Pairs whose boxes overlap on 1, 2 or 3 axes, with the roles 0, 1 and 2: [`Mark::Pair`](super::Mark::Pair). Takes n² bytes
    /// for n objects.
    Matrix,
}

impl Overlay {
    /// All overlays, in the order of the documentation.
    pub const ALL: [Overlay; 9] = [
        Self::Planes,
        Self::Regions,
        Self::TreeBoxes,
        Self::Endpoints,
        Self::Curve,
        Self::FatBoxes,
        Self::CachedPairs,
        Self::Blocks,
        Self::Matrix,
    ];

    /// Its word on command lines and in settings.
    pub const fn word(self) -> &'static str {
        self.names()[0]
    }

    /// Its name in panels.
    pub const fn name(self) -> &'static str {
        self.names()[1]
    }

    /// Its meaning, in a sentence.
    pub const fn meaning(self) -> &'static str {
        self.names()[2]
    }

    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Planes => [
                "planes",
                "Planes",
                "Planes that divide space: those that cut x red, y green, z blue",
            ],
            Self::Regions => ["regions", "Cells", "brighter the more objects they list"],
            Self::TreeBoxes => {
                ["boxes", "Boxes", "The tree of boxes: each bounds the boxes below it"]
            }
            Self::Endpoints => {
                ["lists", "Endpoints", "The sorted lists of the endpoints of the objects' boxes"]
            }
            Self::Curve => {
                ["curve", "Curve", "The order of the objects along a space-filling curve"]
            }
            Self::FatBoxes => [
                "fat",
                "Fat AABBs",
                "Each object's box within the fat AABB by which it is cached, by its state; objects that escape flash",
            ],
            Self::CachedPairs => [
                "pairs",
                "Cached pairs",
                "A line between the objects of each pair that is not searched for",
            ],
            Self::Blocks => [
                "blocks",
                "Blocks of 16",
                "The order of the sweep in blocks of sixteen boxes, which are compared together; of a picked object the \
                 blocks that it is compared with",
            ],
            Self::Matrix => ["matrix", "Matrix", "The counters of all pairs, in the legend"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlays_are_in_the_order_of_their_numbers() {
        assert!(Overlay::ALL.iter().enumerate().all(|(place, overlay)| *overlay as usize == place));
    }
}
