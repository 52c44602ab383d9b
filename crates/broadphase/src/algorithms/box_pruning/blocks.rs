//! The boxes in the order of their lower bounds, sixteen to a block.

use crate::Aabb;
use crate::radix_sort::Keyed;
use crate::scratch::resize_roomy;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};
use rayon::prelude::*;

/// Boxes in a block.
pub(super) const LANES: usize = 16;

/// Blocks filled by a task.
const BLOCKS_PER_TASK: usize = 256;

/// Sixteen boxes, each bound a cache line of its own and never -0. The sweep axis is the first of the three, the
/// others follow it cyclically.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block {
    pub(super) min: [[f32; LANES]; 3],
    pub(super) max: [[f32; LANES]; 3],
    pub(super) objects: [u32; LANES],
}

impl Block {
    /// Sixteen places without a box. They begin after all boxes, and so end every search.
    pub(super) const EMPTY: Block = Block {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
        objects: [u32::MAX; LANES],
    };

    fn fill(&mut self, order: &[Keyed], boxes: &[Aabb], axes: [usize; 3]) {
        if order.len() < LANES {
            *self = Self::EMPTY;
        }
        for (lane, keyed) in order.iter().enumerate() {
            let b = &boxes[keyed.object as usize];
            for (place, axis) in axes.into_iter().enumerate() {
                // -0 + 0 is 0: see `apart`.
                self.min[place][lane] = b.min[axis] + 0.0;
                self.max[place][lane] = b.max[axis] + 0.0;
            }
            self.objects[lane] = keyed.object;
        }
    }
}

/// The axes in the order in which blocks hold them.
pub(super) fn axes_from(first: usize) -> [usize; 3] {
    [first, (first + 1) % 3, (first + 2) % 3]
}

/// Fills blocks with boxes in a given order, and puts an empty one behind them.
pub(super) fn fill(
    blocks: &mut Vec<Block>,
    order: &[Keyed],
    boxes: &[Aabb],
    axis: usize,
    is_parallel: bool,
) {
    let axes = axes_from(axis);
    let filled = order.len().div_ceil(LANES);
    resize_roomy(blocks, filled + 1, Block::EMPTY);
    blocks[filled] = Block::EMPTY;
    let fill = |blocks: &mut [Block], order: &[Keyed]| {
        for (block, order) in blocks.iter_mut().zip(order.chunks(LANES)) {
            block.fill(order, boxes, axes);
        }
    };
    if is_parallel {
        let tasks = blocks[..filled].par_chunks_mut(BLOCKS_PER_TASK);
        tasks
            .zip(order.par_chunks(BLOCKS_PER_TASK * LANES))
            .for_each(|(blocks, order)| fill(blocks, order));
    } else {
        fill(&mut blocks[..filled], order);
    }
}

/// A box in a form to be compared with sixteen at once.
#[derive(Clone, Copy)]
pub(super) struct Row<S: Simd> {
    /// On the two axes across the sweep.
    min: [f32x16<S>; 2],
    /// On all three.
    max: [f32x16<S>; 3],
}

impl<S: Simd> Row<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, block: &Block, lane: usize) -> Self {
        let splat = |bound: &[f32; LANES]| f32x16::splat(simd, bound[lane]);
        Self {
            min: [splat(&block.min[1]), splat(&block.min[2])],
            max: [splat(&block.max[0]), splat(&block.max[1]), splat(&block.max[2])],
        }
    }

    /// Bits for the boxes of a block that begin before this one ends.
    #[inline(always)]
    pub(super) fn reached(&self, simd: S, block: &Block) -> u64 {
        f32x16::load_array_ref(simd, &block.min[0]).simd_le(self.max[0]).to_bitmask()
    }

    /// Bits for the boxes of a block that overlap this one on the two axes across the sweep.
    #[inline(always)]
    pub(super) fn overlapped(&self, simd: S, block: &Block) -> u64 {
        self.apart(simd, block).simd_ge(0).to_bitmask()
    }

    /// Negative numbers for the boxes of a block that lie apart from this one on an axis across the
    /// sweep.
    ///
    /// The sign of a difference says what a comparison does: it is exact, since no difference of two
    /// floats is rounded to 0. Differences and their signs keep all parts of the processor busy, where
    /// AVX-512 has but one that compares.
    #[inline(always)]
    pub(super) fn apart(&self, simd: S, block: &Block) -> i32x16<S> {
        let load = |bound: &[f32; LANES]| f32x16::load_array_ref(simd, bound);
        let sign = |difference: f32x16<S>| difference.bitcast::<i32x16<S>>();
        (sign(load(&block.max[1]) - self.min[0]) | sign(self.max[1] - load(&block.min[1])))
            | (sign(load(&block.max[2]) - self.min[1]) | sign(self.max[2] - load(&block.min[2])))
    }
}
