//! The overlays: what a structure can show. One table names them for command lines, panels and settings.

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

/// How an overlay is named.
struct Names {
    overlay: Overlay,
    word: &'static str,
    name: &'static str,
    meaning: &'static str,
}

const fn names(
    overlay: Overlay,
    word: &'static str,
    name: &'static str,
    meaning: &'static str,
) -> Names {
    Names { overlay, word, name, meaning }
}

/// The overlays in the order of the documentation, which is that of the enumeration.
const TABLE: [Names; 9] = [
    names(
        Overlay::Planes,
        "planes",
        "Planes",
        "Planes that divide space: those that cut x red, y green, z blue",
    ),
    names(Overlay::Regions, "regions", "Cells", "brighter the more objects they list"),
    names(
        Overlay::TreeBoxes,
        "boxes",
        "Boxes",
        "The tree of boxes: each bounds the boxes below it",
    ),
    names(
        Overlay::Endpoints,
        "lists",
        "Endpoints",
        "The sorted lists of the endpoints of the objects' boxes",
    ),
    names(Overlay::Curve, "curve", "Curve", "The order of the objects along a space-filling curve"),
    names(
        Overlay::FatBoxes,
        "fat",
        "Fat AABBs",
        "Each object's box within the fat AABB by which it is cached, by its state; objects that escape flash",
    ),
    names(
        Overlay::CachedPairs,
        "pairs",
        "Cached pairs",
        "A line between the objects of each pair that is not searched for",
    ),
    names(
        Overlay::Blocks,
        "blocks",
        "Blocks of 16",
        "The order of the sweep in blocks of sixteen boxes, which are compared together; of a picked object the \
         blocks that it is compared with",
    ),
    names(Overlay::Matrix, "matrix", "Matrix", "The counters of all pairs, in the legend"),
];

impl Overlay {
    /// All overlays, in the order of the documentation.
    pub const ALL: [Overlay; TABLE.len()] = {
        let mut all = [Overlay::Planes; TABLE.len()];
        let mut place = 0;
        while place < TABLE.len() {
            all[place] = TABLE[place].overlay;
            place += 1;
        }
        all
    };

    /// Its word on command lines and in settings.
    pub const fn word(self) -> &'static str {
        TABLE[self as usize].word
    }

    /// Its name in panels.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].name
    }

    /// Its meaning, in a sentence.
    pub const fn meaning(self) -> &'static str {
        TABLE[self as usize].meaning
    }
}

/// Some of the overlays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OverlaySet(u16);

impl OverlaySet {
    /// The set of no overlay.
    pub const NONE: Self = Self(0);

    /// The set of all overlays.
    pub const ALL: Self = Self::of(&Overlay::ALL);

    /// The set of these overlays.
    pub const fn of(overlays: &[Overlay]) -> Self {
        let (mut bits, mut place) = (0, 0);
        while place < overlays.len() {
            bits |= 1 << overlays[place] as u16;
            place += 1;
        }
        Self(bits)
    }

    /// Whether an overlay is in the set.
    pub const fn contains(self, overlay: Overlay) -> bool {
        self.0 & (1 << overlay as u16) != 0
    }

    /// Adds an overlay, or removes it.
    pub fn set(&mut self, overlay: Overlay, on: bool) {
        let bit = 1 << overlay as u16;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_every_overlay_in_its_place() {
        for (place, names) in TABLE.iter().enumerate() {
            assert_eq!(names.overlay as usize, place, "{}", names.word);
            assert_eq!(TABLE.iter().filter(|other| other.word == names.word).count(), 1);
        }
    }

    #[test]
    fn set_has_what_was_added_and_not_removed() {
        let mut set = OverlaySet::of(&[Overlay::Planes, Overlay::Matrix]);
        set.set(Overlay::Planes, false);
        set.set(Overlay::Curve, true);
        let all = Overlay::ALL.into_iter().filter(|overlay| set.contains(*overlay));
        assert_eq!(all.collect::<Vec<_>>(), [Overlay::Curve, Overlay::Matrix]);
        assert!(Overlay::ALL.into_iter().all(|overlay| OverlaySet::ALL.contains(overlay)));
    }
}
