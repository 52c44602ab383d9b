//! The layout of a trace file.

use broadphase::Aabb;

/// Bytes of a header.
pub(super) const HEADER_BYTES: u64 = 24;

/// Bytes of a box in a file, and in memory.
pub(super) const BOX_BYTES: u64 = 24;

/// Swaps the bytes of boxes between the file's order and the machine's. They are the same on
/// little-endian machines.
pub(super) fn swap_to_little_endian(boxes: &mut [Aabb]) {
    for word in bytemuck::cast_slice_mut::<_, u32>(boxes) {
        *word = word.to_le();
    }
}
