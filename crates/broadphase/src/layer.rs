//! Layers: which objects may make a pair at all.

/// What one object may meet: a group that it belongs to, a mask of the groups that it meets, and
/// whether it stands still for good.
///
/// Two objects make a pair only where each meets the group of the other and not both are static.
/// Everything else about them, queries included, is untouched by layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// Bit g says whether it meets the objects of group g.
    pub mask: u32,
    /// The group that it belongs to, 0 to 31.
    pub group: u8,
    /// Whether it never moves by itself: ground, walls, buildings. Two static objects make no pair.
    ///
    /// A promise about pairs, not about motion: the box of a static object may still change.
    pub is_static: bool,
}

impl Layer {
    /// How many groups there are.
    pub const GROUPS: u8 = 32;

    /// A moving object of group 0 that meets everything.
    pub const ALL: Layer = Layer { mask: u32::MAX, group: 0, is_static: false };

    /// A static object of group 0 that meets everything that moves.
    pub const STATIC: Layer = Layer { is_static: true, ..Self::ALL };

    /// Whether two objects of these layers may make a pair.
    #[inline]
    pub fn meets(self, other: Layer) -> bool {
        // Groups beyond the last one wrap around instead of panicking in a debug build.
        let meets = self.mask.wrapping_shr(u32::from(other.group))
            & other.mask.wrapping_shr(u32::from(self.group))
            & 1;
        (meets != 0) & !(self.is_static & other.is_static)
    }
}

impl Default for Layer {
    /// [`Layer::ALL`].
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_must_meet_the_group_of_the_other() {
        let red = Layer { group: 1, mask: 1 << 2, ..Layer::ALL };
        let blue = Layer { group: 2, mask: u32::MAX, ..Layer::ALL };
        let shy = Layer { group: 2, mask: 0, ..Layer::ALL };
        assert!(red.meets(blue) && blue.meets(red));
        assert!(!red.meets(red), "red does not meet its own group");
        assert!(!red.meets(shy) && !shy.meets(red), "one side's wish is not enough");
        let last = Layer { group: 31, mask: 1 << 31, ..Layer::ALL };
        assert!(last.meets(last) && !last.meets(red));
    }

    #[test]
    fn two_static_objects_never_meet() {
        assert!(!Layer::STATIC.meets(Layer::STATIC));
        assert!(Layer::STATIC.meets(Layer::ALL) && Layer::ALL.meets(Layer::STATIC));
    }
}
