//! Compares two sets of boxes in a column: escaped objects with cached boxes, or the two sets of a join.

use super::shelves::Shelf;
use crate::Limits;
use crate::parallel::Work;
use crate::simd::level;
use crate::sweep::{Block, Row, Sorted};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch};

/// Blocks with hits that are noted before their pairs are written.
const NOTED: usize = 64;

/// Hits of one box in a block.
#[derive(Clone, Copy, Default)]
struct Hits {
    own: u32,
    lane: u8,
    block: u32,
    bits: u32,
}

/// The pairs of a search between two sets.
#[derive(Clone, Copy)]
pub(super) struct Between<'a, P, F> {
    /// The pair of an object of the first set and one of the second, if it counts.
    pub(super) pair: &'a F,
    /// Filters the pairs from a position on, and counts them.
    pub(super) settle: &'a dyn Fn(&mut Vec<P>, usize),
    pub(super) limits: Limits<'a>,
}

/// Appends the pairs of sorted boxes with those of a shelf in the same column. Returns the work.
///
/// Both are sorted by their lower bounds. So the first block that may reach a box is never before that
/// of the box before it.
pub(super) fn cross<P, F: Fn(u32, u32) -> Option<P>>(
    rows: Sorted<'_>,
    others: Shelf<'_>,
    between: &Between<'_, P, F>,
    pairs: &mut Vec<P>,
) -> Work {
    dispatch!(level(), simd => cross_with(simd, rows, others, between, pairs))
}

#[inline(always)]
fn cross_with<S: Simd, P, F: Fn(u32, u32) -> Option<P>>(
    simd: S,
    rows: Sorted<'_>,
    others: Shelf<'_>,
    between: &Between<'_, P, F>,
    pairs: &mut Vec<P>,
) -> Work {
    let (notes, found) = ([Hits::default(); NOTED], Work::default());
    let mut cross = Cross { rows, others, between, pairs, notes, noted: 0, found };
    let mut first = 0;
    for (own, block) in (0..).zip(&rows.blocks[..rows.filled()]) {
        if between.limits.is_stopped() {
            break;
        }
        let lanes = block.objects.iter().take_while(|object| **object != u32::MAX).count();
        for lane in 0..lanes {
            while others.ends.get(first).is_some_and(|end| *end < block.min[0][lane]) {
                first += 1;
            }
            cross.row(simd, own, lane, first);
        }
    }
    cross.append();
    cross.found
}

/// A running search.
struct Cross<'a, P, F> {
    rows: Sorted<'a>,
    others: Shelf<'a>,
    between: &'a Between<'a, P, F>,
    pairs: &'a mut Vec<P>,
    notes: [Hits; NOTED],
    noted: usize,
    found: Work,
}

impl<P, F: Fn(u32, u32) -> Option<P>> Cross<'_, P, F> {
    /// Compares a box with the blocks from the first on that begin before it ends.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, own: u32, lane: usize, first: usize) {
        let block = &self.rows.blocks[own as usize];
        let (row, end) = (Row::new(simd, block, lane), block.max[0][lane]);
        for (at, block) in (first..).zip(&self.others.blocks[first..]) {
            if block.min[0][0] > end {
                break;
            }
            let along = row.apart_along(simd, block);
            let hits = (along | row.apart(simd, block)).simd_ge(0).to_bitmask() as u32;
            self.found.tests += u64::from(along.simd_ge(0).to_bitmask().count_ones());
            if hits != 0 {
                if self.noted == NOTED {
                    self.append();
                }
                self.notes[self.noted] =
                    Hits { own, lane: lane as u8, block: at as u32, bits: hits };
                self.noted += 1;
            }
        }
    }

    /// Appends the pairs that are noted.
    #[inline(never)]
    fn append(&mut self) {
        let (noted, first) = (std::mem::take(&mut self.noted), self.pairs.len());
        if self.between.limits.is_stopped() {
            return;
        }
        for hits in &self.notes[..noted] {
            let (own, block) = (hits.own as usize, hits.block as usize);
            let away = [self.rows.away[own], self.others.away[block]];
            let elsewhere = away[0].elsewhere([hits.lane; 4], away[1]) as u32;
            self.found.duplicates += u64::from((hits.bits & elsewhere).count_ones());
            let mut bits = hits.bits & !elsewhere;
            let blocks: [&Block; 2] = [&self.rows.blocks[own], &self.others.blocks[block]];
            let object = blocks[0].objects[hits.lane as usize];
            while bits != 0 {
                let other = blocks[1].objects[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                self.pairs.extend((self.between.pair)(object, other));
            }
        }
        (self.between.settle)(self.pairs, first);
    }
}
