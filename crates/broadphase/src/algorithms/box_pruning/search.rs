//! The sweep.

use super::blocks::{Block, LANES, Row};
use crate::{Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};
use std::ops::Range;

/// Rows that are compared with a block while it is at hand.
const ROWS: usize = 4;

/// Blocks beyond the end of one row to which the others go together.
const NEAR: usize = 3;

/// Blocks with hits that are noted before their pairs are written.
const NOTED: usize = 64;

/// Tests between two looks at the stop flag: a few milliseconds.
const TESTS_PER_LOOK: u64 = 1 << 24;

/// Hits of some rows in one block: bit 16 r + k stands for row r and lane k.
#[derive(Clone, Copy, Default)]
struct Hits {
    block: u32,
    bits: u64,
}

/// Two kinds of blocks in the runs of some rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All their boxes begin before any of the rows ends: the sweep axis need not be compared.
    Inside,
    /// Some may begin later.
    Edge,
}

/// What one thread's search leaves. Aligned to two cache lines, since threads write side by side.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Search {
    pub(super) pairs: Vec<Pair>,
    pub(super) tests: u64,
}

/// Appends the pairs of the boxes in a range of blocks with those after them; returns the pairs
/// tested.
#[inline(always)]
pub(super) fn sweep<S: Simd>(
    simd: S,
    blocks: &[Block],
    rows: Range<usize>,
    frame: &Frame<'_>,
    pairs: &mut Vec<Pair>,
) -> u64 {
    let notes = [Hits::default(); NOTED];
    let mut sweep = Sweep { simd, blocks, frame, pairs, tests: 0, notes, noted: 0 };
    let mut looked_at = 0;
    if frame.is_stopped() {
        return 0;
    }
    for own in rows {
        if sweep.tests - looked_at > TESTS_PER_LOOK {
            looked_at = sweep.tests;
            if frame.is_stopped() {
                break;
            }
        }
        for lanes in by_end(simd, &blocks[own]).as_chunks().0 {
            sweep.group(own, lanes);
        }
    }
    sweep.tests
}

/// The lanes of a block by the end of their boxes on the sweep axis: those that go together then end
/// at about the same place.
#[inline(always)]
fn by_end<S: Simd>(simd: S, block: &Block) -> [usize; LANES] {
    let mut lanes = std::array::from_fn(|lane| lane);
    let ends = &block.max[0];
    if ends.is_sorted() {
        return lanes;
    }
    // The place of each is the number of those before it: no comparison decides a branch.
    let all = f32x16::load_array_ref(simd, ends);
    for (lane, end) in ends.iter().enumerate() {
        let before = (1 << lane) - 1;
        let lower = all.simd_lt(*end).to_bitmask();
        let not_higher = all.simd_le(*end).to_bitmask();
        lanes[((lower & !before) | (not_higher & before)).count_ones() as usize] = lane;
    }
    lanes
}

/// A search under way.
struct Sweep<'a, S> {
    simd: S,
    blocks: &'a [Block],
    frame: &'a Frame<'a>,
    pairs: &'a mut Vec<Pair>,
    tests: u64,
    /// Hits that wait until the vectors are done. Were each pair appended where it is found, the
    /// list's growing, which is a call, would drive the rows out of their registers.
    notes: [Hits; NOTED],
    noted: usize,
}

