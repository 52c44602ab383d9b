//! Pairs of enlarged boxes, and which of them are pairs of the real ones.

use broadphase::{Frame, Pair};

/// Candidates that are tested before what is found is appended.
const BLOCK: usize = 256;

/// Appends those candidates whose real boxes overlap. Of those that are sure no box is asked.
///
/// All objects must be present: of absent ones it would need one test more.
#[inline]
pub(super) fn append_real(
    frame: &Frame<'_>,
    candidates: &[Pair],
    is_sure: impl Fn(u32, u32) -> bool,
    pairs: &mut Vec<Pair>,
) {
    let overlap = |i: u32, j: u32| {
        let (one, other) = (&frame.boxes[i as usize], &frame.boxes[j as usize]);
        (one.min.cmple(other.max) & other.min.cmple(one.max)).all()
    };
    if frame.layers.is_empty() {
        append_where(candidates, |i, j| is_sure(i, j) || overlap(i, j), pairs);
    } else {
        let real = |i, j| frame.admits(i, j) && (is_sure(i, j) || overlap(i, j));
        append_where(candidates, real, pairs);
    }
}

/// Without a branch on the outcome, which the processor would often foretell wrongly.
#[inline]
fn append_where(candidates: &[Pair], real: impl Fn(u32, u32) -> bool, pairs: &mut Vec<Pair>) {
    let mut found = [Pair { a: 0, b: 0 }; BLOCK];
    for block in candidates.chunks(BLOCK) {
        let mut count = 0;
        for &Pair { a, b } in block {
            found[count] = Pair::new(a, b);
            count += usize::from(real(a, b));
        }
        pairs.extend_from_slice(&found[..count]);
    }
}
