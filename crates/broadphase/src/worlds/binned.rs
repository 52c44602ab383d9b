//! Boxes in blocks of eight, ordered by the bin in which they begin on an axis.
//!
//! A bin is a coarse coordinate: it never falls where the coordinate rises. So the boxes that may overlap another one on
//! the axis are consecutive, up to the last box of the bin in which that one ends. Bins only propose candidates, whose
//! bounds are compared exactly. The first and the last bin also hold coordinates beyond them.

use crate::Aabb;
use crate::memory::scratch_memory;
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x8};
use glam::Vec3;

/// Boxes in a block.
pub(super) const LANES: usize = 8;

/// Boxes up to which all are compared with all others, without bins.
const MAX_UNSORTED: usize = 72;

/// Most bins.
const MAX_BINS: usize = 1024;

/// Eight boxes, bound by bound.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Block {
    pub(super) min: [[f32; LANES]; 3],
    pub(super) max: [[f32; LANES]; 3],
    pub(super) ids: [u32; LANES],
}

impl Block {
    /// Eight lanes that overlap nothing.
    const EMPTY: Block = Block {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
        ids: [0; LANES],
    };

    /// The greatest upper bound on an axis.
    #[inline(always)]
    pub(super) fn greatest_max<S: Simd>(&self, simd: S, axis: usize) -> f32 {
        simd.reduce_max_f32x8(f32x8::load_array_ref(simd, &self.max[axis]))
    }

    /// Makes a lane overlap nothing. Out of line: few boxes are empty, and a choice between two boxes would delay all.
    #[cold]
    #[inline(never)]
    fn clear(&mut self, lane: usize) {
        self.write(lane, &Aabb::EMPTY, 0);
    }

    /// Writes a box that is not empty, or the canonical empty one, into a lane.
    #[inline(always)]
    fn write(&mut self, lane: usize, b: &Aabb, id: u32) {
        let flat: &[f32; 6] = bytemuck::cast_ref(b);
        for axis in 0..3 {
            self.min[axis][lane] = flat[axis];
            self.max[axis][lane] = flat[3 + axis];
        }
        self.ids[lane] = id;
    }
}

/// Boxes in blocks. It is scratch: filled again for each world.
#[derive(Clone, Debug, Default)]
pub(super) struct Binned {
    /// Blocks behind the boxes are left over from other worlds.
    blocks: Vec<Block>,
    /// The number of boxes that are not empty; all boxes without bins.
    pub(super) len: usize,
    pub(super) bins: Bins,
    /// For each bin the position behind its last box, then the number of boxes.
    ends: Vec<u32>,
    /// For each bin the position of the first box that ends in it or beyond.
    reaches: Vec<u32>,
    /// The bin of each box.
    bin_of: Vec<u16>,
}

/// Coarse coordinates on an axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bins {
    pub(super) axis: usize,
    low: f32,
    /// Bins per unit.
    scale: f32,
    /// The last bin.
    last: f32,
}
scratch_memory!(Binned: blocks, ends, reaches, bin_of);

