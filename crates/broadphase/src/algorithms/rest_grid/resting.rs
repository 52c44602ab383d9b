//! The columns of the objects that rest: sorted once, and kept.

use crate::algorithms::sweep_grid::bins::Bins;
use crate::algorithms::sweep_grid::column::Sweeper;
use crate::algorithms::sweep_grid::columns::Columns;
use crate::sweep::{Away, Block, Found, LANES, Sorted, greatest, sweep};
use crate::{Frame, Pair};
use std::ops::Range;

/// Boxes of a column by whose length on the sweep axis the others are judged: all but one in so many.
const USUAL: usize = 20;

/// So many times as long as a usual box is too long to stand among the others.
const LONG: f32 = 2.0;

/// Where no box is so many times as long as the mean, none stands behind the others.
const SIMILAR: f32 = 3.0;

/// Sorted boxes of all columns, sixteen to a block.
///
/// What begins to move is not taken out: the box that it had stands there until all is sorted anew, and
/// who searches passes it over.
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
    /// Boxes listed, each in every column that it touches.
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
        empty_for(&mut self.blocks, most);
        empty_for(&mut self.away, most);
        empty_for(&mut self.ends, most);
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
        let filled = sorted.filled();
        let (lengths, longest) = lengths(&sorted.blocks[..filled]);
        if longest <= lengths / (filled * LANES) as f32 * SIMILAR {
            self.append_all(sorted);
            return;
        }
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

    /// Appends a column without long boxes.
    fn append_all(&mut self, sorted: Sorted<'_>) {
        let filled = sorted.filled();
        self.blocks.extend_from_slice(&sorted.blocks[..filled]);
        self.away.extend_from_slice(&sorted.away[..filled]);
        let mut end = f32::NEG_INFINITY;
        self.ends.extend(sorted.blocks[..filled].iter().map(|block| {
            end = end.max(greatest(&block.max[0]));
            end
        }));
        self.long.pop();
        self.long.push(self.blocks.len() as u32);
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

    /// Notes a wrong end. For tests.
    #[cfg(test)]
    pub(super) fn spoil_end(&mut self) {
        self.ends[0] = f32::NEG_INFINITY;
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

/// Empties a list for so many elements, with an eighth to spare where it has to grow: it is most of the
/// structure's memory.
fn empty_for<T>(list: &mut Vec<T>, most: usize) {
    list.clear();
    if list.capacity() < most {
        list.reserve_exact(most + most / 8);
    }
}

/// The lengths of the boxes on the sweep axis, added up, and the longest.
fn lengths(blocks: &[Block]) -> (f32, f32) {
    let (mut sums, mut longest) = ([0.0; LANES], [0.0f32; LANES]);
    for block in blocks {
        for lane in 0..LANES {
            // Where there is no box, it is that of one that begins after it ends: none.
            let length = (block.max[0][lane] - block.min[0][lane]).max(0.0);
            sums[lane] += length;
            longest[lane] = longest[lane].max(length);
        }
    }
    (sums.iter().sum(), greatest(&longest))
}
