//! Algorithms that cache pairs are exact in heaps, where many pairs overlap for so long that they are guaranteed
//! and not tested. Boxes also shrink or grow within their fat AABBs, or return, bit for bit, to an earlier state.

use crate::common::{pairs_by_definition, plain, rng, vec3};
use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{ALGORITHMS, Settings, find};
use broadphase::{Aabb, Layer, check_boxes};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Random heaps, one for each seed.
const HEAPS: u64 = 200;

/// Frames of each heap.
const FRAMES: usize = 160;

/// The entries that cache guaranteed pairs.
const WITH_GUARANTEED: [&str; 2] = ["neighbour-list", "auto"];

/// The other entries that keep state run on every `OTHERS_EVERY`-th heap only, to save time.
const OTHERS_EVERY: u64 = 8;

/// Least frames in which most boxes change, yet guaranteed pairs save tests. Measured: two to
/// four times as many.
const MIN_FRAMES_WITH_GUARANTEED: usize = 500;

/// Most frames after which a box returns to an earlier state.
const HISTORY: usize = 20;

/// Frames after which boxes return in half of the phases. While most boxes change, a cache checks which of
/// them did only in every 16th frame.
const CHECK_PERIOD: usize = 16;

/// Probabilities of what an object does in a frame; otherwise it rests.
#[derive(Clone, Copy, Default)]
struct Phase {
    /// It becomes an [`odd`] box.
    odd: f64,
    /// It takes the box that it had `returns_after` frames ago.
    returns: f64,
    returns_after: usize,
    /// It jitters about its home, by up to `jitter_size` of its size.
    jitters: f64,
    jitter_size: f32,
}

/// Boxes that overlap many others, each about a fixed home.
struct Heap {
    rng: ChaCha8Rng,
    homes: Vec<Aabb>,
    boxes: Vec<Aabb>,
    layers: Vec<Layer>,
    /// The boxes of earlier frames, the last one first.
    history: VecDeque<Vec<Aabb>>,
    phase: Phase,
}

impl Heap {
    fn new(seed: u64) -> Self {
        let mut rng = rng(seed);
        let objects = rng.random_range(20..=120);
        let scale = one_of(&mut rng, [1.0, 1e7, 1e30, 1e-30]);
        // Far from the origin, the bounds of a fat AABB are rounded.
        let origin = one_of(&mut rng, [0.0, 0.0, 1e5]);
        let side = (objects as f32).cbrt() * 0.4;
        let home = |_| {
            let at = vec3(&mut rng, -side..side);
            let at = if rng.random_bool(0.3) { (at * 4.0).round() * 0.25 } else { at };
            let half = if rng.random_bool(0.8) { 0.5 } else { rng.random_range(0.05..2.0) };
            let b = Aabb::around_sphere(at + origin, half);
            Aabb::new(b.min * scale, b.max * scale)
        };
        let homes: Vec<_> = (0..objects).map(home).collect();
        let (boxes, layers, history) = (homes.clone(), Vec::new(), VecDeque::new());
        Self { rng, homes, boxes, layers, history, phase: Phase::default() }
    }

    fn step(&mut self) {
        if self.history.is_empty() || self.rng.random_bool(0.04) {
            self.begin_phase();
        }
        self.history.push_front(self.boxes.clone());
        self.history.truncate(HISTORY);
        let phase = self.phase;
        let earlier = &self.history[phase.returns_after.min(self.history.len()) - 1];
        for ((b, home), earlier) in self.boxes.iter_mut().zip(&self.homes).zip(earlier) {
            if self.rng.random_bool(phase.odd) {
                *b = odd(&mut self.rng, home, b);
            } else if self.rng.random_bool(phase.returns) {
                *b = *earlier;
            } else if self.rng.random_bool(phase.jitters) {
                let way = vec3(&mut self.rng, -1.0..1.0) * phase.jitter_size * home.size();
                *b = Aabb::new(home.min + way, home.max + way);
            }
        }
    }

    fn begin_phase(&mut self) {
        let rng = &mut self.rng;
        self.phase = Phase {
            odd: one_of(rng, [0.0, 0.01, 0.05]),
            returns: one_of(rng, [0.0, 0.1, 0.5]),
            returns_after: if rng.random_bool(0.5) {
                CHECK_PERIOD
            } else {
                rng.random_range(1..=HISTORY)
            },
            jitters: one_of(rng, [0.0, 0.05, 1.0, 1.0, 1.0, 1.0]),
            jitter_size: one_of(rng, [1e-3, 0.01, 0.05, 0.15]),
        };
        self.layers.clear();
        if rng.random_bool(0.2) {
            let layer = |_| Layer { mask: rng.random(), group: 0, is_static: rng.random_bool(0.3) };
            self.layers.extend((0..self.boxes.len() * 3 / 4).map(layer));
        }
    }

