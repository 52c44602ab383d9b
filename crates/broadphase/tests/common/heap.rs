//! Heaps, whose boxes overlap for long, shrink or grow, or return, bit for bit, to an earlier state.

use super::{random_layers, rng, vec3};
use broadphase::{Aabb, Layer};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Most frames after which a box returns to an earlier state.
const HISTORY: usize = 20;

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
pub(crate) struct Heap {
    rng: ChaCha8Rng,
    homes: Vec<Aabb>,
    pub(crate) boxes: Vec<Aabb>,
    pub(crate) layers: Vec<Layer>,
    /// The boxes of earlier frames, the last one first.
    history: VecDeque<Vec<Aabb>>,
    phase: Phase,
}

impl Heap {
    pub(crate) fn new(seed: u64) -> Self {
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

    pub(crate) fn step(&mut self) {
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
            returns_after: rng.random_range(1..=HISTORY),
            jitters: one_of(rng, [0.0, 0.05, 1.0, 1.0, 1.0, 1.0]),
            jitter_size: one_of(rng, [1e-3, 0.01, 0.05, 0.15]),
        };
        self.layers.clear();
        if rng.random_bool(0.2) {
            self.layers = random_layers(rng, self.boxes.len() * 3 / 4);
        }
    }
}

/// A box that is absent, smaller, larger or elsewhere.
fn odd(rng: &mut ChaCha8Rng, home: &Aabb, now: &Aabb) -> Aabb {
    let by = home.size() * one_of(rng, [5e-4, 0.05, 0.15, 0.3]);
    let low = f32::NEG_INFINITY;
    match rng.random_range(0..8) {
        0 => Aabb::EMPTY,
        1 => Aabb::new(home.max, home.min),
        2 => Aabb::new(home.min.with_x(low), home.max.with_y(low)),
        3 => Aabb::new(home.center(), home.center()),
        // Smaller by one ulp a side; this makes a point an empty box.
        4 => Aabb::new(now.min.map(f32::next_up), now.max.map(f32::next_down)),
        5..7 => {
            let [low, high] = [0, 1].map(|_| by * one_of(rng, [-1.0, 0.0, 1.0]));
            Aabb::new(home.min + low, home.max + high)
        }
        _ => {
            let way = vec3(rng, -3.0..3.0) * home.size();
            Aabb::new(home.min + way, home.max + way)
        }
    }
}

fn one_of<T: Copy, const N: usize>(rng: &mut ChaCha8Rng, all: [T; N]) -> T {
    all[rng.random_range(0..N)]
}
