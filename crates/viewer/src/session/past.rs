//! Recent states of the world, to go back and forth.

use super::heat::Heat;
use broadphase::Aabb;
use sim::scene::Continuous;
use sim::{World, WorldState};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// Maximum of states kept, the present one included after going back: ten seconds at 60 steps a second.
const MAX_STATES: usize = 601;

/// Everything that a step changes.
#[derive(Debug, Default)]
struct SavedState {
    world: WorldState,
    heat: Heat,
    /// The boxes that were searched, in a continuous world: they were swept before the collisions changed the paths.
    /// Else empty.
    boxes: Vec<Aabb>,
}

impl SavedState {
    fn heap_bytes(&self) -> usize {
        let boxes = self.boxes.capacity() * size_of::<Aabb>();
        self.world.heap_bytes() + self.heat.heap_bytes() + boxes
    }
}

/// A ring of the states of consecutive steps. The present one is among them after going back.
#[derive(Debug)]
pub(super) struct Past {
    states: VecDeque<SavedState>,
    /// Number of states before the present one.
    at: usize,
    max_bytes: usize,
}

impl Past {
    /// No states yet. They will take at most `max_bytes`; the last one is kept in any case.
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { states: VecDeque::new(), at: 0, max_bytes }
    }

    /// Keeps the present state before a step, which replaces the steps after it. A full ring drops its oldest state.
    pub(super) fn push(&mut self, world: &World, heat: &Heat, boxes: &[Aabb]) {
        self.states.truncate(self.at);
        // Going back stores the present state too.
        self.store(world, heat, boxes, 1);
        self.at = self.states.len();
    }

    /// Stores the present state, and leaves room for `others`.
    fn store(&mut self, world: &World, heat: &Heat, boxes: &[Aabb], others: usize) {
        let each = self.states.front().map_or(0, SavedState::heap_bytes);
        let number = self.states.len() + others;
        let full = number >= MAX_STATES || each * (number + 1) > self.max_bytes;
        // The oldest state's memory is reused: a steady step allocates nothing.
        let oldest = if full { self.states.pop_front() } else { None };
        let mut state = oldest.unwrap_or_default();
        world.store(&mut state.world);
        state.heat.clone_from(heat);
        state.boxes.clear();
        if world.scene().continuous != Continuous::Off {
            state.boxes.extend_from_slice(boxes);
        }
        self.states.push_back(state);
    }

    /// Restores the state after `step` steps, with its boxes. Returns whether it is kept. The present one is kept too, if it
    /// `is_whole`: a step that is not finished is taken back.
    pub(super) fn go_to(
        &mut self,
        step: u64,
        world: &mut World,
        heat: &mut Heat,
        boxes: &mut Vec<Aabb>,
        is_whole: bool,
    ) -> bool {
        if !self.states.iter().any(|state| state.world.steps() == step) {
            return is_whole && world.steps() == step;
        }
        if is_whole && self.at == self.states.len() {
            self.store(world, heat, boxes, 0);
        }
        // Storing may have dropped the oldest one.
        let Some(place) = self.states.iter().position(|state| state.world.steps() == step) else {
            return false;
        };
        let state = &self.states[place];
        world.restore(&state.world);
        heat.clone_from(&state.heat);
        match state.boxes.is_empty() {
            true => world.boxes(boxes),
            false => boxes.clone_from(&state.boxes),
        }
        self.at = place;
        true
    }

    /// Forgets the boxes of all states: they are computed in another way from now on.
    pub(super) fn forget_boxes(&mut self) {
        self.states.iter_mut().for_each(|state| state.boxes.clear());
    }

    /// Bytes of the states.
    pub(super) fn heap_bytes(&self) -> usize {
        self.states.iter().map(SavedState::heap_bytes).sum()
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
