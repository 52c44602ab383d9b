//! Boxes as six parallel arrays, and the one kernel that finds overlaps among a run of them.

use crate::scratch::renew;
use crate::{Aabb, Axis, Frame};
use glam::Vec3;
use multiversion::multiversion;
use std::ops::Range;

/// Boxes in a block: a whole number of vector registers at every instruction set from SSE2 to
/// AVX-512.
pub(crate) const LANES: usize = 16;

/// Time of a test of two boxes, in nanoseconds (measured, sixteen at a time).
pub(crate) const NANOS_PER_TEST: usize = 1;

/// Sixteen boxes, bound by bound, each bound a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Block {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

impl Block {
    const EMPTY: Block =
        Block { min: [[f32::INFINITY; LANES]; 3], max: [[f32::NEG_INFINITY; LANES]; 3] };

    #[inline]
    fn set(&mut self, k: usize, b: &Aabb) {
        for axis in 0..3 {
            self.min[axis][k] = b.min[axis];
            self.max[axis][k] = b.max[axis];
        }
    }

    #[inline(always)]
    fn overlaps(&self, k: usize, b: &Aabb) -> bool {
        (self.min[0][k] <= b.max.x)
            & (b.min.x <= self.max[0][k])
            & (self.min[1][k] <= b.max.y)
            & (b.min.y <= self.max[1][k])
            & (self.min[2][k] <= b.max.z)
            & (b.min.z <= self.max[2][k])
    }

    /// As [`overlaps`](Self::overlaps), up to the first axis that separates the boxes.
    #[inline(always)]
    fn overlaps_scalar(&self, k: usize, b: &Aabb) -> bool {
        self.min[0][k] <= b.max.x
            && b.min.x <= self.max[0][k]
            && self.min[1][k] <= b.max.y
            && b.min.y <= self.max[1][k]
            && self.min[2][k] <= b.max.z
            && b.min.z <= self.max[2][k]
    }
}

/// Boxes in blocks of structure-of-arrays form, so that one instruction compares many.
///
/// The places after the last box hold boxes that overlap nothing. Empty boxes of any form are
/// stored as [`Aabb::EMPTY`], which the plain interval tests let overlap nothing.
#[derive(Debug, Default)]
pub(crate) struct BoxSet {
    len: usize,
    blocks: Vec<Block>,
    scalar: bool,
}

impl BoxSet {
    /// A set whose boxes are compared one pair at a time.
    pub(crate) fn scalar() -> Self {
        Self { scalar: true, ..Self::default() }
    }

    /// Makes room for `len` boxes, each to be written by [`set`](Self::set).
    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        renew(&mut self.blocks);
        self.blocks.resize(len.div_ceil(LANES), Block::EMPTY);
    }

    /// Writes a box at a position below the length.
    #[inline]
    pub(crate) fn set(&mut self, position: usize, b: &Aabb) {
        let b = if b.is_empty() { &Aabb::EMPTY } else { b };
        self.blocks[position / LANES].set(position % LANES, b);
    }

    /// Takes over all boxes of a frame, position = object.
    pub(crate) fn copy_from(&mut self, boxes: &[Aabb]) {
        self.resize(boxes.len());
        for (position, b) in boxes.iter().enumerate() {
            self.set(position, b);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The box at a position.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> Aabb {
        let (block, lane) = (&self.blocks[position / LANES], position % LANES);
        Aabb::new(
            Vec3::from(block.min.map(|axis| axis[lane])),
            Vec3::from(block.max.map(|axis| axis[lane])),
        )
    }

    /// All places, to be written part by part.
    pub(crate) fn as_mut_slice(&mut self) -> BoxSliceMut<'_> {
        BoxSliceMut { blocks: &mut self.blocks }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
    }
}

/// A part of a box set, of whole blocks, that one thread may write while others write the rest.
#[derive(Debug)]
pub(crate) struct BoxSliceMut<'a> {
    blocks: &'a mut [Block],
}

