//! Pair events agree with set differences of the frames' pairs.

use crate::common::{inputs, pairs_by_definition, rng};
use broadphase::{Pair, PairEvents};
use rand::seq::SliceRandom;
use std::collections::BTreeSet;

#[test]
fn events_of_moving_boxes_equal_set_differences() {
    for (input, frames) in inputs(900, 8, 3) {
        let (mut rng, mut events) = (rng(5), PairEvents::default());
        let (mut before, mut most, mut all_ended) = (BTreeSet::new(), 0, 0);
        for boxes in &frames {
            let mut pairs = pairs_by_definition(boxes);
            pairs.shuffle(&mut rng);
            events.advance(&pairs);
            let now: BTreeSet<Pair> = pairs.iter().copied().collect();
            assert!(events.pairs().iter().eq(&now), "{input}: pairs");
            assert!(events.began().iter().eq(now.difference(&before)), "{input}: began");
            assert!(events.ended().iter().eq(before.difference(&now)), "{input}: ended");
            (most, all_ended) = (most.max(pairs.len()), all_ended + events.ended().len());
            before = now;
        }
        if ["gas", "objects come and go", "number changes", "teleports"].contains(&input) {
            assert!(most > 256 && all_ended > 150, "{input}: {most} pairs, {all_ended} ended");
        }
    }
}

#[test]
fn memory_of_a_burst_is_returned() {
    let pairs: Vec<_> = (1..100_000).map(|b| Pair::new(0, b)).collect();
    let mut events = PairEvents::default();
    events.advance(&pairs);
    let of_burst = events.heap_bytes();
    (0..120).for_each(|_| events.advance(&pairs[..9]));
    assert!(events.heap_bytes() < of_burst / 20, "{} of {of_burst} bytes", events.heap_bytes());
}