    fn have_most_changed(&self) -> bool {
        let changed = self.boxes.iter().zip(&self.history[0]).filter(|(b, before)| b != before);
        changed.count() > self.boxes.len() * 3 / 4
    }
}

/// A box that is absent, smaller, larger or elsewhere.
fn odd(rng: &mut ChaCha8Rng, home: &Aabb, now: &Aabb) -> Aabb {
    let (center, half) = (home.center(), home.size() * 0.5);
    let by = half * one_of(rng, [1e-3, 0.1, 0.3, 0.6]);
    let low = f32::NEG_INFINITY;
    match rng.random_range(0..12) {
        0 => Aabb::EMPTY,
        1 => Aabb::new(home.max, home.min),
        2 => Aabb::new(center + by, center - by),
        3 => Aabb::new(home.min.with_x(low), home.max.with_y(low)),
        4 => Aabb::new(center, center),
        5 => Aabb::new(center - by, center + by),
        6 => Aabb::new(home.min + by, home.max),
        7 => Aabb::new(home.min, home.max - by),
        8 => Aabb::new(home.min - by, home.max + by),
        // Smaller by one ulp a side; this makes a point an empty box.
        9 => Aabb::new(now.min.map(f32::next_up), now.max.map(f32::next_down)),
        10 => Aabb::new(home.min + by, home.max + by),
        _ => {
            let way = vec3(rng, -3.0..3.0) * home.size();
            Aabb::new(home.min + way, home.max + way)
        }
    }
}

fn one_of<T: Copy, const N: usize>(rng: &mut ChaCha8Rng, all: [T; N]) -> T {
    all[rng.random_range(0..N)]
}

#[test]
fn cached_pairs_are_exact_in_heaps() {
    let mut frames_with_guaranteed = [0; WITH_GUARANTEED.len()];
    for seed in 0..HEAPS {
        let mut heap = Heap::new(seed);
        let settings = Settings::new(heap.boxes.len());
        let are_all = seed.is_multiple_of(OTHERS_EVERY);
        let others = ALGORITHMS.iter().filter(|entry| are_all && entry.keeps_state);
        let others = others.map(|entry| entry.id).filter(|id| !WITH_GUARANTEED.contains(id));
        let ids: Vec<&str> = WITH_GUARANTEED.into_iter().chain(others).collect();
        let create = |id: &&str| find(id).unwrap().create(&settings).unwrap();
        let mut algorithms: Vec<_> = ids.iter().map(create).collect();
        for number in 0..FRAMES {
            heap.step();
            check_boxes(&heap.boxes).unwrap();
            let frame = plain(&heap.boxes).layered(&heap.layers);
            let mut expected = pairs_by_definition(&heap.boxes);
            let overlaps = expected.len() as u64;
            expected.retain(|pair| frame.admits(pair.a, pair.b));
            for (at, (id, algorithm)) in ids.iter().zip(&mut algorithms).enumerate() {
                let run = AssertUnwindSafe(|| {
                    let mut pairs = Vec::new();
                    algorithm.update(&frame);
                    algorithm.find_pairs(&frame, &mut pairs);
                    if number % 50 == 49 {
                        algorithm.validate(&frame);
                    }
                    pairs.sort_unstable();
                    pairs
                });
                let pairs = catch_unwind(run).unwrap_or_else(|_| {
                    panic!("{id} on heap of seed {seed}, frame {number}: a panic")
                });
                let input = &format_args!("heap of seed {seed}");
                PairListOrigin { algorithm: id, input, number, frame }
                    .assert_same(&expected, &pairs);
                // While most boxes change, only guaranteed pairs are not tested.
                let are_some_guaranteed = algorithm.counters().tests < overlaps;
                if at < WITH_GUARANTEED.len() && are_some_guaranteed && heap.have_most_changed() {
                    frames_with_guaranteed[at] += 1;
                }
            }
        }
    }
    let is_enough = |frames: &usize| *frames > MIN_FRAMES_WITH_GUARANTEED;
    assert!(frames_with_guaranteed.iter().all(is_enough), "only {frames_with_guaranteed:?} frames");
}
