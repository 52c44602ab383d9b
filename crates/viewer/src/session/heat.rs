//! Recent collisions of each sphere, for its glow and its colour.

use super::touching::spheres_touch;
use broadphase::Pair;
use sim::World;

/// Steps for which a sphere glows after a hit.
pub const HIT_STEPS: u64 = 6;

/// Share of its heat that a sphere keeps from one step to the next. Half is left after some 70 steps.
const DECAY: f32 = 0.99;

/// Hits by object.
#[derive(Debug, Default)]
pub(super) struct Heat {
    /// The step of the last hit, counted from 1; 0 if there was none.
    last_hits: Vec<u64>,
    values: Vec<f32>,
}

impl Heat {
    pub(super) fn new(objects: usize) -> Self {
        Self { last_hits: vec![0; objects], values: vec![0.0; objects] }
    }

    /// Counts the real collisions among the pairs of a step, which the world has just responded to.
    pub(super) fn step(&mut self, world: &World, pairs: &[Pair]) {
        for value in &mut self.values {
            *value *= DECAY;
        }
        match world.bodies() {
            None => {
                let hits = pairs.iter().filter(|pair| spheres_touch(world, **pair));
                hits.for_each(|pair| self.hit(*pair, world.steps()));
            }
            Some(bodies) => {
                let hits = bodies.contacts().iter();
                hits.for_each(|contact| self.hit(contact.pair, world.steps()));
            }
        }
    }

    fn hit(&mut self, pair: Pair, step: u64) {
        for object in [pair.a as usize, pair.b as usize] {
            self.last_hits[object] = step;
            self.values[object] += 1.0;
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.last_hits.capacity() * size_of::<u64>() + self.values.capacity() * size_of::<f32>()
    }

    /// Glow of an object: 1 in the step of a hit, falling to 0.
    pub(super) fn glow(&self, object: usize, step: u64) -> f32 {
        let last = self.last_hits[object];
        let age = step.saturating_sub(last);
        if last == 0 || age >= HIT_STEPS { 0.0 } else { 1.0 - age as f32 / HIT_STEPS as f32 }
    }

    /// Hits of each object; older ones count less.
    pub(super) fn values(&self) -> &[f32] {
        &self.values
    }
}

impl Clone for Heat {
    fn clone(&self) -> Self {
        Self { last_hits: self.last_hits.clone(), values: self.values.clone() }
    }

    /// Reuses the lists' memory.
    fn clone_from(&mut self, source: &Self) {
        self.last_hits.clone_from(&source.last_hits);
        self.values.clone_from(&source.values);
    }
}