impl Binned {
    /// The blocks with boxes. Lanes behind the last box overlap nothing.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.len.div_ceil(LANES)]
    }

    /// The number of blocks up to the last one whose boxes may begin before a coordinate.
    #[inline(always)]
    pub(super) fn end_of(&self, max: f32) -> usize {
        (self.ends[self.bins.of(max)] as usize).div_ceil(LANES)
    }

    /// The blocks whose boxes may overlap an interval. Valid after [`fill_reachable`](Self::fill_reachable), with a box.
    #[inline(always)]
    pub(super) fn around(&self, min: f32, max: f32) -> &[Block] {
        let first = self.reaches[self.bins.of(min)] as usize / LANES;
        self.blocks.get(first..self.end_of(max)).unwrap_or_default()
    }

    /// Fills it with boxes, whose ids are their numbers, and that others are to be compared with.
    pub(super) fn fill_reachable(&mut self, boxes: &[Aabb]) {
        dispatch!(level(), _simd => self.fill(boxes, 0));
        let last = self.bins.last as usize;
        self.reaches.clear();
        self.reaches.resize(last + 1, self.len as u32);
        for position in (0..self.len).rev() {
            let max = &self.blocks[position / LANES].max[self.bins.axis];
            self.reaches[self.bins.of(max[position % LANES])] = position as u32;
        }
        for bin in (0..last).rev() {
            self.reaches[bin] = self.reaches[bin].min(self.reaches[bin + 1]);
        }
    }

    /// Fills it with boxes, whose ids are numbers from `first_id` on.
    #[inline(always)]
    pub(super) fn fill(&mut self, boxes: &[Aabb], first_id: u32) {
        let filled = boxes.len().div_ceil(LANES);
        if self.blocks.len() < filled {
            self.blocks.resize(filled, Block::EMPTY);
        }
        if boxes.len() > MAX_UNSORTED {
            return self.sort(boxes, first_id);
        }
        self.len = boxes.len();
        self.bins = Bins::default();
        self.ends.clear();
        self.ends.push(self.len as u32);
        for ((block, boxes), id) in
            self.blocks.iter_mut().zip(boxes.chunks(LANES)).zip((first_id..).step_by(LANES))
        {
            if boxes.len() < LANES {
                *block = Block::EMPTY;
            }
            for ((lane, b), id) in boxes.iter().enumerate().zip(id..) {
                if b.is_empty() {
                    block.clear(lane);
                } else {
                    block.write(lane, b, id);
                }
            }
        }
    }

    /// Fills it in the order of the bins; empty boxes come last.
    #[inline(always)]
    fn sort(&mut self, boxes: &[Aabb], first_id: u32) {
        let count = (boxes.len() / 2).next_power_of_two().min(MAX_BINS);
        self.bins = Bins::around(boxes, count);
        let bins = self.bins;
        let flat: &[[f32; 6]] = bytemuck::cast_slice(boxes);
        self.bin_of.clear();
        self.bin_of.extend(flat.iter().map(|b| {
            let is_present = (b[0] <= b[3]) & (b[1] <= b[4]) & (b[2] <= b[5]);
            let bin = bins.of(b[bins.axis]) as u16;
            if is_present { bin } else { count as u16 }
        }));
        self.ends.clear();
        self.ends.resize(count + 1, 0);
        for bin in &self.bin_of {
            self.ends[usize::from(*bin)] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            (*end, start) = (start, start + *end);
        }
        self.len = self.ends[count] as usize;
        // Empty boxes are not written: the lanes behind the last box overlap nothing.
        if let Some(last) = self.blocks.get_mut(self.len / LANES) {
            *last = Block::EMPTY;
        }
        for ((b, bin), id) in boxes.iter().zip(&self.bin_of).zip(first_id..) {
            if usize::from(*bin) == count {
                continue;
            }
            let next = &mut self.ends[usize::from(*bin)];
            let position = *next as usize;
            *next += 1;
            self.blocks[position / LANES].write(position % LANES, b, id);
        }
    }
}

impl Bins {
    /// Bins on the axis on which the boxes are smallest in relation to their bounds: there the fewest overlap.
    #[inline(always)]
    fn around(boxes: &[Aabb], count: usize) -> Self {
        let (mut min, mut max, mut sides) = (Vec3::INFINITY, Vec3::NEG_INFINITY, Vec3::ZERO);
        for b in boxes.iter().filter(|b| !b.is_empty()) {
            (min, max, sides) = (min.min(b.min), max.max(b.max), sides + b.size());
        }
        let extent = max - min;
        // Sums that overflow may give no number: such an axis comes last.
        let cost = (sides / extent).map(|cost| if cost >= 0.0 { cost } else { f32::MAX });
        let axis = cost.min_position();
        let scale = count as f32 / extent[axis];
        Self { axis, low: min[axis], scale, last: (count - 1) as f32 }
    }

    /// The bin of a coordinate. Neither difference nor product nor sum fall where the coordinate rises. A product that is no
    /// number counts as 0: either all are so, or only those of the lowest coordinate.
    #[inline(always)]
    fn of(&self, coordinate: f32) -> usize {
        /// The unit in the last place of a float from here on is 1: the sum has the rounded product in its lowest bits.
        const UNIT: f32 = 8_388_608.0;
        let product = (coordinate - self.low) * self.scale;
        let product = if product > 0.0 { product } else { 0.0 };
        let product = if product < self.last { product } else { self.last };
        ((product + UNIT).to_bits() & 0xffff) as usize
    }
}
