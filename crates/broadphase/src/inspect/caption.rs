//! Captions of marks and ways of a search: the words, roles and facts by which a legend describes them.

use super::Overlay;

/// A colour by its use. A theme has the colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tone {
    /// The axis x, y or z, by number.
    Axis(usize),
    /// A leaf of a tree of boxes.
    Leaf,
    /// A [`CacheState`](super::CacheState), by its place among all.
    Cached(usize),
    /// Lower ends of intervals, 0, or upper ends, 1.
    End(usize),
    /// A candidate pair.
    Candidate,
    /// A place on the colour scale, 0 to 1.
    Scale(f32),
}

/// One of the kinds of marks of an overlay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Role {
    /// Its meaning, in a few words that follow a number or a colour.
    pub meaning: &'static str,
    /// Its colour.
    pub tone: Tone,
}

/// The number of an object's regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Straddling {
    /// An object on a border is in several.
    Several,
    /// An object that a plane cuts is in the list of that plane, any other in its leaf.
    AtPlane,
    /// Each object is in one, and may reach out of it.
    Loose,
}

/// The unit of the depth of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelKind {
    /// Steps below the root.
    Depth,
    /// Steps above the leaves, from which the tree is built. Marks still report their depth.
    Height,
    /// Sizes of cells, from the largest.
    Size,
}

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
    /// The kinds of marks.
    pub roles: &'static [Role],
    /// The change of a mark, in words that a number follows.
    pub change: &'static str,
    /// The reason why there are no marks, in a sentence; may be empty.
    pub none: &'static str,
    /// The unit of the depth of a mark.
    pub levels: LevelKind,
    /// Whether the marks bound their objects. Others are parts of space, drawn as far as there are objects.
    pub bounds: bool,
    /// How many regions list an object.
    pub straddling: Straddling,
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
            none: "",
            levels: LevelKind::Size,
            bounds: false,
            straddling: Straddling::Several,
            longest: None,
        }
    }

    /// Planes that divide space.
    pub const PLANES: Self = Self {
        meaning: "Each divides its cell in two, as an inner node of the tree.",
        roles: &[
            Role { meaning: "cuts x (y-z plane)", tone: Tone::Axis(0) },
            Role { meaning: "cuts y (x-z plane)", tone: Tone::Axis(1) },
            Role { meaning: "cuts z (x-y plane)", tone: Tone::Axis(2) },
        ],
        change: "planes moved",
        levels: LevelKind::Depth,
        ..Self::of(Overlay::Planes)
    };

    /// Leaves between planes.
    pub const LEAVES: Self = Self {
        noun: ["leaf", "leaves"],
        meaning: "Objects are tested against those that share a leaf. An object that a plane cuts is in several. The \
                  numbers are objects.",
        levels: LevelKind::Depth,
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
        roles: &[Role { meaning: "leaf", tone: Tone::Leaf }],
        levels: LevelKind::Depth,
        bounds: true,
        ..Self::of(Overlay::TreeBoxes)
    };

    /// The fat AABBs of a cache of pairs.
    pub const FAT_BOXES: Self = Self {
        meaning: "Bounding boxes with a margin. While each object's own box is within its fat one, the cached pairs are \
                  complete.",
        roles: &cached("escaped or too quick: partners searched along one axis"),
        change: "fat AABB left or renewed",
        none: "Nothing is cached now: all boxes are searched.",
        ..Self::of(Overlay::FatBoxes)
    };

    /// Whether objects that a plane cuts are listed at that plane.
    pub fn keeps_straddlers(&self) -> bool {
        self.straddling == Straddling::AtPlane
    }

    /// The word for a number of marks.
    pub fn noun(&self, number: usize) -> &'static str {
        self.noun[usize::from(number != 1)]
    }
}

/// The roles of the objects of a cache, in the order of [`CacheState::ALL`](super::CacheState::ALL).
pub(crate) const fn cached(moving: &'static str) -> [Role; 4] {
    [
        Role { meaning: "resting: their pairs are copied", tone: Tone::Cached(0) },
        Role { meaning: "within their fat AABB", tone: Tone::Cached(1) },
        Role { meaning: moving, tone: Tone::Cached(2) },
        Role {
            meaning: "began to move: partners searched, old entry stale",
            tone: Tone::Cached(3),
        },
    ]
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
    /// The nodes above the leaves that hold it, where these are counted apart.
    pub above: Option<[&'static str; 2]>,
    /// Nodes that were searched.
    pub searched: [&'static str; 2],
    /// Nodes that were rejected.
    pub rejected: [&'static str; 2],
    /// The nodes of the tree that its diagram draws hollow; `None` if it is no tree.
    pub hollow: Option<&'static str>,
    /// An overlay whose meaning this explains.
    pub explains: Option<Overlay>,
}

impl Way {
    /// Down a hierarchy of bounding boxes.
    pub(crate) const BOXES: Self = Self {
        title: "Its way down the tree",
        meaning: "Boxes of its colour contain it. Green ones overlap one of these. Dashed ones do not, and nothing below \
                  them is compared.",
        holds: ["box holds it", "boxes hold it"],
        above: None,
        searched: ["box overlaps: followed down", "boxes overlap: followed down"],
        rejected: ["box apart: not followed", "boxes apart: not followed"],
        hollow: Some("Hollow: not followed, and no tested leaf."),
        explains: Some(Overlay::TreeBoxes),
    };

    /// Down a tree of planes, to each leaf that it touches.
    pub(crate) const PLANES: Self = Self {
        meaning: "At each plane it goes to the side that it touches, or to both. The others are left out.",
        holds: ["cell holds it", "cells hold it"],
        above: Some(["cell above", "cells above"]),
        searched: ["cell searched", "cells searched"],
        rejected: ["cell left out", "cells left out"],
        hollow: Some("Hollow: left out."),
        explains: Some(Overlay::Planes),
        ..Self::BOXES
    };
}
