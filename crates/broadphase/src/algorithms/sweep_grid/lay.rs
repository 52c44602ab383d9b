//! Laying the cells: how many places each has, and the order in which objects are visited.

use super::SweepGrid;
use super::cells::{Block, Cell, LANES, Run};
use super::layout::{CellFinder, Layout};
use crate::Aabb;
use crate::scratch::resize_roomy;
use crate::simd::level;
use fearless_simd::{Simd, dispatch};

/// What laying needs and nobody after it.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) sizes: [Vec<f32>; 3],
    /// Boxes listed in each cell, then the places that it gets.
    listed: Vec<u32>,
    /// Objects at home in each cell, then where the next of them goes.
    homes: Vec<u32>,
    /// Cell in which each object is at home; [`NOWHERE`] for one that is listed in no cell.
    home_of: Vec<u32>,
    order: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Scratch {
    pub(super) fn heap_bytes(&self) -> usize {
        let words = self.listed.capacity()
            + self.homes.capacity()
            + self.home_of.capacity()
            + self.order.capacity()
            + self.sizes.iter().map(Vec::capacity).sum::<usize>();
        words * size_of::<u32>()
    }
}

/// Runs of cells for a number of threads: several for each, so that one that is held up does not
/// hold up the frame.
pub(super) fn ranges_for(threads: usize) -> usize {
    if threads == 1 { 1 } else { threads * 4 }
}

impl SweepGrid {
    /// Gives each cell places for its boxes and some more, and orders the objects by cell.
    pub(super) fn lay(&mut self, layout: &Layout, boxes: &[Aabb], ranges: usize) {
        self.rebuilds += 1;
        let scratch = &mut self.scratch;
        let level = level();
        dispatch!(level, simd => scratch.count(&layout.finder(simd), layout, boxes));
        let cells = layout.cells();
        let wanted = ranges.min(cells).max(1);
        self.ranges.resize_with(wanted, Run::default);
        self.fullest = scratch.listed.iter().copied().max().unwrap_or(0) as usize;
        // Ranges of about as many boxes each.
        let all: u64 = scratch.listed.iter().map(|listed| u64::from(*listed)).sum();
        let mut cell = 0;
        let mut seen = 0;
        for (number, range) in self.ranges.iter_mut().enumerate() {
            let until = all * (number as u64 + 1) / wanted as u64;
            let left = wanted - number - 1;
            range.first = cell;
            range.cells.clear();
            resize_roomy(&mut range.cells, cells / wanted, Cell::default());
            range.cells.clear();
            let mut place = 0;
            // Each later range gets a cell at least.
            while cell < cells - left && (range.cells.is_empty() || seen < until || left == 0) {
                let listed = scratch.listed[cell];
                seen += u64::from(listed);
                let places = (listed + spare(listed)).next_multiple_of(LANES as u32);
                range.cells.push(Cell { start: place, fill: place, end: place + places });
                place += places;
                cell += 1;
            }
            let blocks = place as usize / LANES;
            resize_roomy(&mut range.blocks, blocks, Block::EMPTY);
        }
        scratch.sort_by_home();
        let mut from = 0;
        for range in &mut self.ranges {
            let last = range.first + range.cells.len();
            // What stands nowhere comes at the end, and goes to the last range.
            let until =
                if last == cells { scratch.order.len() } else { scratch.homes[last - 1] as usize };
            range.order.clear();
            range.order.extend_from_slice(&scratch.order[from..until]);
            from = until;
        }
    }
}

/// Places beyond those that are taken: as many boxes as come and go by chance.
fn spare(listed: u32) -> u32 {
    if listed == 0 { 0 } else { (1.5 * (listed as f32).sqrt()) as u32 + 1 }
}

impl Scratch {
    #[inline(always)]
    fn count<S: Simd>(&mut self, finder: &CellFinder<S>, layout: &Layout, boxes: &[Aabb]) {
        let cells = layout.cells();
        for counts in [&mut self.listed, &mut self.homes] {
            counts.clear();
            resize_roomy(counts, cells, 0);
        }
        self.home_of.clear();
        self.home_of.reserve(boxes.len());
        for b in boxes {
            let range = finder.range(b);
            if b.is_empty() || range.is_large() {
                self.home_of.push(NOWHERE);
                continue;
            }
            let home = layout.index(range.low);
            self.home_of.push(home as u32);
            self.homes[home] += 1;
            for z in range.low[2]..=range.high[2] {
                for y in range.low[1]..=range.high[1] {
                    for x in range.low[0]..=range.high[0] {
                        self.listed[layout.index([x, y, z])] += 1;
                    }
                }
            }
        }
    }

    /// A counting sort; leaves in `homes` where the objects of the next cell begin.
    fn sort_by_home(&mut self) {
        let mut next = 0;
        for homes in &mut self.homes {
            (*homes, next) = (next, next + *homes);
        }
        self.order.clear();
        self.order.resize(self.home_of.len(), 0);
        for (object, home) in (0..).zip(&self.home_of) {
            let place = match self.homes.get_mut(*home as usize) {
                Some(place) => place,
                None => &mut next,
            };
            self.order[*place as usize] = object;
            *place += 1;
        }
    }
}
