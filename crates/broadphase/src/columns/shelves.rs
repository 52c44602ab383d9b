//! Sorted boxes of columns, in shelves: groups of similar length on the sweep axis.

use crate::memory::memory;
use crate::parallel::Aligned;
use crate::simd::LANES;
use crate::simd::level;
use crate::sweep::{Away, Block, Sorted, greatest};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16};
use std::ops::Range;

/// Boxes of a shelf are at most this many times as long as each other.
///
/// A shelf for the longest twentieth of a column was not enough: 60,000 boxes on a line, every fifteenth of them
/// long, took 65 times as long as a full search.
const ALIKE: f32 = 4.0;

/// Boxes of similar length in a column. `ends` holds the highest upper bound up to the end of each block.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) away: &'a [Away],
    pub(super) ends: &'a [f32],
}

/// A range of columns: sorted boxes, sixteen to a block.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnRange {
    columns: Range<usize>,
    /// For each column its shelves, and for each of these its blocks.
    shelves: Vec<Range<u32>>,
    blocks_of: Vec<Range<u32>>,
    blocks: Vec<Block>,
    away: Vec<Away>,
    /// The highest upper bound of each block and those before it on the shelf.
    ends: Vec<f32>,
}

memory!(ColumnRange: shelves, blocks_of, blocks, away, ends);

impl ColumnRange {
    /// Drops all boxes, and makes room for a number of listings.
    pub(super) fn clear(&mut self, columns: Range<usize>, listings: usize) {
        // Each column ends with a block that is not full, and often has a second shelf. More shelves are
        // rare.
        let most = listings / LANES + 2 * columns.len();
        empty_for(&mut self.blocks, most);
        empty_for(&mut self.away, most);
        empty_for(&mut self.ends, most);
        empty_for(&mut self.shelves, columns.len());
        empty_for(&mut self.blocks_of, 4 * columns.len());
        self.columns = columns;
    }

    /// Appends the next column, shelf by shelf, the longest boxes first.
    pub(super) fn push(&mut self, sorted: Option<Sorted<'_>>) {
        let first = self.blocks_of.len() as u32;
        if let Some(sorted) = sorted {
            dispatch!(level(), simd => self.append(simd, sorted));
        }
        self.shelves.push(first..self.blocks_of.len() as u32);
    }

