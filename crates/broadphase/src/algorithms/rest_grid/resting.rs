//! The columns of the objects that rest: sorted once, and kept.

use super::super::sweep_grid::bins::{Bins, Entry};
use super::super::sweep_grid::column::Sweeper;
use super::super::sweep_grid::columns::Columns;
use crate::scratch::renew_for;
use crate::simd::level;
use crate::sweep::{Away, Block, Found, LANES, Sorted, sweep};
use crate::{Aabb, Frame, Pair};
use fearless_simd::dispatch;
use std::ops::Range;

/// Boxes of a column by whose length on the sweep axis the others are judged: all but one in so many.
const USUAL: usize = 20;

/// So many times as long as a usual box is too long to stand among the others.
const LONG: f32 = 2.0;

/// Sorted boxes of all columns, sixteen to a block.
///
/// Boxes that are much longer than most of their column stand behind the others: to find who reaches
/// to a place, all boxes are looked at that begin before it by no more than the longest is long.
#[derive(Debug, Default)]
pub(super) struct Resting {
    /// The columns, once there was a frame.
    columns: Option<Columns>,
    shelves: Vec<Range<u32>>,
    /// For each column the first block of its long boxes.
    long: Vec<u32>,
    blocks: Vec<Block>,
    away: Vec<Away>,
    /// Where the last box of each block and those before it in the column ends.
    ends: Vec<f32>,
    lengths: Vec<f32>,
    /// Boxes listed, those included that were taken out since.
    pub(super) listings: u64,
}

/// A part of a column: blocks, who begins elsewhere, and where all up to each block have ended.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) away: &'a [Away],
    pub(super) ends: &'a [f32],
}

/// Blocks that are being filled, one box after the other.
struct Filling<'a> {
    blocks: &'a mut Vec<Block>,
    away: &'a mut Vec<Away>,
    ends: &'a mut Vec<f32>,
    /// Lanes filled in the last block.
    lanes: usize,
    end: f32,
}

impl Filling<'_> {
    fn push(&mut self, from: &Block, from_away: Away, lane: usize) {
        if self.lanes == LANES {
            self.lanes = 0;
            self.blocks.push(Block::EMPTY);
            self.away.push(Away::NONE);
            self.ends.push(self.end);
        }
        let (Some(block), Some(away), Some(end)) =
            (self.blocks.last_mut(), self.away.last_mut(), self.ends.last_mut())
        else {
            return;
        };
        let bounds = |bounds: &[[f32; LANES]; 3]| bounds.map(|bound| bound[lane]);
        block.write(self.lanes, bounds(&from.min), bounds(&from.max), from.objects[lane]);
        away.0 |= (from_away.0 >> lane & (1 | 1 << LANES)) << self.lanes;
        self.end = self.end.max(from.max[0][lane]);
        *end = self.end;
        self.lanes += 1;
    }
}

impl Resting {
    /// Forgets all boxes.
    pub(super) fn clear(&mut self) {
        self.columns = None;
        self.listings = 0;
    }

    /// The columns, unless there are none.
    pub(super) fn columns(&self) -> Option<Columns> {
        self.columns
    }

    /// Takes over the boxes that are listed in columns, and appends their pairs.
    pub(super) fn build(
        &mut self,
        columns: Columns,
        bins: &[Bins],
        sweeper: &mut Sweeper,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) -> Found {
        let mut found = Found::default();
        let listed = |column| bins.iter().map(|bins| bins.len(column)).sum::<usize>();
        sweeper.reserve((0..columns.len()).map(listed).max().unwrap_or(0));
        self.listings = bins.iter().map(|bins| bins.listings).sum();
        // Each column may end with a block that is not full, and so may its long boxes.
        let most = self.listings as usize / LANES + 2 * columns.len();
        renew_for(&mut self.blocks, most.min(self.listings as usize));
        self.away.clear();
        self.ends.clear();
        self.shelves.clear();
        self.long.clear();
        for column in 0..columns.len() {
            let first = self.blocks.len() as u32;
            self.long.push(first);
            if listed(column) > 0 && !frame.is_stopped() {
                let sorted = sweeper.sort(column, bins);
                self.append(sorted);
                found += sweep(sorted, 0..sorted.filled(), frame, pairs);
            }
            self.shelves.push(first..self.blocks.len() as u32);
        }
        self.columns = Some(columns);
        found
    }

