//! The structs that cross the interface.

use bytemuck::{Pod, Zeroable};

/// A closed axis-aligned bounding box: the lowest and the highest corner, each x, y, z.
///
/// The box contains its faces, so boxes that only touch overlap. Coordinates are in any unit, the same
/// for all boxes. An object whose min exceeds its max on some axis is absent in this frame: it
/// overlaps nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct BpAabb {
    /// The lowest corner.
    pub min: [f32; 3],
    /// The highest corner.
    pub max: [f32; 3],
}

/// Two different objects whose boxes overlap. The id of an object is the index of its box.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub struct BpPair {
    /// The lower id.
    pub a: u32,
    /// The higher id.
    pub b: u32,
}

/// The collision filter of an object.
///
/// Two objects may be a pair if each mask contains the group of the other and not both are static.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BpLayer {
    /// Bit g is set if it meets objects of group g.
    pub mask: u32,
    /// Its group, 0 to 31.
    pub group: u8,
    /// 1 if it is static (ground, walls), 0 if not. Two static objects are never a pair.
    pub is_static: u8,
}

/// What an instance is created with. All zeros are the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BpSettings {
    /// Expected number of objects, which the memory check uses. It bounds nothing.
    pub objects: usize,
    /// The space that algorithms with a fixed division divide. It is unknown if all its coordinates
    /// are 0, if one is not finite, or if the box is empty; then the bounds of the first boxes
    /// replace it.
    pub world: BpAabb,
    /// Upper bound of the memory in bytes, estimated for the expected number of objects; 0 is no bound.
    pub memory_limit: u64,
}
