//! Boxes as six parallel arrays, and the searches for overlaps among them.

mod search;

pub(crate) use search::{overlaps_between, overlaps_within, parts};

use crate::Aabb;
use crate::memory::memory;
use crate::simd::{self, LANES};
use fearless_simd::Level;
use glam::Vec3;

/// Time of a test of two boxes, in nanoseconds (measured, sixteen at a time).
pub(crate) const NANOS_PER_TEST: usize = 1;

/// Sixteen boxes, bound by bound, each bound a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Block {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

impl Block {
    const EMPTY: Block =
        Block { min: [[f32::INFINITY; LANES]; 3], max: [[f32::NEG_INFINITY; LANES]; 3] };

    #[inline(always)]
    fn overlaps(&self, k: usize, b: &Aabb) -> bool {
        (self.min[0][k] <= b.max.x)
            & (b.min.x <= self.max[0][k])
            & (self.min[1][k] <= b.max.y)
            & (b.min.y <= self.max[1][k])
            & (self.min[2][k] <= b.max.z)
            & (b.min.z <= self.max[2][k])
    }

    /// As [`overlaps`](Self::overlaps), up to the first axis that separates the boxes.
    #[inline(always)]
    fn overlaps_scalar(&self, k: usize, b: &Aabb) -> bool {
        self.min[0][k] <= b.max.x
            && b.min.x <= self.max[0][k]
            && self.min[1][k] <= b.max.y
            && b.min.y <= self.max[1][k]
            && self.min[2][k] <= b.max.z
            && b.min.z <= self.max[2][k]
    }
}

/// Boxes in blocks of structure-of-arrays form, so that one instruction compares many.
///
/// The lanes after the last box hold boxes that overlap nothing. Empty boxes of any form are stored as
/// [`Aabb::EMPTY`], which overlaps nothing in the plain interval tests.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxSet {
    len: usize,
    blocks: Vec<Block>,
    scalar: bool,
}

memory!(BoxSet: blocks);

impl BoxSet {
    /// A set whose boxes are compared one pair at a time.
    pub(crate) fn scalar() -> Self {
        Self { scalar: true, ..Self::default() }
    }

    /// Replaces all boxes.
    #[inline]
    pub(crate) fn fill<'a>(&mut self, boxes: impl ExactSizeIterator<Item = &'a Aabb>) {
        self.len = boxes.len();
        self.blocks.clear();
        self.blocks.resize(self.len.div_ceil(LANES), Block::EMPTY);
        boxes.enumerate().for_each(|(position, b)| self.set(position, b));
    }

    /// Writes a box at a position below the length.
    #[inline]
    pub(crate) fn set(&mut self, position: usize, b: &Aabb) {
        let b = if b.is_empty() { &Aabb::EMPTY } else { b };
        let (block, lane) = (&mut self.blocks[position / LANES], position % LANES);
        for axis in 0..3 {
            (block.min[axis][lane], block.max[axis][lane]) = (b.min[axis], b.max[axis]);
        }
    }

    /// The instruction set that compares the boxes.
    fn level(&self) -> Level {
        if self.scalar { Level::fallback() } else { simd::level() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The box at a position.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> Aabb {
        let (Block { min, max }, lane) = (&self.blocks[position / LANES], position % LANES);
        Aabb::new(
            Vec3::new(min[0][lane], min[1][lane], min[2][lane]),
            Vec3::new(max[0][lane], max[1][lane], max[2][lane]),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::{SimdLimit, limit_simd};

    #[test]
    fn scalar_sets_and_the_scalar_limit_have_the_scalar_level() {
        assert!(BoxSet::scalar().level().is_fallback());
        limit_simd(SimdLimit::Scalar);
        let limited = BoxSet::default().level();
        limit_simd(SimdLimit::None);
        assert!(limited.is_fallback());
        #[cfg(target_arch = "x86_64")]
        assert!(!BoxSet::default().level().is_fallback());
    }

    #[test]
    fn a_set_that_shrank_holds_no_old_boxes() {
        let mut set = BoxSet::default();
        set.fill([Aabb::new(Vec3::ZERO, Vec3::ONE); 40].iter());
        set.fill([Aabb::new(Vec3::ZERO, Vec3::ONE); 2].iter());
        let mut hits = Vec::new();
        overlaps_within(&set, 0..2, 2, &mut hits);
        assert_eq!(hits, [[0, 1]]);
    }

    #[test]
    fn a_box_empty_on_one_axis_only_overlaps_nothing() {
        let inverted = Aabb::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(0.4, 1.0, 1.0));
        let mut set = BoxSet::default();
        set.fill([Aabb::new(Vec3::ZERO, Vec3::ONE), inverted].iter());
        let mut hits = Vec::new();
        overlaps_within(&set, 0..2, 2, &mut hits);
        assert!(hits.is_empty());
    }
}
