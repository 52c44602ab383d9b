//! The sweep.

use super::blocks::{Row, Sorted, by_end, greatest};
use crate::parallel::Work;
use crate::simd::{LANES, level};
use crate::{Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch};
use std::ops::Range;

/// Rows that are compared with a block while it is in the registers.
const ROWS: usize = 4;

/// Blocks beyond the end of the first row up to which all rows of a group go together. Longer runs are searched row by
/// row.
///
/// Did not pay: rows that leave their group one by one (7 % faster on terdiman 10,000, no change elsewhere, and four
/// times the compile time).
const NEAR: usize = 7;

/// For each group of rows in natural order: the lanes after each row.
const AFTER: [u64; LANES / ROWS] = {
    let mut after = [0; LANES / ROWS];
    let mut row = 0;
    while row < LANES {
        after[row / ROWS] |= (0xfffe << row & 0xffff) << (LANES * (row % ROWS));
        row += 1;
    }
    after
};

/// Blocks with hits that are noted before their pairs are written. Gas 100,000, search: 2.9 to 1.25 ms.
const NOTED: usize = 96;

/// Pairs that are written together. By two instead of four, gas gains 2 %, all other scenes lose 4 %.
const TOGETHER: usize = 4;

/// Tests between two checks of the stop flag: a few milliseconds.
const TESTS_PER_CHECK: u64 = 1 << 21;

/// Hits of some rows of a block in another block, or in their own.
#[derive(Clone, Copy, Default)]
struct Hits {
    own: u32,
    block: u32,
    /// The rows' lanes in their block.
    rows: [u8; ROWS],
    /// Bit 16 r + k is row r and lane k.
    bits: u64,
}

/// Two kinds of blocks in the runs of some rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunPart {
    /// All their boxes begin before any of the rows ends: the sweep axis need not be compared.
    Inside,
    /// Some may begin later.
    Edge,
}

/// Removes the pairs from a position on that do not count.
pub(crate) type Filter<'a> = &'a (dyn Fn(&mut Vec<Pair>, usize) + Sync);

/// The pairs of a search that count.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) filter: Option<Filter<'a>>,
}

impl<'a> Counted<'a> {
    /// All pairs of a frame.
    pub(crate) fn all(frame: &'a Frame<'a>) -> Self {
        Self { frame, filter: None }
    }

    /// Removes the pairs from position `first` on that do not count, and counts the others. Returns whether they are too many.
    pub(crate) fn settle(self, pairs: &mut Vec<Pair>, first: usize) -> bool {
        self.frame.drop_refused(pairs, first);
        if let Some(filter) = self.filter {
            filter(pairs, first);
        }
        self.frame.count(pairs.len() - first)
    }
}

/// Appends the pairs of the boxes in a range of blocks with those after them.
///
/// The one place where the sweep is compiled for each instruction set: its compile time is long.
pub(crate) fn sweep(
    sorted: Sorted<'_>,
    rows: Range<usize>,
    counted: Counted<'_>,
    pairs: &mut Vec<Pair>,
) -> Work {
    dispatch!(level(), simd => sweep_with(simd, sorted, rows, counted, pairs))
}

#[inline(always)]
fn sweep_with<S: Simd>(
    simd: S,
    sorted: Sorted<'_>,
    rows: Range<usize>,
    counted: Counted<'_>,
    pairs: &mut Vec<Pair>,
) -> Work {
    let (notes, found) = ([Hits::default(); NOTED], Work::default());
    let check_at = TESTS_PER_CHECK;
    let mut sweep =
        Sweep { simd, counted, sorted, pairs, found, check_at, is_over: false, notes, noted: 0 };
    if counted.frame.is_stopped() {
        return found;
    }
    for own in rows {
        if sweep.found.tests > sweep.check_at {
            if counted.frame.is_stopped() {
                break;
            }
            sweep.check_at = sweep.found.tests + TESTS_PER_CHECK;
        }
        if let Some(last) = sweep.last_near(own) {
            sweep.near(own, last);
        } else {
            for lanes in by_end(simd, &sorted.blocks[own]).as_chunks().0 {
                sweep.group(own, lanes);
            }
        }
    }
    sweep.append();
    sweep.found
}

