//! The objects' boxes, cell by cell.

use super::layout::{CellRange, Layout, Ranges};
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

    /// Copies a box of another block.
    #[inline(always)]
    fn copy(&mut self, lane: usize, from: &Block, at: usize, away: Away) {
        for axis in 0..3 {
            self.min[axis][lane] = from.min[axis][at];
            self.max[axis][lane] = from.max[axis][at];
        }
        self.objects[lane] = from.objects[at];
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
            away: self.away_of(lane),
        }
    }

    #[inline(always)]
    pub(super) fn away_of(&self, lane: usize) -> Away {
        Away(self.away >> lane & Away::ALL.0)
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
pub(super) struct Run {
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

impl Run {
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
        let mut group = Block::EMPTY;
        for many in order.chunks(GATHERED) {
            for (copy, object) in gathered.iter_mut().zip(many) {
                *copy = boxes[*object as usize];
            }
            for (objects, boxes) in many.chunks(LANES).zip(gathered.chunks(LANES)) {
                for (lane, (object, b)) in objects.iter().zip(boxes).enumerate() {
                    for axis in 0..3 {
                        group.min[axis][lane] = b.min[axis];
                        group.max[axis][lane] = b.max[axis];
                    }
                    group.objects[lane] = *object;
                }
                self.list(&finder.ranges(&group), layout, &group, (1 << objects.len()) - 1);
            }
        }
        self.order = order;
    }

    /// Lists a group of boxes in all their cells.
    #[inline(always)]
    fn list(&mut self, ranges: &Ranges, layout: &Layout, group: &Block, lanes: u32) {
        let listed = lanes & ranges.present & !ranges.large;
        if listed != lanes {
            self.pass_over(group, lanes & !listed, ranges.present);
        }
        if listed == 0xffff {
            for lane in 0..LANES {
                self.put(ranges.home[lane] as usize, group, lane, Away::HOME);
            }
        } else {
            each(listed, |lane| self.put(ranges.home[lane] as usize, group, lane, Away::HOME));
        }
        let straddling = listed & !ranges.single;
        self.straddlers += u64::from(straddling.count_ones());
        each(straddling, |lane| {
            let range = ranges.of(lane);
            for z in range.low[2]..=range.high[2] {
                for y in range.low[1]..=range.high[1] {
                    for x in range.low[0]..=range.high[0] {
                        let away = Away::of([x, y, z], &range);
                        if away != Away::HOME {
                            self.put(layout.index([x, y, z]), group, lane, away);
                        }
                    }
                }
            }
        });
    }

    /// Notes what is listed nowhere.
    #[cold]
    fn pass_over(&mut self, group: &Block, lanes: u32, present: u32) {
        each(lanes, |lane| {
            let object = group.objects[lane];
            self.rest.push(object);
            if present >> lane & 1 != 0 {
                self.large.push(object);
            }
        });
    }

    /// Lists a box of a group in a cell, wherever that is.
    #[inline(always)]
    fn put(&mut self, cell: usize, group: &Block, lane: usize, away: Away) {
        self.listings += 1;
        // A cell before the run wraps around to one far beyond it.
        if let Some(place) = self.cells.get_mut(cell.wrapping_sub(self.first))
            && place.fill < place.end
        {
            let at = place.fill as usize;
            place.fill += 1;
            self.blocks[at / LANES].copy(at % LANES, group, lane, away);
        } else {
            self.put_aside(cell, Entry { away, ..group.get(lane) });
        }
    }

    /// Keeps an entry that has no place here.
    #[cold]
    fn put_aside(&mut self, cell: usize, entry: Entry) {
        let is_own = cell.wrapping_sub(self.first) < self.cells.len();
        let list = if is_own { &mut self.spilled } else { &mut self.foreign };
        list.push(Spilled { cell: cell as u32, entry });
    }

    /// Takes over what another run found for a cell of this one.
    pub(super) fn adopt(&mut self, foreign: &Spilled) {
        let mut group = Block::EMPTY;
        group.write(0, &foreign.entry.bounds, foreign.entry.object, Away::HOME);
        self.put(foreign.cell as usize, &group, 0, foreign.entry.away);
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

/// Calls `visit` with the number of every bit that is set.
#[inline(always)]
fn each(bits: u32, mut visit: impl FnMut(usize)) {
    let mut bits = bits;
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
