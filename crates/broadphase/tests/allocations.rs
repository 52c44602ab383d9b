//! A steady frame allocates nothing, its events included, on one thread and on two.
//!
//! A program of its own, without the usual test harness: the counter sees the allocations of every
//! thread, and the harness says something, which allocates, when a test takes long.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::{ALGORITHMS, Frame, PairEvents, Settings};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let (_, frames) = common::inputs(2500, 120, 3).swap_remove(0);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for row in ALGORITHMS {
            let mut algorithm = row.create(&Settings::new(2500)).unwrap();
            let mut pairs = Vec::new();
            let mut events = PairEvents::default();
            let mut run = |frames: &[Vec<_>]| {
                pool.install(|| {
                    let before = ALLOCATOR.stats();
                    for boxes in frames {
                        let frame = Frame::new(boxes, 1.0 / 60.0);
                        pairs.clear();
                        algorithm.update(&frame);
                        algorithm.find_pairs(&frame, &mut pairs);
                        events.advance(&pairs);
                    }
                    let after = ALLOCATOR.stats();
                    (after.allocations - before.allocations)
                        + (after.reallocations - before.reallocations)
                })
            };
            assert!(run(&frames[..60]) > 0, "{}: the counter counts nothing", row.id);
            let steady = run(&frames[60..]);
            assert_eq!(steady, 0, "{} on {threads} threads: allocations in 60 frames", row.id);
        }
    }
    println!("{} rows allocate nothing in a steady frame", ALGORITHMS.len());
}