impl<'a> BoxSliceMut<'a> {
    /// Divides it before a position, counted from its own first, that begins a block.
    pub(crate) fn split_at(self, position: usize) -> (BoxSliceMut<'a>, BoxSliceMut<'a>) {
        debug_assert_eq!(position % LANES, 0, "a block has one writer");
        let (low, high) = self.blocks.split_at_mut(position / LANES);
        (BoxSliceMut { blocks: low }, BoxSliceMut { blocks: high })
    }

    /// Writes a box that is not empty at a position counted from its own first.
    #[inline]
    pub(crate) fn set(&mut self, position: usize, b: &Aabb) {
        self.blocks[position / LANES].set(position % LANES, b);
    }
}

/// Tests between two checks of the stop flag: one millisecond, or ten in the scalar form.
const TESTS_PER_LOOK: usize = 1 << 22;

/// Appends to `hits` the positions `[i, j]`, `i < j`, of every two overlapping boxes with `i` in
/// `rows` and `j` in `i + 1 .. end`; some of them only, once the frame is stopped.
pub(crate) fn overlaps_within(
    set: &BoxSet,
    rows: Range<usize>,
    end: usize,
    frame: &Frame<'_>,
    hits: &mut Vec<[u32; 2]>,
) {
    let rows_per_look = (TESTS_PER_LOOK / end.max(1)).max(1);
    let mut rows = rows;
    while !rows.is_empty() && !frame.is_stopped() {
        let next = rows.end.min(rows.start + rows_per_look);
        if set.scalar {
            append_overlaps_scalar(set, rows.start..next, end, hits);
        } else {
            append_overlaps(set, rows.start..next, end, hits);
        }
        rows.start = next;
    }
}

/// As [`overlaps_within`], for boxes that stand in the order of their lower bounds on an axis: a row
/// ends before the first box that begins beyond it. Returns the pairs tested.
pub(crate) fn overlaps_within_sorted(
    set: &BoxSet,
    rows: Range<usize>,
    end: usize,
    axis: Axis,
    frame: &Frame<'_>,
    hits: &mut Vec<[u32; 2]>,
) -> u64 {
    let axis = axis.index();
    let lower = |position: usize| set.blocks[position / LANES].min[axis][position % LANES];
    let (mut tests, mut looked_at) = (0, 0);
    for i in rows {
        let upper = set.blocks[i / LANES].max[axis][i % LANES];
        // Steps that double find the end of a row in the time of its logarithm.
        let (mut inside, mut step) = (i, 1);
        while inside + step < end && lower(inside + step) <= upper {
            inside += step;
            step *= 2;
        }
        let mut outside = (inside + step).min(end);
        while outside - inside > 1 {
            let middle = inside.midpoint(outside);
            if lower(middle) <= upper {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        tests += (outside - i - 1) as u64;
        if tests > looked_at + TESTS_PER_LOOK as u64 {
            looked_at = tests;
            if frame.is_stopped() {
                break;
            }
        }
        append_overlaps(set, i..i + 1, outside, hits);
    }
    tests
}

/// A box from outside a run, and the position that stands for it in a hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visitor {
    pub(crate) b: Aabb,
    pub(crate) position: u32,
}

/// A run of boxes in the order of their lower bounds on an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortedRun<'a> {
    /// The position of its first box.
    pub(crate) start: usize,
    /// The axis, as an index.
    pub(crate) axis: usize,
    /// Lower bounds of its boxes.
    pub(crate) lowers: &'a [f32],
    /// For each of its boxes, the highest upper bound of all up to there.
    pub(crate) reaches: &'a [f32],
}

