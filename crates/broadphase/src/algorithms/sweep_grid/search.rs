//! The pairs within the cells.

use super::cells::{Away, Block, CellBoxes, Entry, LANES, Run, Spilled};
use super::layout::{CellRange, Layout};
use crate::radix_sort::{Keyed, RadixSort, order_key};
use crate::scratch::resize_roomy;
use crate::{Aabb, Axis, Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16, u32x16};
use std::ops::Range;

/// Up to this many boxes, all are compared; more are sorted and swept.
const CROWDED: usize = 96;

/// Cells between two looks at the stop flag.
const CELLS_PER_LOOK: usize = 1024;

/// Rows of a crowded cell between two looks.
const ROWS_PER_LOOK: usize = 1024;

/// A box in a form to be compared with sixteen at once.
#[derive(Clone, Copy)]
pub(super) struct Probe<S: Simd> {
    min: [f32x16<S>; 3],
    max: [f32x16<S>; 3],
}

impl<S: Simd> Probe<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, b: &Aabb) -> Self {
        let splat = |v: f32| f32x16::splat(simd, v);
        Self {
            min: [splat(b.min.x), splat(b.min.y), splat(b.min.z)],
            max: [splat(b.max.x), splat(b.max.y), splat(b.max.z)],
        }
    }

    #[inline(always)]
    fn of_lane(simd: S, block: &Block, lane: usize) -> Self {
        let splat = |bounds: &[f32; LANES]| f32x16::splat(simd, bounds[lane]);
        Self {
            min: [splat(&block.min[0]), splat(&block.min[1]), splat(&block.min[2])],
            max: [splat(&block.max[0]), splat(&block.max[1]), splat(&block.max[2])],
        }
    }

    /// The lanes of a block whose boxes share a point with this one.
    #[inline(always)]
    pub(super) fn hits(&self, simd: S, block: &Block) -> u32 {
        let axis = |axis: usize| -> mask32x16<S> {
            f32x16::from_slice(simd, &block.min[axis]).simd_le(self.max[axis])
                & self.min[axis].simd_le(f32x16::from_slice(simd, &block.max[axis]))
        };
        (axis(0) & axis(1) & axis(2)).to_bitmask() as u32
    }
}

/// Lanes of a block that a box overlaps.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    /// Position of the box in its cell, for those that stand there.
    row: u32,
    /// Number of the block in the cell.
    block: u32,
    lanes: u32,
}

/// Hits that wait to be written as pairs.
///
/// The loop that compares must not call anything: a call, even one that hardly ever happens, makes
/// the compiler keep the vectors of the loop in memory. So it writes here, a full place or none, and
/// what it wrote is read when it is done.
#[derive(Debug)]
struct Hits {
    list: [Hit; Self::ROOM],
    len: usize,
}

impl Default for Hits {
    fn default() -> Self {
        Self { list: [Hit::default(); Self::ROOM], len: 0 }
    }
}

impl Hits {
    /// A power of two, so that a mask keeps an index within it. A cell that is not crowded has fewer
    /// blocks to compare.
    const ROOM: usize = 512;

    /// Compares a box with a range of blocks, of which only some lanes count in the first one and in
    /// the last one. There must be room for so many.
    #[inline(always)]
    fn compare<S: Simd>(
        &mut self,
        simd: S,
        probe: &Probe<S>,
        row: usize,
        blocks: &[Block],
        range: Range<usize>,
        [mut lanes, last]: [u32; 2],
    ) {
        let (mut len, end) = (self.len, range.end);
        for (number, block) in (range.start..).zip(&blocks[range]) {
            let counted = if number + 1 == end { lanes & last } else { lanes };
            lanes = 0xffff;
            let hits = probe.hits(simd, block) & counted;
            self.list[len & (Self::ROOM - 1)] =
                Hit { row: row as u32, block: number as u32, lanes: hits };
            len += usize::from(hits != 0);
        }
        self.len = len;
    }
}

