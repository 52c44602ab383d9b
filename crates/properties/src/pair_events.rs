//! The pairs that began and ended.

use arbitrary::{Result, Unstructured};
use broadphase::{Pair, PairEvents};
use std::collections::HashSet;

/// Most pairs of a frame: more than the lists that are sorted by comparison.
const MAX_PAIRS: usize = 2000;

/// Most pairs of all frames: a fraction of a millisecond.
const MAX_OF_ALL: usize = 6000;

/// Events are the differences between the sets of two frames' pairs.
pub(crate) fn check(bytes: &[u8]) {
    let mut events = PairEvents::default();
    let mut before: Vec<Pair> = Vec::new();
    let mut all = 0;
    let mut bytes = Unstructured::new(bytes);
    while !bytes.is_empty() && all < MAX_OF_ALL {
        let Ok(pairs) = frame(&mut bytes) else { return };
        all += pairs.len();
        let mut now = pairs.clone();
        now.sort_unstable();
        events.advance(&pairs);
        assert_eq!(events.pairs(), now, "pairs");
        assert!(events.began().iter().eq(without(&now, &before)), "pairs that began");
        assert!(events.ended().iter().eq(without(&before, &now)), "pairs that ended");
        before = now;
    }
}

/// The pairs of one sorted list that are not in another.
fn without<'a>(pairs: &'a [Pair], others: &[Pair]) -> impl Iterator<Item = &'a Pair> {
    pairs.iter().filter(|pair| others.binary_search(pair).is_err())
}

/// The pairs of a frame, each once, in any order: runs of ids with a stride.
fn frame(bytes: &mut Unstructured<'_>) -> Result<Vec<Pair>> {
    let runs: u8 = bytes.arbitrary()?;
    let mut pairs = Vec::new();
    let mut known = HashSet::new();
    for _ in 0..runs % 8 {
        let [a, b] = [id(bytes)?, id(bytes)?];
        let [count, stride_a, stride_b]: [u8; 3] = bytes.arbitrary()?;
        // Seldom many: they take long.
        let count = if count < 224 { count % 32 } else { count };
        for step in 0..u32::from(count) {
            let a = a.wrapping_add(step.wrapping_mul(u32::from(stride_a)));
            let b = b.wrapping_add(step.wrapping_mul(u32::from(stride_b)));
            if a != b && pairs.len() < MAX_PAIRS && known.insert(Pair::new(a, b)) {
                pairs.push(Pair::new(a, b));
            }
        }
    }
    Ok(pairs)
}

/// Often a low id, so that pairs come again.
fn id(bytes: &mut Unstructured<'_>) -> Result<u32> {
    let low: u8 = bytes.arbitrary()?;
    if low < 240 { Ok(u32::from(low)) } else { bytes.arbitrary() }
}