impl SortedRun<'_> {
    /// Positions of the boxes that a box may overlap on the axis: from the first up to which some box
    /// reaches its lower bound, to before the first that begins beyond its upper one.
    #[inline(always)]
    pub(crate) fn candidates(&self, b: &Aabb) -> Range<usize> {
        let (min, max) = (b.min[self.axis], b.max[self.axis]);
        let end = self.lowers.partition_point(|lower| *lower <= max);
        let first = self.reaches.partition_point(|reach| *reach < min);
        // All may end before a box that begins beyond them.
        self.start + first.min(end)..self.start + end
    }
}

/// Appends to `hits` the positions `[visitor, j]` of every visitor and every box of a sorted run that
/// overlaps it. Returns the pairs tested.
pub(crate) fn overlaps_between_sorted(
    set: &BoxSet,
    visitors: &[Visitor],
    run: SortedRun<'_>,
    frame: &Frame<'_>,
    hits: &mut Vec<[u32; 2]>,
) -> u64 {
    let visitors_per_look = (TESTS_PER_LOOK / run.lowers.len().max(1)).max(1);
    let mut tests = 0;
    for visitors in visitors.chunks(visitors_per_look) {
        if frame.is_stopped() {
            break;
        }
        tests += append_visitors(set, visitors, run, hits);
    }
    tests
}

/// The kernel of [`overlaps_between_sorted`], compiled as [`append_overlaps`] is.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+sse4.2+popcnt",
))]
fn append_visitors(
    set: &BoxSet,
    visitors: &[Visitor],
    run: SortedRun<'_>,
    hits: &mut Vec<[u32; 2]>,
) -> u64 {
    let mut tests = 0;
    for visitor in visitors {
        let Range { start, end } = run.candidates(&visitor.b);
        tests += (end - start) as u64;
        let blocks = start / LANES..end.div_ceil(LANES);
        for (number, block) in blocks.clone().zip(&set.blocks[blocks]) {
            let mut any = false;
            for k in 0..LANES {
                any |= block.overlaps(k, &visitor.b);
            }
            if any {
                let from_lane = start.saturating_sub(number * LANES);
                let row = visitor.position as usize;
                append_hits(row, number, from_lane, &visitor.b, block, end, hits);
            }
        }
    }
    tests
}

/// Appends to `hits` the positions `[i, j]` of every two overlapping boxes with `i` in `rows` and `j`
/// in `columns`, which have no position in common; some of them only, once the frame is stopped.
pub(crate) fn overlaps_between(
    set: &BoxSet,
    rows: Range<usize>,
    columns: Range<usize>,
    frame: &Frame<'_>,
    hits: &mut Vec<[u32; 2]>,
) {
    debug_assert!(rows.end <= columns.start || columns.end <= rows.start);
    let rows_per_look = (TESTS_PER_LOOK / columns.len().max(1)).max(1);
    let mut rows = rows;
    while !rows.is_empty() && !frame.is_stopped() {
        let next = rows.end.min(rows.start + rows_per_look);
        append_between(set, rows.start..next, columns.clone(), hits);
        rows.start = next;
    }
}

/// The kernel of both that look within a run: each row against what follows it.
///
/// Compiled several times over, for each instruction set worth having; the first call picks the
/// best that the processor has.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+sse4.2+popcnt",
))]
fn append_overlaps(set: &BoxSet, rows: Range<usize>, end: usize, hits: &mut Vec<[u32; 2]>) {
    debug_assert!(rows.end <= end && end <= set.len);
    for i in rows {
        append_row(set, i, i + 1..end, hits);
    }
}

/// The scalar form of [`append_overlaps`]: one pair per iteration.
///
/// The comparisons of a pair are short-circuited, and a hit is pushed within the loop. Neither lets the
/// compiler vectorise it: in the assembly, each iteration is a chain of `ucomiss` and branches.
fn append_overlaps_scalar(set: &BoxSet, rows: Range<usize>, end: usize, hits: &mut Vec<[u32; 2]>) {
    for i in rows {
        let row = set.get(i);
        for j in i + 1..end {
            if set.blocks[j / LANES].overlaps_scalar(j % LANES, &row) {
                hits.push([i as u32, j as u32]);
            }
        }
    }
}

