//! The search of small worlds, one after the other.

use super::binned::{Binned, Block, LANES};
use super::{Filter, MAX_SMALL, WorldBoxes};
use crate::Pair;
use crate::memory::memory;
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x8, mask32x8, u32x8};
use std::ops::Range;

/// Pairs that are noted before they are filtered and appended: they stay in the nearest cache. A row with all boxes of a
/// small world fits.
const ROOM: usize = 2048;

/// Most blocks of shared shapes that a box is compared with before its pairs may be appended.
const MAX_RUN: usize = ROOM / LANES;

/// Blocks up to which all boxes of a block are compared with the same others. So the length of the loop is predicted.
/// A single large box prolongs it for all. Longer runs have the length of each box.
const NEAR: usize = 8;

/// The scratch of a search, which belongs to no world, and its result.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    own: Binned,
    /// The two shapes of each noted pair, in lists of their own.
    rows: Vec<u32>,
    others: Vec<u32>,
    /// The number of pairs up to the end of each world.
    pub(super) ends: Vec<usize>,
}

memory!(Small: own, rows, others, ends);

impl Small {
    /// Appends the pairs of some worlds; of a large one, only those with shared shapes.
    pub(super) fn search(
        &mut self,
        worlds: &WorldBoxes<'_>,
        range: Range<usize>,
        shared: &Binned,
        pairs: &mut Vec<Pair>,
    ) {
        let Self { own, rows, others, ends } = self;
        rows.resize(ROOM + LANES, 0);
        others.resize(ROOM, 0);
        ends.clear();
        let first_id = worlds.shared.len() as u32;
        dispatch!(level(), simd => {
            let first = pairs.len();
            for world in range {
                let (boxes, filter) = (worlds.of(world), worlds.filter(world));
                let chunks = boxes.chunks(MAX_SMALL).zip((first_id..).step_by(MAX_SMALL));
                for (part, first_id) in chunks {
                    if filter.limits.is_stopped() {
                        break;
                    }
                    own.fill(part, first_id);
                    let mut search = Search { simd, rows, others, noted: 0, pairs };
                    if part.len() == boxes.len() {
                        search.within(own, &filter);
                    }
                    search.between(own, shared, &filter);
                    search.append(&filter);
                }
                ends.push(pairs.len() - first);
            }
        });
    }
}

/// A running search of a world, and its pairs that are not appended yet.
struct Search<'a, S> {
    simd: S,
    rows: &'a mut [u32],
    others: &'a mut [u32],
    noted: usize,
    pairs: &'a mut Vec<Pair>,
}

/// A box, in vectors, to be compared with eight at once.
#[derive(Clone, Copy)]
struct Row<S: Simd> {
    min: [f32x8<S>; 3],
    max: [f32x8<S>; 3],
}

impl<S: Simd> Row<S> {
    #[inline(always)]
    fn new(simd: S, block: &Block, lane: usize) -> Self {
        let splat = |bound: &[f32; LANES]| f32x8::splat(simd, bound[lane]);
        Self {
            min: [splat(&block.min[0]), splat(&block.min[1]), splat(&block.min[2])],
            max: [splat(&block.max[0]), splat(&block.max[1]), splat(&block.max[2])],
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

impl<S: Simd> Search<'_, S> {
    /// Finds the pairs of the boxes of a world with each other.
    #[inline(always)]
    fn within(&mut self, boxes: &Binned, filter: &Filter<'_>) {
        let simd = self.simd;
        let lanes = u32x8::from_fn(simd, |lane| lane as u32);
        for (number, own) in boxes.blocks().iter().enumerate() {
            let last = boxes.end_of(own.greatest_max(simd, boxes.bins.axis));
            for lane in 0..LANES.min(boxes.len - number * LANES) {
                let is_near = last <= number + NEAR;
                let end = if is_near { last } else { boxes.end_of(own.max[boxes.bins.axis][lane]) };
                let others = &boxes.blocks()[number + 1..end.max(number + 1)];
                // Before the row is in the registers: a call would spill it.
                self.make_room(others.len() + 1, filter);
                let row = Row::new(simd, own, lane);
                let after = lanes.simd_gt(u32x8::splat(simd, lane as u32));
                let first = self.noted;
                self.note(own, row.overlaps(simd, own) & after);
                for block in others {
                    self.note(block, row.overlaps(simd, block));
                }
                self.note_row(first, own.ids[lane]);
            }
        }
    }

    /// Finds the pairs of the boxes of a world with shared ones.
    #[inline(always)]
    fn between(&mut self, boxes: &Binned, shared: &Binned, filter: &Filter<'_>) {
        if shared.len == 0 {
            return;
        }
        for (number, own) in boxes.blocks().iter().enumerate() {
            if filter.limits.is_stopped() {
                return;
            }
            for lane in 0..LANES.min(boxes.len - number * LANES) {
                let (min, max) = (own.min[shared.bins.axis][lane], own.max[shared.bins.axis][lane]);
                for others in shared.around(min, max).chunks(MAX_RUN) {
                    self.make_room(others.len(), filter);
                    let (row, first) = (Row::new(self.simd, own, lane), self.noted);
                    for block in others {
                        self.note(block, row.overlaps(self.simd, block));
                    }
                    self.note_row(first, own.ids[lane]);
                }
            }
        }
    }

    /// Notes the boxes of a block that hit. There must be room for eight.
    #[inline(always)]
    fn note(&mut self, block: &Block, hits: mask32x8<S>) {
        // Whether a block has a hit is nearly random. A branch on it costs more than to write eight ids that the next
        // ones overwrite.
        let ids = u32x8::load_array_ref(self.simd, &block.ids);
        let others = self.simd.compress_u32x8(ids, hits);
        others.store_slice(&mut self.others[self.noted..][..LANES]);
        self.noted += hits.to_bitmask().count_ones() as usize;
    }

    /// Notes the box whose pairs are those from `first` on.
    #[inline(always)]
    fn note_row(&mut self, first: usize, id: u32) {
        let id = u32x8::splat(self.simd, id);
        // Eight at least: most boxes have fewer pairs, and the loop is predicted.
        let mut at = first;
        while {
            id.store_slice(&mut self.rows[at..][..LANES]);
            at += LANES;
            at < self.noted
        } {}
    }

    /// Makes room for the pairs of a box with some blocks, [`MAX_RUN`] at most.
    #[inline(always)]
    fn make_room(&mut self, blocks: usize, filter: &Filter<'_>) {
        if self.noted + blocks * LANES > ROOM {
            self.append(filter);
        }
    }

    /// Appends the pairs that are noted, without those that the filter refuses.
    #[inline(never)]
    fn append(&mut self, filter: &Filter<'_>) {
        let noted = std::mem::take(&mut self.noted);
        let found = self.rows[..noted].iter().zip(&self.others[..noted]);
        filter.append(found.map(|(a, b)| Pair { a: *a.min(b), b: *a.max(b) }), self.pairs);
    }
}
