//! Recent states of the world, to go back and forth.

use super::heat::Heat;
use sim::{World, WorldState};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

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

/// A ring of the states of consecutive steps. The present one is among them after going back.
#[derive(Debug, Default)]
pub(super) struct Past {
    moments: VecDeque<Moment>,
    /// Number of states before the present one.
    at: usize,
}

impl Past {
    /// Keeps the present state before a step, which replaces the steps after it. A full ring drops its oldest state.
    pub(super) fn push(&mut self, world: &World, heat: &Heat) {
        self.moments.truncate(self.at);
        self.store(world, heat);
        self.at = self.moments.len();
    }

    fn store(&mut self, world: &World, heat: &Heat) {
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

    /// Restores the state after `step` steps. Returns whether it is kept. The present one is kept too, if it
    /// `is_whole`: a step that is not finished is taken back.
    pub(super) fn go_to(
        &mut self,
        step: u64,
        world: &mut World,
        heat: &mut Heat,
        is_whole: bool,
    ) -> bool {
        if !self.moments.iter().any(|moment| moment.world.steps() == step) {
            return is_whole && world.steps() == step;
        }
        if is_whole && self.at == self.moments.len() {
            self.store(world, heat);
        }
        // Storing may have dropped the oldest one.
        let Some(place) = self.moments.iter().position(|moment| moment.world.steps() == step)
        else {
            return false;
        };
        world.restore(&self.moments[place].world);
        heat.clone_from(&self.moments[place].heat);
        self.at = place;
        true
    }

    /// Forgets the states after the present one.
    pub(super) fn forget_later(&mut self) {
        self.moments.truncate(self.at);
    }

    /// The steps that can be gone to; `present` is the present one.
    pub(super) fn kept(&self, present: u64) -> RangeInclusive<u64> {
        let steps = |moment: &Moment| moment.world.steps();
        let first = self.moments.front().map_or(present, steps);
        first.min(present)..=self.moments.back().map_or(present, steps).max(present)
    }
}
