//! Sorted columns that are kept for several frames, and the search for the objects that escaped.

use super::bins::Bins;
use super::cross::cross;
use super::layout::Columns;
use super::sweeper::Sweeper;
use super::tasks::ColumnTasks;
use crate::simd::level;
use crate::sweep::{Away, Block, LANES, Sorted, greatest, sweep};
use crate::{Aabb, Counters, Frame, Pair};
use fearless_simd::dispatch;
use std::ops::Range;

/// Boxes of a shelf are at most this many times as long as each other.
const ALIKE: f32 = 4.0;

/// Listings of escaped objects up to which the columns suit them: for each object there is, and in any
/// case.
const MOST_LISTINGS: u64 = 6;
const FEWEST_LISTINGS: u64 = 4096;

/// The sorted columns of cached boxes, and those objects that are searched for in each frame.
///
/// The boxes of a column are in shelves by their length on the sweep axis. The boxes that reach to a place
/// begin before it by no more than the longest of their shelf is long, so that only these are compared.
///
/// A cached box never changes. Where its object escapes, the entry is *stale*: a search skips it, and the
/// object is listed by the box that it has in the frame. Later it may be inserted again, with another box.
/// Inserted boxes are few, and sorted again with each insertion.
#[derive(Debug, Default)]
pub(crate) struct CachedColumns {
    /// The columns, unless nothing is cached.
    columns: Option<Columns>,
    /// Each holds a range of columns, in ascending order; as many as tasks built them.
    parts: Vec<Part>,
    used: usize,
    /// Boxes listed, each in every column that it touches, and boxes in more than one column.
    listings: u64,
    straddlers: u64,
    /// Boxes that were inserted since, in all columns.
    inserted: Part,
    inserted_bins: Bins,
    sweeper: Sweeper,
    /// The objects that are searched for in this frame, and how many these are.
    escaped: Bins,
    searched: usize,
    tasks: ColumnTasks,
}

/// When a cached box came to the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// When they were built.
    Built,
    /// Since then.
    Inserted,
}

/// A range of columns: sorted boxes, sixteen to a block.
#[derive(Debug, Default)]
pub(super) struct Part {
    columns: Range<usize>,
    /// For each column its shelves, and for each of these its blocks.
    shelves: Vec<Range<u32>>,
    blocks_of: Vec<Range<u32>>,
    blocks: Vec<Block>,
    away: Vec<Away>,
    /// Where the last box of each block and those before it on the shelf ends.
    ends: Vec<f32>,
}

/// Boxes of a column that are about as long: blocks, which boxes begin in an earlier column, and where all
/// boxes up to the end of each block have ended.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) away: &'a [Away],
    pub(super) ends: &'a [f32],
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

impl Part {
    /// Drops all boxes, and makes room for a number of listings.
    fn clear(&mut self, columns: Range<usize>, listings: usize) {
        // Each column ends with a block that is not full, and often so does a second shelf; there may be
        // more of these.
        let most = listings / LANES + 2 * columns.len();
        empty_for(&mut self.blocks, most);
        empty_for(&mut self.away, most);
        empty_for(&mut self.ends, most);
        empty_for(&mut self.shelves, columns.len());
        empty_for(&mut self.blocks_of, 4 * columns.len());
        self.columns = columns;
    }

    /// Appends the next column, shelf by shelf, the longest boxes first.
    fn push(&mut self, sorted: Option<Sorted<'_>>) {
        let first = self.blocks_of.len() as u32;
        if let Some(sorted) = sorted {
            self.append(sorted);
        }
        self.shelves.push(first..self.blocks_of.len() as u32);
    }

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

    /// The shelves of a column of this part.
    fn shelves(&self, column: usize) -> impl Iterator<Item = Shelf<'_>> {
        let own = column.wrapping_sub(self.columns.start);
        let Range { start, end } = self.shelves.get(own).cloned().unwrap_or_default();
        self.blocks_of[start as usize..end as usize].iter().map(|blocks| {
            let blocks = blocks.start as usize..blocks.end as usize;
            let (away, ends) = (&self.away[blocks.clone()], &self.ends[blocks.clone()]);
            Shelf { blocks: &self.blocks[blocks], away, ends }
        })
    }

    fn heap_bytes(&self) -> usize {
        (self.shelves.capacity() + self.blocks_of.capacity()) * size_of::<Range<u32>>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.away.capacity() + self.ends.capacity()) * size_of::<u32>()
    }
}

