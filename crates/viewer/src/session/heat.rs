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
    /// Steps since the last hit, or the begin of the last contact of a body; [`HIT_STEPS`] where that was longer ago. A byte
    /// each: hundreds of states are kept.
    ages: Vec<u8>,
    values: Vec<f32>,
}

impl Heat {
    pub(super) fn new(objects: usize) -> Self {
        Self { ages: vec![HIT_STEPS as u8; objects], values: vec![0.0; objects] }
    }

    /// Counts the real collisions among the pairs of a step, which the world has just responded to. Contacts of bodies that last
    /// since the step `before` add heat, and no glow. Returns whether all were counted before `stop` was set.
    pub(super) fn step(
        &mut self,
        world: &World,
        pairs: &[Pair],
        before: &[Pair],
        stop: &AtomicBool,
    ) -> bool {
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
                    hits.for_each(|pair| self.hit(*pair, true));
                }
            }
            Some(bodies) => {
                // No contact is known to begin in the first step.
                let is_first = world.steps() == 1;
                for contact in bodies.contacts() {
                    let lasts = is_first || before.binary_search(&contact.pair).is_ok();
                    self.hit(contact.pair, !lasts);
                }
            }
        }
        true
    }

    fn hit(&mut self, pair: Pair, begins: bool) {
        for object in [pair.a as usize, pair.b as usize] {
            self.ages[object] *= u8::from(!begins);
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
