//! The objects' boxes, cell by cell.

use super::layout::{CellFinder, CellRange, Layout};
use crate::Aabb;
use crate::scratch::renew;
use fearless_simd::Simd;

/// Boxes in a block.
pub(super) const LANES: usize = 16;

/// Boxes copied together before they are sorted into their cells: the copies do not wait for each
/// other, while what follows depends on what they brought.
const GATHERED: usize = 64;

/// Sixteen boxes of a cell, each bound a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block {
    pub(super) min: [[f32; LANES]; 3],
    pub(super) max: [[f32; LANES]; 3],
    pub(super) objects: [u32; LANES],
    /// Which of the boxes begin in an earlier cell on x (bits 0 to 15), y (16 to 31), z (32 to 47).
    pub(super) away: u64,
}

impl Block {
    pub(super) const EMPTY: Block = Block {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
        objects: [0; LANES],
        away: 0,
    };

    #[inline(always)]
    pub(super) fn write(&mut self, lane: usize, b: &Aabb, object: u32, away: Away) {
        for axis in 0..3 {
            self.min[axis][lane] = b.min[axis];
            self.max[axis][lane] = b.max[axis];
        }
        self.objects[lane] = object;
        // What the lanes said in an earlier frame goes with the first of them.
        let kept = if lane == 0 { 0 } else { self.away };
        self.away = kept | away.0 << lane;
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Entry {
        Entry {
            bounds: Aabb::new(
                self.min.map(|bound| bound[lane]).into(),
                self.max.map(|bound| bound[lane]).into(),
            ),
            object: self.objects[lane],
            away: Away(self.away >> lane & Away::ALL.0),
        }
    }

    /// The lanes whose boxes have their lowest corner in this cell.
    #[inline(always)]
    pub(super) fn at_home(&self) -> u32 {
        !(self.away | self.away >> 16 | self.away >> 32) as u32 & 0xffff
    }
}

/// On which axes a box begins in an earlier cell than the one it is listed in: bits 0, 16 and 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Away(pub(super) u64);

impl Away {
    /// In the cell of its lowest corner.
    pub(super) const HOME: Away = Away(0);
    const ALL: Away = Away(1 | 1 << 16 | 1 << 32);

    #[inline(always)]
    pub(super) fn of(cell: [i32; 3], range: &CellRange) -> Self {
        let bit = |axis: usize| u64::from(cell[axis] != range.low[axis]) << (16 * axis);
        Self(bit(0) | bit(1) | bit(2))
    }

    /// The lanes of a block with which a pair belongs to an earlier cell: those that, like this box,
    /// begin before this one on some axis.
    #[inline(always)]
    pub(super) fn elsewhere(self, lanes: u64) -> u32 {
        let chosen = lanes & (self.0 * 0xffff);
        (chosen | chosen >> 16 | chosen >> 32) as u32 & 0xffff
    }
}

/// A box listed in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) bounds: Aabb,
    pub(super) object: u32,
    pub(super) away: Away,
}

/// A cell's places, counted in boxes from the first block of its range on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) start: u32,
    /// One beyond the last box.
    pub(super) fill: u32,
    /// One beyond the last place.
    pub(super) end: u32,
}

/// An entry of a cell that has no place left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spilled {
    pub(super) cell: u32,
    pub(super) entry: Entry,
}

/// A run of cells with their boxes; one thread works on it at a time.
#[derive(Debug, Default)]
pub(super) struct Range {
    /// Number of its first cell in the layout.
    pub(super) first: usize,
    pub(super) cells: Vec<Cell>,
    pub(super) blocks: Vec<Block>,
    /// Objects by the cell in which they were at home in the last frame: those of this range.
    pub(super) order: Vec<u32>,
    /// Objects that stand in no cell of it, though it looked after them.
    pub(super) rest: Vec<u32>,
    /// What belongs to a cell of another range.
    pub(super) foreign: Vec<Spilled>,
    /// What found no place.
    pub(super) spilled: Vec<Spilled>,
    /// Too large to be listed in all its cells.
    pub(super) large: Vec<u32>,
    pub(super) listings: u64,
    pub(super) straddlers: u64,
}