    /// Appends a column.
    fn append(&mut self, sorted: Sorted<'_>) {
        let usual = self.usual_length(sorted);
        for are_long in [false, true] {
            if are_long && let Some(long) = self.long.last_mut() {
                *long = self.blocks.len() as u32;
            }
            let Self { blocks, away, ends, .. } = self;
            let (lanes, end) = (LANES, f32::NEG_INFINITY);
            let mut filling = Filling { blocks, away, ends, lanes, end };
            for (block, away) in sorted.blocks.iter().zip(sorted.away) {
                for lane in 0..LANES {
                    let is_long = block.max[0][lane] - block.min[0][lane] > LONG * usual;
                    if block.objects[lane] != u32::MAX && is_long == are_long {
                        filling.push(block, *away, lane);
                    }
                }
            }
        }
    }

    /// The length than which only few boxes are longer.
    fn usual_length(&mut self, sorted: Sorted<'_>) -> f32 {
        self.lengths.clear();
        for block in sorted.blocks {
            let lanes = (0..LANES).filter(|lane| block.objects[*lane] != u32::MAX);
            self.lengths.extend(lanes.map(|lane| block.max[0][lane] - block.min[0][lane]));
        }
        let usual = (self.lengths.len() - 1) * (USUAL - 1) / USUAL;
        *self.lengths.select_nth_unstable_by(usual, f32::total_cmp).1
    }

    /// The boxes of a column in the order in which they begin, and the long ones.
    pub(super) fn shelves(&self, column: usize) -> [Shelf<'_>; 2] {
        let Range { start, end } = self.shelves[column];
        let long = self.long[column];
        [start..long, long..end].map(|blocks| {
            let blocks = blocks.start as usize..blocks.end as usize;
            let (away, ends) = (&self.away[blocks.clone()], &self.ends[blocks.clone()]);
            Shelf { blocks: &self.blocks[blocks], away, ends }
        })
    }

    /// Takes an object out whose box is this one.
    pub(super) fn remove(&mut self, object: u32, b: &Aabb) {
        let Some(columns) = self.columns.filter(|_| !b.is_empty()) else { return };
        let entry = Entry::new(b, object, columns.axis);
        let span = dispatch!(level(), simd => columns.finder(simd).span(entry.across()));
        for v in span.low[1]..=span.high[1] {
            for u in span.low[0]..=span.high[0] {
                let column = columns.index([u, v]);
                let Range { start, end } = self.shelves[column];
                let long = self.long[column] as usize;
                let (usual, long) =
                    self.blocks[start as usize..end as usize].split_at_mut(long - start as usize);
                let first = usual.partition_point(|block| block.min[0][LANES - 1] < entry.min[0]);
                // Several boxes may begin at one place.
                let usual = usual[first..].iter_mut();
                let usual = usual.take_while(|block| block.min[0][0] <= entry.min[0]);
                usual.chain(long).any(|block| bury(block, object));
            }
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.shelves.capacity() * size_of::<Range<u32>>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.long.capacity()
                + self.away.capacity()
                + self.ends.capacity()
                + self.lengths.capacity())
                * size_of::<u32>()
    }
}

/// Makes the box of an object one that nothing overlaps, if it stands in the block. It still begins where
/// it did, for the sake of the order.
fn bury(block: &mut Block, object: u32) -> bool {
    let lane = block.objects.iter().position(|other| *other == object);
    if let Some(lane) = lane {
        block.max[0][lane] = f32::NEG_INFINITY;
        block.objects[lane] = u32::MAX;
    }
    lane.is_some()
}
