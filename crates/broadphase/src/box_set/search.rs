//! The searches for overlaps among the boxes of a set.
//!
//! A row is one box, compared with a run of others. The loop over the run compares sixteen boxes per
//! iteration and is compiled for every instruction set; the level of the set selects one at run time.
//! At the scalar level, a plain loop compares one box per iteration instead.

use super::{Block, BoxSet, LANES};
use crate::{Aabb, Frame};
use fearless_simd::dispatch;
use std::iter::from_fn;
use std::ops::Range;

/// Tests between two checks of the limits: 1 ms of vectorised tests, 8 ms of scalar ones.
const TESTS_PER_CHECK: usize = 1 << 20;

/// Fewest tests between two checks where the pairs are bounded.
const MIN_TESTS_PER_CHECK: usize = 1 << 12;

/// Calls a search with `false`, compiled for the instruction set of a box set, or with `true` where it
/// is scalar.
macro_rules! for_level {
    ($set:expr, $scalar:ident => $search:expr) => {{
        let level = $set.level();
        if level.is_fallback() {
            const $scalar: bool = true;
            $search
        } else {
            dispatch!(level, _simd => {
                const $scalar: bool = false;
                $search
            })
        }
    }};
}

/// Divides rows, each with at most `columns` tests, into consecutive parts; it ends early once the frame is stopped. The
/// hits of a part are to be reported before the next, so that their number stays bounded.
pub(crate) fn parts(
    mut rows: Range<usize>,
    columns: usize,
    frame: &Frame<'_>,
) -> impl Iterator<Item = Range<usize>> {
    let tests = frame.limits.most().clamp(MIN_TESTS_PER_CHECK, TESTS_PER_CHECK);
    let rows_per_check = (tests / columns.max(1)).max(1);
    from_fn(move || {
        if rows.is_empty() || frame.is_stopped() {
            return None;
        }
        let part = rows.start..rows.end.min(rows.start + rows_per_check);
        rows.start = part.end;
        Some(part)
    })
}

/// Appends to `hits` the positions `[i, j]`, `i < j`, of every two overlapping boxes with `i` in
/// `rows` and `j` in `i + 1 .. end`.
pub(crate) fn overlaps_within(
    set: &BoxSet,
    rows: Range<usize>,
    end: usize,
    hits: &mut Vec<[u32; 2]>,
) {
    debug_assert!(rows.end <= end && end <= set.len);
    for_level!(set, SCALAR => {
        for i in rows {
            append_row::<SCALAR>(set, i as u32, &set.get(i), i + 1..end, hits);
        }
    })
}

/// Appends to `hits` the positions `[i, j]` of every two overlapping boxes with `i` in `rows` and `j`
/// in `columns`, which have no position in common.
pub(crate) fn overlaps_between(
    set: &BoxSet,
    rows: Range<usize>,
    columns: Range<usize>,
    hits: &mut Vec<[u32; 2]>,
) {
    debug_assert!(rows.end <= columns.start || columns.end <= rows.start);
    debug_assert!(rows.end <= set.len && columns.end <= set.len);
    for_level!(set, SCALAR => {
        for i in rows {
            append_row::<SCALAR>(set, i as u32, &set.get(i), columns.clone(), hits);
        }
    })
}

/// Appends `[row, j]` for every position `j` in `columns` whose box overlaps `b`.
#[inline(always)]
fn append_row<const SCALAR: bool>(
    set: &BoxSet,
    row: u32,
    b: &Aabb,
    columns: Range<usize>,
    hits: &mut Vec<[u32; 2]>,
) {
    if SCALAR {
        // Short-circuited comparisons and the push within the loop keep the compiler from
        // vectorising it: in the assembly, each iteration is six `ucomiss`, each with a branch.
        for j in columns {
            if set.blocks[j / LANES].overlaps_scalar(j % LANES, b) {
                hits.push([row, j as u32]);
            }
        }
        return;
    }
    if columns.is_empty() {
        return;
    }
    let end = columns.end;
    let blocks = &set.blocks[..end.div_ceil(LANES)];
    let first = columns.start / LANES;
    // The first block, from the lane of the first column on.
    let from_lane = (columns.start % LANES) as u32;
    let mut any = false;
    for k in 0..LANES {
        any |= (k as u32 >= from_lane) & blocks[first].overlaps(k, b);
    }
    if any {
        append_hits(row, first, from_lane as usize, b, &blocks[first], end, hits);
    }
    for (number, block) in blocks.iter().enumerate().skip(first + 1) {
        // `|` and `&`, no branch and no store: the loop becomes vector compares.
        let mut any = false;
        for k in 0..LANES {
            any |= block.overlaps(k, b);
        }
        if any {
            append_hits(row, number, 0, b, block, end, hits);
        }
    }
}

/// Appends a row's hits in a block, from a lane on. Kept out of the loop over the blocks: hits are
/// rare, and their registers would be taken from the loop.
#[inline(never)]
fn append_hits(
    row: u32,
    number: usize,
    from_lane: usize,
    b: &Aabb,
    block: &Block,
    end: usize,
    hits: &mut Vec<[u32; 2]>,
) {
    // A bit for each lane, without a branch: the lanes that hit cannot be predicted.
    let mut lanes = 0u32;
    for k in 0..LANES {
        lanes |= u32::from(block.overlaps(k, b)) << k;
    }
    // A run that ends inside a block is followed by other boxes.
    let last = (end - number * LANES).min(LANES);
    lanes &= ((1 << last) - 1) & (u32::MAX << from_lane);
    while lanes != 0 {
        hits.push([row, (number * LANES) as u32 + lanes.trailing_zeros()]);
        lanes &= lanes - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Boxes along a line, each overlapping the next two.
    fn chain(n: usize) -> Vec<Aabb> {
        (0..n).map(|i| Aabb::new(Vec3::splat(i as f32), Vec3::splat(i as f32 + 2.5))).collect()
    }

    /// The boxes in a vectorised and in a scalar set.
    fn sets(boxes: &[Aabb]) -> [BoxSet; 2] {
        [BoxSet::default(), BoxSet::scalar()].map(|mut set| {
            set.fill(boxes.iter());
            set
        })
    }

    #[test]
    fn finds_each_overlap_of_a_run_once_at_every_length() {
        for n in 0..=3 * LANES + 1 {
            let boxes = chain(n);
            let sets = sets(&boxes);
            for end in 0..=n {
                let mut expected = Vec::new();
                for i in 0..end {
                    for j in i + 1..end {
                        if boxes[i].overlaps(&boxes[j]) {
                            expected.push([i as u32, j as u32]);
                        }
                    }
                }
                for set in &sets {
                    let mut hits = Vec::new();
                    overlaps_within(set, 0..end, end, &mut hits);
                    assert_eq!(hits, expected, "{n} boxes, the first {end} of them");
                }
            }
        }
    }

    #[test]
    fn rows_are_tested_against_a_run_before_or_after_them() {
        let boxes = chain(50);
        let sets = sets(&boxes);
        for columns in [0..20, 3..17, 24..32, 15..16, 22..50, 32..48, 9..9] {
            let mut expected = Vec::new();
            for i in 20..22 {
                let overlapping = columns.clone().filter(|j| boxes[i].overlaps(&boxes[*j]));
                expected.extend(overlapping.map(|j| [i as u32, j as u32]));
            }
            for set in &sets {
                let mut hits = Vec::new();
                overlaps_between(set, 20..22, columns.clone(), &mut hits);
                assert_eq!(hits, expected, "{columns:?}");
            }
        }
    }
}
