//! Layers: the collision filter of an object.

/// The collision filter of an object: its group, the mask of groups that it meets, and whether it is
/// static.
///
/// Two objects may be a pair if each mask contains the group of the other and not both are static.
/// Queries ignore layers, unless they ask [only](crate::query::Probe::only_meeting) for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// Bit `g` is set if it meets objects of group `g`.
    pub mask: u32,
    /// Its group, 0 to 31. Of a larger number the lowest five bits count.
    pub group: u8,
    /// Whether it is static: ground, walls, buildings. Two static objects are never a pair.
    ///
    /// It only filters pairs: the box of a static object may still change.
    pub is_static: bool,
}

impl Layer {
    /// Number of groups.
    pub const GROUPS: u8 = 32;

    /// A moving object of group 0 that meets all groups.
    pub const ALL: Layer = Layer { mask: u32::MAX, group: 0, is_static: false };

    /// A static object of group 0 that meets all moving objects.
    pub const STATIC: Layer = Layer { is_static: true, ..Self::ALL };

    /// Whether two objects of these layers may be a pair. Symmetric.
    #[inline]
    pub fn meets(self, other: Layer) -> bool {
        // A group above 31 wraps around instead of a panic in a debug build.
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
    fn each_mask_must_contain_the_group_of_the_other() {
        let red = Layer { group: 1, mask: 1 << 2, ..Layer::ALL };
        let blue = Layer { group: 2, mask: u32::MAX, ..Layer::ALL };
        let lonely = Layer { group: 2, mask: 0, ..Layer::ALL };
        assert!(red.meets(blue) && blue.meets(red));
        assert!(!red.meets(red), "red does not meet its own group");
        assert!(!red.meets(lonely) && !lonely.meets(red), "one mask is not enough");
        let last = Layer { group: 31, mask: 1 << 31, ..Layer::ALL };
        assert!(last.meets(last) && !last.meets(red));
    }

    #[test]
    fn two_static_objects_never_meet() {
        assert!(!Layer::STATIC.meets(Layer::STATIC));
        assert!(Layer::STATIC.meets(Layer::ALL) && Layer::ALL.meets(Layer::STATIC));
    }
}
