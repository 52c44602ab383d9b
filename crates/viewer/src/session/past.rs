//! Recent states of the world, to step back to.

use sim::{World, WorldState};
use std::collections::VecDeque;

/// States kept, where memory allows: ten seconds at 60 steps a second.
const MOST_STATES: usize = 600;

/// Bytes that they may take together; of 100,000 spheres some 70 states.
const MOST_BYTES: usize = 256 << 20;

/// A ring of the states before the last steps.
#[derive(Debug, Default)]
pub(super) struct Past {
    states: VecDeque<WorldState>,
}

impl Past {
    /// Keeps the state before a step. The oldest goes where there is no more room.
    pub(super) fn push(&mut self, world: &World) {
        let full = self.states.len() >= MOST_STATES
            || self.states.iter().take(1).map(WorldState::heap_bytes).sum::<usize>()
                * (self.states.len() + 1)
                > MOST_BYTES;
        // The oldest one's memory is used again: a steady step allocates nothing.
        let mut state =
            if full { self.states.pop_front().unwrap_or_default() } else { WorldState::default() };
        world.store(&mut state);
        self.states.push_back(state);
    }

    /// Takes the world to the state before its last step; says whether there was one.
    pub(super) fn pop(&mut self, world: &mut World) -> bool {
        let state = self.states.pop_back();
        if let Some(state) = &state {
            world.restore(state);
        }
        state.is_some()
    }

    pub(super) fn clear(&mut self) {
        self.states.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }
}
