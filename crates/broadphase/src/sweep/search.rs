//! The sweep.

use super::blocks::{Block, LANES, Row, Sorted, by_end, greatest};
use super::kind::{Between, SweepKind, Within};
use crate::parallel::Work;
use crate::simd::level;
use crate::{JoinPair, Limits, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16};
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

/// Appends the pairs of the boxes in a range of blocks with those after them.
///
/// The one place where the sweep is compiled for each instruction set: its compile time is long.
pub(crate) fn sweep(
    sorted: Sorted<'_>,
    rows: Range<usize>,
    kind: Within<'_>,
    pairs: &mut Vec<Pair>,
) -> Work {
    dispatch!(level(), simd => sweep_with(simd, kind, [sorted; 2], rows, pairs))
}

/// Appends the pairs of boxes of two sets, each once: of each box with those of the other set that begin not before it
/// does. No two boxes of a set are compared.
pub(crate) fn sweep_between(
    [a, b]: [Sorted<'_>; 2],
    limits: Limits<'_>,
    pairs: &mut Vec<JoinPair>,
) -> Work {
    let mut found = Work::default();
    for (is_swapped, rows, others) in [(false, a, b), (true, b, a)] {
        let kind = Between { is_swapped, limits };
        found += dispatch!(level(), simd => {
            sweep_with(simd, kind, [rows, others], 0..rows.filled(), pairs)
        });
    }
    found
}

#[inline(always)]
fn sweep_with<S: Simd, K: SweepKind>(
    simd: S,
    kind: K,
    [rows, others]: [Sorted<'_>; 2],
    range: Range<usize>,
    pairs: &mut Vec<K::Pair>,
) -> Work {
    let notes = [Hits::default(); NOTED];
    let mut sweep = Sweep {
        simd,
        kind,
        rows,
        others,
        pairs,
        tests: 0,
        duplicates: 0,
        check_at: TESTS_PER_CHECK,
        is_over: false,
        notes,
        noted: 0,
    };
    let mut first = 0;
    if kind.is_stopped() {
        return Work::default();
    }
    for own in range {
        if sweep.tests > sweep.check_at {
            if kind.is_stopped() {
                break;
            }
            sweep.check_at = sweep.tests + TESTS_PER_CHECK;
        }
        first = if K::IS_WITHIN { own } else { sweep.first(own, first) };
        if let Some(last) = sweep.last_near(own, first) {
            sweep.near(own, first, last);
        } else if K::IS_WITHIN {
            for lanes in by_end(simd, &rows.blocks[own]).as_chunks().0 {
                sweep.group(own, lanes);
            }
        } else {
            (0..LANES).for_each(|lane| sweep.row(own, lane, first));
        }
    }
    sweep.append();
    Work { tests: sweep.tests, duplicates: sweep.duplicates }
}

/// A running search.
struct Sweep<'a, S, K: SweepKind> {
    simd: S,
    kind: K,
    /// The boxes that are compared, one after the other, with some of the others: with those after them, where both are
    /// the same.
    rows: Sorted<'a>,
    others: Sorted<'a>,
    pairs: &'a mut Vec<K::Pair>,
    tests: u64,
    duplicates: u64,
    /// Tests after which the limits are checked.
    check_at: u64,
    /// Whether there are too many pairs.
    is_over: bool,
    /// Hits whose pairs are appended outside of the vector loop. A call that grows the list of pairs would
    /// spill the rows from their registers.
    notes: [Hits; NOTED],
    noted: usize,
}

impl<S: Simd, K: SweepKind> Sweep<'_, S, K> {
    /// The first block of the others that has a box in the run of a row of a block, given that of an earlier block.
    #[inline(always)]
    fn first(&self, own: usize, mut first: usize) -> usize {
        let begin = self.kind.begin(self.rows.blocks[own].min[0][0]);
        // The last block is an empty one, which begins after all boxes.
        while self.others.blocks[first].min[0][LANES - 1] < begin {
            first += 1;
        }
        first
    }

    /// The last block in the runs of a block's rows, if all of them are short.
    #[inline(always)]
    fn last_near(&self, own: usize, first: usize) -> Option<usize> {
        let end = greatest(&self.rows.blocks[own].max[0]);
        let blocks = self.others.blocks;
        let begins = |at: usize| blocks.get(at).is_some_and(|block| block.min[0][0] <= end);
        (first..first + NEAR).find(|last| !begins(last + 1))
    }

    /// Appends the pairs of all rows of a block with the blocks up to a near one. Only the number of blocks
    /// depends on the boxes. Gas 100,000: 5.2 to 3.8 ms.
    #[inline(always)]
    fn near(&mut self, own: usize, first: usize, last: usize) {
        if self.noted + LANES / ROWS * (NEAR + 1) > NOTED {
            self.append();
        }
        let (simd, blocks) = (self.simd, self.others.blocks);
        for (group, after) in AFTER.iter().enumerate() {
            let lanes = [0, 1, 2, 3].map(|r| group * ROWS + r);
            let rows = self.rows(own, &lanes);
            for (at, block) in (first..).zip(&blocks[first..=last]) {
                let (mut bits, mut reached) = (0, 0);
                for (r, row) in rows.iter().enumerate() {
                    reached |= row.reached(simd, block) << (LANES * r);
                    bits |= row.overlapped(simd, block) << (LANES * r);
                }
                if !K::IS_WITHIN {
                    reached &= self.begun(own, &lanes, block);
                } else if at == own {
                    reached &= after;
                }
                self.tests += u64::from(reached.count_ones());
                self.note(own, at, &lanes, bits & reached);
            }
        }
    }

    /// Four rows of a block.
    #[inline(always)]
    fn rows(&self, own: usize, lanes: &[usize; ROWS]) -> [Row<S>; ROWS] {
        let block = &self.rows.blocks[own];
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

    /// The boxes of a block that begin not before each row.
    #[inline(always)]
    fn begun<const N: usize>(&self, own: usize, lanes: &[usize; N], block: &Block) -> u64 {
        let begins = f32x16::load_array_ref(self.simd, &block.min[0]);
        let mut begun = 0;
        for (r, lane) in lanes.iter().enumerate() {
            let begin = self.kind.begin(self.rows.blocks[own].min[0][*lane]);
            begun |= begins.simd_ge(begin).to_bitmask() << (LANES * r);
        }
        begun
    }

    /// Notes the pairs of some rows with those boxes of a block that are in `after`: the others begin before the rows.
    #[inline(always)]
    fn note_begun<const N: usize>(
        &mut self,
        rows: &[Row<S>; N],
        lanes: &[usize; N],
        [own, at]: [usize; 2],
        after: u64,
    ) {
        let (simd, block) = (self.simd, &self.others.blocks[at]);
        let mut bits = 0;
        for (r, row) in rows.iter().enumerate() {
            let reached = row.reached(simd, block) & (after >> (LANES * r) & 0xffff);
            self.tests += u64::from(reached.count_ones());
            bits |= (row.overlapped(simd, block) & reached) << (LANES * r);
        }
        if self.noted + 1 >= NOTED {
            self.append();
        }
        self.note(own, at, lanes, bits);
    }

    /// Appends the pairs of a row with the other set. Groups of four, as within a set, would be compiled once more for each
    /// instruction set.
    #[inline(always)]
    fn row(&mut self, own: usize, lane: usize, first: usize) {
        let (block, blocks) = (&self.rows.blocks[own], self.others.blocks);
        let (row, lanes) = ([Row::new(self.simd, block, lane)], [lane]);
        let [begin, end] = [self.kind.begin(block.min[0][lane]), block.max[0][lane]];
        debug_assert!(self.noted < NOTED, "no room for a hit");
        let mut at = first;
        while blocks[at].min[0][LANES - 1] < begin {
            at += 1;
        }
        while blocks[at].min[0][0] < begin && blocks[at].min[0][0] <= end {
            let begun = self.begun(own, &lanes, &blocks[at]);
            self.note_begun(&row, &lanes, [own, at], begun);
            at += 1;
        }
        self.run(&row, &lanes, own, RunPart::Edge, &mut at, end);
    }

    /// Appends the pairs of four rows of a block, given by the end of their boxes.
    #[inline(always)]
    fn group(&mut self, own: usize, lanes: &[usize; ROWS]) {
        let (block, blocks) = (&self.rows.blocks[own], self.others.blocks);
        let rows = self.rows(own, lanes);
        let ends = lanes.map(|lane| block.max[0][lane]);
        let after = (0..ROWS).fold(0, |all, r| all | (0xfffe << lanes[r] & 0xffff) << (LANES * r));
        self.note_begun(&rows, lanes, [own, own], after);
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
        let (simd, blocks, begun) = (self.simd, self.others.blocks, *at);
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
                        self.tests += u64::from(row.reached(simd, block).count_ones());
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
            self.tests += ((*at - begun) * LANES * N) as u64;
        }
    }

    /// Appends the pairs that are noted.
    #[inline(never)]
    fn append(&mut self) {
        let noted = &self.notes[..std::mem::take(&mut self.noted)];
        if noted.is_empty() || self.is_over {
            return;
        }
        let away =
            |all: Sorted<'_>, at: u32| all.away.get(at as usize).copied().unwrap_or_default();
        // The number of pairs of a note is nearly random. A branch on it costs more than to write a few too
        // many, which the next ones overwrite. So there is room for all, and some more.
        let first = self.pairs.len();
        let most: usize = noted.iter().map(|hits| hits.bits.count_ones() as usize).sum();
        self.pairs.resize(first + most + TOGETHER, self.kind.pair(0, 0));
        let room = &mut self.pairs[first..];
        let mut found = 0;
        for hits in noted {
            let [own, other] = [away(self.rows, hits.own), away(self.others, hits.block)];
            let elsewhere = own.elsewhere(hits.rows, other);
            self.duplicates += u64::from((hits.bits & elsewhere).count_ones());
            let mut bits = hits.bits & !elsewhere;
            let own = &self.rows.blocks[hits.own as usize];
            let block = &self.others.blocks[hits.block as usize];
            let rows = hits.rows.map(|lane| own.objects[lane as usize % LANES]);
            let count = bits.count_ones() as usize;
            for done in (0..count).step_by(TOGETHER) {
                // There is always room: at most `most` pairs are found, and the room ends `TOGETHER` behind that.
                let Some(four) = room[found + done..].first_chunk_mut::<TOGETHER>() else { break };
                for pair in four {
                    // Without bits left, the two objects may be the same. That is no pair, and is not counted.
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits.wrapping_sub(1);
                    *pair = self.kind.pair(rows[bit / LANES % ROWS], block.objects[bit % LANES]);
                }
            }
            found += count;
        }
        self.pairs.truncate(first + found);
        if self.kind.settle(self.pairs, first) {
            (self.is_over, self.check_at) = (true, 0);
        }
    }
}
