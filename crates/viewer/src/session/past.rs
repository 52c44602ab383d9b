//! Recent states of the world, for stepping back.

use super::heat::Heat;
use sim::{World, WorldState};
use std::collections::VecDeque;

/// Most states kept: ten seconds at 60 steps a second.
const MOST_STATES: usize = 600;

/// Most bytes of all states: about 70 states of 100,000 spheres.
const MOST_BYTES: usize = 256 << 20;

/// Everything that a step changes.
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
    /// Keeps the state before a step. A full ring drops its oldest state.
    pub(super) fn push(&mut self, world: &World, heat: &Heat) {
        let bytes = |moment: &Moment| moment.world.heap_bytes() + moment.heat.heap_bytes();
        let each = self.moments.front().map_or(0, bytes);
        let number = self.moments.len();
        let full = number >= MOST_STATES || each * (number + 1) > MOST_BYTES;
        // The oldest state's memory is reused: a steady step allocates nothing.
        let oldest = if full { self.moments.pop_front() } else { None };
        let mut moment = oldest.unwrap_or_default();
        world.store(&mut moment.world);
        moment.heat.clone_from(heat);
        self.moments.push_back(moment);
    }

    /// Restores the state before the last step. Returns whether there was one.
    pub(super) fn pop(&mut self, world: &mut World, heat: &mut Heat) -> bool {
        let moment = self.moments.pop_back();
        if let Some(moment) = &moment {
            world.restore(&moment.world);
            heat.clone_from(&moment.heat);
        }
        moment.is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }
}
