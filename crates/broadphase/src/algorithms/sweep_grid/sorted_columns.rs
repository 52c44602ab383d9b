//! Columns that are sorted once and kept, for others to be compared with.

use super::bins::Bins;
use super::column::Sweeper;
use super::columns::Columns;
use crate::Frame;
use crate::sweep::{Away, Block, LANES, Sorted, greatest};
use std::ops::Range;

/// Boxes of a shelf are no more than so many times as long as each other.
const ALIKE: f32 = 4.0;

/// Sorted boxes of all columns, sixteen to a block.
///
/// The boxes of a column stand in shelves by their length on the sweep axis. To find who reaches to a
/// place, one looks at all boxes of a shelf that begin before it by no more than the longest there is
/// long; were short ones among them, these would be looked at in vain.
///
/// Who gets another box is not taken out: the one that it had stands there until all is sorted anew, and
/// who searches passes it over.
#[derive(Debug, Default)]
pub(in crate::algorithms) struct SortedColumns {
    /// The columns, unless nothing is kept.
    columns: Option<Columns>,
    /// For each column its shelves, and for each of these its blocks.
    shelves: Vec<Range<u32>>,
    blocks_of: Vec<Range<u32>>,
    blocks: Vec<Block>,
    away: Vec<Away>,
    /// Where the last box of each block and those before it on the shelf ends.
    ends: Vec<f32>,
    /// Boxes listed, each in every column that it touches.
    pub(in crate::algorithms) listings: u64,
    /// Boxes in more than one column.
    pub(in crate::algorithms) straddlers: u64,
}

/// Boxes of a column that are about as long: blocks, who begins elsewhere, and where all up to each block
/// have ended.
#[derive(Clone, Copy)]
pub(in crate::algorithms) struct Shelf<'a> {
    pub(in crate::algorithms) blocks: &'a [Block],
    pub(in crate::algorithms) away: &'a [Away],
    pub(in crate::algorithms) ends: &'a [f32],
}

/// A shelf that is being filled, one box after the other.
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

impl SortedColumns {
    /// Forgets all boxes.
    pub(in crate::algorithms) fn clear(&mut self) {
        self.columns = None;
    }

    /// The columns, unless there are none.
    pub(in crate::algorithms) fn columns(&self) -> Option<Columns> {
        self.columns
    }

    /// Forgets all boxes, and makes room for so many listings.
    pub(in crate::algorithms) fn make_room(&mut self, listings: usize, columns: usize) {
        self.clear();
        // Each column ends with a block that is not full, and often so does a second shelf; there may be
        // more of these.
        let most = listings / LANES + 2 * columns;
        empty_for(&mut self.blocks, most);
        empty_for(&mut self.away, most);
        empty_for(&mut self.ends, most);
        empty_for(&mut self.shelves, columns);
        empty_for(&mut self.blocks_of, 4 * columns);
    }

    /// Takes over the boxes that are listed in columns. `visit` is shown each column when it is sorted. Where
    /// the frame is stopped, not all may be there.
    pub(in crate::algorithms) fn build(
        &mut self,
        columns: Columns,
        bins: &[Bins],
        sweeper: &mut Sweeper,
        frame: &Frame<'_>,
        mut visit: impl FnMut(Sorted<'_>),
    ) {
        let listed = |column| bins.iter().map(|bins| bins.len(column)).sum::<usize>();
        sweeper.reserve((0..columns.len()).map(listed).max().unwrap_or(0));
        self.listings = bins.iter().map(|bins| bins.listings).sum();
        self.straddlers = bins.iter().map(|bins| bins.straddlers).sum();
        self.make_room(self.listings as usize, columns.len());
        for column in 0..columns.len() {
            let first = self.blocks_of.len() as u32;
            if listed(column) > 0 && !frame.is_stopped() {
                let sorted = sweeper.sort(column, bins);
                self.append(sorted);
                visit(sorted);
            }
            self.shelves.push(first..self.blocks_of.len() as u32);
        }
        self.columns = Some(columns);
    }

    /// Appends a column, shelf by shelf, the longest boxes first.
    fn append(&mut self, sorted: Sorted<'_>) {
        let mut below = f32::INFINITY;
        while let Some([shortest, longest]) = lengths(sorted, below) {
            let from = longest / ALIKE;
            let first = self.blocks.len() as u32;
            if below == f32::INFINITY && shortest >= from {
                self.append_all(sorted);
            } else {
                self.append_lengths(sorted, from..below);
            }
            self.blocks_of.push(first..self.blocks.len() as u32);
            if shortest >= from {
                break;
            }
            below = from;
        }
    }

    /// Appends a column as it is.
    fn append_all(&mut self, sorted: Sorted<'_>) {
        let filled = sorted.filled();
        self.blocks.extend_from_slice(&sorted.blocks[..filled]);
        self.away.extend_from_slice(&sorted.away[..filled]);
        let mut end = f32::NEG_INFINITY;
        self.ends.extend(sorted.blocks[..filled].iter().map(|block| {
            end = end.max(greatest(&block.max[0]));
            end
        }));
    }

    /// Appends the boxes of some lengths.
    fn append_lengths(&mut self, sorted: Sorted<'_>, wanted: Range<f32>) {
        let Self { blocks, away, ends, .. } = self;
        let (lanes, end) = (LANES, f32::NEG_INFINITY);
        let mut filling = Filling { blocks, away, ends, lanes, end };
        for (block, away) in sorted.blocks.iter().zip(sorted.away) {
            for lane in 0..LANES {
                if wanted.contains(&length(block, lane)) {
                    filling.push(block, *away, lane);
                }
            }
        }
    }

    /// The shelves of a column.
    pub(in crate::algorithms) fn shelves(&self, column: usize) -> impl Iterator<Item = Shelf<'_>> {
        let Range { start, end } = self.shelves[column];
        self.blocks_of[start as usize..end as usize].iter().map(|blocks| {
            let blocks = blocks.start as usize..blocks.end as usize;
            let (away, ends) = (&self.away[blocks.clone()], &self.ends[blocks.clone()]);
            Shelf { blocks: &self.blocks[blocks], away, ends }
        })
    }

