//! Recent states of the world, to go back and forth.

use super::heat::Heat;
use sim::{World, WorldState};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// Maximum of states kept: ten seconds at 60 steps a second.
const MAX_STATES: usize = 600;

/// Maximum of bytes of all states: about 70 states of 100,000 spheres.
const MAX_BYTES: usize = 256 << 20;

/// Everything that a step changes.
#[derive(Debug, Default)]
struct SavedState {
    world: WorldState,
    heat: Heat,
}

/// A ring of the states of consecutive steps. The present one is among them after going back.
#[derive(Debug, Default)]
pub(super) struct Past {
    states: VecDeque<SavedState>,
    /// Number of states before the present one.
    at: usize,
}

impl Past {
    /// Keeps the present state before a step, which replaces the steps after it. A full ring drops its oldest state.
    pub(super) fn push(&mut self, world: &World, heat: &Heat) {
        self.states.truncate(self.at);
        self.store(world, heat);
        self.at = self.states.len();
    }

    fn store(&mut self, world: &World, heat: &Heat) {
        let bytes = |state: &SavedState| state.world.heap_bytes() + state.heat.heap_bytes();
        let each = self.states.front().map_or(0, bytes);
        let number = self.states.len();
        let full = number >= MAX_STATES || each * (number + 1) > MAX_BYTES;
        // The oldest state's memory is reused: a steady step allocates nothing.
        let oldest = if full { self.states.pop_front() } else { None };
        let mut state = oldest.unwrap_or_default();
        world.store(&mut state.world);
        state.heat.clone_from(heat);
        self.states.push_back(state);
    }

    /// Restores the state after `step` steps. Returns whether it is kept. The present one is kept too, if it
    /// `is_whole`: a step that is not finished is taken back.
    pub(super) fn go_to(
        &mut self,
        step: u64,
        world: &mut World,
        heat: &mut Heat,
        is_whole: bool,
    ) -> bool {
        if !self.states.iter().any(|state| state.world.steps() == step) {
            return is_whole && world.steps() == step;
        }
        if is_whole && self.at == self.states.len() {
            self.store(world, heat);
        }
        // Storing may have dropped the oldest one.
        let Some(place) = self.states.iter().position(|state| state.world.steps() == step) else {
            return false;
        };
        world.restore(&self.states[place].world);
        heat.clone_from(&self.states[place].heat);
        self.at = place;
        true
    }

    /// Forgets the states after the present one.
    pub(super) fn forget_later(&mut self) {
        self.states.truncate(self.at);
    }

    /// The steps that can be gone to; `present` is the present one.
    pub(super) fn kept(&self, present: u64) -> RangeInclusive<u64> {
        let steps = |state: &SavedState| state.world.steps();
        let first = self.states.front().map_or(present, steps);
        first.min(present)..=self.states.back().map_or(present, steps).max(present)
    }
}
