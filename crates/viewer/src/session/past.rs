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
    /// Bytes on the heap, as counted when it was stored.
    bytes: usize,
}

impl SavedState {
    fn count_bytes(&mut self) {
        let boxes = self.boxes.capacity() * size_of::<Aabb>();
        self.bytes = self.world.heap_bytes() + self.heat.heap_bytes() + boxes;
    }
}

/// A ring of the states of consecutive steps. The present one is among them after going back.
#[derive(Debug)]
pub(super) struct Past {
    states: VecDeque<SavedState>,
    /// Number of states before the present one.
    at: usize,
    /// Bytes of all states. They differ: that of the start of a continuous world has no paths.
    bytes: usize,
    max_bytes: usize,
}

impl Past {
    /// No states yet. They will take at most `max_bytes`; the last one is kept in any case.
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { states: VecDeque::new(), at: 0, bytes: 0, max_bytes }
    }

    /// Keeps the present state before a step, which replaces the steps after it. A full ring drops its oldest states.
    pub(super) fn push(&mut self, world: &World, heat: &Heat, boxes: &[Aabb]) {
        self.forget_later();
        // Going back stores the present state too.
        self.store(world, heat, boxes, 1);
        self.at = self.states.len();
    }

    /// Stores the present state, and leaves room for `others`.
    fn store(&mut self, world: &World, heat: &Heat, boxes: &[Aabb], others: usize) {
        // The oldest state's memory is reused: a steady step allocates nothing.
        let mut state = self.make_room(1 + others).unwrap_or_default();
        world.store(&mut state.world);
        state.heat.clone_from(heat);
        state.boxes.clear();
        if world.scene().continuous != Continuous::Off {
            state.boxes.extend_from_slice(boxes);
        }
        state.count_bytes();
        self.bytes += state.bytes;
        self.states.push_back(state);
        // It may be larger than the one before.
        self.make_room(others);
    }

    /// Drops the oldest states until there is room for `more`, each as large as the last one, which is kept. Returns the
    /// last one that was dropped.
    fn make_room(&mut self, more: usize) -> Option<SavedState> {
        let each = self.states.back()?.bytes;
        let mut dropped = None;
        while self.states.len() > 1
            && (self.states.len() + more > MAX_STATES || self.bytes + more * each > self.max_bytes)
        {
            dropped = self.states.pop_front();
            self.bytes -= dropped.as_ref().map_or(0, |state| state.bytes);
        }
        dropped
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
            self.at = self.states.len() - 1;
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
        self.bytes
    }

    /// Forgets the states after the present one.
    pub(super) fn forget_later(&mut self) {
        self.bytes -= self.states.range(self.at..).map(|state| state.bytes).sum::<usize>();
        self.states.truncate(self.at);
    }

    /// The steps that can be gone to; `present` is the present one.
    pub(super) fn kept(&self, present: u64) -> RangeInclusive<u64> {
        let steps = |state: &SavedState| state.world.steps();
        let first = self.states.front().map_or(present, steps);
        first.min(present)..=self.states.back().map_or(present, steps).max(present)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{Hold, SceneDocument};

    /// Twenty bodies in a continuous world, in which all states were pushed before a step up to the last one.
    fn pushed(steps: u64, max_bytes: usize) -> (Past, World, Heat, Vec<Aabb>) {
        let text =
            b"i -2 -2 -2 4 4 4 100 f\n#!objects 20\n#!radius 0.2\n#!speed 2\n#!continuous all\n\
            #!shape die box 1 1 1\n#!bodies source 1 die 100\n";
        let document = SceneDocument::parse("dice.scene", text).unwrap();
        let mut world = World::new(document.scene());
        let (heat, mut boxes, mut past) = (Heat::new(20), Vec::new(), Past::new(max_bytes));
        world.boxes(&mut boxes);
        for _ in 0..steps {
            past.push(&world, &heat, &boxes);
            world.step(Hold::None);
            world.boxes(&mut boxes);
            world.respond(&[]);
        }
        (past, world, heat, boxes)
    }

    fn counted(past: &mut Past) -> usize {
        past.states.iter_mut().for_each(SavedState::count_bytes);
        past.states.iter().map(|state| state.bytes).sum()
    }

    #[test]
    fn states_of_a_continuous_world_stay_within_their_bytes() {
        // The first state has no paths, and is less than half as large as all others.
        let (few, ..) = pushed(2, usize::MAX);
        let [first, second] = [0, 1].map(|index: usize| few.states[index].bytes);
        assert!(second > 2 * first, "{first} {second}");
        let room = 30 * second;
        for steps in [10, 20, 30, 40, 200] {
            let (mut past, mut world, mut heat, mut boxes) = pushed(steps, room);
            assert!(past.bytes <= room, "{steps} steps: {} of {room}", past.bytes);
            assert_eq!((past.heap_bytes(), counted(&mut past)), (past.bytes, past.bytes));
            assert!(past.states.len() >= 10, "{steps} steps: {}", past.states.len());
            // Going back stores the present state too.
            let back = *past.kept(steps).start() + 1;
            assert!(past.go_to(back, &mut world, &mut heat, &mut boxes, true));
            assert!(past.bytes <= room && past.kept(back).contains(&steps));
            past.forget_later();
            assert_eq!((past.heap_bytes(), past.at), (counted(&mut past), past.states.len()));
        }
    }

    #[test]
    fn last_state_is_kept_without_room() {
        let (mut past, mut world, mut heat, mut boxes) = pushed(5, 0);
        assert_eq!(past.states.len(), 1);
        assert!(past.go_to(4, &mut world, &mut heat, &mut boxes, false));
        assert_eq!(world.steps(), 4);
        // The present one displaces the one before.
        past.push(&world, &heat, &boxes);
        world.step(Hold::None);
        assert!(!past.go_to(4, &mut world, &mut heat, &mut boxes, true));
        assert_eq!((past.at, past.kept(5)), (0, 5..=5));
        past.push(&world, &heat, &boxes);
        assert_eq!(past.states.len(), 1, "the present one is there once");
    }
}
