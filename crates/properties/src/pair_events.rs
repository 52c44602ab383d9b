//! The pairs that began and ended.

use arbitrary::{Result, Unstructured};
use broadphase::{Pair, PairEvents};
use std::collections::BTreeSet;

/// Most pairs of a frame: more than the lists that are sorted by comparison.
const MOST_PAIRS: usize = 2000;

/// Events are the differences between the sets of two frames' pairs.
pub(crate) fn check(bytes: &[u8]) {
    let mut events = PairEvents::default();
    let mut before = BTreeSet::new();
    let mut bytes = Unstructured::new(bytes);
    while !bytes.is_empty() {
        let Ok(pairs) = frame(&mut bytes) else { return };
        let now: BTreeSet<Pair> = pairs.iter().copied().collect();
        events.advance(&pairs);
        assert!(events.pairs().iter().eq(&now), "pairs");
        assert!(events.began().iter().eq(now.difference(&before)), "pairs that began");
        assert!(events.ended().iter().eq(before.difference(&now)), "pairs that ended");
        before = now;
    }
}

/// The pairs of a frame, each once, in any order: runs of ids with a stride.
fn frame(bytes: &mut Unstructured<'_>) -> Result<Vec<Pair>> {
    let runs: u8 = bytes.arbitrary()?;
    let mut pairs = Vec::new();
    let mut known = BTreeSet::new();
    for _ in 0..runs % 8 {
        let [a, b] = [id(bytes)?, id(bytes)?];
        let [count, stride_a, stride_b]: [u8; 3] = bytes.arbitrary()?;
        for step in 0..u32::from(count) {
            let a = a.wrapping_add(step.wrapping_mul(u32::from(stride_a)));
            let b = b.wrapping_add(step.wrapping_mul(u32::from(stride_b)));
            if a != b && pairs.len() < MOST_PAIRS && known.insert(Pair::new(a, b)) {
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
