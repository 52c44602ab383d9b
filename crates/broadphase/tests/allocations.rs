//! A steady frame allocates nothing, its events included, on one thread and on two.
//!
//! A program of its own, without the usual test harness: the counter sees the allocations of every
//! thread, and the harness says something, which allocates, when a test takes long.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::{ALGORITHMS, Aabb, Algorithm, Frame, PairEvents, Settings};
use common::{Frames, vec3};
use glam::Vec3;
use rand::RngExt;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Large objects among small ones in a cube with walls: what meets the large ones is found by one
/// task now, by another later.
fn large_ones_wander_about(n: usize, frames: usize) -> Frames {
    let mut rng = common::rng(5);
    let mut bodies: Vec<_> =
        (0..n).map(|_| (vec3(&mut rng, -1.0..1.0), vec3(&mut rng, -1.0..1.0) * 0.02)).collect();
    let half = |object: usize| if object.is_multiple_of(100) { 0.4 } else { 0.03 };
    let frame = |_| {
        for (at, velocity) in &mut bodies {
            let outwards = at.abs().cmpgt(Vec3::ONE) & (*at * *velocity).cmpgt(Vec3::ZERO);
            *velocity = Vec3::select(outwards, -*velocity, *velocity);
            *at += *velocity;
        }
        let around =
            |(object, (at, _)): (usize, &(Vec3, Vec3))| Aabb::around_sphere(*at, half(object));
        bodies.iter().enumerate().map(around).collect()
    };
    (0..frames).map(frame).collect()
}

/// Many that rest, of which others begin to move in every frame, for that one: enough for threads to share
/// the work now, and not then.
fn some_begin_to_move(n: usize, frames: usize) -> Frames {
    let mut rng = common::rng(7);
    let mut boxes: Vec<_> =
        (0..n).map(|_| Aabb::around_sphere(vec3(&mut rng, -1.0..1.0), 0.03)).collect();
    let frame = |_| {
        for b in &mut boxes {
            if rng.random_bool(0.95) {
                continue;
            }
            *b = Aabb::around_sphere(b.center() + vec3(&mut rng, -1.0..1.0) * 0.02, 0.03);
        }
        boxes.clone()
    };
    (0..frames).map(frame).collect()
}

fn main() {
    // The gas thins out: `auto` turns to another search, for the first time, in frame 48.
    let (_, gas) = common::inputs(2500, 120, 3).swap_remove(0);
    for (input, frames) in [("gas", gas), ("large ones", large_ones_wander_about(2500, 240))] {
        assert_steady(input, ALGORITHMS.iter(), &frames, &[1, 2]);
    }
    let those = |ids: &'static [&str]| ALGORITHMS.iter().filter(|row| ids.contains(&row.id));
    let keeping = those(&["sweep-grid", "rest-grid", "neighbour-list", "auto"]);
    // On two threads a few lists of tasks still grow: how the work is divided differs from build to build.
    assert_steady("some begin to move", keeping, &some_begin_to_move(12_000, 240), &[1]);
    // Lists that are made again and again, and repaired in between.
    for n in [200, 1000] {
        let (_, gas) = common::inputs(n, 260, 4).swap_remove(0);
        assert_steady("flying on", those(&["neighbour-list", "auto"]), &gas, &[1, 2]);
    }
    println!("{} rows allocate nothing in a steady frame", ALGORITHMS.len());
}

fn assert_steady<'a>(
    input: &str,
    rows: impl Iterator<Item = &'a Algorithm> + Clone,
    frames: &Frames,
    threads: &[usize],
) {
    let steady_from = frames.len() - 60;
    for threads in threads.iter().copied() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for row in rows.clone() {
            let mut algorithm = row.create(&Settings::new(frames[0].len())).unwrap();
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
            assert!(run(&frames[..steady_from]) > 0, "{}: the counter counts nothing", row.id);
            let steady = run(&frames[steady_from..]);
            assert_eq!(steady, 0, "{} on {input}, {threads} threads: in 60 frames", row.id);
        }
    }
}