impl Range {
    /// Sorts the objects of the range's order into their cells.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(&mut self, simd: S, layout: &Layout, boxes: &[Aabb]) {
        let finder = layout.finder(simd);
        self.cells.iter_mut().for_each(|cell| cell.fill = cell.start);
        renew(&mut self.rest);
        renew(&mut self.foreign);
        renew(&mut self.spilled);
        renew(&mut self.large);
        (self.listings, self.straddlers) = (0, 0);
        let order = std::mem::take(&mut self.order);
        let mut gathered = [Aabb::EMPTY; GATHERED];
        for objects in order.chunks(GATHERED) {
            for (copy, object) in gathered.iter_mut().zip(objects) {
                *copy = boxes[*object as usize];
            }
            for (b, object) in gathered.iter().zip(objects) {
                self.list(&finder, layout, b, *object);
            }
        }
        self.order = order;
    }

    #[inline(always)]
    fn list<S: Simd>(
        &mut self,
        finder: &CellFinder<S>,
        layout: &Layout,
        bounds: &Aabb,
        object: u32,
    ) {
        if bounds.is_empty() {
            self.rest.push(object);
            return;
        }
        let range = finder.range(bounds);
        if range.is_single() {
            self.put(layout.index(range.low), &Entry { bounds: *bounds, object, away: Away::HOME });
            return;
        }
        if range.is_large() {
            self.rest.push(object);
            self.large.push(object);
            return;
        }
        self.straddlers += 1;
        for z in range.low[2]..=range.high[2] {
            for y in range.low[1]..=range.high[1] {
                for x in range.low[0]..=range.high[0] {
                    let away = Away::of([x, y, z], &range);
                    self.put(layout.index([x, y, z]), &Entry { bounds: *bounds, object, away });
                }
            }
        }
    }

    /// Lists an entry in a cell, wherever that is.
    #[inline(always)]
    fn put(&mut self, cell: usize, entry: &Entry) {
        // A cell before the range wraps around to one far beyond it.
        match self.cells.get_mut(cell.wrapping_sub(self.first)) {
            Some(place) if place.fill < place.end => {
                let at = place.fill as usize;
                place.fill += 1;
                self.blocks[at / LANES].write(at % LANES, &entry.bounds, entry.object, entry.away);
            }
            Some(_) => self.spilled.push(Spilled { cell: cell as u32, entry: *entry }),
            None => self.foreign.push(Spilled { cell: cell as u32, entry: *entry }),
        }
        self.listings += 1;
    }

    /// Takes over what another range found for a cell of this one.
    pub(super) fn adopt(&mut self, foreign: &Spilled) {
        self.put(foreign.cell as usize, &foreign.entry);
    }

    /// The boxes of a cell.
    #[inline(always)]
    pub(super) fn cell(&self, cell: &Cell) -> CellBoxes<'_> {
        let (start, end) = (cell.start as usize / LANES, (cell.fill as usize).div_ceil(LANES));
        CellBoxes {
            blocks: &self.blocks[start..end.max(start)],
            len: (cell.fill - cell.start) as usize,
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.order.capacity() + self.rest.capacity() + self.large.capacity())
                * size_of::<u32>()
            + (self.foreign.capacity() + self.spilled.capacity()) * size_of::<Spilled>()
    }
}

/// The boxes of one cell. The lanes after the last one hold old boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellBoxes<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) len: usize,
}

impl CellBoxes<'_> {
    /// The lanes of a block that hold boxes of this frame.
    #[inline(always)]
    pub(super) fn lanes(&self, block: usize) -> u32 {
        let left = self.len - block * LANES;
        if left >= LANES { 0xffff } else { (1 << left) - 1 }
    }

    #[inline(always)]
    pub(super) fn get(&self, position: usize) -> Entry {
        self.blocks[position / LANES].get(position % LANES)
    }
}
