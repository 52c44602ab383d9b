//! Algorithms that keep state are exact in heaps, where many pairs overlap for long.

use crate::common::heap::Heap;
use crate::common::{pairs_by_definition, plain};
use broadphase::benchmark::PairListOrigin;
use broadphase::check_boxes;
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};

/// Random heaps, one for each seed, and the frames of each.
const HEAPS: u64 = 120;
const FRAMES: usize = 160;

/// Entries that do not cache pairs run on every `OTHERS_EVERY`-th heap only, to save time.
const OTHERS_EVERY: u64 = 8;

#[test]
fn cached_pairs_are_exact_in_heaps() {
    let mut from_cache = 0;
    for seed in 0..HEAPS {
        let mut heap = Heap::new(seed);
        let settings = Settings::new(heap.boxes.len());
        let caches = |entry: &Algorithm| ["neighbour-list", "auto"].contains(&entry.id);
        let is_run = |entry: &&Algorithm| {
            caches(entry) || (entry.keeps_state && seed.is_multiple_of(OTHERS_EVERY))
        };
        let run = ALGORITHMS.iter().filter(is_run);
        let mut run: Vec<_> = run.map(|entry| (entry, entry.build(&settings))).collect();
        for number in 0..FRAMES {
            heap.step();
            check_boxes(&heap.boxes).unwrap();
            let frame = plain(&heap.boxes).layered(&heap.layers);
            let mut expected = pairs_by_definition(&heap.boxes);
            let overlaps = expected.len() as u64;
            expected.retain(|pair| frame.admits(pair.a, pair.b));
            for (entry, algorithm) in &mut run {
                let mut pairs = Vec::new();
                algorithm.update(&frame);
                algorithm.find_pairs(&frame, &mut pairs);
                if number % 50 == 49 {
                    algorithm.validate(&frame);
                }
                pairs.sort_unstable();
                let input = &format_args!("heap of seed {seed}");
                PairListOrigin { algorithm: entry.id, input, number, frame }
                    .assert_same(&expected, &pairs);
                from_cache += usize::from(caches(entry) && algorithm.counters().tests < overlaps);
            }
        }
    }
    assert!(from_cache > HEAPS as usize * FRAMES / 10, "pairs are copied in {from_cache} frames");
}
