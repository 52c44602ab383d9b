//! Objects that vanish and come back.

use super::bodies::{Bodies, Walls};
use super::random::{Noise, draw_index, index_of};
use broadphase::Aabb;
use glam::Vec3;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Fewest and most frames of absence.
const ABSENCE_FRAMES: [usize; 2] = [2, 60];

/// Largest share of the objects absent at a time.
const MAX_ABSENT_SHARE: f32 = 0.2;

/// Which objects are absent, and until when.
#[derive(Clone, Debug)]
pub(super) struct Churn {
    /// Objects that vanish in a frame, on average.
    rate: f64,
    absence: u32,
    /// The frame in which an object vanished, and the object, oldest first.
    queue: VecDeque<(u32, u32)>,
    absent: Vec<bool>,
    noise: Noise,
}

/// Which objects vanish, and where they come back.
pub(super) enum ReturnPlace<'a> {
    /// Any of the first objects, up to this number, vanishes, and comes back to its place.
    Same(usize),
    /// Any of the listed bodies vanishes. Half of them come back next to another one.
    Elsewhere(&'a mut Bodies, &'a [u32], Vec3, Walls),
}

impl Churn {
    /// Lets a share of `candidates` objects vanish in each frame; there are `objects` in all.
    pub(super) fn new(
        share: f32,
        candidates: usize,
        objects: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<Self> {
        let longest = (MAX_ABSENT_SHARE / share.max(1e-9)) as usize;
        let longest = longest.clamp(ABSENCE_FRAMES[0], ABSENCE_FRAMES[1]);
        let absence = ABSENCE_FRAMES[0] + draw_index(longest - ABSENCE_FRAMES[0] + 1, rng);
        let noise = Noise::new(rng);
        let rate = f64::from(share.clamp(0.0, 1.0)) * candidates as f64;
        let capacity = (rate.ceil() as usize).saturating_mul(absence + 1).min(objects);
        (share > 0.0 && candidates > 0).then(|| Self {
            rate,
            absence: absence as u32,
            queue: VecDeque::with_capacity(capacity),
            absent: vec![false; objects],
            noise,
        })
    }

    /// Brings objects back and lets others vanish.
    pub(super) fn step(&mut self, frame: u32, mut on_return: ReturnPlace<'_>) {
        while let Some(&(since, object)) = self.queue.front() {
            if since + self.absence > frame {
                break;
            }
            self.queue.pop_front();
            self.absent[object as usize] = false;
        }
        let total = |frame: u32| (f64::from(frame) * self.rate) as u64;
        for draw in 0..(total(frame) - total(frame.saturating_sub(1))) as u32 {
            let bits = self.noise.bits(frame, draw);
            let object = match &on_return {
                ReturnPlace::Same(candidates) => index_of(bits, *candidates) as u32,
                ReturnPlace::Elsewhere(_, free, ..) => match free.get(index_of(bits, free.len())) {
                    Some(&object) => object,
                    None => continue,
                },
            };
            if std::mem::replace(&mut self.absent[object as usize], true) {
                continue;
            }
            self.queue.push_back((frame, object));
            if let ReturnPlace::Elsewhere(bodies, free, axes, walls) = &mut on_return
                && bits & 1 == 1
            {
                bodies.displace(
                    object as usize,
                    free,
                    *axes,
                    *walls,
                    broadphase::benchmark::mix(bits),
                );
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
