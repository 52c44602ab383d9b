//! The boxes in the order of their lower bounds, sixteen to a block.

use crate::Aabb;
use crate::parallel::{for_each_chunk, threads_for};
use crate::radix_sort::Keyed;
use crate::simd::LANES;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};

/// Time to fill a block, in nanoseconds (measured for 16,000 boxes; more boxes lie in farther caches).
const NANOS_PER_BLOCK: usize = 80;

/// Sixteen boxes. Each bound fills a cache line and is never -0. The sweep axis is the first of the three, the
/// others follow it cyclically.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) min: [[f32; LANES]; 3],
    pub(crate) max: [[f32; LANES]; 3],
    pub(crate) objects: [u32; LANES],
}

impl Block {
    /// Sixteen lanes without a box. They begin after all boxes, so each search ends there.
    pub(crate) const EMPTY: Block = Block {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
        objects: [u32::MAX; LANES],
    };

    /// Writes a box into a lane: its bounds with that on the sweep axis first, none of them -0.
    #[inline(always)]
    pub(crate) fn write(&mut self, lane: usize, min: [f32; 3], max: [f32; 3], object: u32) {
        for axis in 0..3 {
            self.min[axis][lane] = min[axis];
            self.max[axis][lane] = max[axis];
        }
        self.objects[lane] = object;
    }

    /// The objects in its lanes and their boxes, given the sweep axis.
    pub(crate) fn boxes(&self, axis: usize) -> impl Iterator<Item = (u32, Aabb)> {
        let lanes = self.objects.iter().take_while(|object| **object != u32::MAX);
        lanes.enumerate().map(move |(lane, object)| {
            let mut bounds = Aabb::EMPTY;
            for (place, axis) in axes_from(axis).into_iter().enumerate() {
                bounds.min[axis] = self.min[place][lane];
                bounds.max[axis] = self.max[place][lane];
            }
            (*object, bounds)
        })
    }

    /// The objects in its lanes, and the bounds of their boxes, given the sweep axis.
    pub(crate) fn filled(&self, axis: usize) -> (&[u32], Aabb) {
        let bounds = self.boxes(axis).fold(Aabb::EMPTY, |all, (_, b)| all.union(&b));
        (&self.objects[..self.boxes(axis).count()], bounds)
    }

    fn fill(&mut self, order: &[Keyed], boxes: &[Aabb], axes: [usize; 3]) {
        if order.len() < LANES {
            *self = Self::EMPTY;
        }
        for (lane, keyed) in order.iter().enumerate() {
            let (min, max) = bounds_along(&boxes[keyed.object as usize], axes);
            self.write(lane, min, max, keyed.object);
        }
    }
}

/// A box's lower and upper bounds on three axes in turn, without -0: see [`Row::apart`].
#[inline(always)]
pub(crate) fn bounds_along(b: &Aabb, axes: [usize; 3]) -> ([f32; 3], [f32; 3]) {
    let flat: &[f32; 6] = bytemuck::cast_ref(b);
    // -0 + 0 is 0.
    (axes.map(|axis| flat[axis] + 0.0), axes.map(|axis| flat[3 + axis] + 0.0))
}

/// Boxes in the order of their lower bounds.
#[derive(Clone, Copy)]
pub(crate) struct Sorted<'a> {
    /// The last block is an empty one.
    pub(crate) blocks: &'a [Block],
    /// Where the boxes of each block begin, if the sweep is one of several side by side; else empty.
    pub(crate) away: &'a [Away],
}

impl Sorted<'_> {
    /// Number of blocks with boxes.
    pub(crate) fn filled(&self) -> usize {
        self.blocks.len().saturating_sub(1)
    }
}

/// The axes across the sweep on which the boxes of a block begin in an earlier one of several parallel
/// sweeps: bits 0 to 15 for the first axis, 16 to 31 for the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Away(pub(crate) u32);

impl Away {
    /// Begins in this sweep.
    pub(crate) const NONE: Away = Away(0);
    /// Begins in an earlier sweep on one of the axes.
    pub(crate) const BEFORE: [Away; 2] = [Away(1), Away(1 << LANES)];
    const BOTH: u32 = 1 | 1 << LANES;

    /// The pairs of some rows of this block with the boxes of another that belong to an earlier sweep: on
    /// some axis both begin there. Bit 16 r + k is row r and lane k.
    #[inline(always)]
    pub(crate) fn elsewhere(self, rows: [u8; 4], other: Self) -> u64 {
        let rows_away = rows.into_iter().fold(0, |all, lane| all | self.0 >> lane) & Self::BOTH;
        if rows_away == 0 || other == Self::NONE {
            return 0;
        }
        let mut elsewhere = 0;
        for (r, lane) in rows.into_iter().enumerate() {
            let own = self.0 >> lane;
            let on_first = 0u32.wrapping_sub(own & 1) & other.0;
            let on_second = 0u32.wrapping_sub(own >> LANES & 1) & other.0 >> LANES;
            elsewhere |= u64::from((on_first | on_second) & 0xffff) << (LANES * r);
        }
        elsewhere
    }
}