    /// Notes a wrong end. For tests.
    #[cfg(test)]
    pub(in crate::algorithms) fn spoil_end(&mut self) {
        self.ends[0] = f32::NEG_INFINITY;
    }

    pub(in crate::algorithms) fn heap_bytes(&self) -> usize {
        (self.shelves.capacity() + self.blocks_of.capacity()) * size_of::<Range<u32>>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.away.capacity() + self.ends.capacity()) * size_of::<u32>()
    }
}

/// Half the length of a box on the sweep axis; negative where there is none.
#[inline(always)]
fn length(block: &Block, lane: usize) -> f32 {
    // Halved before the difference, which could overflow.
    block.max[0][lane] * 0.5 - block.min[0][lane] * 0.5
}

/// The shortest and the longest of the boxes that are shorter than a length, unless there are none.
fn lengths(sorted: Sorted<'_>, below: f32) -> Option<[f32; 2]> {
    let (mut shortest, mut longest) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for block in &sorted.blocks[..sorted.filled()] {
        for lane in 0..LANES {
            let length = length(block, lane);
            let is_meant = 0.0 <= length && length < below;
            shortest[lane] = shortest[lane].min(if is_meant { length } else { f32::INFINITY });
            longest[lane] = longest[lane].max(if is_meant { length } else { f32::NEG_INFINITY });
        }
    }
    let longest = greatest(&longest);
    (longest >= 0.0).then(|| [-greatest(&shortest.map(|length| -length)), longest])
}

/// Empties a list for so many elements, with an eighth to spare where it has to grow: it is most of the
/// structure's memory.
fn empty_for<T>(list: &mut Vec<T>, most: usize) {
    list.clear();
    if list.capacity() < most {
        list.reserve_exact(most + most / 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::sweep_grid::SweepGrid;
    use crate::simd::level;
    use crate::sweep::sweep;
    use crate::{Aabb, BroadPhase};
    use fearless_simd::dispatch;
    use glam::Vec3;

    /// Boxes of given half lengths along x, side by side in one column.
    fn shelves_of(halves: impl Iterator<Item = f32>) -> Vec<(usize, f32)> {
        let around = |(at, half): (usize, f32)| {
            let center = Vec3::X * at as f32 * 0.01;
            Aabb::new(center - Vec3::new(half, 0.1, 0.1), center + Vec3::new(half, 0.1, 0.1))
        };
        let boxes: Vec<_> = halves.enumerate().map(around).collect();
        let (columns, mut bins) = (Columns::single(0), Bins::default());
        let objects = (0..).zip(&boxes);
        assert!(dispatch!(level(), simd => bins.fill(simd, &columns, objects, u64::MAX)));
        let (mut kept, mut pairs) = (SortedColumns::default(), Vec::new());
        let frame = Frame::new(&boxes, 0.1);
        kept.build(columns, &[bins], &mut Sweeper::default(), &frame, |sorted| {
            sweep(sorted, 0..sorted.filled(), &frame, &mut pairs);
        });
        let mut grid = SweepGrid::default();
        let mut expected = Vec::new();
        grid.update(&frame);
        grid.find_pairs(&frame, &mut expected);
        assert_eq!(pairs.len(), expected.len());
        let boxes_on = |shelf: &Shelf<'_>| {
            shelf.blocks.iter().flat_map(|block| block.objects).filter(|o| *o != u32::MAX).count()
        };
        kept.shelves(0).map(|shelf| (boxes_on(&shelf), *shelf.ends.last().unwrap())).collect()
    }

    #[test]
    fn boxes_stand_among_those_of_their_length() {
        let half = |at: usize| match at % 100 {
            0 => 1000.0,
            1..5 => 10.0,
            5..8 => 0.0,
            _ => 0.5 + (at % 7) as f32 * 0.1,
        };
        let shelves = shelves_of((0..1000).map(half));
        assert_eq!(shelves.iter().map(|(boxes, _)| *boxes).collect::<Vec<_>>(), [10, 40, 920, 30]);
        assert_eq!(shelves_of((0..1000).map(|at| 1.0 + (at % 30) as f32 * 0.1)).len(), 1);
        assert_eq!(shelves_of((0..1000).map(|_| 0.0)).len(), 1);
    }

    #[test]
    fn a_ground_of_any_length_stands_apart() {
        for half in [1e3, 1e20, f32::MAX] {
            let shelves = shelves_of((0..1000).map(|at| if at == 500 { half } else { 1.0 }));
            assert_eq!(shelves.len(), 2, "{half}");
            assert_eq!(shelves[0].0, 1);
            assert!((shelves[1].1 - 10.99).abs() < 0.01, "{shelves:?}");
        }
    }
}