/// What a search leaves beside its pairs.
#[derive(Debug, Default)]
pub(super) struct Search {
    hits: Box<Hits>,
    pub(super) tests: u64,
    pub(super) duplicates: u64,
    /// Scratch of a crowded cell: its boxes by their lower bound on the sweep axis.
    keys: Vec<Keyed>,
    radix: RadixSort,
    sorted: Vec<Block>,
}

/// Where pairs go, and which may.
struct Sink<'a> {
    frame: &'a Frame<'a>,
    pairs: &'a mut Vec<Pair>,
    duplicates: u64,
}

impl Sink<'_> {
    /// Appends the pairs of a box with the given lanes of a block, but for those that belong to an
    /// earlier cell.
    #[inline(always)]
    fn append(&mut self, object: u32, away: Away, block: &Block, hits: u32) {
        let mut own = hits;
        if away != Away::HOME {
            own &= !away.elsewhere(block.away);
            self.duplicates += u64::from((hits ^ own).count_ones());
        }
        while own != 0 {
            let other = block.objects[own.trailing_zeros() as usize];
            if self.frame.admits(object, other) {
                self.pairs.push(Pair::new(object, other));
            }
            own &= own - 1;
        }
    }
}

impl Search {
    /// Appends the pairs of a range's cells, and writes its objects' order for the next frame.
    #[inline(always)]
    pub(super) fn range<S: Simd>(
        &mut self,
        simd: S,
        range: &mut Run,
        layout: &Layout,
        large: &[(Entry, CellRange)],
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
    ) {
        self.tests = 0;
        // What spilled from a cell is compared with what spilled from it before.
        range.spilled.sort_unstable_by_key(|spilled| spilled.cell);
        let mut sink = Sink { frame, pairs, duplicates: 0 };
        let mut order = std::mem::take(&mut range.order);
        // Sixteen places more: a block's objects are written at once, and those away overwritten.
        resize_roomy(&mut order, range.listings as usize + LANES + range.rest.len(), 0);
        let (mut homes, mut is_stopped) = (0, false);
        for (number, cell) in range.cells.iter().enumerate() {
            let boxes = range.cell(cell);
            for (number, block) in boxes.blocks.iter().enumerate() {
                let at_home = block.at_home() & boxes.lanes(number);
                let objects = u32x16::from_slice(simd, &block.objects);
                let mask = mask32x16::from_bitmask(simd, u64::from(at_home));
                objects.compress(mask).store_slice(&mut order[homes..homes + LANES]);
                homes += at_home.count_ones() as usize;
            }
            if number % CELLS_PER_LOOK == 0 {
                is_stopped = frame.is_stopped();
            }
            if is_stopped {
                continue;
            }
            if boxes.len > CROWDED {
                self.sweep(simd, &boxes, layout.sweep_axis, &mut sink);
            } else {
                self.all_with_all(simd, &boxes, &mut sink);
            }
        }
        order.truncate(homes);
        order.extend(
            range.spilled.iter().filter(|s| s.entry.away == Away::HOME).map(|s| s.entry.object),
        );
        order.extend_from_slice(&range.rest);
        range.order = order;
        if !is_stopped {
            self.spilled(simd, range, layout, large, &mut sink);
        }
        for (entry, cells) in large {
            if frame.is_stopped() {
                break;
            }
            self.visit(simd, range, layout, entry, cells, &mut sink);
        }
        self.duplicates = sink.duplicates;
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Keyed>()
            + self.radix.heap_bytes()
            + self.sorted.capacity() * size_of::<Block>()
    }

    /// Makes room for cells of so many boxes, whether or not one is crowded yet.
    pub(super) fn reserve(&mut self, boxes: usize) {
        if self.keys.capacity() < boxes {
            let room = 2 * boxes.max(CROWDED);
            self.keys.clear();
            self.keys.reserve_exact(room);
            self.sorted.clear();
            self.sorted.reserve_exact(room.div_ceil(LANES));
            self.radix.reserve(room);
        }
    }