/// The kernel that looks between two runs.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+sse4.2+popcnt",
))]
fn append_between(
    set: &BoxSet,
    rows: Range<usize>,
    columns: Range<usize>,
    hits: &mut Vec<[u32; 2]>,
) {
    debug_assert!(rows.end <= set.len && columns.end <= set.len);
    for i in rows {
        append_row(set, i, columns.clone(), hits);
    }
}

#[inline(always)]
fn append_row(set: &BoxSet, i: usize, columns: Range<usize>, hits: &mut Vec<[u32; 2]>) {
    if columns.is_empty() {
        return;
    }
    let end = columns.end;
    let blocks = &set.blocks[..end.div_ceil(LANES)];
    let row = set.get(i);
    let first = columns.start / LANES;
    // The first block, from the lane of the first column on.
    let from_lane = (columns.start % LANES) as u32;
    let mut any = false;
    for k in 0..LANES {
        any |= (k as u32 >= from_lane) & blocks[first].overlaps(k, &row);
    }
    if any {
        append_hits(i, first, from_lane as usize, &row, &blocks[first], end, hits);
    }
    for (number, block) in blocks.iter().enumerate().skip(first + 1) {
        // `|` and `&`, no branch and no store: the loop becomes vector compares.
        let mut any = false;
        for k in 0..LANES {
            any |= block.overlaps(k, &row);
        }
        if any {
            append_hits(i, number, 0, &row, block, end, hits);
        }
    }
}