/// The axes in the order in which blocks hold them.
pub(crate) fn axes_from(first: usize) -> [usize; 3] {
    [first, (first + 1) % 3, (first + 2) % 3]
}

/// Fills blocks with boxes in a given order, and appends an empty one.
pub(crate) fn fill(blocks: &mut Vec<Block>, order: &[Keyed], boxes: &[Aabb], axis: usize) {
    let axes = axes_from(axis);
    let filled = order.len().div_ceil(LANES);
    if blocks.capacity() <= filled {
        // A sixteenth to spare: the blocks are most of the structure's memory.
        blocks.reserve_exact(filled + 1 + filled / 16 - blocks.len());
    }
    blocks.resize(filled + 1, Block::EMPTY);
    blocks[filled] = Block::EMPTY;
    let threads = threads_for(filled, NANOS_PER_BLOCK);
    for_each_chunk(threads, &mut blocks[..filled], |first, blocks| {
        for (block, order) in blocks.iter_mut().zip(order[first * LANES..].chunks(LANES)) {
            block.fill(order, boxes, axes);
        }
    });
}

/// The lanes of a block, sorted by the end of their boxes on the sweep axis: the rows of a group end at about
/// the same place.
#[inline(always)]
pub(super) fn by_end<S: Simd>(simd: S, block: &Block) -> [usize; LANES] {
    let mut lanes = std::array::from_fn(|lane| lane);
    let ends = &block.max[0];
    if ends.is_sorted() {
        return lanes;
    }
    // The rank of each is the number of ends before it, without a branch (terdiman 10,000: 0.70 to 0.605 ms).
    let all = f32x16::load_array_ref(simd, ends);
    for (lane, end) in ends.iter().enumerate() {
        let before = (1 << lane) - 1;
        let lower = all.simd_lt(*end).to_bitmask();
        let not_higher = all.simd_le(*end).to_bitmask();
        lanes[((lower & !before) | (not_higher & before)).count_ones() as usize] = lane;
    }
    lanes
}

/// The greatest of sixteen numbers, in four steps. One by one, each comparison would wait for the last.
#[inline(always)]
pub(crate) fn greatest(numbers: &[f32; LANES]) -> f32 {
    let mut all = *numbers;
    for half in [8, 4, 2, 1] {
        for at in 0..half {
            all[at] = if all[at] > all[at + half] { all[at] } else { all[at + half] };
        }
    }
    all[0]
}

/// A box, in vectors, to be compared with sixteen at once.
#[derive(Clone, Copy)]
pub(crate) struct Row<S: Simd> {
    min: [f32x16<S>; 3],
    max: [f32x16<S>; 3],
}

impl<S: Simd> Row<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S, block: &Block, lane: usize) -> Self {
        let splat = |bound: &[f32; LANES]| f32x16::splat(simd, bound[lane]);
        Self {
            min: [splat(&block.min[0]), splat(&block.min[1]), splat(&block.min[2])],
            max: [splat(&block.max[0]), splat(&block.max[1]), splat(&block.max[2])],
        }
    }

    /// Bits for the boxes of a block that begin before this one ends.
    #[inline(always)]
    pub(crate) fn reached(&self, simd: S, block: &Block) -> u64 {
        f32x16::load_array_ref(simd, &block.min[0]).simd_le(self.max[0]).to_bitmask()
    }

    /// Bits for the boxes of a block that overlap this one on the two axes across the sweep.
    #[inline(always)]
    pub(crate) fn overlapped(&self, simd: S, block: &Block) -> u64 {
        self.apart(simd, block).simd_ge(0).to_bitmask()
    }

    /// Negative numbers for the boxes of a block that lie apart from this one on an axis across the
    /// sweep.
    ///
    /// The sign of a difference replaces a comparison. It is exact, since no difference of two different
    /// floats is rounded to 0. Rounding down, though, x - x is -0: the caller ensures the default rounding. AVX-512 has a single port that compares, and more that subtract: gas 100,000 7.8 to
    /// 4.7 ms. With AVX2 scenes gain 2 to 10 %, but terdiman 100,000 loses 17 %.
    #[inline(always)]
    pub(crate) fn apart(&self, simd: S, block: &Block) -> i32x16<S> {
        self.apart_on(simd, block, 1) | self.apart_on(simd, block, 2)
    }

    /// The same on the sweep axis.
    #[inline(always)]
    pub(crate) fn apart_along(&self, simd: S, block: &Block) -> i32x16<S> {
        self.apart_on(simd, block, 0)
    }

    #[inline(always)]
    fn apart_on(&self, simd: S, block: &Block, axis: usize) -> i32x16<S> {
        let load = |bound: &[f32; LANES]| f32x16::load_array_ref(simd, bound);
        let sign = |difference: f32x16<S>| difference.bitcast::<i32x16<S>>();
        sign(load(&block.max[axis]) - self.min[axis])
            | sign(self.max[axis] - load(&block.min[axis]))
    }
}