impl<S: Simd> Sweep<'_, S> {
    /// Appends the pairs of four rows of a block, given by the end of their boxes.
    #[inline(always)]
    fn group(&mut self, own: usize, lanes: &[usize; ROWS]) {
        let (simd, block) = (self.simd, &self.blocks[own]);
        let mut rows = [Row::new(simd, block, lanes[0]); ROWS];
        for (row, lane) in rows.iter_mut().zip(lanes).skip(1) {
            *row = Row::new(simd, block, *lane);
        }
        let mut bits = 0;
        for (r, (row, lane)) in rows.iter().zip(lanes).enumerate() {
            let after = 0xfffe << lane & 0xffff;
            let reached = row.reached(simd, block) & after;
            self.tests += u64::from(reached.count_ones());
            bits |= (row.overlapped(simd, block) & reached) << (LANES * r);
        }
        self.notes[0] = Hits { block: own as u32, bits };
        self.noted = usize::from(bits != 0);
        let ends = lanes.map(|lane| block.max[0][lane]);
        let mut at = own + 1;
        self.run(&rows, lanes, own, Part::Inside, &mut at, ends[0]);
        // Where all end at about the same place, they go together to there; else each alone, for one
        // of them may be far larger than the others.
        let near = self.blocks.get(at + NEAR);
        if near.is_none_or(|block| block.min[0][0] > ends[ROWS - 1]) {
            self.run(&rows, lanes, own, Part::Edge, &mut at, ends[ROWS - 1]);
            return;
        }
        for r in 0..ROWS {
            let (row, lane, mut at) = ([rows[r]], [lanes[r]], at);
            self.run(&row, &lane, own, Part::Inside, &mut at, ends[r]);
            self.run(&row, &lane, own, Part::Edge, &mut at, ends[r]);
        }
    }

    /// Compares rows with the blocks from `at` on that begin, or inside of which all boxes begin,
    /// before `end`.
    #[inline(always)]
    fn run<const N: usize>(
        &mut self,
        rows: &[Row<S>; N],
        lanes: &[usize; N],
        own: usize,
        part: Part,
        at: &mut usize,
        end: f32,
    ) {
        let (simd, blocks, begun) = (self.simd, self.blocks, *at);
        let begins = if part == Part::Inside { LANES - 1 } else { 0 };
        loop {
            let mut is_done = true;
            for block in &blocks[*at..] {
                if block.min[0][begins] > end {
                    break;
                }
                *at += 1;
                let mut apart = [rows[0].apart(simd, block); N];
                let mut all_apart = apart[0];
                for r in 1..N {
                    apart[r] = rows[r].apart(simd, block);
                    all_apart &= apart[r];
                }
                if part == Part::Edge {
                    for row in rows {
                        self.tests += u64::from(row.reached(simd, block).count_ones());
                    }
                }
                if all_apart.simd_ge(0).any_true() {
                    let mut bits = 0;
                    for r in 0..N {
                        let mut hits = apart[r].simd_ge(0).to_bitmask();
                        if part == Part::Edge {
                            hits &= rows[r].reached(simd, block);
                        }
                        bits |= hits << (LANES * r);
                    }
                    self.notes[self.noted] = Hits { block: *at as u32 - 1, bits };
                    self.noted += 1;
                    if self.noted == NOTED {
                        is_done = false;
                        break;
                    }
                }
            }
            if self.noted > 0 {
                let noted = &self.notes[..self.noted];
                let objects = lanes.map(|lane| blocks[own].objects[lane]);
                append(noted, blocks, &objects, self.frame, self.pairs);
                self.noted = 0;
            }
            if is_done {
                break;
            }
        }
        if part == Part::Inside {
            self.tests += ((*at - begun) * LANES * N) as u64;
        }
    }
}

/// Appends the pairs of some rows that are noted.
#[inline(never)]
fn append(
    noted: &[Hits],
    blocks: &[Block],
    rows: &[u32],
    frame: &Frame<'_>,
    pairs: &mut Vec<Pair>,
) {
    let count: u32 = noted.iter().map(|hits| hits.bits.count_ones()).sum();
    pairs.reserve(count as usize);
    for hits in noted {
        let objects = &blocks[hits.block as usize].objects;
        let mut bits = hits.bits;
        while bits != 0 {
            let bit = bits.trailing_zeros() as usize;
            let (row, other) = (rows[bit / LANES], objects[bit % LANES]);
            if frame.admits(row, other) {
                pairs.push(Pair::new(row, other));
            }
            bits &= bits - 1;
        }
    }
}
