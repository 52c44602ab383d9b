//! The exact test of all kept pairs.

use crate::{Aabb, Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4};

/// Pairs that are tested before room is made for the next, and between two looks at the stop flag.
const MANY: usize = 4096;

/// Appends those pairs whose boxes overlap.
///
/// Whether a kept pair overlaps is as good as a coin's toss, so nothing branches on it: each pair is
/// written, and the next one over it if it does not count.
#[inline(always)]
pub(super) fn append_overlapping<S: Simd>(
    simd: S,
    candidates: &[Pair],
    frame: &Frame<'_>,
    pairs: &mut Vec<Pair>,
) {
    let boxes = frame.boxes;
    for candidates in candidates.chunks(MANY) {
        if frame.is_stopped() {
            return;
        }
        let first = pairs.len();
        pairs.resize(first + candidates.len(), Pair { a: 0, b: 0 });
        let room = &mut pairs[first..];
        let mut found = 0;
        for pair in candidates {
            let [a, b] = [pair.a, pair.b].map(|object| Bounds::of(simd, &boxes[object as usize]));
            room[found] = *pair;
            found += usize::from(a.overlap(&b));
        }
        pairs.truncate(first + found);
    }
}

/// The bounds of a box: the three lower ones first in a vector, the three upper ones last.
struct Bounds<S: Simd> {
    min: f32x4<S>,
    max: f32x4<S>,
}

impl<S: Simd> Bounds<S> {
    #[inline(always)]
    fn of(simd: S, b: &Aabb) -> Self {
        let flat: &[f32; 6] = bytemuck::cast_ref(b);
        let max: f32x4<S> = f32x4::from_slice(simd, &flat[2..]);
        Self { min: f32x4::from_slice(simd, &flat[..4]), max: max.slide::<1>(max) }
    }

    /// Whether the boxes share a point; an absent one has none.
    #[inline(always)]
    fn overlap(&self, other: &Self) -> bool {
        let all = self.min.simd_le(other.max)
            & other.min.simd_le(self.max)
            & self.min.simd_le(self.max)
            & other.min.simd_le(other.max);
        all.to_bitmask() & 0b111 == 0b111
    }
}
