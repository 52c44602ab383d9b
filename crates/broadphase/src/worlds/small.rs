//! The search of small worlds, one after the other.

use super::binned::{Binned, Block, LANES};
use super::{Filter, WorldBoxes};
use crate::Pair;
use crate::memory::memory;
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x8, mask32x8, u32x8};
use std::ops::Range;

/// Pairs that are noted before they are filtered and appended: they stay in the nearest cache.
const ROOM: usize = 2048;

/// Blocks that a row is compared with before its pairs may be appended: their pairs always fit.
const MAX_RUN: usize = ROOM / LANES - 1;

/// The scratch of a search. It belongs to no world.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    own: Binned,
    noted: Vec<Pair>,
}

memory!(Small: own, noted);

impl Small {
    /// Appends the pairs of some worlds, and the number of pairs up to the end of each.
    pub(super) fn search(
        &mut self,
        worlds: &WorldBoxes<'_>,
        range: Range<usize>,
        shared: &Binned,
        pairs: &mut Vec<Pair>,
        ends: &mut Vec<usize>,
    ) {
        self.noted.resize(ROOM, Pair { a: 0, b: 0 });
        let first_id = worlds.shared_boxes().len() as u32;
        dispatch!(level(), simd => {
            let first = pairs.len();
            for world in range {
                self.own.fill(simd, worlds.of(world), first_id);
                let filter = worlds.filter(world);
                let mut notes = Notes { simd, room: &mut self.noted, noted: 0, filter, pairs };
                notes.search_within(&self.own);
                if shared.len() > 0 {
                    notes.search_between(&self.own, shared);
                }
                notes.append();
                ends.push(pairs.len() - first);
            }
        });
    }

    /// Appends the pairs of the shapes of one world of any size with shared ones.
    pub(super) fn search_shared(
        &mut self,
        worlds: &WorldBoxes<'_>,
        world: usize,
        shared: &Binned,
        pairs: &mut Vec<Pair>,
    ) {
        if shared.len() == 0 {
            return;
        }
        self.noted.resize(ROOM, Pair { a: 0, b: 0 });
        let filter = worlds.filter(world);
        let chunks = worlds.of(world).chunks(super::MAX_SMALL);
        let first_ids = (worlds.shared_boxes().len() as u32..).step_by(super::MAX_SMALL);
        dispatch!(level(), simd => {
            for (boxes, first_id) in chunks.zip(first_ids) {
                self.own.fill(simd, boxes, first_id);
                let mut notes = Notes { simd, room: &mut self.noted, noted: 0, filter, pairs };
                notes.search_between(&self.own, shared);
                notes.append();
            }
        });
    }
}

/// The pairs of a world that are not appended yet.
struct Notes<'a, S> {
    simd: S,
    room: &'a mut [Pair],
    noted: usize,
    filter: Filter<'a>,
    pairs: &'a mut Vec<Pair>,
}

/// A box, in vectors, to be compared with eight at once.
#[derive(Clone, Copy)]
struct Row<S: Simd> {
    min: [f32x8<S>; 3],
    max: [f32x8<S>; 3],
    id: u32x8<S>,
}

impl<S: Simd> Row<S> {
    #[inline(always)]
    fn new(simd: S, block: &Block, lane: usize) -> Self {
        let splat = |bound: &[f32; LANES]| f32x8::splat(simd, bound[lane]);
        Self {
            min: [splat(&block.min[0]), splat(&block.min[1]), splat(&block.min[2])],
            max: [splat(&block.max[0]), splat(&block.max[1]), splat(&block.max[2])],
            id: u32x8::splat(simd, block.ids[lane]),
        }
    }

    /// The boxes of a block that overlap it.
    #[inline(always)]
    fn overlaps(&self, simd: S, block: &Block) -> mask32x8<S> {
        let load = |bound: &[f32; LANES]| f32x8::load_array_ref(simd, bound);
        let on = |axis: usize| {
            self.min[axis].simd_le(load(&block.max[axis]))
                & load(&block.min[axis]).simd_le(self.max[axis])
        };
        on(0) & on(1) & on(2)
    }
}

impl<S: Simd> Notes<'_, S> {
    /// Finds the pairs of the boxes of a world with each other.
    #[inline(always)]
    fn search_within(&mut self, boxes: &Binned) {
        let simd = self.simd;
        let lanes = u32x8::from_fn(simd, |lane| lane as u32);
        for (number, own) in boxes.blocks().iter().enumerate() {
            for lane in 0..LANES.min(boxes.len() - number * LANES) {
                self.make_room();
                let row = Row::new(simd, own, lane);
                let after = lanes.simd_gt(u32x8::splat(simd, lane as u32));
                self.note(&row, own, row.overlaps(simd, own) & after);
                let max = [own.max[0][lane], own.max[1][lane], own.max[2][lane]];
                self.search_row(&row, boxes, boxes.until(number + 1, max));
            }
        }
    }

    /// Finds the pairs of the boxes of a world with shared ones.
    #[inline(always)]
    fn search_between(&mut self, boxes: &Binned, shared: &Binned) {
        for (number, own) in boxes.blocks().iter().enumerate() {
            for lane in 0..LANES.min(boxes.len() - number * LANES) {
                let row = Row::new(self.simd, own, lane);
                let bounds = |bounds: &[[f32; LANES]; 3]| [0, 1, 2].map(|axis| bounds[axis][lane]);
                let run = shared.around(bounds(&own.min), bounds(&own.max));
                self.search_row(&row, shared, run);
            }
        }
    }

    /// Finds the pairs of a box with those of some blocks.
    #[inline(always)]
    fn search_row(&mut self, row: &Row<S>, boxes: &Binned, mut run: Range<usize>) {
        while !run.is_empty() {
            let end = run.end.min(run.start + MAX_RUN);
            if self.noted + (end - run.start) * LANES > ROOM {
                self.append();
            }
            for block in &boxes.blocks()[run.start..end] {
                self.note(row, block, row.overlaps(self.simd, block));
            }
            run.start = end;
        }
    }

    /// Notes the pairs of a box with those of a block that hit. There must be room for eight.
    #[inline(always)]
    fn note(&mut self, row: &Row<S>, block: &Block, hits: mask32x8<S>) {
        let simd = self.simd;
        // Whether a block has a hit is nearly random. A branch on it costs more than to write pairs that the next
        // ones overwrite.
        let others = simd.compress_u32x8(u32x8::load_array_ref(simd, &block.ids), hits);
        let (low, high) = (row.id.min(others), row.id.max(others));
        let (first, second) = low.interleave(high);
        let room: &mut [u32] = bytemuck::cast_slice_mut(&mut self.room[self.noted..][..LANES]);
        first.store_slice(&mut room[..LANES]);
        second.store_slice(&mut room[LANES..]);
        self.noted += hits.to_bitmask().count_ones() as usize;
    }

    /// Makes room for the pairs of a block.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.noted + LANES > ROOM {
            self.append();
        }
    }

    /// Appends the pairs that are noted, without those that the filter refuses.
    #[inline(never)]
    fn append(&mut self) {
        self.filter.append(&self.room[..std::mem::take(&mut self.noted)], self.pairs);
    }
}
