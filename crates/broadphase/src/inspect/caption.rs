//! Captions of marks and ways of a search: the words by which a legend describes them.

use super::Overlay;

/// How an algorithm describes an overlay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caption {
    /// The overlay.
    pub overlay: Overlay,
    /// One of its marks in words, and several: `leaf`, `leaves`.
    pub noun: [&'static str; 2],
    /// Its heading.
    pub title: &'static str,
    /// The nature of the marks, and how they keep the tests few, in sentences.
    pub meaning: &'static str,
    /// The kinds of marks by role, each in a few words that follow a number or a colour.
    pub roles: &'static [&'static str],
    /// The change of a mark, in words that a number follows.
    pub change: &'static str,
    /// Whether the depth of a mark is shown as its height above the leaves, from which the tree is built.
    pub from_leaves: bool,
    /// Whether an object that a plane cuts is in the list of that plane, and any other in its leaf. Else an object on a
    /// border is in several regions.
    pub keeps_straddlers: bool,
    /// Whether each object is in one region, and may reach out of it.
    pub is_loose: bool,
    /// Longest side of an object, in sides of its cell, if the level of a region limits it.
    pub longest: Option<f32>,
}

impl Caption {
    /// A caption with the overlay's name.
    pub const fn of(overlay: Overlay) -> Self {
        Self {
            overlay,
            noun: ["cell", "cells"],
            title: overlay.name(),
            meaning: "",
            roles: &[],
            change: "",
            from_leaves: false,
            keeps_straddlers: false,
            is_loose: false,
            longest: None,
        }
    }

    /// Planes that divide space.
    pub const PLANES: Self = Self {
        meaning: "Each divides its cell in two, as an inner node of the tree.",
        roles: &["cuts x (y-z plane)", "cuts y (x-z plane)", "cuts z (x-y plane)"],
        change: "planes moved",
        ..Self::of(Overlay::Planes)
    };

    /// Leaves between planes.
    pub const LEAVES: Self = Self {
        noun: ["leaf", "leaves"],
        meaning: "Objects are tested against those that share a leaf. An object that a plane cuts is in several. The \
                  numbers are objects.",
        ..Self::of(Overlay::Regions)
    };

    /// Cells of a grid.
    pub const CELLS: Self = Self {
        meaning: "Objects are tested against those that share a cell. An object on a border is in several. The numbers \
                  are objects.",
        ..Self::of(Overlay::Regions)
    };

    /// Columns that are swept along one axis.
    pub const COLUMNS: Self = Self {
        noun: ["column", "columns"],
        meaning: "The objects of a column are sorted along one axis. Each is tested against those whose bars overlap \
                  its own. The numbers are objects.",
        ..Self::of(Overlay::Regions)
    };

    /// The nodes of a hierarchy of bounding boxes.
    pub const TREE_BOXES: Self = Self {
        title: "Tree of boxes",
        meaning: "Every box bounds the boxes below it. Where two boxes do not overlap, no object in one overlaps an \
                  object in the other.",
        roles: &["leaf"],
        ..Self::of(Overlay::TreeBoxes)
    };

    /// The fat AABBs of a cache of pairs.
    pub const FAT_BOXES: Self = Self {
        meaning: "Bounding boxes with a margin. While each object's own box is within its fat one, the cached pairs are \
                  complete.",
        roles: &cached("escaped or too quick: partners searched along one axis"),
        change: "fat AABB left or renewed",
        ..Self::of(Overlay::FatBoxes)
    };

    /// The word for a number of marks.
    pub fn noun(&self, number: usize) -> &'static str {
        self.noun[usize::from(number != 1)]
    }
}

/// The roles of the objects of a cache, in the order of [`CacheState::ALL`](super::CacheState::ALL).
pub(crate) const fn cached(moving: &'static str) -> [&'static str; 4] {
    let began = "began to move: partners searched, old entry stale";
    ["resting: their pairs are copied", "within their fat AABB", moving, began]
}

/// How the search of an object goes through a structure, in words. Pairs of words are of one node and of several; they
/// follow their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its heading.
    pub title: &'static str,
    /// How nodes are treated, in sentences.
    pub meaning: &'static str,
    /// Nodes that hold the object.
    pub holds: [&'static str; 2],
    /// Nodes that were searched.
    pub searched: [&'static str; 2],
    /// Nodes that were rejected.
    pub rejected: [&'static str; 2],
    /// The nodes of the tree that its diagram draws hollow; `None` if it is no tree.
    pub hollow: Option<&'static str>,
}

impl Way {
    /// Down a hierarchy of bounding boxes.
    pub(crate) const BOXES: Self = Self {
        title: "Its way down the tree",
        meaning: "Boxes of its colour contain it. Green ones overlap one of these. Dashed ones do not, and nothing below \
                  them is compared.",
        holds: ["box holds it", "boxes hold it"],
        searched: ["box overlaps: followed down", "boxes overlap: followed down"],
        rejected: ["box apart: not followed", "boxes apart: not followed"],
        hollow: Some("Hollow: not followed, and no tested leaf."),
    };

    /// Down a tree of planes, to each leaf that it touches.
    pub(crate) const PLANES: Self = Self {
        meaning: "At each plane it goes to the side that it touches, or to both. The others are left out.",
        holds: ["cell holds it", "cells hold it"],
        searched: ["cell searched", "cells searched"],
        rejected: ["cell left out", "cells left out"],
        hollow: Some("Hollow: left out."),
        ..Self::BOXES
    };
}
