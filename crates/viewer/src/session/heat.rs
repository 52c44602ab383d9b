//! Recent collisions of each sphere, for its glow and its colour.

use super::PAIRS_PER_CHECK;
use super::touching::spheres_touch;
use broadphase::Pair;
use sim::World;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Steps for which a sphere glows after a hit.
pub const HIT_STEPS: u64 = 6;

/// Share of its heat that a sphere keeps from one step to the next. Half is left after some 70 steps.
const DECAY: f32 = 0.99;

/// Hits by object.
#[derive(Debug, Default)]
pub(super) struct Heat {
    /// Steps since the last hit; [`HIT_STEPS`] where that was longer ago. A byte each: hundreds of states are kept.
    ages: Vec<u8>,
    values: Vec<f32>,
}

impl Heat {
    pub(super) fn new(objects: usize) -> Self {
        Self { ages: vec![HIT_STEPS as u8; objects], values: vec![0.0; objects] }
    }

    /// Counts the real collisions among the pairs of a step, which the world has just responded to. Returns whether all were
    /// counted before `stop` was set.
    pub(super) fn step(&mut self, world: &World, pairs: &[Pair], stop: &AtomicBool) -> bool {
        for (value, age) in self.values.iter_mut().zip(&mut self.ages) {
            *value *= DECAY;
            *age += u8::from(*age < HIT_STEPS as u8);
        }
        match world.bodies() {
            None => {
                for part in pairs.chunks(PAIRS_PER_CHECK) {
                    if stop.load(Relaxed) {
                        return false;
                    }
                    let hits = part.iter().filter(|pair| spheres_touch(world, **pair));
                    hits.for_each(|pair| self.hit(*pair));
                }
            }
            Some(bodies) => {
                let hits = bodies.contacts().iter();
                hits.for_each(|contact| self.hit(contact.pair));
            }
        }
        true
    }

    fn hit(&mut self, pair: Pair) {
        for object in [pair.a as usize, pair.b as usize] {
            self.ages[object] = 0;
            self.values[object] += 1.0;
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.ages.capacity() + self.values.capacity() * size_of::<f32>()
    }

    /// Glow of an object: 1 in the step of a hit, falling to 0.
    pub(super) fn glow(&self, object: usize) -> f32 {
        1.0 - f32::from(self.ages[object]) / HIT_STEPS as f32
    }

    /// Hits of each object; older ones count less.
    pub(super) fn values(&self) -> &[f32] {
        &self.values
    }
}

impl Clone for Heat {
    fn clone(&self) -> Self {
        Self { ages: self.ages.clone(), values: self.values.clone() }
    }

    /// Reuses the lists' memory.
    fn clone_from(&mut self, source: &Self) {
        self.ages.clone_from(&source.ages);
        self.values.clone_from(&source.values);
    }
}
