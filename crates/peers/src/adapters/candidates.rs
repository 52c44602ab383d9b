//! Candidate pairs of fat AABBs, filtered by the exact boxes.

use broadphase::{Frame, Pair};

/// Candidates that are tested before the pairs found among them are appended.
const BLOCK: usize = 256;

/// Appends the candidates whose exact boxes overlap. Guaranteed pairs are appended without a test.
///
/// All objects must be present: absent ones would need a further test.
#[inline]
pub(super) fn append_overlapping(
    frame: &Frame<'_>,
    candidates: &[Pair],
    is_guaranteed: impl Fn(u32, u32) -> bool,
    pairs: &mut Vec<Pair>,
) {
    let overlap = |i: u32, j: u32| {
        let (one, other) = (&frame.boxes[i as usize], &frame.boxes[j as usize]);
        (one.min.cmple(other.max) & other.min.cmple(one.max)).all()
    };
    if frame.layers.is_empty() {
        append_where(candidates, |i, j| is_guaranteed(i, j) || overlap(i, j), pairs);
    } else {
        let passes = |i, j| frame.admits(i, j) && (is_guaranteed(i, j) || overlap(i, j));
        append_where(candidates, passes, pairs);
    }
}

/// Appends the candidates that pass, without a branch on the outcome, which would often be mispredicted.
#[inline]
fn append_where(candidates: &[Pair], passes: impl Fn(u32, u32) -> bool, pairs: &mut Vec<Pair>) {
    let mut found = [Pair { a: 0, b: 0 }; BLOCK];
    for block in candidates.chunks(BLOCK) {
        let mut count = 0;
        for &Pair { a, b } in block {
            found[count] = Pair::new(a, b);
            count += usize::from(passes(a, b));
        }
        pairs.extend_from_slice(&found[..count]);
    }
}