    #[inline(always)]
    fn append<S: Simd>(&mut self, simd: S, sorted: Sorted<'_>) {
        let mut below = f32::INFINITY;
        while let Some([shortest, longest]) = lengths(simd, sorted, below) {
            let from = longest / ALIKE;
            let first = self.blocks.len() as u32;
            if below == f32::INFINITY && shortest >= from {
                self.append_all(sorted);
            } else {
                self.append_lengths(simd, sorted, from..below);
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

    /// Appends the boxes in a range of half lengths.
    #[inline(always)]
    fn append_lengths<S: Simd>(&mut self, simd: S, sorted: Sorted<'_>, wanted: Range<f32>) {
        let (mut block, mut away, mut lanes) = (Block::EMPTY, Away::NONE, 0);
        let mut end = f32::NEG_INFINITY;
        for (from, from_away) in sorted.blocks.iter().zip(sorted.away) {
            let length = half_lengths(simd, from);
            let is_wanted = length.simd_ge(wanted.start) & length.simd_lt(wanted.end);
            let mut bits = is_wanted.to_bitmask();
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize % LANES;
                bits &= bits - 1;
                let bounds = |bounds: &[[f32; LANES]; 3]| bounds.map(|bound| bound[lane]);
                block.write(lanes, bounds(&from.min), bounds(&from.max), from.objects[lane]);
                away.0 |= (from_away.0 >> lane & (1 | 1 << LANES)) << lanes;
                end = end.max(from.max[0][lane]);
                lanes += 1;
                if lanes == LANES {
                    self.append_block(&block, away, end);
                    (block, away, lanes) = (Block::EMPTY, Away::NONE, 0);
                }
            }
        }
        if lanes > 0 {
            self.append_block(&block, away, end);
        }
    }

    fn append_block(&mut self, block: &Block, away: Away, end: f32) {
        self.blocks.push(*block);
        self.away.push(away);
        self.ends.push(end);
    }

    /// The shelves of a column of this part.
    pub(super) fn shelves(&self, column: usize) -> impl Iterator<Item = Shelf<'_>> {
        let own = column.wrapping_sub(self.columns.start);
        let Range { start, end } = self.shelves.get(own).cloned().unwrap_or_default();
        self.blocks_of[start as usize..end as usize].iter().map(|blocks| {
            let blocks = blocks.start as usize..blocks.end as usize;
            let (away, ends) = (&self.away[blocks.clone()], &self.ends[blocks.clone()]);
            Shelf { blocks: &self.blocks[blocks], away, ends }
        })
    }

    /// Moves the end of a block, for tests. False where there is none.
    #[cfg(test)]
    pub(super) fn spoil_end(&mut self) -> bool {
        self.ends.first_mut().map(|end| *end = f32::NEG_INFINITY).is_some()
    }
}

/// The part that holds a column.
pub(super) fn part_of(parts: &[Aligned<ColumnRange>], column: usize) -> &ColumnRange {
    &parts[parts.partition_point(|part| part.columns.end <= column)]
}

/// Half the lengths of boxes on the sweep axis; negative where there is none.
#[inline(always)]
fn half_lengths<S: Simd>(simd: S, block: &Block) -> f32x16<S> {
    let of = |bounds| f32x16::load_array_ref(simd, bounds);
    // Halved before the difference, which could overflow.
    of(&block.max[0]) * 0.5 - of(&block.min[0]) * 0.5
}

/// Half the lengths of the shortest and the longest box below a length, unless there is none.
#[inline(always)]
fn lengths<S: Simd>(simd: S, sorted: Sorted<'_>, below: f32) -> Option<[f32; 2]> {
    let none = f32x16::splat(simd, f32::NEG_INFINITY);
    // `shortest` has negative lengths: their greatest is that of the shortest box.
    let (mut shortest, mut longest) = (none, none);
    for block in &sorted.blocks[..sorted.filled()] {
        let length = half_lengths(simd, block);
        let counts = length.simd_ge(0.0) & length.simd_lt(below);
        shortest = shortest.max(counts.select(-length, none));
        longest = longest.max(counts.select(length, none));
    }
    let greatest = |all: f32x16<S>| greatest(&all.into());
    let longest = greatest(longest);
    (longest >= 0.0).then(|| [-greatest(shortest), longest])
}

/// Elements to spare in any case: a part has few columns, and their number varies from build to build.
const SPARE_ENTRIES: usize = 8;

/// Empties a list for a number of elements, with a sixteenth to spare where it has to grow: this is much of the
/// structure's memory.
fn empty_for<T>(list: &mut Vec<T>, most: usize) {
    list.clear();
    if list.capacity() < most {
        list.reserve_exact(most + most / 16 + SPARE_ENTRIES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{CachedColumns, Grid, Origin};
    use crate::managed::Structure;
    use crate::{Aabb, Frame};
    use glam::Vec3;

    /// Boxes of given half lengths along x, side by side in one column.
    fn shelves_of(halves: impl Iterator<Item = f32>) -> Vec<(usize, f32)> {
        let around = |(at, half): (usize, f32)| {
            let center = Vec3::X * at as f32 * 0.01;
            Aabb::new(center - Vec3::new(half, 0.1, 0.1), center + Vec3::new(half, 0.1, 0.1))
        };
        let boxes: Vec<_> = halves.enumerate().map(around).collect();
        let (mut cached, mut pairs) = (CachedColumns::of(1), Vec::new());
        let frame = Frame::new(&boxes);
        cached.build(&frame, &mut pairs);
        let mut grid = Grid::default();
        let mut expected = Vec::new();
        grid.update(&frame);
        grid.find_pairs(&frame, &mut expected);
        assert_eq!(pairs.len(), expected.len());
        let boxes_on = |shelf: &Shelf<'_>| {
            shelf.blocks.iter().flat_map(|block| block.objects).filter(|o| *o != u32::MAX).count()
        };
        cached
            .shelves(Origin::Built, 0)
            .map(|shelf| (boxes_on(&shelf), *shelf.ends.last().unwrap()))
            .collect()
    }

    #[test]
    fn boxes_are_on_the_shelf_of_their_length() {
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
    fn ground_of_any_length_has_its_own_shelf() {
        for half in [1e3, 1e20, f32::MAX] {
            let shelves = shelves_of((0..1000).map(|at| if at == 500 { half } else { 1.0 }));
            assert_eq!(shelves.len(), 2, "{half}");
            assert_eq!(shelves[0].0, 1);
            assert!((shelves[1].1 - 10.99).abs() < 0.01, "{shelves:?}");
        }
    }
}
