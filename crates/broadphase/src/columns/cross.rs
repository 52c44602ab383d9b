//! Compares escaped objects with the cached boxes of a column.

use super::shelves::Shelf;
use crate::Pair;
use crate::parallel::Work;
use crate::simd::level;
use crate::sweep::{Away, Block, LANES, Sorted, SweepKind, Within};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16, i32x16};

/// Blocks with hits that are noted before their pairs are written.
const NOTED: usize = 64;

/// Hits of one box in a block.
#[derive(Clone, Copy, Default)]
struct Hits {
    own: u32,
    lane: u32,
    block: u32,
    bits: u32,
}

/// Appends the pairs of escaped objects with the cached boxes of a shelf in the same column, stale ones
/// excepted. `is_current` states whether the entry of a cached object is not stale. Returns the work.
///
/// Both are sorted by their lower bounds. So the first block that may reach an object is never before that
/// of the object before it.
pub(super) fn cross<F: Fn(u32) -> bool>(
    escaped: Sorted<'_>,
    cached: Shelf<'_>,
    is_current: &F,
    kind: Within<'_>,
    pairs: &mut Vec<Pair>,
) -> Work {
    dispatch!(level(), simd => cross_with(simd, escaped, cached, is_current, kind, pairs))
}

#[inline(always)]
fn cross_with<S: Simd, F: Fn(u32) -> bool>(
    simd: S,
    escaped: Sorted<'_>,
    cached: Shelf<'_>,
    is_current: &F,
    kind: Within<'_>,
    pairs: &mut Vec<Pair>,
) -> Work {
    let notes = [Hits::default(); NOTED];
    let found = Work::default();
    let mut cross = Cross { escaped, cached, is_current, kind, pairs, notes, noted: 0, found };
    let mut first = 0;
    for (own, block) in (0..).zip(&escaped.blocks[..escaped.filled()]) {
        if kind.is_stopped() {
            break;
        }
        let lanes = block.objects.iter().take_while(|object| **object != u32::MAX).count();
        for lane in 0..lanes {
            while cached.ends.get(first).is_some_and(|end| *end < block.min[0][lane]) {
                first += 1;
            }
            cross.row(simd, own, lane, first);
        }
    }
    cross.append();
    cross.found
}

/// A running search.
struct Cross<'a, F> {
    escaped: Sorted<'a>,
    cached: Shelf<'a>,
    is_current: &'a F,
    kind: Within<'a>,
    pairs: &'a mut Vec<Pair>,
    notes: [Hits; NOTED],
    noted: usize,
    found: Work,
}

impl<F: Fn(u32) -> bool> Cross<'_, F> {
    /// Compares a box with the blocks from the first on that begin before it ends.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, own: u32, lane: usize, first: usize) {
        let block = &self.escaped.blocks[own as usize];
        let splat = |bound: &[f32; LANES]| f32x16::splat(simd, bound[lane]);
        let (min, max) = (block.min.each_ref().map(splat), block.max.each_ref().map(splat));
        let end = block.max[0][lane];
        for (at, block) in (first..).zip(&self.cached.blocks[first..]) {
            if block.min[0][0] > end {
                break;
            }
            // Negative where they are apart. The sign of a difference replaces a comparison: no difference of
            // two different floats is rounded to 0.
            let apart = |axis: usize| -> i32x16<S> {
                let load = |bound: &[f32; LANES]| f32x16::load_array_ref(simd, bound);
                let sign = |difference: f32x16<S>| difference.bitcast::<i32x16<S>>();
                sign(load(&block.max[axis]) - min[axis]) | sign(max[axis] - load(&block.min[axis]))
            };
            let along = apart(0);
            let hits = (along | apart(1) | apart(2)).simd_ge(0).to_bitmask() as u32;
            self.found.tests += u64::from(along.simd_ge(0).to_bitmask().count_ones());
            if hits != 0 {
                if self.noted == NOTED {
                    self.append();
                }
                self.notes[self.noted] =
                    Hits { own, lane: lane as u32, block: at as u32, bits: hits };
                self.noted += 1;
            }
        }
    }

    /// Appends the pairs that are noted.
    #[inline(never)]
    fn append(&mut self) {
        let (noted, first) = (std::mem::take(&mut self.noted), self.pairs.len());
        if self.kind.is_stopped() {
            return;
        }
        for hits in &self.notes[..noted] {
            let (own, block) = (hits.own as usize, hits.block as usize);
            let elsewhere = elsewhere(self.escaped.away[own], hits.lane, self.cached.away[block]);
            self.found.duplicates += u64::from((hits.bits & elsewhere).count_ones());
            let mut bits = hits.bits & !elsewhere;
            let blocks: [&Block; 2] = [&self.escaped.blocks[own], &self.cached.blocks[block]];
            let object = blocks[0].objects[hits.lane as usize];
            while bits != 0 {
                let other = blocks[1].objects[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                if (self.is_current)(other) {
                    self.pairs.push(Pair::new(object, other));
                }
            }
        }
        self.kind.settle(self.pairs, first);
    }
}

/// The lanes of a block whose pairs with a box belong to an earlier column, since on some axis both begin
/// there.
#[inline(always)]
fn elsewhere(own: Away, lane: u32, block: Away) -> u32 {
    let own = own.0 >> lane;
    let of = |axis: u32| {
        0u32.wrapping_sub(own >> (axis * LANES as u32) & 1) & block.0 >> (axis * LANES as u32)
    };
    (of(0) | of(1)) & 0xffff
}