    /// Leaves the positions of a cell's boxes in `keys`, by their lower bounds on an axis.
    fn sort(&mut self, boxes: &CellBoxes<'_>, axis: usize) {
        self.keys.clear();
        for position in 0..boxes.len {
            let low = boxes.blocks[position / LANES].min[axis][position % LANES];
            self.keys.push(Keyed { key: order_key(low), object: position as u32 });
        }
        self.radix.sort(&mut self.keys);
    }

    /// Calls `test` with the objects of every test that [`range`](Self::range) makes within a cell.
    pub(super) fn replay(
        &mut self,
        boxes: &CellBoxes<'_>,
        axis: Axis,
        test: &mut dyn FnMut(u32, u32),
    ) {
        let axis = axis.index();
        let is_swept = boxes.len > CROWDED;
        let mut entries: Vec<_> = (0..boxes.len).map(|position| boxes.get(position)).collect();
        if is_swept {
            self.sort(boxes, axis);
            entries = self.keys.iter().map(|keyed| entries[keyed.object as usize]).collect();
        }
        for (i, row) in entries.iter().enumerate() {
            for (j, other) in entries.iter().enumerate().skip(i + 1) {
                // A block is compared as a whole unless it begins beyond the row's end.
                let block = j - j % LANES;
                let is_first = block <= i;
                if is_swept && !is_first && entries[block].bounds.min[axis] > row.bounds.max[axis] {
                    break;
                }
                test(row.object, other.object);
            }
        }
    }

    /// Sorts the boxes of a crowded cell along an axis, and compares each with those that begin
    /// before it ends.
    #[inline(always)]
    fn sweep<S: Simd>(&mut self, simd: S, boxes: &CellBoxes<'_>, axis: Axis, sink: &mut Sink<'_>) {
        let axis = axis.index();
        self.sort(boxes, axis);
        self.sorted.clear();
        self.sorted.resize(boxes.blocks.len(), Block::EMPTY);
        for (position, keyed) in self.keys.iter().enumerate() {
            let entry = boxes.get(keyed.object as usize);
            self.sorted[position / LANES].write(
                position % LANES,
                &entry.bounds,
                entry.object,
                entry.away,
            );
        }
        let Self { sorted, hits, tests, .. } = self;
        let sorted = CellBoxes { blocks: sorted, len: boxes.len };
        for i in 0..sorted.len {
            if i % ROWS_PER_LOOK == 0 && sink.frame.is_stopped() {
                return;
            }
            let row = sorted.get(i);
            let first = i / LANES;
            // The blocks that begin before the row ends, its own and the last one included.
            let later = &sorted.blocks[first + 1..];
            let upper = row.bounds.max[axis];
            let end = first + 1 + later.iter().take_while(|b| b.min[axis][0] <= upper).count();
            let probe = Probe::new(simd, &row.bounds);
            let mut lanes = later_lanes(i);
            for from in (first..end).step_by(Hits::ROOM) {
                let until = end.min(from + Hits::ROOM);
                let last = sorted.lanes(until - 1);
                hits.len = 0;
                hits.compare(simd, &probe, i, sorted.blocks, from..until, [lanes, last]);
                for hit in &hits.list[..hits.len] {
                    let block = &sorted.blocks[hit.block as usize];
                    sink.append(row.object, row.away, block, hit.lanes);
                }
                lanes = 0xffff;
            }
            let reached =
                ((end - 1) * LANES) as u64 + u64::from(sorted.lanes(end - 1).count_ones());
            *tests += reached - i as u64 - 1;
        }
    }

    /// Compares all boxes of a cell that is not crowded with each other.
    #[inline(always)]
    fn all_with_all<S: Simd>(&mut self, simd: S, boxes: &CellBoxes<'_>, sink: &mut Sink<'_>) {
        if boxes.len < 2 {
            return;
        }
        let blocks = boxes.blocks;
        let last = boxes.lanes(blocks.len() - 1);
        let hits = &mut *self.hits;
        hits.len = 0;
        for (first, block) in blocks.iter().enumerate() {
            for lane in 0..LANES.min(boxes.len - first * LANES) {
                let row = first * LANES + lane;
                let probe = Probe::of_lane(simd, block, lane);
                let later = later_lanes(lane);
                hits.compare(simd, &probe, row, blocks, first..blocks.len(), [later, last]);
            }
        }
        for hit in &hits.list[..hits.len.min(Hits::ROOM)] {
            let (block, lane) = (hit.row as usize / LANES, hit.row as usize % LANES);
            let row = &blocks[block];
            let (object, away) = (row.objects[lane], row.away_of(lane));
            sink.append(object, away, &blocks[hit.block as usize], hit.lanes);
        }
        self.tests += (boxes.len * (boxes.len - 1) / 2) as u64;
    }