/// Appends row i's hits in a block, from a lane on. Kept out of the loop over the blocks: hits are
/// rare, and what they need would take the loop's registers.
#[inline(never)]
fn append_hits(
    i: usize,
    number: usize,
    from_lane: usize,
    row: &Aabb,
    block: &Block,
    end: usize,
    hits: &mut Vec<[u32; 2]>,
) {
    // A bit for each lane, without a branch: which of them hit cannot be predicted.
    let mut lanes = 0u32;
    for k in 0..LANES {
        lanes |= u32::from(block.overlaps(k, row)) << k;
    }
    // A run that ends inside a block is followed by other boxes.
    let last = (end - number * LANES).min(LANES);
    lanes &= ((1 << last) - 1) & (u32::MAX << from_lane);
    while lanes != 0 {
        hits.push([i as u32, (number * LANES) as u32 + lanes.trailing_zeros()]);
        lanes &= lanes - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes along a line, each reaching into the next two.
    fn chain(n: usize) -> Vec<Aabb> {
        (0..n).map(|i| Aabb::new(Vec3::splat(i as f32), Vec3::splat(i as f32 + 2.5))).collect()
    }

    #[test]
    fn finds_each_overlap_of_a_run_once_at_every_length() {
        for n in 0..=3 * LANES + 1 {
            let boxes = chain(n);
            let mut set = BoxSet::default();
            set.copy_from(&boxes);
            for end in 0..=n {
                let mut hits = Vec::new();
                overlaps_within(&set, 0..end, end, &Frame::new(&[], 0.0), &mut hits);
                let mut expected = Vec::new();
                for i in 0..end {
                    for j in i + 1..end {
                        if boxes[i].overlaps(&boxes[j]) {
                            expected.push([i as u32, j as u32]);
                        }
                    }
                }
                assert_eq!(hits, expected, "{n} boxes, the first {end} of them");
            }
        }
    }

    #[test]
    fn a_sorted_run_is_searched_to_the_end_of_each_row() {
        let mut boxes = chain(100);
        // One that reaches over many, and several that begin together.
        boxes[20].max = Vec3::splat(77.0);
        for k in 41..45 {
            boxes[k] = boxes[40];
        }
        let mut set = BoxSet::default();
        set.copy_from(&boxes);
        let frame = Frame::new(&[], 0.0);
        for end in [0, 1, 30, 43, 100] {
            let (mut all, mut sorted) = (Vec::new(), Vec::new());
            overlaps_within(&set, 0..end, end, &frame, &mut all);
            let tests = overlaps_within_sorted(&set, 0..end, end, Axis::Y, &frame, &mut sorted);
            assert_eq!(sorted, all, "the first {end}");
            // All intervals are the same on all axes: what overlaps on one overlaps.
            assert_eq!(tests, all.len() as u64, "the first {end}");
        }
    }

    #[test]
    fn visitors_meet_what_they_overlap_in_a_run() {
        let mut boxes = chain(100);
        boxes[20].max = Vec3::splat(77.0);
        let mut set = BoxSet::default();
        set.copy_from(&boxes);
        let visitors: Vec<_> = (0..130)
            .map(|i| {
                let low = i as f32 - 10.5;
                let b = Aabb::new(Vec3::splat(low), Vec3::splat(low + (i % 7) as f32));
                Visitor { b, position: 1000 + i }
            })
            .collect();
        let frame = Frame::new(&[], 0.0);
        for run in [0..0, 0..1, 0..100, 16..37, 5..90, 21..64] {
            let lowers: Vec<_> = boxes[run.clone()].iter().map(|b| b.min.z).collect();
            let mut reaches: Vec<_> = boxes[run.clone()].iter().map(|b| b.max.z).collect();
            for k in 1..reaches.len() {
                reaches[k] = reaches[k].max(reaches[k - 1]);
            }
            let sorted =
                SortedRun { start: run.start, axis: 2, lowers: &lowers, reaches: &reaches };
            let (mut hits, mut expected) = (Vec::new(), Vec::new());
            let tests = overlaps_between_sorted(&set, &visitors, sorted, &frame, &mut hits);
            for visitor in &visitors {
                let met = run.clone().filter(|k| boxes[*k].overlaps(&visitor.b));
                expected.extend(met.map(|k| [visitor.position, k as u32]));
            }
            assert_eq!(hits, expected, "{run:?}");
            assert!(tests >= expected.len() as u64, "{run:?}");
            assert!(run.end > 20 || tests == expected.len() as u64, "{run:?}: none reaches far");
        }
    }

    #[test]
    fn rows_are_tested_against_a_run_before_or_after_them() {
        let boxes = chain(50);
        let mut set = BoxSet::default();
        set.copy_from(&boxes);
        let frame = Frame::new(&[], 0.0);
        for columns in [0..20, 3..17, 24..32, 15..16, 22..50, 32..48, 9..9] {
            let mut hits = Vec::new();
            overlaps_between(&set, 20..22, columns.clone(), &frame, &mut hits);
            let mut expected = Vec::new();
            for i in 20..22 {
                let overlapping = columns.clone().filter(|j| boxes[i].overlaps(&boxes[*j]));
                expected.extend(overlapping.map(|j| [i as u32, j as u32]));
            }
            assert_eq!(hits, expected, "{columns:?}");
        }
    }

    #[test]
    fn a_set_that_shrank_forgets_its_old_boxes() {
        let mut set = BoxSet::default();
        set.copy_from(&vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 40]);
        set.copy_from(&[Aabb::new(Vec3::ZERO, Vec3::ONE); 2]);
        let mut hits = Vec::new();
        overlaps_within(&set, 0..2, 2, &Frame::new(&[], 0.0), &mut hits);
        assert_eq!(hits, [[0, 1]]);
    }

    #[test]
    fn a_box_empty_on_one_axis_only_overlaps_nothing() {
        let inverted = Aabb::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(0.4, 1.0, 1.0));
        let mut set = BoxSet::default();
        set.copy_from(&[Aabb::new(Vec3::ZERO, Vec3::ONE), inverted]);
        let mut hits = Vec::new();
        overlaps_within(&set, 0..2, 2, &Frame::new(&[], 0.0), &mut hits);
        assert!(hits.is_empty());
    }
}