/// A running search.
struct Sweep<'a, S> {
    simd: S,
    counted: Counted<'a>,
    sorted: Sorted<'a>,
    pairs: &'a mut Vec<Pair>,
    found: Work,
    /// Tests after which the limits are checked.
    check_at: u64,
    /// Whether there are too many pairs.
    is_over: bool,
    /// Hits whose pairs are appended outside of the vector loop. A call that grows the list of pairs would
    /// spill the rows from their registers.
    notes: [Hits; NOTED],
    noted: usize,
}

impl<S: Simd> Sweep<'_, S> {
    /// The last block in the runs of a block's rows, if all of them are short.
    #[inline(always)]
    fn last_near(&self, own: usize) -> Option<usize> {
        let blocks = self.sorted.blocks;
        let end = greatest(&blocks[own].max[0]);
        let begins = |at: usize| blocks.get(at).is_some_and(|block| block.min[0][0] <= end);
        (own..own + NEAR).find(|last| !begins(last + 1))
    }

    /// Appends the pairs of all rows of a block with the blocks up to a near one. Only the number of blocks
    /// depends on the boxes. Gas 100,000: 5.2 to 3.8 ms.
    #[inline(always)]
    fn near(&mut self, own: usize, last: usize) {
        if self.noted + LANES / ROWS * (NEAR + 1) > NOTED {
            self.append();
        }
        let (simd, blocks) = (self.simd, self.sorted.blocks);
        for (group, after) in AFTER.iter().enumerate() {
            let lanes = [0, 1, 2, 3].map(|r| group * ROWS + r);
            let rows = self.rows(own, &lanes);
            for (at, block) in (own..).zip(&blocks[own..=last]) {
                let (mut bits, mut reached) = (0, 0);
                for (r, row) in rows.iter().enumerate() {
                    reached |= row.reached(simd, block) << (LANES * r);
                    bits |= row.overlapped(simd, block) << (LANES * r);
                }
                if at == own {
                    reached &= after;
                }
                self.found.tests += u64::from(reached.count_ones());
                self.note(own, at, &lanes, bits & reached);
            }
        }
    }

    /// Four rows of a block.
    #[inline(always)]
    fn rows(&self, own: usize, lanes: &[usize; ROWS]) -> [Row<S>; ROWS] {
        let block = &self.sorted.blocks[own];
        // Neither `map` nor `array::from_fn`, which the compiler does not unroll: 1.8 times as slow.
        let mut rows = [Row::new(self.simd, block, lanes[0]); ROWS];
        for (row, lane) in rows.iter_mut().zip(lanes).skip(1) {
            *row = Row::new(self.simd, block, *lane);
        }
        rows
    }

    /// Notes hits, if there are any. There must be room for them.
    #[inline(always)]
    fn note<const N: usize>(&mut self, own: usize, block: usize, lanes: &[usize; N], bits: u64) {
        let mut rows = [0; ROWS];
        for (row, lane) in rows.iter_mut().zip(lanes) {
            *row = *lane as u8;
        }
        self.notes[self.noted] = Hits { own: own as u32, block: block as u32, rows, bits };
        self.noted += usize::from(bits != 0);
    }

    /// Appends the pairs of four rows of a block, given by the end of their boxes.
    #[inline(always)]
    fn group(&mut self, own: usize, lanes: &[usize; ROWS]) {
        let (simd, blocks) = (self.simd, self.sorted.blocks);
        let block = &blocks[own];
        let rows = self.rows(own, lanes);
        let ends = lanes.map(|lane| block.max[0][lane]);
        let mut bits = 0;
        for (r, row) in rows.iter().enumerate() {
            let reached = row.reached(simd, block) & (0xfffe << lanes[r] & 0xffff);
            self.found.tests += u64::from(reached.count_ones());
            bits |= (row.overlapped(simd, block) & reached) << (LANES * r);
        }
        if self.noted + 1 >= NOTED {
            self.append();
        }
        self.note(own, own, lanes, bits);
        let mut at = own + 1;
        self.run(&rows, lanes, own, RunPart::Inside, &mut at, ends[0]);
        // Rows that end at about the same place go there together, others one by one: one of them may
        // be far larger than the others.
        let near = blocks.get(at + NEAR);
        if near.is_none_or(|block| block.min[0][0] > ends[ROWS - 1]) {
            self.run(&rows, lanes, own, RunPart::Edge, &mut at, ends[ROWS - 1]);
            return;
        }
        for r in 0..ROWS {
            let (row, lane, mut at) = ([rows[r]], [lanes[r]], at);
            self.run(&row, &lane, own, RunPart::Inside, &mut at, ends[r]);
            self.run(&row, &lane, own, RunPart::Edge, &mut at, ends[r]);
        }
    }

    /// Compares rows with the blocks from `at` on: on the edge those whose first box begins before `end`,
    /// inside those whose last box does.
    #[inline(always)]
    fn run<const N: usize>(
        &mut self,
        rows: &[Row<S>; N],
        lanes: &[usize; N],
        own: usize,
        part: RunPart,
        at: &mut usize,
        end: f32,
    ) {
        let (simd, blocks, begun) = (self.simd, self.sorted.blocks, *at);
        let begins = if part == RunPart::Inside { LANES - 1 } else { 0 };
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
                if part == RunPart::Edge {
                    for row in rows {
                        self.found.tests += u64::from(row.reached(simd, block).count_ones());
                    }
                }
                if all_apart.simd_ge(0).any_true() {
                    let mut bits = 0;
                    for r in 0..N {
                        let mut hits = apart[r].simd_ge(0).to_bitmask();
                        if part == RunPart::Edge {
                            hits &= rows[r].reached(simd, block);
                        }
                        bits |= hits << (LANES * r);
                    }
                    self.note(own, *at - 1, lanes, bits);
                    if self.noted == NOTED {
                        is_done = false;
                        break;
                    }
                }
            }
            if is_done {
                break;
            }
            self.append();
        }
        if part == RunPart::Inside {
            self.found.tests += ((*at - begun) * LANES * N) as u64;
        }
    }

    /// Appends the pairs that are noted.
    #[inline(never)]
    fn append(&mut self) {
        let noted = &self.notes[..std::mem::take(&mut self.noted)];
        if noted.is_empty() || self.is_over {
            return;
        }
        let Sorted { blocks, away } = self.sorted;
        let away = |at: u32| away.get(at as usize).copied().unwrap_or_default();
        // The number of pairs of a note is nearly random. A branch on it costs more than to write a few too
        // many, which the next ones overwrite. So there is room for all, and some more.
        let first = self.pairs.len();
        let most: usize = noted.iter().map(|hits| hits.bits.count_ones() as usize).sum();
        self.pairs.resize(first + most + TOGETHER, Pair { a: 0, b: 0 });
        let room = &mut self.pairs[first..];
        let mut found = 0;
        for hits in noted {
            let elsewhere = away(hits.own).elsewhere(hits.rows, away(hits.block));
            self.found.duplicates += u64::from((hits.bits & elsewhere).count_ones());
            let mut bits = hits.bits & !elsewhere;
            let [own, block] = [hits.own, hits.block].map(|at| &blocks[at as usize]);
            let rows = hits.rows.map(|lane| own.objects[lane as usize % LANES]);
            let count = bits.count_ones() as usize;
            for done in (0..count).step_by(TOGETHER) {
                // There is always room: at most `most` pairs are found, and the room ends `TOGETHER` behind that.
                let Some(four) = room[found + done..].first_chunk_mut::<TOGETHER>() else { break };
                for pair in four {
                    // Without bits left, the two objects may be the same. That is no pair, and is not counted.
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits.wrapping_sub(1);
                    let [row, other] = [rows[bit / LANES % ROWS], block.objects[bit % LANES]];
                    *pair = Pair { a: row.min(other), b: row.max(other) };
                }
            }
            found += count;
        }
        self.pairs.truncate(first + found);
        if self.counted.settle(self.pairs, first) {
            (self.is_over, self.check_at) = (true, 0);
        }
    }
}