impl CachedColumns {
    /// Drops all boxes.
    pub(crate) fn clear(&mut self) {
        self.columns = None;
    }

    /// The columns, unless there are none.
    pub(super) fn columns(&self) -> Option<Columns> {
        self.columns
    }

    /// Takes over the boxes that are listed in columns, and appends their pairs. Where the frame is stopped,
    /// neither is complete.
    pub(super) fn build(
        &mut self,
        columns: Columns,
        bins: &[Bins],
        tasks: &mut ColumnTasks,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        let listed = |column| bins.iter().map(|bins| bins.len(column)).sum::<usize>();
        self.listings = bins.iter().map(|bins| bins.listings).sum();
        self.straddlers = bins.iter().map(|bins| bins.straddlers).sum();
        self.tasks.forget_found();
        self.used = 0;
        for range in tasks.ranges() {
            if self.used == self.parts.len() {
                self.parts.push(Part::default());
            }
            self.parts[self.used].clear(range.clone(), range.map(listed).sum());
            self.used += 1;
        }
        tasks.exchange(&mut self.parts);
        tasks.run(pairs, |task, column, pairs| {
            if listed(column) == 0 || frame.is_stopped() {
                task.part.push(None);
                return;
            }
            let sorted = task.sweeper.sort(column, bins);
            task.part.push(Some(sorted));
            task.found += sweep(sorted, 0..sorted.filled(), frame, pairs);
        });
        tasks.exchange(&mut self.parts);
        self.columns = Some(columns);
        self.insert(std::iter::empty(), frame);
    }

    /// Makes room for a number of objects that escape, searched for by a number of tasks, and for as many
    /// that are inserted.
    pub(crate) fn make_room(&mut self, objects: usize, tasks: usize) {
        let columns = self.columns.map_or(0, |columns| columns.len());
        for bins in [&mut self.escaped, &mut self.inserted_bins] {
            bins.make_room(objects, usize::MAX, columns);
        }
        self.tasks.make_room(tasks, objects);
        self.inserted.clear(0..columns, objects);
        self.inserted.clear(0..0, 0);
    }

    /// Replaces the inserted boxes.
    pub(crate) fn insert<'a>(
        &mut self,
        boxes: impl ExactSizeIterator<Item = (u32, &'a Aabb)>,
        frame: &Frame<'_>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { inserted, inserted_bins: bins, sweeper, .. } = self;
        if boxes.len() == 0 {
            bins.clear(columns.len());
            inserted.clear(0..0, 0);
            return;
        }
        bins.make_room(boxes.len(), usize::MAX, columns.len());
        dispatch!(level(), simd => bins.fill(simd, &columns, boxes, u64::MAX));
        sweeper.reserve((0..columns.len()).map(|column| bins.len(column)).max().unwrap_or(0));
        // More from one insertion to the next.
        inserted.clear(0..columns.len(), (bins.listings as usize).next_power_of_two());
        for column in 0..columns.len() {
            let is_listed = bins.len(column) > 0 && !frame.is_stopped();
            let bins = std::slice::from_ref(&*bins);
            inserted.push(is_listed.then(|| sweeper.sort(column, bins)));
        }
    }

