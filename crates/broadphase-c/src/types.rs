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

/// A box of the first set and a box of the second that overlap: their indices.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub struct BpJoinPair {
    /// Index in the first set.
    pub a: u32,
    /// Index in the second set.
    pub b: u32,
}

/// A ray or a segment: the points `origin + t * direction` for t from 0 to `reach`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BpRay {
    /// Its start.
    pub origin: [f32; 3],
    /// Its direction, of any length. If that is 0, the ray is a point.
    pub direction: [f32; 3],
    /// The largest t; INFINITY for a ray without end.
    pub reach: f32,
}

/// The object that a ray hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BpRayHit {
    /// Its id, or BP_NO_OBJECT.
    pub object: u32,
    /// The t at which the ray enters its box; 0 for a start inside.
    pub t: f64,
}

/// The object nearest to a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BpNearest {
    /// Its id, or BP_NO_OBJECT.
    pub object: u32,
    /// Square of the distance between the point and the nearest point of its box; 0 inside.
    pub distance_squared: f64,
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

/// Settings that an instance is created with. All zeros are the defaults.
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
