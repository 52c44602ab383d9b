//! Recent states of the world, to step back to.

use super::heat::Heat;
use sim::{World, WorldState};
use std::collections::VecDeque;

/// States kept, where memory allows: ten seconds at 60 steps a second.
const MOST_STATES: usize = 600;

/// Bytes that they may take together: about 70 states of 100,000 spheres.
const MOST_BYTES: usize = 256 << 20;

/// All that a step changes.
#[derive(Debug, Default)]
struct Moment {
    world: WorldState,
    heat: Heat,
}

/// A ring of the states before the last steps.
#[derive(Debug, Default)]
pub(super) struct Past {
    moments: VecDeque<Moment>,
}

impl Past {
    /// Keeps the state before a step. The oldest goes where there is no more room.
    pub(super) fn push(&mut self, world: &World, heat: &Heat) {
        let bytes = |moment: &Moment| moment.world.heap_bytes() + moment.heat.heap_bytes();
        let each = self.moments.front().map_or(0, bytes);
        let number = self.moments.len();
        let full = number >= MOST_STATES || each * (number + 1) > MOST_BYTES;
        // The oldest one's memory is used again: a steady step allocates nothing.
        let oldest = if full { self.moments.pop_front() } else { None };
        let mut moment = oldest.unwrap_or_default();
        world.store(&mut moment.world);
        moment.heat.clone_from(heat);
        self.moments.push_back(moment);
    }

    /// Goes back to the state before the last step; says whether there was one.
    pub(super) fn pop(&mut self, world: &mut World, heat: &mut Heat) -> bool {
        let moment = self.moments.pop_back();
        if let Some(moment) = &moment {
            world.restore(&moment.world);
            heat.clone_from(&moment.heat);
        }
        moment.is_some()
    }

    pub(super) fn clear(&mut self) {
        self.moments.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }
}