    /// Compares a box with all of a cell.
    #[inline(always)]
    fn with_all<S: Simd>(
        &mut self,
        simd: S,
        boxes: &CellBoxes<'_>,
        entry: &Entry,
        sink: &mut Sink<'_>,
    ) {
        let probe = Probe::new(simd, &entry.bounds);
        let end = boxes.blocks.len();
        for from in (0..end).step_by(Hits::ROOM) {
            let until = end.min(from + Hits::ROOM);
            let last = boxes.lanes(until - 1);
            let hits = &mut *self.hits;
            hits.len = 0;
            hits.compare(simd, &probe, 0, boxes.blocks, from..until, [0xffff, last]);
            for hit in &hits.list[..hits.len] {
                let block = &boxes.blocks[hit.block as usize];
                sink.append(entry.object, entry.away, block, hit.lanes);
            }
        }
        self.tests += boxes.len as u64;
    }

    /// Compares what found no place in its cell with the boxes there, and with each other.
    #[inline(always)]
    fn spilled<S: Simd>(
        &mut self,
        simd: S,
        range: &Run,
        layout: &Layout,
        large: &[(Entry, CellRange)],
        sink: &mut Sink<'_>,
    ) {
        for (number, Spilled { cell, entry }) in range.spilled.iter().enumerate() {
            let boxes = range.cell(&range.cells[*cell as usize - range.first]);
            self.with_all(simd, &boxes, entry, sink);
            let before = range.spilled[..number].iter().rev();
            for other in before.take_while(|other| other.cell == *cell) {
                self.tests += 1;
                one_with_one(&other.entry, entry, sink);
            }
            for (other, cells) in large {
                if let Some(away) = layout.away(*cell as usize, cells) {
                    self.tests += 1;
                    one_with_one(&Entry { away, ..*other }, entry, sink);
                }
            }
        }
    }

    /// Compares a box that is listed nowhere with the boxes of all its cells in a range.
    #[inline(always)]
    fn visit<S: Simd>(
        &mut self,
        simd: S,
        range: &Run,
        layout: &Layout,
        entry: &Entry,
        cells: &CellRange,
        sink: &mut Sink<'_>,
    ) {
        for z in cells.low[2]..=cells.high[2] {
            for y in cells.low[1]..=cells.high[1] {
                let row = layout.index([0, y, z]);
                if row + layout.counts[0] as usize <= range.first
                    || row >= range.first + range.cells.len()
                {
                    continue;
                }
                for x in cells.low[0]..=cells.high[0] {
                    let number = (row + x as usize).wrapping_sub(range.first);
                    if let Some(cell) = range.cells.get(number) {
                        let away = Away::of([x, y, z], cells);
                        let visitor = Entry { away, ..*entry };
                        self.with_all(simd, &range.cell(cell), &visitor, sink);
                    }
                }
            }
        }
    }
}

/// The lanes of a box's own block that come after it.
#[inline(always)]
fn later_lanes(position: usize) -> u32 {
    0xfffe << (position % LANES) & 0xffff
}

/// Compares two boxes of a cell that stand in no block.
fn one_with_one(a: &Entry, b: &Entry, sink: &mut Sink<'_>) {
    if a.bounds.overlaps(&b.bounds) {
        if a.away.0 & b.away.0 != 0 {
            sink.duplicates += 1;
        } else if sink.frame.admits(a.object, b.object) {
            sink.pairs.push(Pair::new(a.object, b.object));
        }
    }
}
