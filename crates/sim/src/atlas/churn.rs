//! Objects that vanish and come back.

use super::cell::Cell;
use super::random::{Noise, draw_index, index_of};
use broadphase::Aabb;
use broadphase::benchmark::mix;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Fewest and most frames of absence.
const ABSENCE_FRAMES: [usize; 2] = [2, 60];

/// Largest share of the objects absent at a time.
const MAX_ABSENT_SHARE: f32 = 0.2;

/// Which objects are absent, and until when.
#[derive(Clone, Debug)]
pub(super) struct Churn {
    candidates: Vec<u32>,
    /// Objects that vanish in a frame, on average.
    rate: f64,
    absence: u32,
    /// The frame in which an object vanished, and the object, oldest first.
    queue: VecDeque<(u32, u32)>,
    absent: Vec<bool>,
    noise: Noise,
}

impl Churn {
    /// Lets the cell's share of the candidates vanish in each frame. `None` if none ever vanishes.
    pub(super) fn new(cell: &Cell, candidates: Vec<u32>, rng: &mut ChaCha8Rng) -> Option<Self> {
        let (share, objects) = (cell.churn, cell.objects.max(1) as usize);
        let [shortest, longest] = ABSENCE_FRAMES;
        let longest = ((MAX_ABSENT_SHARE / share.max(1e-9)) as usize).clamp(shortest, longest);
        let absence = shortest + draw_index(longest - shortest + 1, rng);
        let noise = Noise::new(rng);
        let rate = f64::from(share.clamp(0.0, 1.0)) * candidates.len() as f64;
        let capacity = (rate.ceil() as usize).saturating_mul(absence + 1).min(objects);
        (share > 0.0 && !candidates.is_empty()).then(|| Self {
            candidates,
            rate,
            absence: absence as u32,
            queue: VecDeque::with_capacity(capacity),
            absent: vec![false; objects],
            noise,
        })
    }

    /// Brings objects back and lets others vanish. `displace` is called for half of these, with the
    /// candidates and random bits: they come back next to another one.
    pub(super) fn step(&mut self, frame: u32, mut displace: impl FnMut(usize, &[u32], u64)) {
        while let Some(&(since, object)) = self.queue.front()
            && since + self.absence <= frame
        {
            self.queue.pop_front();
            self.absent[object as usize] = false;
        }
        let total = |frame: u32| (f64::from(frame) * self.rate) as u64;
        for draw in 0..(total(frame) - total(frame.saturating_sub(1))) as u32 {
            let bits = self.noise.bits(frame, draw);
            let object = self.candidates[index_of(bits, self.candidates.len())];
            if std::mem::replace(&mut self.absent[object as usize], true) {
                continue;
            }
            self.queue.push_back((frame, object));
            if bits & 1 == 1 {
                displace(object as usize, &self.candidates, mix(bits));
            }
        }
    }

    /// Empties the boxes of absent objects.
    pub(super) fn hide(&self, boxes: &mut [Aabb]) {
        for &(_, object) in &self.queue {
            boxes[object as usize] = Aabb::EMPTY;
        }
    }
}