    /// The shelves of a column.
    pub(super) fn shelves(&self, origin: Origin, column: usize) -> impl Iterator<Item = Shelf<'_>> {
        let part = match origin {
            Origin::Built => part_of(&self.parts[..self.used], column),
            Origin::Inserted => &self.inserted,
        };
        part.shelves(column)
    }

    /// Lists the objects that are searched for in this frame; false if they take far too many entries.
    #[must_use]
    pub(crate) fn list_escaped<'a>(
        &mut self,
        escaped: impl ExactSizeIterator<Item = (u32, &'a Aabb)>,
        objects: usize,
    ) -> bool {
        self.tasks.forget_found();
        self.searched = escaped.len();
        let Some(columns) = self.columns else { return false };
        if escaped.len() == 0 {
            self.escaped.clear(columns.len());
            return true;
        }
        let most = FEWEST_LISTINGS + MOST_LISTINGS * objects as u64;
        let bins = &mut self.escaped;
        // A cache of which more has escaped is given up.
        bins.make_room(escaped.len(), objects * 5 / 8, columns.len());
        dispatch!(level(), simd => bins.fill(simd, &columns, escaped, most))
    }

    /// Appends the pairs of the listed objects with each other and with the cached boxes. `entry` states
    /// where the entry of an object is that is not stale, `is_pair` which of the pairs count.
    pub(crate) fn find_pairs_of_escaped(
        &mut self,
        frame: &Frame<'_>,
        entry: impl Fn(u32) -> Option<Origin> + Sync,
        is_pair: impl Fn(Pair) -> bool + Sync,
        pairs: &mut Vec<Pair>,
    ) {
        let Some(columns) = self.columns else { return };
        let Self { parts, used, inserted, escaped, searched, tasks, .. } = self;
        if escaped.listings == 0 {
            return;
        }
        let parts = &parts[..*used];
        tasks.share_out(*searched, columns.len(), |column| escaped.len(column));
        tasks.run(pairs, |task, column, pairs| {
            if escaped.len(column) == 0 || frame.is_stopped() {
                return;
            }
            let first = pairs.len();
            let own = task.sweeper.sort(column, std::slice::from_ref(escaped));
            task.found += sweep(own, 0..own.filled(), frame, pairs);
            for (origin, part) in
                [(Origin::Built, part_of(parts, column)), (Origin::Inserted, &*inserted)]
            {
                let is_stale = |object| entry(object) != Some(origin);
                for shelf in part.shelves(column) {
                    task.found += cross(own, shelf, &is_stale, frame, pairs);
                }
            }
            let mut kept = first;
            for at in first..pairs.len() {
                let pair = pairs[at];
                pairs[kept] = pair;
                kept += usize::from(is_pair(pair));
            }
            pairs.truncate(kept);
        });
    }

    /// The objects listed by [`list_escaped`](Self::list_escaped).
    pub(super) fn escaped(&self) -> &Bins {
        &self.escaped
    }

    /// The work of the last search for escaped objects, and what is listed, cached boxes included.
    pub(crate) fn counters(&self) -> Counters {
        let found = self.tasks.found();
        Counters {
            tests: found.tests,
            nodes: self.columns.map_or(0, |columns| columns.len() as u64),
            listings: self.listings + self.inserted_bins.listings + self.escaped.listings,
            straddlers: self.straddlers + self.escaped.straddlers,
            duplicates: found.duplicates,
            ..Counters::default()
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.parts.capacity() * size_of::<Part>()
            + self.parts.iter().map(Part::heap_bytes).sum::<usize>()
            + self.inserted.heap_bytes()
            + self.inserted_bins.heap_bytes()
            + self.sweeper.heap_bytes()
            + self.escaped.heap_bytes()
            + self.tasks.heap_bytes()
    }

    /// Moves the end of a shelf, for tests.
    #[cfg(test)]
    pub(crate) fn spoil_end(&mut self) {
        let part = self.parts.iter_mut().find(|part| !part.ends.is_empty());
        part.unwrap().ends[0] = f32::NEG_INFINITY;
    }
}

/// The part that holds a column.
fn part_of(parts: &[Part], column: usize) -> &Part {
    &parts[parts.partition_point(|part| part.columns.end <= column)]
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

/// Elements to spare in any case: the columns of a part, which are few, vary from build to build.
const FEW: usize = 8;

/// Empties a list for a number of elements, with an eighth to spare where it has to grow: it is most of the
/// structure's memory.
fn empty_for<T>(list: &mut Vec<T>, most: usize) {
    list.clear();
    if list.capacity() < most {
        list.reserve_exact(most + most / 8 + FEW);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BroadPhase;
    use crate::columns::Grid;
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
        let (mut kept, mut pairs) = (CachedColumns::default(), Vec::new());
        let (frame, mut tasks) = (Frame::new(&boxes, 0.1), ColumnTasks::default());
        tasks.share_out(boxes.len(), 1, |_| boxes.len());
        kept.build(columns, &[bins], &mut tasks, &frame, &mut pairs);
        let mut grid = Grid::default();
        let mut expected = Vec::new();
        grid.update(&frame);
        grid.find_pairs(&frame, &mut expected);
        assert_eq!(pairs.len(), expected.len());
        let boxes_on = |shelf: &Shelf<'_>| {
            shelf.blocks.iter().flat_map(|block| block.objects).filter(|o| *o != u32::MAX).count()
        };
        kept.shelves(Origin::Built, 0)
            .map(|shelf| (boxes_on(&shelf), *shelf.ends.last().unwrap()))
            .collect()
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
