//! What is kept from frame to frame is exact in heaps, where pairs overlap for so long that they are sure:
//! also where boxes shrink or grow within their places, or are again, bit for bit, what they were before.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::{Aabb, Layer, Settings, check_boxes, find};
use common::{pairs_by_definition, plain, rng, vec3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

const HEAPS: u64 = 200;
const FRAMES: usize = 160;

/// Those that keep something. The first ones keep sure pairs, the others are tried on one heap in so many.
const IDS: [&str; 8] = [
    "neighbour-list",
    "auto",
    "rest-grid",
    "sap-incremental",
    "kd-sap",
    "bvh-incremental",
    "bsp-semi-adjusting",
    "octree-loose+object",
];
const WITH_SURE_PAIRS: usize = 2;
const OTHERS_SHARE: u64 = 8;

/// Frames in which most boxes change, but some pairs are sure: there are two to four times as many.
const FEWEST_WITH_SURE_PAIRS: usize = 500;

/// Most frames after which a box is again what it was. Often it is so many, since a list looks only in one
/// frame of these at what changed, while most does.
const PAST: usize = 20;
const LOOK: usize = 16;

/// What each object does in a frame, with which probability; otherwise it rests.
#[derive(Clone, Copy, Default)]
struct Phase {
    is_odd: f64,
    /// It is what it was so many frames ago.
    returns: f64,
    after: usize,
    /// It trembles about its place, by this share of its size.
    trembles: f64,
    by: f32,
}

/// Boxes, most of which overlap many others.
struct Heap {
    rng: ChaCha8Rng,
    homes: Vec<Aabb>,
    boxes: Vec<Aabb>,
    layers: Vec<Layer>,
    past: VecDeque<Vec<Aabb>>,
    phase: Phase,
}

impl Heap {
    fn new(seed: u64) -> Self {
        let mut rng = rng(seed);
        let objects = rng.random_range(20..=120);
        let scale = one_of(&mut rng, [1.0, 1e7, 1e30, 1e-30]);
        // Far from the origin, bounds are rounded.
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
        let (boxes, layers, past) = (homes.clone(), Vec::new(), VecDeque::new());
        Self { rng, homes, boxes, layers, past, phase: Phase::default() }
    }

    fn step(&mut self) {
        if self.past.is_empty() || self.rng.random_bool(0.04) {
            self.begin_phase();
        }
        self.past.push_front(self.boxes.clone());
        self.past.truncate(PAST);
        let phase = self.phase;
        let before = &self.past[phase.after.min(self.past.len()) - 1];
        for ((b, home), before) in self.boxes.iter_mut().zip(&self.homes).zip(before) {
            if self.rng.random_bool(phase.is_odd) {
                *b = odd(&mut self.rng, home, b);
            } else if self.rng.random_bool(phase.returns) {
                *b = *before;
            } else if self.rng.random_bool(phase.trembles) {
                let way = vec3(&mut self.rng, -1.0..1.0) * phase.by * home.size();
                *b = Aabb::new(home.min + way, home.max + way);
            }
        }
    }

    fn begin_phase(&mut self) {
        let rng = &mut self.rng;
        self.phase = Phase {
            is_odd: one_of(rng, [0.0, 0.01, 0.05]),
            returns: one_of(rng, [0.0, 0.1, 0.5]),
            after: if rng.random_bool(0.5) { LOOK } else { rng.random_range(1..=PAST) },
            trembles: one_of(rng, [0.0, 0.05, 1.0, 1.0, 1.0, 1.0]),
            by: one_of(rng, [1e-3, 0.01, 0.05, 0.15]),
        };
        self.layers.clear();
        if rng.random_bool(0.2) {
            let layer = |_| Layer { mask: rng.random(), group: 0, is_static: rng.random_bool(0.3) };
            self.layers.extend((0..self.boxes.len() * 3 / 4).map(layer));
        }
    }

    fn has_most_changed(&self) -> bool {
        let changed = self.boxes.iter().zip(&self.past[0]).filter(|(b, before)| b != before);
        changed.count() > self.boxes.len() * 3 / 4
    }
}

/// A box that is absent, smaller, larger or elsewhere.
fn odd(rng: &mut ChaCha8Rng, home: &Aabb, now: &Aabb) -> Aabb {
    let (center, half) = (home.center(), home.size() * 0.5);
    let by = half * one_of(rng, [1e-3, 0.1, 0.3, 0.6]);
    let nowhere = f32::NEG_INFINITY;
    match rng.random_range(0..12) {
        0 => Aabb::EMPTY,
        1 => Aabb::new(home.max, home.min),
        2 => Aabb::new(center + by, center - by),
        3 => Aabb::new(home.min.with_x(nowhere), home.max.with_y(nowhere)),
        4 => Aabb::new(center, center),
        5 => Aabb::new(center - by, center + by),
        6 => Aabb::new(home.min + by, home.max),
        7 => Aabb::new(home.min, home.max - by),
        8 => Aabb::new(home.min - by, home.max + by),
        // As little smaller as can be; a point is absent then.
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
fn sure_pairs_are_those_of_the_definition() {
    let mut with_sure_pairs = [0; WITH_SURE_PAIRS];
    for seed in 0..HEAPS {
        let mut heap = Heap::new(seed);
        let settings = Settings::new(heap.boxes.len());
        let are_all = seed.is_multiple_of(OTHERS_SHARE);
        let ids = &IDS[..if are_all { IDS.len() } else { WITH_SURE_PAIRS }];
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
                let place = format!("{id}: seed {seed}, frame {number}");
                let pairs = catch_unwind(run).unwrap_or_else(|_| panic!("{place}: a panic"));
                let other = expected.iter().zip(&pairs).find(|(expected, found)| expected != found);
                let numbers = [expected.len(), pairs.len()];
                assert!(pairs == expected, "{place}: {other:?} (expected, found) of {numbers:?}");
                // Where most boxes change, only what is sure is not tested.
                let are_some_sure = algorithm.counters().tests < overlaps;
                if at < WITH_SURE_PAIRS && are_some_sure && heap.has_most_changed() {
                    with_sure_pairs[at] += 1;
                }
            }
        }
    }
    let are_enough = with_sure_pairs.iter().all(|frames| *frames > FEWEST_WITH_SURE_PAIRS);
    assert!(are_enough, "hardly a pair was sure: in {with_sure_pairs:?} frames");
}
